#include "app/panels/panel_window.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <imgui.h>

#include "app/draw_labels.h"
#include "core/io/utf8.h"
#include "core/trace/ansi.h"

namespace bytescope::app {
namespace {

using render::Box;
using render::Color;
using render::Face;
using render::TextPiece;

constexpr float button_rounding_px = 4;

ImU32 packed(Color color) { return IM_COL32(color.r, color.g, color.b, color.a); }

ImGuiWindowFlags flags_of(PanelWindow::Kind kind) {
  constexpr ImGuiWindowFlags bare = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                    ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                                    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                                    ImGuiWindowFlags_NoBackground;
  constexpr ImGuiWindowFlags behind =
      ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoFocusOnAppearing;
  switch (kind) {
    case PanelWindow::Kind::part:
      return bare | behind | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
    case PanelWindow::Kind::scrolling: return bare | behind;
    case PanelWindow::Kind::raised: return bare;
    case PanelWindow::Kind::bubble: break;
  }
  return bare;
}

/// Where a label goes so that the baseline of a text at `y` is where that of any other face of this
/// size would be: lines of ImGui's fonts are rounded each in their own way.
float label_top(const Fonts& fonts, float y, Face face) {
  constexpr float baseline_per_em = 0.864F;
  const float size = render::size_px(face);
  const float line_above_box = (fonts.line_height(face) - size * fonts.scale()) / 2;
  const float baseline_in_line = std::round(fonts.glyph(face, U'H')->Y1);
  const float baseline = std::round((y + baseline_per_em * size) * fonts.scale());
  return (baseline - baseline_in_line + line_above_box) / fonts.scale();
}

void begin_bare(const Box& area, const char* name, PanelWindow::Kind kind) {
  ImGui::SetNextWindowPos({area.x0, area.y0});
  ImGui::SetNextWindowSize({std::max(area.width(), 1.0F), std::max(area.height(), 1.0F)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  ImGui::Begin(name, nullptr, flags_of(kind));
  ImGui::PopStyleVar(3);
}

}  // namespace

PanelWindow::PanelWindow(const PanelContext& context, const char* name, Kind kind)
    : context_(context), clip_(context.area), right_(context.area.x1) {
  if (kind == Kind::bubble) {
    list_ = ImGui::GetForegroundDrawList();
  } else {
    begin_bare(context.area, name, kind);
    is_window_ = true;
    list_ = ImGui::GetWindowDrawList();
    scrolled_ = ImGui::GetScrollY();
    right_ = context.area.x0 + ImGui::GetContentRegionAvail().x;
    scrolls_ = kind == Kind::scrolling;
  }
  if (kind == Kind::raised && context.focus != nullptr) context.focus->begin_dialog();
  if (kind != Kind::raised && kind != Kind::bubble) return;
  fill(context.area, context.theme.raised, raised_rounding_px);
  outline(context.area, context.theme.border, raised_rounding_px);
}

PanelWindow::~PanelWindow() {
  constexpr float ring_px = 2;
  // ImGui draws along the middles of pixels, a line of two lies between them.
  constexpr float half_px = 0.5F;
  // Last: what the control itself paints would hide it.
  if (ring_) {
    list_->AddRect({ring_->x0 - half_px, ring_->y0 - half_px},
                   {ring_->x1 + half_px, ring_->y1 + half_px}, packed(theme().focus),
                   button_rounding_px, ImDrawFlags_None, ring_px);
  }
  if (is_window_) ImGui::End();
}

void PanelWindow::set_content_height(float height) {
  ImGui::SetCursorPos({0, std::max(height - 1, 0.0F)});
  ImGui::Dummy({1, 1});
}

void PanelWindow::set_clip(const Box& clip) {
  const Box& area = context_.area;
  clip_ = {std::max(clip.x0, area.x0), std::max(clip.y0, area.y0), std::min(clip.x1, area.x1),
           std::min(clip.y1, area.y1)};
}

void PanelWindow::fill(const Box& box, Color color, float rounding) {
  const Box shown{std::max(box.x0, clip_.x0), std::max(box.y0, clip_.y0),
                  std::min(box.x1, clip_.x1), std::min(box.y1, clip_.y1)};
  if (shown.x0 >= shown.x1 || shown.y0 >= shown.y1) return;
  list_->AddRectFilled({shown.x0, shown.y0}, {shown.x1, shown.y1}, packed(color), rounding);
}

void PanelWindow::outline(const Box& box, Color color, float rounding) {
  list_->AddRect({box.x0, box.y0}, {box.x1, box.y1}, packed(color), rounding);
}

void PanelWindow::line(float x0, float y0, float x1, float y1, Color color, float thickness) {
  list_->AddLine({x0, y0}, {x1, y1}, packed(color), thickness);
}

float PanelWindow::text(float x, float y, Face face, std::vector<TextPiece> pieces) {
  const float width = render::text_width_px(metrics(), face, pieces);
  const render::Label label{x, label_top(context_.fonts, y, face), face, clip_, std::move(pieces)};
  draw_labels(*list_, {&label, 1}, context_.fonts);
  return width;
}

float PanelWindow::text(float x, float y, Face face, std::string_view text_shown, Color color) {
  return text(x, y, face, std::vector<TextPiece>{{std::string(text_shown), color}});
}

float PanelWindow::text_within(float x, float y, float room, Face face,
                               std::vector<TextPiece> pieces) {
  render::cut_to(metrics(), face, pieces, room);
  return text(x, y, face, std::move(pieces));
}

float PanelWindow::text_within(float x, float y, float room, Face face, std::string_view text_shown,
                               Color color) {
  return text(x, y, face, render::text_cut_to(metrics(), face, text_shown, room), color);
}

float PanelWindow::text_right(float x, float y, Face face, std::string_view text_shown,
                              Color color) {
  return text(x - width_of(face, text_shown), y, face, text_shown, color);
}

float PanelWindow::text_middle(float x, float y, Face face, std::string_view text_shown,
                               Color color) {
  return text(x - width_of(face, text_shown) / 2, y, face, text_shown, color);
}

/// Lists a place among those that keys reach; scrolls to the one they have reached.
void PanelWindow::follow_keys(const Box& box, std::uint32_t id, Pointing& pointing) {
  if (context_.focus == nullptr) return;
  const ControlFocus::Standing standing = context_.focus->list(id);
  if (!standing.has_focus) return;
  pointing.by_key = standing.is_pressed;
  pointing.clicked = pointing.clicked || standing.is_pressed;
  const Box& area = context_.area;
  const float above = std::max(area.y0 - box.y0, 0.0F);
  const float below = std::max(box.y1 - area.y1, 0.0F);
  if (scrolls_ && standing.has_arrived && above + below > 0)
    ImGui::SetScrollY(ImGui::GetScrollY() - above + below);
  ring(box);
}

void PanelWindow::ring(const Box& box) {
  const Box& area = context_.area;
  // Half of its line lies outside of the box it is drawn along.
  const Box seen{std::max(box.x0, area.x0 + 1), std::max(box.y0, area.y0 + 1),
                 std::min(box.x1, area.x1 - 1), std::min(box.y1, area.y1 - 1)};
  if (seen.x0 < seen.x1 && seen.y0 < seen.y1) ring_ = seen;
}

ControlFocus::Standing PanelWindow::stepped_place(int number) const {
  if (context_.focus == nullptr) return {};
  ImGui::PushID(number);
  const ImGuiID id = ImGui::GetID("place");
  ImGui::PopID();
  return context_.focus->list(id, /*has_steps=*/true);
}

PanelWindow::Pointing PanelWindow::place(const Box& box, int number, Reach reach) {
  ImGui::SetCursorScreenPos({box.x0, box.y0});
  ImGui::PushID(number);
  const bool pressed =
      ImGui::InvisibleButton("place", {std::max(box.width(), 1.0F), std::max(box.height(), 1.0F)},
                             ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle |
                                 ImGuiButtonFlags_MouseButtonRight);
  const ImGuiID id = ImGui::GetID("place");
  ImGui::PopID();
  Pointing pointing;
  pointing.hovered = ImGui::IsItemHovered();
  const bool by_middle = ImGui::IsMouseReleased(ImGuiMouseButton_Middle);
  const bool by_right = ImGui::IsMouseReleased(ImGuiMouseButton_Right);
  pointing.clicked = pressed && !by_middle && !by_right;
  pointing.right_clicked = pressed && by_right;
  if (reach == Reach::keys_too) follow_keys(box, id, pointing);
  pointing.middle_clicked = pressed && by_middle;
  pointing.double_clicked = pointing.hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  if (pointing.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  return pointing;
}

bool PanelWindow::button(const Box& box, int number, std::string_view label, bool is_main) {
  const Pointing pointing = place(box, number);
  const render::Theme& colors = theme();
  const Color border = pointing.hovered ? colors.accent : colors.border;
  fill(box, colors.raised, button_rounding_px);
  outline(box, border, button_rounding_px);
  constexpr Face face = Face::ui_12;
  const float y = (box.y0 + box.y1 - render::size_px(face)) / 2;
  text_middle((box.x0 + box.x1) / 2, y, face, label, is_main ? colors.accent : colors.text);
  return pointing.clicked;
}

bool PanelWindow::cross(float center_x, float center_y, int number) {
  constexpr float reach = 9;
  constexpr float arm = 3.5F;
  const Box box{center_x - reach, center_y - reach, center_x + reach, center_y + reach};
  const Pointing pointing = place(box, number);
  if (pointing.hovered) fill(box, theme().border, button_rounding_px);
  const Color color = pointing.hovered ? theme().text : theme().text_3;
  line(center_x - arm, center_y - arm, center_x + arm, center_y + arm, color);
  line(center_x - arm, center_y + arm, center_x + arm, center_y - arm, color);
  return pointing.clicked;
}

std::vector<TextPiece> colored_pieces(const render::Theme& theme, std::string_view raw,
                                      Color standard) {
  std::vector<TextPiece> pieces;
  for (const trace::AnsiPiece& piece : trace::ansi_pieces(raw)) {
    const bool has_color = piece.color != trace::AnsiColor::standard;
    pieces.push_back({io::printable_utf8(trace::single_line(piece.text)),
                      has_color ? theme.ansi[static_cast<std::size_t>(piece.color)] : standard});
  }
  return pieces;
}

}  // namespace bytescope::app
