#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/panels/panel_context.h"
#include "app/panels/panel_window.h"
#include "app/save_form.h"

namespace bytescope::app {

/// Asks where something is to be written: a path, and buttons for what it can be.
class SavePanel {
public:
  /// Opens it with a path to begin with.
  void open(std::string title, std::string path, std::vector<SaveFormat> formats);
  void close() { is_open_ = false; }
  bool is_open() const { return is_open_; }
  /// Whether its field has the keyboard with the next frame only.
  bool waits_for_keyboard() const { return is_open_ && !types_; }

  /// Draws it over the window. Answers the path once, when it was confirmed; then, on Escape and
  /// on a press beside it, it is closed.
  std::optional<std::string> draw(const PanelContext& context);

private:
  void draw_formats(PanelWindow& window, const render::Box& box);
  bool draw_footer(PanelWindow& window, const render::Box& box);

  SaveForm form_;
  std::string title_;
  bool is_open_ = false;
  bool is_fresh_ = false;  ///< Not drawn yet: the click that opened it does not close it.
  bool types_ = false;
};

}  // namespace bytescope::app
