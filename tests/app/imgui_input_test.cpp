#include "app/imgui_input.h"

#include <array>
#include <cfloat>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <imgui.h>

#include "tests/app/imgui_session.h"

namespace bytescope::app {
namespace {

using Kind = InputEvent::Kind;
constexpr render::gl::PixelSize window_size{800, 600};

InputEvent key(Key which, bool down, Modifiers modifiers = {}) {
  InputEvent event;
  event.kind = Kind::key;
  event.key = which;
  event.down = down;
  event.modifiers = modifiers;
  return event;
}

InputEvent character(char32_t which) {
  InputEvent event;
  event.kind = Kind::character;
  event.character = which;
  return event;
}

InputEvent mouse(Kind kind, float x, float y, bool down = false) {
  InputEvent event;
  event.kind = kind;
  event.x = x;
  event.y = y;
  event.down = down;
  return event;
}

/// A text field that has the focus.
class ImGuiInputTest : public testing::Test {
protected:
  ImGuiInputTest() { ImGui::GetIO().Fonts->Build(); }

  void frame(std::vector<InputEvent> events, float scale = 1) {
    input.begin_frame(events, window_size, scale, 0.016);
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({400, 200});
    ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration);
    if (std::exchange(first, false)) ImGui::SetKeyboardFocusHere();
    if (ImGui::InputText("field", typed.data(), typed.size(), ImGuiInputTextFlags_EnterReturnsTrue))
      ++entered;
    if (ImGui::Button("button")) ++clicked;
    button = ImGui::GetItemRectMin();
    ImGui::End();
    ImGui::Render();
  }
  /// All frames that these events need.
  void settle(std::vector<InputEvent> events) {
    frame(std::move(events));
    for (int i = 0; i < 100 && input.wants_another_frame(); ++i) frame({});
    EXPECT_FALSE(input.wants_another_frame());
    frame({});
  }
  void focus() {
    frame({});
    frame({});
  }
  std::vector<InputEvent> press(Key which) const { return {key(which, true), key(which, false)}; }
  std::vector<InputEvent> press_with_command(Key which) const {
    const Modifiers held{.command = true};
    return {key(Key::left_control, true, held), key(which, true, held), key(which, false, held),
            key(Key::left_control, false)};
  }
  std::string text() const { return typed.data(); }

  ImGuiSession session;
  MemoryClipboard clipboard;
  ImGuiInput input{clipboard};
  std::array<char, 100> typed{};
  bool first = true;
  int entered = 0;
  int clicked = 0;
  ImVec2 button;
};

TEST_F(ImGuiInputTest, SizesAreInLogicalPixels) {
  frame({}, 2);
  EXPECT_EQ(ImGui::GetIO().DisplaySize.x, 400);
  EXPECT_EQ(ImGui::GetIO().DisplaySize.y, 300);
  EXPECT_EQ(ImGui::GetIO().DisplayFramebufferScale.x, 2);
}

TEST_F(ImGuiInputTest, CharactersReachTheField) {
  focus();
  settle({key(Key::h, true), character('h'), key(Key::h, false), character(U'é')});
  EXPECT_EQ(text(), "h\xC3\xA9");
}

TEST_F(ImGuiInputTest, KeysAndCharactersOfOneFrameKeepTheirOrder) {
  focus();
  std::vector<InputEvent> events{character('a'), character('b')};
  for (const InputEvent& event : press(Key::backspace)) events.push_back(event);
  events.push_back(character('c'));
  for (const InputEvent& event : press(Key::home)) events.push_back(event);
  events.push_back(character('d'));
  settle(events);
  EXPECT_EQ(text(), "dac");
}

TEST_F(ImGuiInputTest, AKeyTouchedBetweenTwoFramesIsSeen) {
  focus();
  settle(press(Key::enter));
  EXPECT_EQ(entered, 1);
}

TEST_F(ImGuiInputTest, CopyAndPasteGoThroughTheClipboard) {
  focus();
  clipboard.set_clipboard_text("pasted");
  settle(press_with_command(Key::v));
  EXPECT_EQ(text(), "pasted");
  settle({character('!')});
  settle(press_with_command(Key::a));
  settle(press_with_command(Key::c));
  EXPECT_EQ(clipboard.clipboard_text(), "pasted!");
  settle(press_with_command(Key::x));
  EXPECT_EQ(text(), "");
}

TEST_F(ImGuiInputTest, ModifiersReleasedBeforeTheirKeyStillCount) {
  focus();
  clipboard.set_clipboard_text("pasted");
  const Modifiers held{.command = true};
  settle({key(Key::left_control, true, held), key(Key::v, true, held),
          key(Key::left_control, false), key(Key::v, false), character('!')});
  EXPECT_EQ(text(), "pasted!");
}

TEST_F(ImGuiInputTest, AClickBetweenTwoFramesIsSeen) {
  focus();
  const float x = button.x + 3;
  const float y = button.y + 3;
  settle({mouse(Kind::mouse_move, x, y)});
  settle({mouse(Kind::mouse_button, x, y, true), mouse(Kind::mouse_button, x, y, false),
          mouse(Kind::mouse_move, 700, 500)});
  EXPECT_EQ(clicked, 1);
  EXPECT_EQ(ImGui::GetIO().MousePos.x, 700);
  EXPECT_FALSE(ImGui::IsMouseDown(0));
}

TEST_F(ImGuiInputTest, TheWheelAddsUp) {
  InputEvent event = mouse(Kind::scroll, 10, 10);
  event.scroll_x = 1;
  event.scroll_y = 0.5F;
  input.begin_frame(std::vector{event, event}, window_size, 1, 0.016);
  ImGui::NewFrame();
  EXPECT_EQ(ImGui::GetIO().MouseWheel, 1);
  EXPECT_EQ(ImGui::GetIO().MouseWheelH, -2);
  ImGui::EndFrame();
}

TEST_F(ImGuiInputTest, LosingTheFocusReleasesEverything) {
  focus();
  frame({mouse(Kind::mouse_button, 5, 5, true), key(Key::left, true, {.shift = true})});
  EXPECT_TRUE(ImGui::IsMouseDown(0));
  InputEvent lost;
  lost.kind = Kind::focus;
  frame({lost});
  frame({});
  EXPECT_FALSE(ImGui::IsMouseDown(0));
  EXPECT_FALSE(ImGui::GetIO().KeyShift);
}

TEST_F(ImGuiInputTest, ThePointerCanLeave) {
  frame({mouse(Kind::mouse_move, 20, 30)});
  EXPECT_EQ(ImGui::GetIO().MousePos.y, 30);
  frame({mouse(Kind::mouse_leave, 20, 30)});
  EXPECT_EQ(ImGui::GetIO().MousePos.y, -FLT_MAX);
}

TEST(Keys, NamesLeadBackToTheirKeys) {
  for (std::size_t i = 1; i < key_count; ++i) {
    const auto which = static_cast<Key>(i);
    EXPECT_FALSE(name(which).empty());
    EXPECT_EQ(key_from_name(name(which)), which);
  }
  EXPECT_EQ(key_from_name("pageUP"), Key::page_up);
  EXPECT_EQ(key_from_name("Nonsense"), Key::none);
  EXPECT_EQ(key_from_name(""), Key::none);
  EXPECT_EQ(name(Key::none), "");
}

}  // namespace
}  // namespace bytescope::app
