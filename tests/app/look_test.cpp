// How the timeline can be looked at, beyond moving in it: others dimmed, memory on another scale or
// in other colours, limits of cards, what is told of a range, curves of shader traces.

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/range_sheet.h"
#include "app/table.h"
#include "core/query/ranges.h"
#include "tests/app/answer_trace.h"
#include "tests/app/viewer_stage.h"
#include "tests/support/nanoseconds.h"

namespace bytescope::tests {
namespace {

using app::AnswerKind;
using app::InputEvent;
using app::Key;
using testing::Contains;
using testing::Each;
using testing::IsSupersetOf;

class LookTest : public testing::Test {
protected:
  LookTest() : file(answer_bytes()) {
    stage.open(file.path());
    device = stage.track("AMD");
    memory = stage.track("AMD Memory");
  }

  void hold(Key key, bool down) {
    InputEvent event;
    event.key = key;
    event.down = down;
    stage.offscreen().feed(event);
    stage.settle();
  }
  const render::LaneDetail& lane() {
    return stage.view().detail->lanes.at(render::lane_key(device, 0));
  }
  /// The limits as the table of cards has them, typed into its row.
  void type_limit(std::size_t row, const std::string& text) {
    stage.viewer().open_tab(AnswerKind::cards);
    stage.settle();
    app::DockState& dock = stage.view().dock;
    dock.tab(AnswerKind::cards).view.chosen = row;
    dock.rows_have_keys = true;
    stage.key(Key::f2);
    ASSERT_TRUE(dock.renamed);
    for (const char c : text) stage.type(static_cast<char32_t>(c));
    stage.key(Key::enter);
    stage.settle();
  }

  TemporaryFile file;
  ViewerStage stage;
  std::uint32_t device = 0;
  std::uint32_t memory = 0;
};

/// Labels of the axis, which is painted over the rows that scroll beneath it.
std::vector<render::Label> axis_labels(ViewerStage& stage) {
  std::vector<render::Label> labels;
  const auto add = [&](const render::Scene& scene) {
    for (const render::Label& label : scene.labels)
      if (stage.areas().axis.contains(label.x, label.y)) labels.push_back(label);
  };
  add(stage.viewer().scene());
  for (const render::Scene& over : stage.viewer().scene().over) add(over);
  return labels;
}

TEST_F(LookTest, LabelsOfTheAxisAreNeverCut) {
  constexpr float character_px = 6.6F;  // of the axis' face
  constexpr float narrow_spaces_px = 4;
  const auto end_of = [](const render::Label& label) {
    const std::string& text = label.pieces.at(0).text;
    const auto characters =
        std::count_if(text.begin(), text.end(), [](char c) { return (c & '\xC0') != '\x80'; });
    return label.x + character_px * static_cast<float>(characters);
  };
  for (int i = 0; i < 30; ++i) {
    stage.key(i % 3 == 2 ? Key::w : Key::d);
    const std::vector<render::Label> labels = axis_labels(stage);
    EXPECT_GT(labels.size(), 1U);
    for (const render::Label& label : labels)
      EXPECT_LE(end_of(label), stage.areas().axis.x1 + narrow_spaces_px) << label.pieces.at(0).text;
  }
}

TEST(LookAtNothing, HasNoAxis) {
  const TemporaryFile file(bytepack::encode({}, *bytepack::dialect_of('L')));
  ViewerStage stage;
  stage.open(file.path());
  EXPECT_THAT(axis_labels(stage), testing::IsEmpty());
}

TEST(LookAtMarkersAlone, HasAnAxis) {
  bytepack::TraceDescription trace;
  trace.duration_us = 1000;
  trace.markers = {{500.0, "half", "gray"}};
  const TemporaryFile file(bytepack::encode(trace, *bytepack::dialect_of('L')));
  ViewerStage stage;
  stage.open(file.path());
  EXPECT_GT(axis_labels(stage).size(), 2U);
}

TEST_F(LookTest, HHeldDimsAllOtherNames) {
  stage.viewer().select_and_reveal(stage.span(device, 7));
  stage.settle();
  EXPECT_TRUE(lane().lit.empty());
  hold(Key::h, true);
  ASSERT_EQ(lane().lit.size(), lane().runs.size());
  for (std::size_t i = 0; i < lane().runs.size(); ++i) {
    if (lane().runs[i].record != query::VisibleRun::unknown)
      EXPECT_EQ(lane().lit[i] != 0, lane().runs[i].record % 5 == 2) << lane().runs[i].record;
  }
  EXPECT_THAT(stage.view().detail->lanes.at(render::lane_key(stage.track("AMD:1"), 0)).lit,
              Each(0));
  hold(Key::h, false);
  EXPECT_TRUE(lane().lit.empty());
}

TEST_F(LookTest, HWithoutASelectionMeansTheSpanUnderThePointer) {
  stage.move(stage.place_of(device, 3));
  hold(Key::h, true);
  EXPECT_THAT(lane().lit, Contains(1));
  InputEvent leaves;
  leaves.kind = InputEvent::Kind::focus;
  stage.offscreen().feed(leaves);
  stage.settle();
  EXPECT_TRUE(lane().lit.empty()) << "the window that lost the keyboard does not see the key go up";
}

TEST_F(LookTest, YSwitchesTheScaleOfMemory) {
  const render::MemoryLook before = stage.state().memory;
  stage.key(Key::y);
  EXPECT_TRUE(stage.state().memory.scale_per_track);
  stage.key(Key::y);
  EXPECT_EQ(stage.state().memory, before);
}

/// How strong the lines of markers are on the rows, in 1/255; 0 where there are none or they
/// differ.
int marker_strength(ViewerStage& stage) {
  std::vector<int> found;
  const auto add = [&](const render::Scene& scene) {
    for (const render::RectMark& mark : scene.above) {
      const bool is_line = mark.box.width() == 1 && mark.box.y0 == stage.areas().flags.y0 &&
                           mark.box.y1 == stage.areas().tracks.y1;
      if (is_line) found.push_back(mark.fill.a);
    }
  };
  add(stage.viewer().scene());
  for (const render::Scene& over : stage.viewer().scene().over) add(over);
  const bool is_even = !found.empty() && std::count(found.begin(), found.end(), found[0]) ==
                                             static_cast<std::ptrdiff_t>(found.size());
  return is_even ? found[0] : 0;
}

TEST_F(LookTest, LinesOfManyMarkersDoNotHideTheRows) {
  const int few = marker_strength(stage);
  EXPECT_NEAR(few, 140, 2);
  bytepack::TraceDescription trace = answer_trace();
  for (int i = 0; i < 400; ++i) trace.markers.push_back({25.0 * i, "step", "gray"});
  file.write(bytepack::encode(trace, *bytepack::dialect_of('L')));
  stage.key(Key::f5);
  stage.settle();
  const int many = marker_strength(stage);
  EXPECT_GT(many, 20) << "they are still seen";
  EXPECT_LT(many, few / 2);
}

TEST_F(LookTest, ClosedMemoryHasColoursOfLifetimesOnlyWhereOpenedOnesHave) {
  const auto of_one_color = [&] {
    stage.settle();
    const auto& rows = stage.viewer().scene().column_rows;
    const render::Color neutral = stage.viewer().theme().thin_buffers.dense;
    return std::any_of(rows.begin(), rows.end(), [&](const render::ColumnRow& row) {
      return row.kind == render::ColumnRow::Kind::bars && row.areas[0] == neutral &&
             row.areas[1] == neutral && row.areas[2] == neutral;
    });
  };
  EXPECT_FALSE(of_one_color());
  for (const auto colors : {render::BufferColors::type, render::BufferColors::size}) {
    stage.viewer().color_buffers(colors);
    EXPECT_TRUE(of_one_color());
  }
  stage.viewer().color_buffers(render::BufferColors::lifetime);
  EXPECT_FALSE(of_one_color());
}

TEST_F(LookTest, AnOpenedStackTellsWhatItsColoursMean) {
  stage.viewer().set_expanded(memory, true);
  stage.settle();
  const auto legend = [&] { return stage.view().stacks.at(memory)->legend; };
  ASSERT_FALSE(legend().empty());
  EXPECT_EQ(legend().front().text, "long-lived");
  stage.viewer().color_buffers(render::BufferColors::type);
  stage.settle();
  ASSERT_EQ(legend().size(), 1U);
  EXPECT_EQ(legend().front().text, "float");
  stage.viewer().color_buffers(render::BufferColors::size);
  stage.settle();
  EXPECT_EQ(legend().front().text, "1.00 MB to 10.0 MB");
}

TEST_F(LookTest, ACapacityThatIsTypedIsALineAndTheScale) {
  type_limit(2, "80 MB");
  const render::TimelineModel& model = stage.view().model();
  EXPECT_EQ(model.capacity_bytes[memory], 80'000'000U);
  EXPECT_EQ(render::memory_scale_bytes(model, {}, memory), 80'000'000U);
  render::MemoryLook own;
  own.scale_per_track = true;
  EXPECT_EQ(render::memory_scale_bytes(model, own, memory), 40'000'000U);
  const render::TrackRow& row = stage.row(memory);
  const float top = stage.top_of(row);
  const auto& marks = stage.viewer().scene().above;
  EXPECT_TRUE(std::any_of(marks.begin(), marks.end(), [&](const render::RectMark& mark) {
    return mark.fill == stage.viewer().theme().error && mark.box.y0 >= top &&
           mark.box.y1 <= top + row.height_px;
  }));
}

TEST_F(LookTest, ALimitThatCannotBeReadStaysInTheField) {
  type_limit(2, "lots");
  EXPECT_TRUE(stage.view().dock.renamed);
  EXPECT_EQ(stage.viewer().cards(), app::CardTable());
}

TEST_F(LookTest, LimitsHoldForFilesThatAreOpenedLater) {
  type_limit(0, "10 TFLOPS");
  const TemporaryFile second(answer_bytes());
  stage.open(second.path());
  EXPECT_EQ(stage.view().cards()->at("AMD").flops, 10e12);
}

TEST_F(LookTest, AMeasuredRangeIsToldOf) {
  const auto facts = query::range_facts(stage.trace(), {2 * ms, 4 * ms}, Cancel());
  ASSERT_TRUE(facts);
  std::vector<std::string> lines;
  for (const app::FactSection& section : app::range_sheet(stage.trace(), *facts).sections)
    for (const app::FactRow& row : section.rows)
      lines.push_back(section.title + ": " + row.label + " " + row.value);
  EXPECT_THAT(lines, IsSupersetOf({": length 2.00 ms", "Busy: AMD 60%", "Busy: AMD:1 100%",
                                   "Memory: at its begin 11.0 MB", "Memory: at its end 21.0 MB",
                                   "Memory: change +10.0 MB"}));
}

TEST_F(LookTest, TheCrossOfTheRangesPanelClearsIt) {
  stage.state().range = query::TimeRange{2 * ms, 4 * ms};
  stage.settle();
  const render::Box& panel = stage.areas().panel;
  stage.click({panel.x1 - 20, panel.y0 + 22});
  stage.settle();
  EXPECT_FALSE(stage.state().range);
}

TEST_F(LookTest, StepsPressedQuicklyAllCount) {
  std::vector<query::TimeRange> one_by_one;
  for (int i = 0; i < 3; ++i) {
    stage.key(Key::g);
    stage.settle();
    one_by_one.push_back(*stage.state().range);
  }
  const TemporaryFile again(answer_bytes());
  stage.open(again.path());
  for (int i = 0; i < 3; ++i) stage.viewer().step_gap(1);
  stage.settle();
  EXPECT_EQ(*stage.state().range, one_by_one.back());
}

TEST_F(LookTest, ARangeThatWasJustKeptIsNamedBeforeTheListShowsIt) {
  stage.state().range = query::TimeRange{2 * ms, 4 * ms};
  stage.viewer().keep_range();
  stage.viewer().rename_noted();
  EXPECT_EQ(stage.view().dock.renamed, std::optional<std::size_t>(0));
  EXPECT_EQ(stage.view().dock.new_name, "range 1");
}

TEST(Curves, LeadFromACauseToWhatItCausedWithTheDelay) {
  bytepack::TraceDescription trace;
  trace.more_json = R"("waveColors": [["VALU", "#ffffc0"]], "pcMap": {"256": "v_add"})";
  for (const char* name : {"WAVE:0", "ALUEXEC:0 VALU"}) {
    bytepack::TrackDescription track;
    track.name = name;
    trace.tracks.push_back(track);
  }
  trace.tracks[0].spans = {{"VALU", 100, 20.0F, R"({"pc": 256})"}};
  trace.tracks[1].spans = {{"VALU", 300, 50.0F, R"({"pc": 256, "link": "WAVE:0-0"})"}};
  const TemporaryFile file(bytepack::encode(trace, *bytepack::dialect_of('L')));
  ViewerStage stage;
  stage.open(file.path());
  for (const char* selected : {"ALUEXEC:0 VALU", "WAVE:0"}) {
    stage.viewer().select_and_reveal(stage.span(stage.track(selected), 0));
    stage.settle();
    const render::Scene& scene = stage.viewer().scene();
    ASSERT_EQ(scene.curves.size(), 1U) << selected;
    EXPECT_NEAR(scene.curves[0].x0, stage.x_of(120 * us), 2);
    EXPECT_NEAR(scene.curves[0].x1, stage.x_of(300 * us), 2);
    EXPECT_TRUE(
        std::any_of(scene.labels.begin(), scene.labels.end(),
                    [](const render::Label& label) { return label.pieces[0].text == "+200 clk"; }));
  }
}

TEST(TableView, KeepsItsColumnWhenOthersGo) {
  const auto table = [](const std::vector<std::string>& names) {
    app::Table made;
    for (const std::string& name : names) made.columns.push_back({name, name, 80, true});
    made.row_count = 2;
    made.text = [](std::size_t, std::size_t) { return std::string(); };
    made.number = [names](std::size_t row, std::size_t column) {
      return names[column] == "b" ? static_cast<double>(row) : -static_cast<double>(row);
    };
    return made;
  };
  app::TableView view;
  const app::Table first = table({"a", "b"});
  view.sort_by(first, 1);
  view.follow(first, 1);
  EXPECT_EQ(view.order(), (std::vector<std::uint32_t>{1, 0}));
  view.follow(table({"b", "c"}), 2);
  EXPECT_EQ(view.sort_column(), 0U);
  EXPECT_EQ(view.order(), (std::vector<std::uint32_t>{1, 0}));
  view.follow(table({"a", "c"}), 3);
  EXPECT_EQ(view.sort_column(), app::TableView::unsorted);
}

}  // namespace
}  // namespace bytescope::tests
