#pragma once

#include <cstdint>
#include <optional>

#include "app/answers/memory_charts.h"
#include "app/panels/panel_window.h"

namespace bytescope::app {

/// What is drawn: one of the charts of a comparison.
struct ShownChart {
  const MemoryCharts& of;
  const MemoryChart& chart;
  const ChartPlacing& placing;
};

/// Draws both curves of a memory track on one axis: A as a dashed line, B as a filled area, both
/// peaks marked and told. Answers the moment of B that was clicked. `moment` is where keys are at,
/// as a share of the width. Its places in the window are numbers `place` and the next. Costs
/// pixels.
std::optional<std::int64_t> curves_panel(PanelWindow& window, const render::Box& box,
                                         const ShownChart& shown, float& moment, int place);

}  // namespace bytescope::app
