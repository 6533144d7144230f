#include "app/panels/summary_panel.h"

#include <algorithm>
#include <string>

#include <imgui.h>

#include "app/panels/panel_window.h"
#include "app/panels/text_wrap.h"
#include "app/panels/tooltip.h"

namespace bytescope::app {
namespace {

using render::Box;
using render::Face;

constexpr float padding_px = 16;
constexpr float heading_px = 26;
constexpr float row_px = 20;
constexpr float section_gap_px = 16;
constexpr float bar_px = 18;
constexpr float bar_gap_px = 4;
constexpr float share_room_px = 60;
constexpr float text_line_px = 16;
constexpr std::size_t most_warning_lines = 12;
constexpr std::size_t most_warnings = 20;
constexpr Face label_face = Face::ui_12;
constexpr Face value_face = Face::mono_12;
constexpr int first_kernel_place = 1000;

/// Writes the panel from top to bottom.
class SummaryWriter {
public:
  SummaryWriter(PanelWindow& window, SummaryAnswer& answer)
      : window_(window),
        theme_(window.theme()),
        answer_(answer),
        left_(window.area().x0 + padding_px),
        right_(window.right() - padding_px),
        top_(window.area().y0 + padding_px - window.scrolled()),
        y_(top_) {}

  /// The kernel under the pointer, if any.
  const SummaryKernel* hovered() const { return hovered_; }
  float height() const { return y_ - top_ + 2 * padding_px; }

  void heading(std::string_view title, std::string_view right = {}) {
    if (y_ > top_) y_ += section_gap_px;
    window_.text(left_, y_, Face::ui_12_semibold, title, theme_.text);
    window_.text_right(right_, y_, Face::ui_11, right, theme_.text_3);
    y_ += heading_px;
  }

  void row(const SummaryRow& row, int number) {
    const Box box{left_ - 6, y_ - 4, right_ + 6, y_ - 4 + row_px};
    bool hovered = false;
    if (row.target != SummaryRow::Target::none) {
      const auto over = window_.place(box, number);
      hovered = over.hovered;
      if (over.clicked) answer_.target = row.target;
    }
    if (hovered) window_.fill(box, mix(theme_.panel, theme_.raised, 0.8F), 3);
    constexpr float most_value_share = 0.8F;
    const std::string value = render::text_cut_to(window_.metrics(), value_face, row.value,
                                                  (right_ - left_) * most_value_share);
    const float value_px = window_.width_of(value_face, value);
    window_.text_within(left_, y_, right_ - left_ - value_px - 12, label_face, row.label,
                        theme_.text_2);
    window_.text_right(right_, y_, value_face, value, row.warn ? theme_.warn : theme_.text);
    y_ += row_px;
  }

  void kernel(const SummaryKernel& kernel, double largest_share, std::size_t number) {
    const float room = right_ - left_ - share_room_px;
    const double part = largest_share > 0 ? kernel.share / largest_share : 0;
    const Box line{left_, y_, right_, y_ + bar_px};
    const auto over = window_.place(line, first_kernel_place + static_cast<int>(number));
    if (over.clicked) answer_.kernel = number;
    if (over.hovered)
      window_.fill({left_ - 6, y_ - 2, right_ + 6, y_ + bar_px + 2},
                   mix(theme_.panel, theme_.raised, 0.8F), 3);
    const float bar = std::max(room * static_cast<float>(part), 2.0F);
    window_.fill({left_, y_, left_ + bar, y_ + bar_px}, theme_.body(kernel.style));
    const float text_y = y_ + (bar_px - render::size_px(value_face)) / 2;
    window_.text_within(left_ + 4, text_y, room - 8, value_face,
                        colored_pieces(theme_, kernel.raw_name, theme_.text));
    window_.text_right(right_, text_y, value_face, kernel.share_text, theme_.text);
    if (over.hovered) hovered_ = &kernel;
    y_ += bar_px + bar_gap_px;
  }

  void warning(std::string_view text) {
    for (auto& line : wrapped(window_.metrics(), label_face, text, theme_.warn, right_ - left_,
                              most_warning_lines)) {
      window_.text(left_, y_, label_face, std::move(line));
      y_ += text_line_px;
    }
    y_ += 6;
  }

  void note(std::string_view text) {
    for (auto& line :
         wrapped(window_.metrics(), Face::ui_11, text, theme_.text_3, right_ - left_, 4)) {
      window_.text(left_, y_, Face::ui_11, std::move(line));
      y_ += text_line_px;
    }
  }

private:
  PanelWindow& window_;
  const render::Theme& theme_;
  SummaryAnswer& answer_;
  float left_;
  float right_;
  float top_;
  float y_;
  const SummaryKernel* hovered_ = nullptr;
};

void write_warnings(SummaryWriter& writer, const std::vector<std::string>& warnings) {
  if (warnings.empty()) return;
  writer.heading("Warnings", std::to_string(warnings.size()));
  for (std::size_t i = 0; i < std::min(warnings.size(), most_warnings); ++i)
    writer.warning(warnings[i]);
  if (warnings.size() > most_warnings)
    writer.note(std::to_string(warnings.size() - most_warnings) + " more");
}

void tell_kernel(const PanelContext& context, const SummaryKernel& kernel) {
  FactSheet sheet;
  sheet.raw_title = kernel.raw_name;
  sheet.sections = {{"", kernel.facts}};
  const ImVec2 pointer = ImGui::GetMousePos();
  tooltip(context, sheet, pointer.x, pointer.y);
}

}  // namespace

SummaryAnswer summary_panel(const PanelContext& context, const SummaryFacts& facts) {
  SummaryAnswer answer;
  PanelWindow window(context, "summary", PanelWindow::Kind::scrolling);
  SummaryWriter writer(window, answer);
  writer.heading("Summary");
  int number = 0;
  for (const SummaryRow& row : facts.rows) writer.row(row, number++);
  if (!facts.kernels.empty()) {
    writer.heading("Top kernels", "share");
    for (std::size_t i = 0; i < facts.kernels.size(); ++i)
      writer.kernel(facts.kernels[i], facts.kernels[0].share, i);
  }
  write_warnings(writer, facts.warnings);
  writer.heading("File");
  for (const SummaryRow& row : facts.file) writer.row(row, number++);
  window.set_content_height(writer.height());
  if (writer.hovered() != nullptr) tell_kernel(context, *writer.hovered());
  return answer;
}

}  // namespace bytescope::app
