#pragma once

#include <cstddef>
#include <optional>

#include "app/panels/panel_context.h"
#include "app/summary_facts.h"

namespace bytescope::app {

/// What was clicked.
struct SummaryAnswer {
  SummaryRow::Target target = SummaryRow::Target::none;
  std::optional<std::size_t> kernel;  ///< Place in SummaryFacts::kernels.
};

/// The right panel while nothing is selected; scrolls where it is too small. Draws no background.
SummaryAnswer summary_panel(const PanelContext& context, const SummaryFacts& facts);

}  // namespace bytescope::app
