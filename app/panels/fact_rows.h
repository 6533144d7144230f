#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "app/fact_sheet.h"
#include "app/panels/panel_window.h"

namespace bytescope::app {

/// A line of a fact sheet on the screen.
struct FactLine {
  float top = 0;  ///< Below the top of the sheet.
  float height = 0;
  render::Face label_face = render::Face::ui_12;
  std::vector<render::TextPiece> label;  ///< From the left edge on.
  std::vector<render::TextPiece> value;  ///< Up to the right edge.
  const FactRow* row = nullptr;          ///< What it belongs to; none for headings.
};

/// A fact sheet broken into lines. Refers to the sheet.
struct FactRows {
  std::vector<FactLine> lines;
  float width = 0;
  float height = 0;
};

/// What a sheet looks like in that width.
struct FactLook {
  float width = 0;
  std::size_t most_text_lines = 40;  ///< Of one fact.
  std::size_t most_title_lines = 8;
};

/// Breaks a sheet into lines. Costs O(characters shown).
FactRows fact_rows(const render::Theme& theme, const render::TextMetrics& metrics,
                   const FactSheet& sheet, const FactLook& look);

/// The width in which no row of the sheet needs a second line.
float natural_width(const render::TextMetrics& metrics, const FactSheet& sheet);

/// What was clicked: a link, or a value to be copied.
struct FactClick {
  const FactRow* row = nullptr;
};

/// Draws the lines that the window shows, with the top of the sheet at (x, y). `clickable`: rows
/// answer to the pointer.
FactClick draw_fact_rows(PanelWindow& window, const FactRows& rows, float x, float y,
                         bool clickable);

}  // namespace bytescope::app
