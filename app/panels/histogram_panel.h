#pragma once

#include <cstddef>
#include <optional>

#include "app/answers/answer.h"
#include "app/dock_state.h"
#include "app/panels/panel_window.h"
#include "core/query/statistics.h"

namespace bytescope::app {

/// Durations of one row of the statistics: bars on a logarithmic scale, and buttons for its
/// shortest, median and longest span. Answers which spans were clicked. `histogram` is null until
/// it is known.
std::optional<DurationPick> histogram_panel(PanelWindow& window, const render::Box& box,
                                            const Answer& answer, std::size_t row,
                                            const query::DurationHistogram* histogram,
                                            int first_place);

}  // namespace bytescope::app
