// Several files shown as one trace: chosen, moved in time by typing and dragging, remembered.

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/actions.h"
#include "app/merge_form.h"
#include "app/offset_text.h"
#include "app/panels/status_bar.h"
#include "app/panels/tab_bar.h"
#include "app/trace_title.h"
#include "core/merge/file_set.h"
#include "tests/app/viewer_stage.h"
#include "tests/support/nanoseconds.h"
#include "tests/support/plain_trace.h"
#include "tests/support/temporary_folder.h"

namespace bytescope::tests {
namespace {

using app::Key;
using testing::ElementsAre;
using testing::HasSubstr;

class Together : public testing::Test {
protected:
  Together() {
    for (const std::string& path : {a, b, c}) write(path, plain_bytes());
  }
  static void write(const std::string& to, const std::vector<std::byte>& bytes) {
    std::ofstream(to, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  void settle() {
    stage.offscreen().frame();
    stage.settle();
  }
  void type(std::string_view text) {
    for (const char letter : text) stage.type(static_cast<char32_t>(letter));
  }
  static void show_together(app::Viewer& viewer) {
    app::action_named("file.together")->run(viewer);
  }
  const session::Document& document() { return *stage.viewer().active_document(); }
  std::int64_t begin_us(std::size_t part) { return stage.trace().parts.at(part).file.begin_us; }

  TemporaryFolder folder;
  const std::string a = folder / "a.bin";
  const std::string b = folder / "b.bin";
  const std::string c = folder / "c.bin";
  ViewerStage stage;
};

TEST_F(Together, AnotherOpenTraceIsAddedAndItsOffsetTyped) {
  stage.open(a);
  EXPECT_FALSE(app::action_named("file.together")->available(stage.viewer()));
  stage.open(b);
  ASSERT_TRUE(app::action_named("file.together")->available(stage.viewer()));
  show_together(stage.viewer());
  settle();
  stage.click({640, 273});  // the only other one
  settle();
  EXPECT_EQ(stage.viewer().session().documents().size(), 3U);
  EXPECT_EQ(stage.viewer().title(), "a.bin + b.bin \u2013 bytescope");
  EXPECT_EQ(stage.trace().tracks[4].head.name, "b.bin/USER");
  type("-1.5 ms");
  stage.key(Key::enter);
  settle();
  EXPECT_THAT(document().offsets_us, ElementsAre(-1500, 0));
  EXPECT_EQ(begin_us(0), 0);
  EXPECT_EQ(begin_us(1), 1500);
}

TEST_F(Together, TheFormGoesWithItsTrace) {
  stage.open(a);
  stage.open(b);
  show_together(stage.viewer());
  settle();
  stage.offscreen().feed({.kind = app::InputEvent::Kind::drop, .paths = {c}});
  settle();
  stage.click({640, 273});  // where the other trace was offered
  settle();
  EXPECT_EQ(stage.viewer().session().documents().size(), 3U) << "nothing was merged";
  EXPECT_FALSE(stage.viewer().is_dialog_open());
}

TEST_F(Together, WhatIsNoOffsetIsSaidAndNotTaken) {
  stage.viewer().open_together({a, b});
  settle();
  show_together(stage.viewer());
  settle();
  type("soon");
  stage.key(Key::enter);
  settle();
  EXPECT_TRUE(document().offsets_us.empty());
  stage.key(Key::escape);
  settle();
  EXPECT_EQ(begin_us(1), 0);
}

TEST_F(Together, AltDragMovesAFileWhenItIsLetGo) {
  stage.viewer().open_together({a, b});
  settle();
  const std::uint32_t device = stage.track("b.bin/AMD");
  const app::Selection before = stage.span(device, 3);
  stage.viewer().select_and_reveal(before);
  stage.viewer().set_expanded(stage.track("a.bin/AMD Memory"), true);
  settle();
  stage.viewer().reveal_track(device);
  settle();
  const query::TimeRange window = stage.state().viewport.window();
  const Point from = stage.place_of(device, 3);
  const double us_per_px = stage.state().viewport.ns_per_px() / 1000;
  stage.drag(from, {from.x + 100, from.y}, app::MouseButton::left, with_alt);
  settle();
  const std::int64_t moved_us = std::llround(100 * us_per_px);
  EXPECT_THAT(document().offsets_us, ElementsAre(0, moved_us));
  EXPECT_EQ(begin_us(1), moved_us);
  EXPECT_EQ(stage.state().viewport.window(), window);
  ASSERT_TRUE(stage.state().selection);
  EXPECT_EQ(stage.state().selection->begin_ns, before.begin_ns + moved_us * 1000);
  EXPECT_TRUE(stage.state().changes.expanded.contains(stage.track("a.bin/AMD Memory")));
}

TEST_F(Together, MovedBeforeAllOthersAFileTakesTheOriginWithIt) {
  stage.viewer().open_together({a, b});
  settle();
  stage.state().viewport = stage.state().viewport.showing({2 * ms, 6 * ms});
  app::DocumentNotes notes;
  notes.markers = {{3 * ms, "here"}};
  stage.view().set_notes(notes);
  settle();
  const std::uint32_t other = stage.track("a.bin/AMD");
  const float x = stage.x_of(stage.span(other, 15).begin_ns);
  const Point from = stage.place_of(stage.track("b.bin/AMD"), 15);
  stage.drag(from, {from.x - 100, from.y}, app::MouseButton::left, with_alt);
  settle();
  const std::int64_t origin_us = begin_us(0);
  EXPECT_GT(origin_us, 0);
  EXPECT_EQ(begin_us(1), 0);
  EXPECT_THAT(document().offsets_us, ElementsAre(0, -origin_us));
  EXPECT_NEAR(stage.x_of(stage.span(other, 15).begin_ns), x, 1);
  EXPECT_EQ(stage.view().notes().markers[0].time_ns, 3 * ms + origin_us * 1000);
}

TEST_F(Together, EscapeLeavesADraggedFileWhereItWas) {
  stage.viewer().open_together({a, b});
  settle();
  const Point from = stage.place_of(stage.track("b.bin/AMD"), 3);
  stage.press(from, app::MouseButton::left, with_alt);
  stage.move({from.x + 50, from.y});
  stage.key(Key::escape);
  stage.release({from.x + 50, from.y}, app::MouseButton::left, with_alt);
  settle();
  EXPECT_TRUE(document().offsets_us.empty());
}

TEST_F(Together, WhileAFileIsDraggedItsRowsAreShownWhereTheyWillBe) {
  stage.viewer().open_together({a, b});
  settle();
  const auto marks_of = [&](const std::string& track) {
    const render::TrackRow& row = stage.row(stage.track(track));
    const float top = stage.top_of(row);
    float first = 1e9F;
    for (const render::RectMark& mark : stage.viewer().scene().marks) {
      const float middle = (mark.box.y0 + mark.box.y1) / 2;
      if (middle > top && middle < top + static_cast<float>(row.height_px))
        first = std::min(first, mark.box.x0);
    }
    return first;
  };
  stage.state().viewport = stage.state().viewport.showing({0, 1 * ms});
  settle();
  const float still = marks_of("a.bin/AMD:1");
  const float before = marks_of("b.bin/AMD:1");
  const Point from = stage.place_of(stage.track("b.bin/AMD"), 1);
  stage.press(from, app::MouseButton::left, with_alt);
  stage.move({from.x + 40, from.y});
  EXPECT_NEAR(marks_of("b.bin/AMD:1"), before + 40, 2);
  EXPECT_NEAR(marks_of("a.bin/AMD:1"), still, 0.1);
  stage.release({from.x + 40, from.y}, app::MouseButton::left, with_alt);
  settle();
  EXPECT_NEAR(marks_of("b.bin/AMD:1"), before + 40, 2);
}

TEST_F(Together, OffsetsAndViewsOfASetComeBackAtTheNextStart) {
  stage.viewer().open_together({a, b});
  settle();
  const std::uint32_t device = stage.track("b.bin/AMD");
  const Point from = stage.place_of(device, 3);
  stage.drag(from, {from.x + 60, from.y}, app::MouseButton::left, with_alt);
  settle();
  const std::vector<std::int64_t> offsets = document().offsets_us;
  ASSERT_EQ(offsets.size(), 2U);
  stage.state().viewport = stage.state().viewport.showing({1 * ms, 2 * ms});
  settle();
  const auto written = app::remembered_as_json(stage.viewer().remembered());
  ViewerStage next;
  next.viewer().recall(*app::remembered_from_json(written));
  const std::string address = merge::file_set_of({b, a}).address();
  EXPECT_EQ(next.viewer().remembered().recent.front(), address);
  next.viewer().open_together({b, a});  // in whatever order
  next.offscreen().frame();
  next.settle();
  EXPECT_EQ(next.viewer().active_document()->offsets_us, offsets);
  EXPECT_EQ(next.trace().parts[1].file.offset_us, offsets[1]);
  EXPECT_EQ(next.state().viewport.window(), (query::TimeRange{1 * ms, 2 * ms}));
  next.viewer().open_together({a, c});
  next.offscreen().frame();
  next.settle();
  EXPECT_TRUE(next.viewer().active_document()->offsets_us.empty());
}

TEST_F(Together, ASetGrowsInItsTab) {
  stage.viewer().open_together({a, c});
  settle();
  const Point from = stage.place_of(stage.track("c.bin/AMD"), 3);
  stage.drag(from, {from.x + 60, from.y}, app::MouseButton::left, with_alt);
  settle();
  const std::int64_t offset_us = document().offsets_us.at(1);
  stage.open(b);
  stage.viewer().next_document(-1);
  show_together(stage.viewer());
  settle();
  // Two rows of files stand above the only other one.
  stage.click({640, 297});
  settle();
  EXPECT_EQ(stage.viewer().session().documents().size(), 2U);
  EXPECT_EQ(stage.viewer().title(), "a.bin + b.bin + c.bin \u2013 bytescope");
  EXPECT_THAT(document().offsets_us, ElementsAre(0, 0, offset_us));
}

TEST_F(Together, AFileThatIsWrittenAgainIsOfferedForReading) {
  stage.viewer().open_together({a, b});
  settle();
  bytepack::TraceDescription longer = plain_trace();
  longer.tracks.push_back(longer.tracks[0]);
  longer.tracks.back().name = "PYTHON";
  write(b, bytepack::encode(longer, *bytepack::dialect_of('L')));
  stage.rest();
  for (int i = 0; i < 50 && app::file_notice(document()).empty(); ++i) {
    stage.offscreen().wait();
    stage.rest();
    stage.offscreen().frame();
  }
  EXPECT_THAT(app::file_notice(document()), testing::StartsWith("The file has changed"));
  stage.key(Key::f5);
  settle();
  EXPECT_EQ(app::file_notice(document()), "");
  EXPECT_EQ(stage.trace().tracks.size(), 9U);
}

TEST_F(Together, OneThatIsMissingIsToldByItsName) {
  stage.viewer().open_together({a, folder / "none.bin"});
  settle();
  ASSERT_TRUE(document().error);
  EXPECT_EQ(document().error->path, folder / "none.bin");
}

TEST_F(Together, AnOffsetOutOfRangeLeavesWhatIsShown) {
  stage.viewer().open_together({a, b});
  settle();
  show_together(stage.viewer());
  settle();
  type("5000 s");
  stage.key(Key::enter);
  settle();
  ASSERT_TRUE(document().error);
  EXPECT_THAT(document().error->message, HasSubstr("71.6 minutes"));
  EXPECT_EQ(stage.trace().parts.size(), 2U);
}

TEST_F(Together, FilesOfOneNameAreToldApartInTracksAndTitle) {
  std::filesystem::create_directory(folder / "x");
  write(folder / "x/a.bin", plain_bytes());
  stage.viewer().open_together({a, folder / "x/a.bin"});
  settle();
  EXPECT_EQ(stage.trace().tracks[4].head.name, "x/a.bin/USER");
  EXPECT_NE(stage.trace().parts[0].file.name, stage.trace().parts[1].file.name);
}

TEST(OffsetText, ReadsBackTheSame) {
  for (const std::int64_t offset_us :
       {0LL, 1LL, -1LL, 999LL, 1000LL, -1500LL, 1'234'567LL, -60'000'000LL, 4'294'967'294LL})
    EXPECT_EQ(app::offset_from_text(app::offset_text(offset_us)), offset_us) << offset_us;
  EXPECT_EQ(app::offset_text(-1500), "-1.5 ms");
  EXPECT_EQ(app::offset_text(2'000'001), "2.000001 s");
  EXPECT_EQ(app::offset_from_text(" +2.5s "), 2'500'000);
  EXPECT_EQ(app::offset_from_text("-7"), -7);
  EXPECT_EQ(app::offset_from_text("1600 ns"), 2);
  for (const char* wrong : {"", "s", "1 h", "1..2", "--1", "+-1", "1e9 s", "nan", "inf"})
    EXPECT_FALSE(app::offset_from_text(wrong)) << wrong;
}

TEST(MergeForm, OffersAllOffsetsOnlyWhileEachMakesSense) {
  app::MergeForm form;
  form.begin({"a", "b", "c"}, {5, -3});
  EXPECT_EQ(form.rows()[1].text, "-3 \u00B5s");
  EXPECT_EQ(form.rows()[2].text, "0 \u00B5s");
  EXPECT_FALSE(form.is_changed());
  form.set_text(1, "x");
  EXPECT_FALSE(form.offsets_us());
  EXPECT_THAT(form.notice(), HasSubstr("offset of b"));
  form.set_text(1, "2 ms");
  EXPECT_TRUE(form.is_changed());
  EXPECT_THAT(*form.offsets_us(), ElementsAre(5, 2000, 0));
  form.set_text(9, "1");
}

TEST(TraceTitle, OfASetTellsItsFiles) {
  const std::string address = merge::file_set_of({"/x/b.bin", "/x/a.bin"}).address();
  EXPECT_EQ(app::trace_title(address), "a.bin + b.bin");
  EXPECT_EQ(app::trace_place(address), "2 files as one trace");
  EXPECT_EQ(app::local_path(address), "/x/a-merged.bin");
  EXPECT_EQ(app::absolute_path(merge::FileSet{{"/x/b.bin", "/x/../x/a.bin"}}.address()), address);
}

}  // namespace
}  // namespace bytescope::tests
