#include "app/remembered.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/remembered_file.h"
#include "tests/app/answer_trace.h"
#include "tests/app/viewer_stage.h"
#include "tests/support/nanoseconds.h"
#include "tests/support/temporary_folder.h"

namespace bytescope::tests {
namespace {

using app::Key;
using app::Remembered;
using testing::HasSubstr;
using testing::IsEmpty;

Remembered something() {
  Remembered remembered;
  remembered.light = true;
  remembered.motion = false;
  remembered.zoom = 1.25F;
  remembered.window_width = 1800;
  remembered.cards = {{"AMD", {61.4e12, 960e9, 24e9}}, {"NV \"x\"", {0, 0, 80e9}}};
  remembered.recent = {"/a/b.bin", "/c\n\"d\".bin"};
  app::RememberedView view;
  view.path = "/a/b.bin";
  view.window = {-5, 7 * ms};
  view.tracks.expanded = {"AMD Memory", "TINY"};
  view.tracks.hidden = {"GC", "\"x\""};
  view.tracks.pinned = {"USER"};
  view.tracks.folds = {{"device AMD:1", true}, {"minor", false}};
  view.tracks.heights = {{"AMD", {44, 0}}, {"AMD Memory", {0, 512.5}}};
  view.tracks.moves = {{"AMD:1", "AMD"}, {"AMD", std::nullopt}};
  view.memory = {render::BufferColors::type, true};
  view.notes.markers = {{3 * ms, "here"}, {4 * ms, ""}};
  view.notes.ranges = {{{1, 2}, "r"}};
  remembered.views = {view};
  return remembered;
}

TEST(Remembered, IsReadBackAsItWas) {
  const auto read = app::remembered_from_json(app::remembered_as_json(something()));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, something());
  EXPECT_EQ(*app::remembered_from_json("{}"), Remembered());
}

TEST(Remembered, TakesTheUsualValueForWhatMakesNoSense) {
  const auto read = app::remembered_from_json(
      R"({"light": 7, "zoom": 1e300, "window_width": -1, "window_height": 1e99, "recent": {"a": 1},
          "cards": {"AMD": {"flops": -5, "memory_bytes": "x"}, "NV": 3}, "more": [[]],
          "views": [4, {"path": 3, "window_ns": [5, 5], "buffer_colors": 99,
                        "markers": [{"time_ns": 9223372036854775807, "name": 1}, {}],
                        "ranges": [{"range_ns": [9, 1]}]}]})");
  ASSERT_TRUE(read);
  Remembered expected;
  expected.zoom = 3;
  expected.cards = {{"AMD", {}}};
  app::RememberedView view;
  view.notes.markers = {{3'200'000'000'000'000'000, ""}};
  expected.views = {view};
  EXPECT_EQ(*read, expected);
}

TEST(Remembered, RefusesWhatIsNoObject) {
  for (const char* text : {"", "[]", "7", "{", "\xFF", "{\"a\": tru}"})
    EXPECT_FALSE(app::remembered_from_json(text)) << text;
}

TEST(Remembered, SurvivesAnyChangeOfItsBytes) {
  const std::string whole = app::remembered_as_json(something());
  std::mt19937 random(3);
  for (int i = 0; i < 20'000; ++i) {
    std::string changed = whole.substr(0, i % 4 == 0 ? random() % whole.size() : whole.size());
    for (std::uint32_t k = random() % 4; k > 0 && !changed.empty(); --k)
      changed[random() % changed.size()] = static_cast<char>(random());
    const auto read = app::remembered_from_json(changed);
    if (!read) continue;
    EXPECT_TRUE(app::remembered_from_json(app::remembered_as_json(*read)));
  }
}

TEST(Remembered, KeepsTheNewestAndNoMoreThanEnough) {
  Remembered remembered;
  for (int i = 0; i < 300; ++i) {
    remembered.note_recent("/f" + std::to_string(i));
    app::RememberedView view;
    view.path = "/f" + std::to_string(i % 250);
    remembered.note_view(view);
  }
  EXPECT_EQ(remembered.recent.size(), Remembered::most_recent);
  EXPECT_EQ(remembered.recent.front(), "/f299");
  EXPECT_EQ(remembered.views.size(), Remembered::most_views);
  EXPECT_EQ(remembered.views.front().path, "/f49");
}

TEST(Remembered, KeepsWhatAnotherWindowWroteMeanwhile) {
  const Remembered base = something();
  Remembered mine = base;
  mine.zoom = 2;
  mine.cards["AMD"].flops = 1e12;
  mine.views[0].notes.markers.push_back({9 * ms, "mine"});
  mine.note_recent("/mine.bin");
  Remembered disk = base;
  disk.light = false;
  disk.motion = true;
  disk.cards["NV \"x\""].flops = 2e12;
  app::RememberedView others;
  others.path = "/theirs.bin";
  others.notes.markers = {{1, "theirs"}};
  disk.note_view(others);
  disk.note_recent("/theirs.bin");
  const Remembered all = app::merged(base, mine, disk);
  EXPECT_EQ(all.zoom, 2);
  EXPECT_EQ(all.light, false);
  EXPECT_EQ(all.motion, true);
  EXPECT_EQ(all.cards.at("AMD").flops, 1e12);
  EXPECT_EQ(all.cards.at("NV \"x\"").flops, 2e12);
  ASSERT_NE(all.view_of("/theirs.bin"), nullptr);
  EXPECT_EQ(*all.view_of("/theirs.bin"), others);
  EXPECT_EQ(all.view_of("/a/b.bin")->notes.markers.size(), 3U);
  EXPECT_EQ(all.recent,
            (std::vector<std::string>{"/mine.bin", "/a/b.bin", "/c\n\"d\".bin", "/theirs.bin"}));
  EXPECT_EQ(app::merged(base, base, disk), disk) << "nothing of ours is new";
}

TEST(RememberedFile, ComesBackAndIsTheOwnersAlone) {
  const TemporaryFolder folder;
  const std::string path = folder / "new/folder/remembered.json";
  ASSERT_TRUE(app::remember_in(path, something()));
  const app::Recalled recalled = app::recall_from(path);
  EXPECT_EQ(recalled.remembered, something());
  EXPECT_THAT(recalled.notice, IsEmpty());
  EXPECT_EQ(std::filesystem::status(path).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST(RememberedFile, SetsABrokenOneAsideWithANotice) {
  const TemporaryFolder folder;
  const std::string path = folder / "remembered.json";
  std::ofstream(path) << "{broken";
  const app::Recalled recalled = app::recall_from(path);
  EXPECT_EQ(recalled.remembered, Remembered());
  EXPECT_THAT(recalled.notice, HasSubstr(path + ".broken"));
  EXPECT_FALSE(std::filesystem::exists(path));
  std::ifstream kept(path + ".broken");
  EXPECT_EQ((std::string{std::istreambuf_iterator<char>(kept), {}}), "{broken");
  EXPECT_THAT(app::recall_from(path).notice, IsEmpty()) << "a missing file is nothing to tell of";
}

TEST(Remembered, TextsOfAnyBytesComeBack) {
  Remembered remembered;
  for (const char* bytes :
       {"/a\xFF.bin", "/lone \xED\xA0\x80", "/cut \xC3", "/plain", "/\xF0\x9F\x98\x80"}) {
    remembered.recent.emplace_back(bytes);
    app::RememberedView view;
    view.path = bytes;
    view.tracks = {{bytes}, {{bytes, true}}, {{bytes, {1, 2}}}, {bytes}, {bytes}, {{bytes, bytes}}};
    view.notes.markers = {{7, bytes}};
    view.notes.ranges = {{{1, 2}, bytes}};
    remembered.views.push_back(view);
  }
  const auto again = app::remembered_from_json(app::remembered_as_json(remembered));
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, remembered);
  remembered.cards["\xED\xA0\x80"].flops = 1;
  EXPECT_TRUE(app::remembered_from_json(app::remembered_as_json(remembered)))
      << "no name spoils the file";
}

TEST(RememberedFile, SaysWhereItCannotBeWritten) {
  EXPECT_FALSE(app::remember_in("/proc/no/folder/remembered.json", Remembered()));
}

TEST(RememberedView, AFileThatIsOpenedAgainHasOneTab) {
  const TemporaryFile file(answer_bytes());
  const TemporaryFile other(answer_bytes());
  ViewerStage stage;
  stage.open(file.path());
  stage.key(Key::m);
  stage.open(other.path());
  stage.open(file.path());
  EXPECT_EQ(stage.viewer().session().documents().size(), 2U);
  EXPECT_EQ(stage.view().notes().markers.size(), 1U);
  file.write(plain_bytes());
  stage.open(file.path());
  stage.settle();
  EXPECT_EQ(stage.trace().index->markers.size(), 3U) << "it is read again: it may have changed";
}

TEST(RememberedView, ComesBackWithTheFile) {
  const TemporaryFile file(answer_bytes());
  Remembered remembered;
  {
    ViewerStage stage;
    stage.open(file.path());
    stage.move(stage.place_of(stage.track("AMD"), 20));
    stage.key(Key::m);
    stage.state().range = query::TimeRange{2 * ms, 4 * ms};
    stage.key(Key::k);
    stage.viewer().set_expanded(stage.track("AMD Memory"), true);
    stage.state().viewport = stage.state().viewport.showing({3 * ms, 5 * ms});
    stage.key(Key::y);
    stage.viewer().set_cards({{"AMD", {1, 2, 3e9}}});
    stage.viewer().switch_theme();
    stage.settle();
    remembered = stage.viewer().remembered();
    stage.viewer().close_active();
    EXPECT_EQ(stage.viewer().remembered(), remembered) << "closing loses nothing";
  }
  ViewerStage stage;
  stage.viewer().recall(*app::remembered_from_json(app::remembered_as_json(remembered)));
  stage.open(file.path());
  EXPECT_FALSE(stage.viewer().theme().dark);
  EXPECT_EQ(stage.view().notes().markers.size(), 1U);
  ASSERT_EQ(stage.view().notes().ranges.size(), 1U);
  EXPECT_EQ(stage.view().notes().ranges[0].range, (query::TimeRange{2 * ms, 4 * ms}));
  EXPECT_TRUE(stage.state().changes.expanded.contains(stage.track("AMD Memory")));
  EXPECT_TRUE(stage.state().memory.scale_per_track);
  EXPECT_NEAR(static_cast<double>(stage.state().viewport.window().begin_ns), 3e6, 1e4);
  EXPECT_NEAR(static_cast<double>(stage.state().viewport.window().end_ns), 5e6, 1e4);
  EXPECT_EQ(stage.view().model().capacity_bytes[stage.track("AMD Memory")], 3'000'000'000U);
  EXPECT_EQ(stage.viewer().remembered(), remembered);
}

}  // namespace
}  // namespace bytescope::tests
