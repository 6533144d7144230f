#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/panels/status_bar.h"
#include "tests/app/viewer_stage.h"
#include "tests/support/plain_trace.h"
#include "tests/support/temporary_folder.h"

namespace bytescope::tests {
namespace {

using app::Key;
using testing::HasSubstr;
using testing::StartsWith;

class ChangedFile : public testing::Test {
protected:
  ChangedFile() {
    write(path, plain_bytes());
    stage.open(path);
    device = stage.track("AMD");
  }

  static void write(const std::string& to, const std::vector<std::byte>& bytes) {
    std::ofstream(to, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  /// The same trace with another track in front.
  static std::vector<std::byte> longer_bytes() {
    bytepack::TraceDescription trace = plain_trace();
    trace.tracks.insert(trace.tracks.begin(), trace.tracks[0]);
    trace.tracks[0].name = "PYTHON";
    return bytepack::encode(trace, *bytepack::dialect_of('L'));
  }
  const session::Document& document() { return *stage.viewer().active_document(); }
  std::string notice() { return app::file_notice(document()); }
  /// Frames as they come while nobody does anything, until there is a notice, or for more than the
  /// second that passes between two looks at the file.
  void look() {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::milliseconds(1500);
    while (notice().empty() && std::chrono::steady_clock::now() < give_up) {
      stage.offscreen().wait();
      stage.offscreen().frame();
    }
  }
  /// Everything that reads records of the file.
  void use_everything() {
    stage.wheel({600, 300}, 6);
    stage.move({600, 300});
    stage.click(stage.place_of(device, 25));
    for (const Key key : {Key::right, Key::n, Key::right_bracket, Key::g, Key::period, Key::i,
                          Key::l, Key::p, Key::home})
      stage.key(key);
    stage.settle();
    for (std::size_t kind = 0; kind < app::answer_kind_count; ++kind) {
      stage.viewer().open_tab(static_cast<app::AnswerKind>(kind));
      stage.settle();
    }
    stage.viewer().show_search();
    for (const char32_t c : U"r_") {
      if (c != 0) stage.type(c);
    }
    stage.settle();
    stage.key(Key::c, with_command);
  }

  TemporaryFolder folder;
  const std::string path = folder / "trace.bin";
  ViewerStage stage;
  std::uint32_t device = 0;
};

TEST_F(ChangedFile, NothingIsSaidOfAFileThatStaysTheSame) {
  look();
  EXPECT_EQ(notice(), "");
}

TEST_F(ChangedFile, CutShortItGoesOnAndSaysSo) {
  std::filesystem::resize_file(path, 40);
  use_everything();
  look();
  EXPECT_THAT(notice(), StartsWith("The file has changed"));
  EXPECT_EQ(stage.trace().tracks.size(), plain_trace().tracks.size());
  stage.key(Key::f5);
  stage.settle();
  EXPECT_THAT(notice(), StartsWith("Reading it again failed: "));
  EXPECT_EQ(stage.trace().tracks.size(), plain_trace().tracks.size()) << "what was shown stays";
  write(path, plain_bytes());
  stage.key(Key::f5);
  stage.settle();
  EXPECT_EQ(notice(), "");
}

TEST_F(ChangedFile, ReplacedItShowsTheOldOneUntilItIsReadAgain) {
  write(folder / "next", longer_bytes());
  std::filesystem::rename(folder / "next", path);
  look();
  EXPECT_THAT(notice(), HasSubstr("Ctrl R reads it again"));
  use_everything();
  EXPECT_EQ(stage.trace().tracks.size(), plain_trace().tracks.size());
  EXPECT_FALSE(stage.trace().file->changed()) << "the old one is still open";
  stage.key(Key::r, with_command);
  stage.settle();
  EXPECT_EQ(notice(), "");
  EXPECT_EQ(stage.trace().tracks.size(), plain_trace().tracks.size() + 1);
}

TEST_F(ChangedFile, WrittenOverItCanBeReadAgain) {
  write(path, longer_bytes());
  use_everything();
  look();
  EXPECT_THAT(notice(), StartsWith("The file has changed"));
  stage.key(Key::f5);
  stage.settle();
  EXPECT_EQ(notice(), "");
  EXPECT_EQ(stage.trace().tracks[0].head.name, "PYTHON");
}

TEST_F(ChangedFile, DeletedItIsShownOnAndComesBack) {
  std::filesystem::remove(path);
  look();
  EXPECT_EQ(notice(), "The file is gone");
  use_everything();
  stage.key(Key::f5);
  stage.settle();
  EXPECT_THAT(notice(), HasSubstr("No such file"));
  write(path, longer_bytes());
  stage.key(Key::f5);
  stage.settle();
  EXPECT_EQ(notice(), "");
  EXPECT_EQ(stage.trace().tracks[0].head.name, "PYTHON");
}

TEST_F(ChangedFile, IsReadAgainByAButton) {
  write(path, longer_bytes());
  look();
  stage.offscreen().frame();
  const render::Box& status = stage.areas().status;
  // Somewhere along the status bar stands the button.
  for (float x = status.x0 + 20; x < status.x1 && !notice().empty(); x += 20) {
    stage.click({x, (status.y0 + status.y1) / 2});
    stage.settle();
    if (stage.viewer().session().is_watching()) break;
  }
  EXPECT_EQ(notice(), "");
  EXPECT_EQ(stage.trace().tracks[0].head.name, "PYTHON");
  EXPECT_FALSE(stage.viewer().session().is_watching());
}

TEST_F(ChangedFile, ThatIsWatchedIsReadAgainByItself) {
  stage.viewer().switch_watching();
  EXPECT_TRUE(stage.viewer().remembered().watches);
  stage.viewer().select_and_reveal(stage.span(device, 25));
  stage.wheel({600, 300}, 6);
  stage.settle();
  const query::TimeRange window = stage.state().viewport.window();
  write(path, longer_bytes());
  for (int i = 0; i < 500 && stage.trace().tracks[0].head.name != "PYTHON"; ++i) {
    stage.offscreen().wait();
    stage.offscreen().frame();
  }
  EXPECT_EQ(stage.trace().tracks[0].head.name, "PYTHON");
  stage.settle();
  EXPECT_EQ(notice(), "");
  EXPECT_EQ(stage.state().viewport.window(), window);
  ASSERT_TRUE(stage.state().selection);
  EXPECT_EQ(stage.state().selection->track, stage.track("AMD"));
  EXPECT_EQ(stage.state().selection->number, 25U);
}

TEST_F(ChangedFile, ThatIsAsItWasAgainHasNoNotice) {
  const auto time = std::filesystem::last_write_time(path);
  std::filesystem::last_write_time(path, time + std::chrono::seconds(5));
  look();
  EXPECT_NE(notice(), "");
  std::filesystem::last_write_time(path, time);
  for (int i = 0; i < 200 && !notice().empty(); ++i) {
    stage.offscreen().frame();
    stage.offscreen().wait();
  }
  EXPECT_EQ(notice(), "");
}

TEST_F(ChangedFile, WhatIsWrongWithItTakesThePlaceOfOtherNews) {
  stage.viewer().switch_watching();
  stage.offscreen().frame();
  EXPECT_THAT(stage.viewer().notice().text(), StartsWith("Files are read again by themselves"));
  EXPECT_FALSE(app::is_file_amiss(document()));
  std::filesystem::resize_file(path, 40);
  for (int i = 0; i < 500 && !document().error; ++i) {
    stage.offscreen().wait();
    stage.offscreen().frame();
  }
  EXPECT_TRUE(app::is_file_amiss(document()));
  EXPECT_EQ(stage.viewer().notice().text(), "");
  EXPECT_THAT(notice(), StartsWith("Reading it again failed"));
}

TEST_F(ChangedFile, GoodNewsGoAndTroublesStay) {
  EXPECT_FALSE(stage.viewer().next_frame_in_s());
  stage.viewer().tell("All is well", /*is_good=*/true);
  stage.offscreen().frame();
  ASSERT_TRUE(stage.viewer().next_frame_in_s());
  const double goes_in_s = *stage.viewer().next_frame_in_s();
  EXPECT_GT(goes_in_s, 3);
  EXPECT_LT(goes_in_s, 10);
  EXPECT_FALSE(stage.viewer().wants_frame()) << "the window rests meanwhile";
  stage.offscreen().rest(goes_in_s / 2);
  stage.offscreen().frame();
  EXPECT_EQ(stage.viewer().notice().text(), "All is well");
  stage.offscreen().rest(goes_in_s / 2);
  stage.offscreen().frame();
  EXPECT_EQ(stage.viewer().notice().text(), "");
  EXPECT_FALSE(stage.viewer().next_frame_in_s());
  stage.viewer().tell("Something is amiss");
  for (int i = 0; i < 10; ++i) {
    stage.rest();
    stage.offscreen().frame();
  }
  EXPECT_EQ(stage.viewer().notice().text(), "Something is amiss");
  stage.key(Key::h);
  EXPECT_EQ(stage.viewer().notice().text(), "");
}

}  // namespace
}  // namespace bytescope::tests
