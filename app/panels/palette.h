#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/panels/panel_window.h"

namespace bytescope::app {

/// A line of the palette.
struct PaletteRow {
  std::string title;
  std::string keys;
  std::string group;
  bool fits_always = false;  ///< Whatever is typed.
};

/// The command palette: all that can be done now, found by typing parts of its name. Holds what is
/// typed and chosen.
class Palette {
public:
  void open();
  void close() { is_open_ = false; }
  bool is_open() const { return is_open_; }
  /// What is typed into it.
  const std::string& text() const { return text_; }
  /// Whether its field has the keyboard with the next frame only.
  bool waits_for_keyboard() const { return is_open_ && !types_; }

  /// Draws it over the window; answers which row was chosen, and closes then, on Escape, and on a
  /// press beside it.
  std::optional<std::size_t> draw(const PanelContext& context, std::span<const PaletteRow> rows);

private:
  std::optional<std::size_t> draw_rows(PanelWindow& window, const render::Box& box,
                                       std::span<const PaletteRow> rows,
                                       std::span<const std::size_t> found) const;

  bool is_open_ = false;
  bool is_fresh_ = false;
  bool types_ = false;
  std::string text_;
  std::size_t chosen_ = 0;
};

/// Numbers of the rows whose titles or groups hold every word of `text`, whatever the case.
std::vector<std::size_t> palette_matches(std::span<const PaletteRow> rows, const std::string& text);

}  // namespace bytescope::app
