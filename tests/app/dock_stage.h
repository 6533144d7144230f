#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "app/panels/dock.h"
#include "tests/app/answer_trace.h"
#include "tests/app/viewer_stage.h"
#include "tests/support/nanoseconds.h"

namespace bytescope::tests {

using app::AnswerKind;
using app::Key;
using app::Selection;
using query::TimeRange;

/// The program with answer_trace() open, and what tests of its bottom panel do.
class DockTest : public testing::Test {
protected:
  DockTest() : file(answer_bytes()) {
    stage.open(file.path());
    device = stage.track("AMD");
    memory = stage.track("AMD Memory");
  }

  app::DockState& dock() { return stage.view().dock; }
  app::DockTab& tab(AnswerKind kind) { return dock().tab(kind); }
  const app::Answer& answer(AnswerKind kind) {
    if (!tab(kind).answer) throw std::runtime_error("no answer");
    return *tab(kind).answer;
  }
  const std::optional<Selection>& selection() { return stage.state().selection; }
  const std::optional<TimeRange>& range() { return stage.state().range; }

  static Key key_of(char c) {
    const auto from = [c](Key first, char begin) {
      return static_cast<Key>(static_cast<int>(first) + (c - begin));
    };
    if (c >= 'a' && c <= 'z') return from(Key::a, 'a');
    if (c >= '0' && c <= '9') return from(Key::digit_0, '0');
    switch (c) {
      case ' ': return Key::space;
      case '/': return Key::slash;
      case '.': return Key::period;
      case ',': return Key::comma;
      case '[': return Key::left_bracket;
      case ']': return Key::right_bracket;
      default: return Key::grave_accent;
    }
  }
  /// As a keyboard writes: each key comes with its character.
  void write(const std::string& text) {
    for (const char c : text) {
      stage.key(key_of(c));
      stage.type(static_cast<char32_t>(c));
    }
  }
  void search(const std::string& text) {
    stage.key(Key::f, with_command);
    write(text);
    stage.settle();
  }
  void open(AnswerKind kind) {
    stage.viewer().open_tab(kind);
    stage.settle();
  }
  /// The middle of a row of the table as it is scrolled.
  Point row_place(std::size_t row) {
    const render::Box& area = stage.areas().dock;
    const float table_px = app::dock_table_height_px(dock(), area.height());
    return {area.x0 + 60, area.y1 - 20 - table_px + 24 + static_cast<float>(row) * 20 + 10};
  }
  void click_row(std::size_t row, app::Modifiers modifiers = no_modifiers) {
    stage.rest();
    stage.click(row_place(row), app::MouseButton::left, modifiers);
    stage.settle();
  }
  void select(std::uint32_t track, std::uint32_t record) {
    stage.viewer().select_and_reveal(stage.span(track, record));
    stage.settle();
  }
  bool in_view(std::int64_t time_ns) {
    const TimeRange window = stage.state().viewport.window();
    return window.begin_ns <= time_ns && time_ns <= window.end_ns;
  }
  std::string clipboard() { return stage.offscreen().clipboard().clipboard_text(); }

  TemporaryFile file;
  ViewerStage stage;
  std::uint32_t device = 0;
  std::uint32_t memory = 0;
};

}  // namespace bytescope::tests
