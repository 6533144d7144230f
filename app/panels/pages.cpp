#include "app/panels/pages.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "app/panels/panel_window.h"
#include "app/panels/status_bar.h"
#include "app/panels/text_wrap.h"
#include "app/trace_title.h"
#include "core/io/utf8.h"
#include "core/merge/file_set.h"
#include "core/net/url.h"

namespace bytescope::app {
namespace {

using render::Box;
using render::Color;
using render::Face;

constexpr float column_px = 520;
constexpr float drop_px = 132;
constexpr float button_px = 30;
constexpr float button_width_px = 132;
constexpr float row_px = 24;
constexpr float line_px = 18;
constexpr float heading_px = 26;
constexpr std::size_t most_lines_shown = 12;
constexpr std::size_t most_recent = 12;
constexpr int open_place = 0;
constexpr int demo_place = 1;
constexpr int first_recent_place = 100;

/// A column in the middle of the page, written from top to bottom.
class PageWriter {
public:
  PageWriter(PanelWindow& window, float height) : window_(window), theme_(window.theme()) {
    const Box& area = window.area();
    const float width = std::min(column_px, area.width() - 32);
    left_ = std::max(area.x0 + (area.width() - width) / 2, area.x0);
    right_ = left_ + width;
    // A little above the middle looks centred.
    y_ = area.y0 + std::max((area.height() - height) * 0.42F, 16.0F);
  }

  float left() const { return left_; }
  float right() const { return right_; }
  float middle() const { return (left_ + right_) / 2; }
  float y() const { return y_; }
  void skip(float height) { y_ += height; }

  void heading(std::string_view text, Color color) {
    window_.text(left_, y_, Face::ui_13_medium, text, color);
    y_ += heading_px;
  }

  void paragraph(Face face, std::string_view text, Color color,
                 std::size_t most_lines = most_lines_shown) {
    for (auto& line : lines_of(face, text, color, most_lines)) {
      window_.text(left_, y_, face, std::move(line));
      y_ += line_px;
    }
  }
  /// What a heading and this paragraph will stand on, where there is something behind the page.
  void plate(Face face, std::string_view text) {
    const auto lines =
        static_cast<float>(lines_of(face, text, theme_.text, most_lines_shown).size());
    const Box box{left_ - 20, y_ - 14, right_ + 20, y_ + heading_px + lines * line_px + 14};
    window_.fill(box, theme_.border);
    window_.fill({box.x0 + 1, box.y0 + 1, box.x1 - 1, box.y1 - 1}, theme_.panel);
  }

private:
  std::vector<std::vector<render::TextPiece>> lines_of(Face face, std::string_view text,
                                                       Color color, std::size_t most) const {
    return wrapped(window_.metrics(), face, io::printable_utf8(text), color, right_ - left_, most);
  }

  PanelWindow& window_;
  const render::Theme& theme_;
  float left_;
  float right_;
  float y_;
};

/// A frame of dashes.
void draw_dashes(PanelWindow& window, const Box& box, Color color) {
  constexpr float dash = 6;
  const auto count = [](float length) { return static_cast<int>(std::ceil(length / (2 * dash))); };
  for (int i = 0; i < count(box.width()); ++i) {
    const float x = box.x0 + static_cast<float>(i) * 2 * dash;
    const float end = std::min(x + dash, box.x1);
    window.fill({x, box.y0, end, box.y0 + 1}, color);
    window.fill({x, box.y1 - 1, end, box.y1}, color);
  }
  for (int i = 0; i < count(box.height()); ++i) {
    const float y = box.y0 + static_cast<float>(i) * 2 * dash;
    const float end = std::min(y + dash, box.y1);
    window.fill({box.x0, y, box.x0 + 1, end}, color);
    window.fill({box.x1 - 1, y, box.x1, end}, color);
  }
}

void draw_drop_zone(PanelWindow& window, PageWriter& page, StartAnswer& answer) {
  const render::Theme& theme = window.theme();
  const Box zone{page.left(), page.y(), page.right(), page.y() + drop_px};
  draw_dashes(window, zone, theme.border);
  window.text_middle(page.middle(), zone.y0 + 30, Face::ui_13_medium, "Drop a trace here",
                     theme.text);
  window.text_middle(page.middle(), zone.y0 + 52, Face::ui_12,
                     "a bytepack .bin file of tinygrad\u2019s profiler", theme.text_2);
  const float y = zone.y0 + 80;
  const Box open{page.middle() - button_width_px - 4, y, page.middle() - 4, y + button_px};
  const Box demo{page.middle() + 4, y, page.middle() + 4 + button_width_px, y + button_px};
  answer.open_chooser = window.button(open, open_place, "Open\u2026  Ctrl O", /*is_main=*/true);
  answer.open_demo = window.button(demo, demo_place, "Open the demo");
  page.skip(drop_px);
}

void draw_recent(PanelWindow& window, PageWriter& page, const std::string& path, int number,
                 StartAnswer& answer) {
  const render::Theme& theme = window.theme();
  const Box box{page.left() - 8, page.y(), page.right() + 8, page.y() + row_px};
  const auto over = window.place(box, first_recent_place + number);
  if (over.hovered) window.fill(box, theme.raised, 4);
  if (over.clicked) answer.open = path;
  const float y = page.y() + (row_px - 12) / 2;
  const float width =
      window.text_within(page.left(), y, (page.right() - page.left()) * 0.6F, Face::mono_12,
                         trace_title(path), over.hovered ? theme.accent : theme.text);
  const float room = page.right() - page.left() - width - 16;
  const std::string shown =
      render::text_cut_to(window.metrics(), Face::ui_11, trace_place(path), room);
  window.text_right(page.right(), y + 1, Face::ui_11, shown, theme.text_3);
  page.skip(row_px);
}

}  // namespace

StartAnswer start_page(const PanelContext& context, std::span<const std::string> recent) {
  StartAnswer answer;
  PanelWindow window(context, "start", PanelWindow::Kind::part);
  const render::Theme& theme = context.theme;
  recent = recent.first(std::min(recent.size(), most_recent));
  const float list = recent.empty() ? 0 : 56 + static_cast<float>(recent.size()) * row_px;
  PageWriter page(window, 60 + drop_px + list);
  page.heading("bytescope", theme.text);
  page.paragraph(Face::ui_12, "Kernels, copies and every byte of device memory over time.",
                 theme.text_2);
  page.skip(14);
  draw_drop_zone(window, page, answer);
  if (recent.empty()) return answer;
  page.skip(28);
  window.text(page.left(), page.y(), Face::ui_12_semibold, "Recent", theme.text);
  page.skip(24);
  for (std::size_t i = 0; i < recent.size(); ++i)
    draw_recent(window, page, recent[i], static_cast<int>(i), answer);
  return answer;
}

bool load_page(const PanelContext& context, const std::string& path, const Progress& progress) {
  PanelWindow window(context, "loading", PanelWindow::Kind::part);
  const render::Theme& theme = context.theme;
  PageWriter page(window, 150);
  page.heading(trace_title(path), theme.text);
  page.paragraph(Face::ui_11, shown_path(path), theme.text_3, 3);
  page.skip(14);
  const Box track{page.left(), page.y(), page.right(), page.y() + 6};
  window.fill(track, theme.border, 3);
  const float done = track.width() * fraction_done(progress);
  if (done >= 1) window.fill({track.x0, track.y0, track.x0 + done, track.y1}, theme.accent, 3);
  page.skip(18);
  window.text(page.left(), page.y(), Face::mono_12, load_status(progress), theme.text_2);
  page.skip(32);
  const Box button{page.left(), page.y(), page.left() + button_width_px, page.y() + button_px};
  return window.button(button, 0, "Cancel  Esc");
}

void empty_trace_note(const PanelContext& context) {
  PanelWindow window(context, "empty", PanelWindow::Kind::part);
  PageWriter page(window, 60);
  constexpr std::string_view why =
      "Nothing was profiled: the program ended before a device ran, or the profiler was not on "
      "while it did.";
  page.plate(Face::ui_12, why);  // markers may lie behind it
  page.heading("This trace has no tracks", context.theme.text);
  page.paragraph(Face::ui_12, why, context.theme.text_2);
}

ErrorAnswer error_page(const PanelContext& context, const std::string& path, const Error& error) {
  PanelWindow window(context, "error", PanelWindow::Kind::part);
  const render::Theme& theme = context.theme;
  PageWriter page(window, 200);
  const bool is_set = merge::file_set_from(path).has_value();
  const bool cancelled = error.kind == ErrorKind::cancelled;
  page.heading(cancelled           ? "Opening was cancelled"
               : net::is_url(path) ? "This program cannot be read"
               : is_set            ? "These files cannot be shown as one trace"
                                   : "This file cannot be opened",
               cancelled ? theme.text : theme.error);
  std::string sentence = text(Warning{error.message, error.where});
  if (!sentence.empty() && sentence.back() != '.') sentence += '.';
  if (!cancelled) page.paragraph(Face::ui_12, sentence, theme.text);
  page.skip(10);
  page.paragraph(Face::mono_11, error.path.empty() ? shown_path(path) : error.path, theme.text_3,
                 4);
  page.skip(20);
  const float y = page.y();
  const Box retry{page.left(), y, page.left() + button_width_px, y + button_px};
  const Box close{retry.x1 + 8, y, retry.x1 + 8 + button_width_px, y + button_px};
  ErrorAnswer answer = ErrorAnswer::none;
  if (window.button(retry, 0, "Try again  Ctrl R", /*is_main=*/true)) answer = ErrorAnswer::retry;
  if (window.button(close, 1, "Close  Ctrl W")) answer = ErrorAnswer::close;
  return answer;
}

}  // namespace bytescope::app
