#pragma once

#include <cstddef>
#include <optional>

#include "app/answers/answer.h"
#include "app/dock_state.h"
#include "app/panels/panel_window.h"
#include "core/query/statistics.h"

namespace bytescope::app {

/// What is drawn: a row of the statistics.
struct ShownHistogram {
  const Answer& answer;
  std::size_t row = 0;
  const query::DurationHistogram* histogram = nullptr;  ///< Null until it is known.
};

/// Durations of one row of the statistics: bars on a logarithmic scale, and buttons for its
/// shortest, median and longest span. Answers which spans were clicked. `bar` is the one that
/// keys are at.
std::optional<DurationPick> histogram_panel(PanelWindow& window, const render::Box& box,
                                            const ShownHistogram& shown, std::size_t& bar,
                                            int first_place);

}  // namespace bytescope::app
