#include "app/panels/chooser.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include <imgui.h>

#include "app/panels/chooser_model.h"
#include "app/panels/imgui_keys.h"
#include "app/panels/panel_window.h"
#include "app/panels/scrolling.h"
#include "core/latest_worker.h"

namespace bytescope::app {
namespace {

using render::Box;
using render::Color;
using render::Face;

constexpr float width_px = 680;
constexpr float height_px = 520;
constexpr float padding_px = 20;
constexpr float title_px = 26;
constexpr float field_px = 28;
constexpr float row_px = 22;
constexpr float footer_px = 56;
constexpr float button_px = 28;
constexpr float button_width_px = 104;
constexpr float wide_button_px = 144;
constexpr int page_rows = 12;
// Places beside the rows.
constexpr int cancel_place = -1;
constexpr int open_place = -2;
constexpr int cross_place = -3;
constexpr int as_one_place = -4;

}  // namespace

struct Chooser::State {
  using Worker = LatestWorker<std::string, FolderListing>;

  explicit State(std::function<void()> wake_window)
      : wake(std::move(wake_window)),
        model([this](const std::string& folder) { worker->request(folder); }) {}

  std::function<void()> wake;
  ChooserModel model;
  bool is_open = false;
  bool is_fresh = false;  ///< Not drawn yet: the click that opened it does not close it.
  bool is_cancelled = false;
  bool together = false;  ///< What is chosen shall be shown as one trace.
  std::array<char, 4096> field{};
  bool field_is_old = false;  ///< The model's path is another than the field's.
  bool cursor_to_end = false;
  float scroll_px = 0;
  bool reveal_chosen = false;
  std::unique_ptr<Worker> worker;  // last: its thread must be gone before the rest

  static int on_field(ImGuiInputTextCallbackData* data);
  void begin(const std::string& from, std::vector<std::string> recent);
  void set_text(std::string text);
  void read_keys();
  void activate(bool as_one = false);
  void scroll(const Box& box);
  void draw_field(PanelWindow& window, const Box& box);
  void draw_list(PanelWindow& window, const Box& box);
  void draw_row(PanelWindow& window, const Box& box, const Box& visible, std::size_t number);
  void draw_footer(PanelWindow& window, const Box& box);
  float content_px() const { return static_cast<float>(model.rows().size() + 1) * row_px; }
};

void Chooser::State::set_text(std::string text) {
  model.set_text(std::move(text));
  field_is_old = true;
  scroll_px = 0;
}

void Chooser::State::activate(bool as_one) {
  together = as_one;
  const std::string before = model.text();
  model.activate();
  field_is_old = field_is_old || model.text() != before;
  if (field_is_old) scroll_px = 0;
}

void Chooser::State::read_keys() {
  const auto before = model.chosen();
  if (key_pressed(ImGuiKey_DownArrow)) model.move(1);
  if (key_pressed(ImGuiKey_UpArrow)) model.move(-1);
  if (key_pressed(ImGuiKey_PageDown)) model.move(page_rows);
  if (key_pressed(ImGuiKey_PageUp)) model.move(-page_rows);
  if (key_pressed(ImGuiKey_Insert) && model.chosen()) {
    model.choose(*model.chosen(), /*marks=*/true);
    model.move(1);
  }
  reveal_chosen = model.chosen() != before;
  if (enter_pressed()) activate(ImGui::GetIO().KeyShift);
  if (key_pressed(ImGuiKey_Escape)) is_cancelled = true;
}

/// Called while the field has the keyboard: after each key, and each frame.
int Chooser::State::on_field(ImGuiInputTextCallbackData* data) {
  State& self = *static_cast<State*>(data->UserData);
  const std::string now(data->Buf, static_cast<std::size_t>(data->BufTextLen));
  const std::string& before = self.model.text();
  if (data->EventFlag == ImGuiInputTextFlags_CallbackCompletion) {
    if (now == before) self.set_text(self.model.completed_text());
  } else if (!typed_url(before) && !before.empty() && before.back() == '/' && now + "/" == before &&
             !now.empty()) {
    self.set_text(text_of_parent(now));
  }
  if (self.field_is_old) {
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, self.model.text().c_str());
    self.field_is_old = false;
    self.cursor_to_end = true;
  }
  if (!self.cursor_to_end) return 0;
  data->CursorPos = data->SelectionStart = data->SelectionEnd = data->BufTextLen;
  self.cursor_to_end = false;
  return 0;
}

void Chooser::State::draw_field(PanelWindow& window, const Box& box) {
  window.fill(box, window.theme().canvas, 4);
  window.outline(box, window.theme().accent, 4);
  ImGui::SetCursorScreenPos({box.x0, box.y0});
  ImGui::PushFont(window.font(Face::mono_12));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {10, (box.height() - ImGui::GetFontSize()) / 2});
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, 0);
  ImGui::SetNextItemWidth(box.width());
  if (!ImGui::IsAnyItemActive()) {
    ImGui::SetKeyboardFocusHere();
    // A field that gets the keyboard selects all of its text.
    cursor_to_end = true;
  }
  ImGui::InputText("##path", field.data(), field.size(),
                   ImGuiInputTextFlags_CallbackAlways | ImGuiInputTextFlags_CallbackCompletion |
                       ImGuiInputTextFlags_NoUndoRedo,
                   on_field, this);
#if IMGUI_VERSION_NUM < 18970
  // The rows notice the pointer although the field has the keyboard.
  ImGui::SetItemAllowOverlap();
#endif
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  ImGui::PopFont();
  if (field_is_old || model.text() == field.data()) return;
  model.set_text(field.data());
  scroll_px = 0;
}

void Chooser::State::scroll(const Box& box) {
  scroll_px = turned_by_wheel({scroll_px}, box, row_px).y_px;
  if (reveal_chosen && model.chosen())
    scroll_px = revealing(scroll_px, *model.chosen(), row_px, box.height());
  reveal_chosen = false;
  scroll_px = limited(scroll_px, content_px(), box.height());
}

void Chooser::State::draw_row(PanelWindow& window, const Box& box, const Box& visible,
                              std::size_t number) {
  const ChooserRow& row = model.rows()[number];
  const render::Theme& theme = window.theme();
  const float y = (box.y0 + box.y1 - 12) / 2;
  const float x = box.x0 + 10;
  if (!row.is_choice()) {
    window.text(x, y, Face::ui_12_semibold, row.name, theme.text_3);
    return;
  }
  const auto over = window.place(visible, static_cast<int>(number), PanelWindow::Reach::pointer);
  const bool is_chosen = model.chosen() == number;
  const bool is_folder = row.kind == ChooserRow::Kind::folder;
  if (is_chosen || over.hovered)
    window.fill(box, mix(theme.raised, is_chosen ? theme.accent : theme.border, 0.3F), 4);
  const float room = box.width() - 20;
  const std::string detail =
      render::text_cut_to(window.metrics(), Face::mono_11, row.detail, room * 0.45F);
  window.text_right(box.x1 - 10, y + 1, Face::mono_11, detail, theme.text_3);
  const bool is_marked = model.is_marked(row);
  const Color color = is_marked ? theme.accent : (is_folder ? theme.text_2 : theme.text);
  window.text_within(x, y, room - window.width_of(Face::mono_11, detail) - 16, Face::mono_12,
                     (is_marked ? "\u2713 " : "") + row.name + (is_folder ? "/" : ""), color);
  const bool marks = ImGui::GetIO().KeyCtrl || ImGui::GetIO().KeySuper;
  // Only a row that the first of both clicks has chosen: it may have led to another list.
  const bool opens = over.double_clicked && is_chosen;
  if (over.clicked) model.choose(number, marks);
  if (opens) activate();
}

void Chooser::State::draw_list(PanelWindow& window, const Box& box) {
  scroll(box);
  window.set_clip(box);
  const std::string text = model.text();
  const auto first = static_cast<std::size_t>(scroll_px / row_px);
  // A click may have entered another folder.
  for (std::size_t i = first; i < model.rows().size() && model.text() == text; ++i) {
    const float y = box.y0 + static_cast<float>(i) * row_px - scroll_px;
    if (y >= box.y1) break;
    const Box row{box.x0, y, box.x1 - 10, y + row_px};
    draw_row(window, row, {row.x0, std::max(y, box.y0), row.x1, std::min(row.y1, box.y1)}, i);
  }
  const float end = box.y0 + content_px() - row_px - scroll_px;
  const render::Theme& theme = window.theme();
  window.text_within(box.x0 + 10, end + 5, box.width() - 20, Face::ui_12, model.notice(),
                     model.has_failed() ? theme.warn : theme.text_3);
  draw_scroll_bar(window, box, content_px(), scroll_px);
  window.set_clip(window.area());
}

void Chooser::State::draw_footer(PanelWindow& window, const Box& box) {
  const float y = box.y0 + (box.height() - button_px) / 2;
  const Box open{box.x1 - button_width_px, y, box.x1, y + button_px};
  const Box cancel{open.x0 - 8 - button_width_px, y, open.x0 - 8, y + button_px};
  if (window.button(cancel, cancel_place, "Cancel  Esc")) is_cancelled = true;
  if (window.button(open, open_place, "Open  Enter", /*is_main=*/true)) activate();
  float hint_end = cancel.x0;
  if (model.has_marked()) {
    const Box as_one{cancel.x0 - 8 - wide_button_px, y, cancel.x0 - 8, y + button_px};
    if (window.button(as_one, as_one_place, "As one  Shift Enter")) activate(true);
    hint_end = as_one.x0;
  }
  window.text_within(
      box.x0, y + 9, hint_end - box.x0 - 16, Face::ui_11,
      "Tab completes \u00B7 Backspace behind / goes up \u00B7 Ctrl click, Insert: several",
      window.theme().text_3);
}

Chooser::Chooser(std::function<void()> wake) : state_(std::make_unique<State>(std::move(wake))) {}

Chooser::~Chooser() = default;

void Chooser::State::begin(const std::string& from, std::vector<std::string> recent) {
  if (!worker) {
    worker = std::make_unique<Worker>(
        [](const std::string& asked, const Cancel& cancel, const Worker::Publish& publish) {
          publish(std::make_shared<const FolderListing>(list_folder(asked, cancel)));
        },
        wake);
  }
  is_open = true;
  is_fresh = true;
  is_cancelled = false;
  model.begin(from, std::move(recent));
  // The field takes its text from here until it has the keyboard.
  const std::string& text = model.text();
  field.fill(0);
  std::copy_n(text.begin(), std::min(text.size(), field.size() - 1), field.begin());
  field_is_old = true;
  scroll_px = 0;
}

void Chooser::open(const std::string& folder, std::vector<std::string> recent) {
  std::error_code error;
  const std::filesystem::path path = folder.empty() ? std::filesystem::current_path(error)
                                                    : std::filesystem::absolute(folder, error);
  state_->begin(with_slash(path.lexically_normal().string()), std::move(recent));
}

void Chooser::open_at(const std::string& address, std::vector<std::string> recent) {
  state_->begin(address, std::move(recent));
}

void Chooser::close() {
  state_->is_open = false;
  if (state_->worker) state_->worker->cancel();
}

bool Chooser::is_open() const { return state_->is_open; }

bool Chooser::wants_another_frame() const { return state_->is_open && state_->field_is_old; }

std::optional<Chooser::Answer> Chooser::draw(const PanelContext& context) {
  State& state = *state_;
  if (!state.is_open) return std::nullopt;
  state.model.show(state.worker->take());
  context.fonts.need(state.model.text());
  PanelContext inside = context;
  inside.area = context.dialog_box(width_px, height_px, 0.4F);
  const Box& area = inside.area;
  PanelWindow window(inside, "chooser", PanelWindow::Kind::raised);
  const Box inner{area.x0 + padding_px, area.y0 + padding_px, area.x1 - padding_px, area.y1};
  window.text(inner.x0, inner.y0 - 2, Face::ui_13_medium, "Open a trace", context.theme.text);
  if (window.cross(inner.x1 - 5, inner.y0 + 4, cross_place)) state.is_cancelled = true;
  const float field_y = inner.y0 + title_px;
  state.draw_field(window, {inner.x0, field_y, inner.x1, field_y + field_px});
  state.read_keys();
  state.draw_list(window, {inner.x0, field_y + field_px + 10, inner.x1, area.y1 - footer_px});
  state.draw_footer(window, {inner.x0, area.y1 - footer_px, inner.x1, area.y1});
  const ImVec2 pointer = ImGui::GetMousePos();
  const bool pressed_beside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
                              !area.contains(pointer.x, pointer.y) && !state.is_fresh;
  state.is_cancelled = state.is_cancelled || pressed_beside;
  state.is_fresh = false;
  if (!state.is_cancelled && !state.model.answer()) return std::nullopt;
  close();
  return Answer{state.is_cancelled ? std::vector<std::string>() : *state.model.answer(),
                state.together};
}

}  // namespace bytescope::app
