#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/merge_form.h"
#include "app/panels/panel_context.h"
#include "app/panels/panel_window.h"

namespace bytescope::app {

/// Tells the files that are shown as one trace, with their offsets to type, and the other open
/// traces, which can be added.
class MergePanel {
public:
  /// What was asked for.
  struct Answer {
    std::optional<std::vector<std::int64_t>> offsets_us;  ///< Shall hold from now on.
    std::optional<std::size_t> added;                     ///< One of the others shall be added.
  };

  /// Opens it for files and their offsets; one file alone has none to type.
  void open(const std::vector<std::string>& names, const std::vector<std::int64_t>& offsets_us,
            std::vector<std::string> others);
  void close() { is_open_ = false; }
  bool is_open() const { return is_open_; }
  /// Whether a field has the keyboard with the next frame only.
  bool waits_for_keyboard() const { return is_open_ && is_fresh_; }

  /// Draws it over the window. Answers once, when something is asked for; then, on Escape and on a
  /// press beside it, it is closed.
  std::optional<Answer> draw(const PanelContext& context);

private:
  std::size_t shown_rows() const;
  std::size_t shown_others() const;
  bool draw_rows(PanelWindow& window, const render::Box& box);
  std::optional<std::size_t> draw_others(PanelWindow& window, const render::Box& box);
  bool draw_footer(PanelWindow& window, const render::Box& box);
  void scroll(const render::Box& box, std::size_t& first, std::size_t shown,
              std::size_t count) const;

  MergeForm form_;
  std::vector<std::string> others_;
  std::size_t first_row_ = 0;
  std::size_t first_other_ = 0;
  bool is_open_ = false;
  bool is_fresh_ = false;  ///< Not drawn yet: the click that opened it does not close it.
};

}  // namespace bytescope::app
