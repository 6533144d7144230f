// Exports and pictures from the window.

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <png.h>

#include "app/save_form.h"
#include "tests/app/viewer_stage.h"
#include "tests/support/plain_trace.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_maker.h"

namespace bytescope::tests {
namespace {

namespace fs = std::filesystem;
using app::ExportScope;
using app::Key;
using app::SaveForm;
using testing::HasSubstr;

std::string content_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

class Saving : public testing::Test {
protected:
  Saving() {
    const std::vector<std::byte> bytes = plain_bytes();
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    stage.open(path);
  }
  void settle() {
    stage.offscreen().frame();
    stage.settle();
  }

  TemporaryFolder folder;
  const std::string path = folder / "trace.bin";
  ViewerStage stage;
};

TEST_F(Saving, CtrlEExportsEverythingBesideTheTrace) {
  stage.key(Key::e, with_command);
  settle();
  EXPECT_FALSE(fs::exists(folder / "trace.json"));
  stage.key(Key::enter);
  settle();
  EXPECT_THAT(content_of(folder / "trace.json"), testing::StartsWith("{\"displayTimeUnit\""));
  EXPECT_THAT(content_of(folder / "trace.json"), HasSubstr("\"traceEvents\""));
}

TEST_F(Saving, AnExistingFileIsReplacedOnlyWhenAskedAgain) {
  std::ofstream(folder / "trace.json") << "precious";
  stage.key(Key::e, with_command);
  settle();
  stage.key(Key::enter);
  settle();
  EXPECT_EQ(content_of(folder / "trace.json"), "precious");
  stage.key(Key::enter);
  settle();
  EXPECT_THAT(content_of(folder / "trace.json"), HasSubstr("traceEvents"));
}

TEST_F(Saving, EscapeLeavesEverythingAsItWas) {
  stage.key(Key::e, with_command);
  settle();
  stage.key(Key::escape);
  settle();
  stage.key(Key::enter);
  settle();
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

TEST_F(Saving, TheRangeAndTheSelectionAreExported) {
  stage.state().range = query::TimeRange{0, 1000};
  stage.viewer().show_export(ExportScope::range);
  settle();
  stage.key(Key::enter);
  settle();
  EXPECT_THAT(content_of(folder / "trace-range.json"), HasSubstr("\"range_us\":[0,1]"));
  const app::Selection span = stage.span(stage.track("AMD"), 3);
  stage.viewer().select_and_reveal(span);
  stage.viewer().show_export(ExportScope::selection);
  settle();
  stage.key(Key::enter);
  settle();
  EXPECT_THAT(content_of(folder / "trace-selection.json"), HasSubstr("\"index\":3"));
  EXPECT_THAT(content_of(folder / "trace-selection.json"),
              testing::Not(HasSubstr("\"index\":30,")));
}

TEST_F(Saving, PicturesHaveOneOrTwoTimesThePixelsOfTheWindow) {
  for (const int factor : {1, 2}) {
    stage.viewer().show_picture_saving(factor);
    settle();
    stage.key(Key::enter);
    settle();
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    const std::string name = folder / (factor == 1 ? "trace.png" : "trace@2x.png");
    ASSERT_NE(png_image_begin_read_from_file(&image, name.c_str()), 0);
    EXPECT_EQ(image.width, 1280U * static_cast<unsigned>(factor));
    EXPECT_EQ(image.height, 720U * static_cast<unsigned>(factor));
    png_image_free(&image);
  }
}

TEST_F(Saving, AnotherDocumentIsNotExportedInPlaceOfTheOneAskedAbout) {
  const TemporaryFile other(plain_bytes());
  stage.key(Key::e, with_command);
  settle();
  stage.open(other.path());
  settle();
  stage.key(Key::enter);
  settle();
  EXPECT_FALSE(fs::exists(folder / "trace.json"));
}

TEST_F(Saving, WhatCannotBeWrittenIsTold) {
  stage.viewer().show_export(ExportScope::everything);
  settle();
  fs::remove_all(folder.path());
  stage.key(Key::enter);
  settle();
  EXPECT_TRUE(stage.viewer().can_export());
  EXPECT_TRUE(stage.viewer().is_dialog_open()) << "the form says that there is no such folder";
}

TEST_F(Saving, WhatTheSystemRefusesToWriteIsToldUntilAKeyIsPressed) {
  stage.viewer().show_export(ExportScope::everything);
  settle();
  stage.key(Key::a, with_command);
  stage.key(Key::f9);  // Ctrl is let go
  for (const char c : std::string("/proc/self/fdinfo/trace.json"))
    stage.type(static_cast<char32_t>(c));
  stage.key(Key::enter);
  settle();
  EXPECT_FALSE(stage.viewer().is_dialog_open());
  EXPECT_FALSE(stage.viewer().notice().is_good());
  EXPECT_THAT(stage.viewer().notice().text(), HasSubstr("trace.json"));
  for (int i = 0; i < 20; ++i) {
    stage.rest();
    stage.offscreen().frame();
  }
  EXPECT_THAT(stage.viewer().notice().text(), HasSubstr("trace.json")) << "until it is seen";
}

TEST_F(Saving, WhatWasWrittenIsToldForAWhile) {
  stage.viewer().show_export(ExportScope::everything);
  settle();
  stage.key(Key::enter);
  settle();
  EXPECT_TRUE(stage.viewer().notice().is_good());
  EXPECT_THAT(stage.viewer().notice().text(), testing::StartsWith("Wrote trace.json"));
}

TEST(SaveForm, TheEndTellsTheFormatAndAButtonChangesIt) {
  SaveForm form;
  form.begin("/tmp/a.json", {{".json", ""}, {".csv", ""}});
  EXPECT_EQ(form.format(), 0U);
  form.choose(1);
  EXPECT_EQ(form.text(), "/tmp/a.csv");
  form.set_text("/tmp/a.txt");
  EXPECT_EQ(form.format(), std::nullopt);
  form.choose(0);
  EXPECT_EQ(form.text(), "/tmp/a.txt.json");
}

TEST(SaveForm, SaysWhatIsWrongWithThePath) {
  const TemporaryFolder folder;
  std::ofstream(folder / "old.json") << "x";
  fs::create_directory(folder / "sub.json");
  SaveForm form;
  form.begin(folder / "a.json", {{".json", ""}, {".csv", ""}, {".bin", ""}});
  EXPECT_EQ(form.confirm(), folder / "a.json");
  for (const auto& [text, notice] :
       {std::pair(folder / "a.txt", "must end with .json, .csv or .bin"),
        std::pair(folder / ".csv", "must end with"),
        std::pair(folder / "none/a.csv", "no such folder"),
        std::pair(folder / "sub.json", "is a folder")}) {
    form.set_text(text);
    EXPECT_EQ(form.confirm(), std::nullopt);
    EXPECT_EQ(form.confirm(), std::nullopt);
    EXPECT_THAT(form.notice(), HasSubstr(notice));
  }
  form.set_text("new.json");
  EXPECT_EQ(form.confirm(), folder / "new.json") << "beside what it began with";
  form.set_text(folder / "old.json");
  EXPECT_EQ(form.confirm(), std::nullopt);
  EXPECT_TRUE(form.replaces());
  EXPECT_EQ(form.confirm(), folder / "old.json");
  // Another path asks again.
  form.set_text(folder / "old.json");
  EXPECT_EQ(form.confirm(), std::nullopt);
}

TEST(SaveForm, BesideATraceWhateverItsEnd) {
  EXPECT_EQ(app::path_beside("/a/run.bin", "-range", ".json"), "/a/run-range.json");
  EXPECT_EQ(app::path_beside("/a/run.bin.zst", "", ".csv"), "/a/run.csv");
  EXPECT_EQ(app::path_beside("run", "", ".csv"), "run.csv");
  EXPECT_EQ(app::path_beside("/a/v1.2", "", ".png"), "/a/v1.2.png");
}

}  // namespace
}  // namespace bytescope::tests
