#pragma once

#include <cstdint>
#include <optional>

#include "app/answers/memory_charts.h"
#include "app/panels/panel_window.h"

namespace bytescope::app {

/// Draws both curves of a memory track on one axis: A as a dashed line, B as a filled area, both
/// peaks marked and told. Answers the moment of B that was clicked. Its place in the window is
/// number `place`. Costs pixels.
std::optional<std::int64_t> curves_panel(PanelWindow& window, const render::Box& box,
                                         const MemoryCharts& charts, const MemoryChart& chart,
                                         const ChartPlacing& placing, int place);

}  // namespace bytescope::app
