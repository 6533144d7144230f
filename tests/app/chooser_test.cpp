#include "app/panels/chooser.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/panels/chooser_model.h"
#include "app/panels/folder_listing.h"
#include "tests/app/panel_stage.h"
#include "tests/support/temporary_folder.h"

namespace bytescope::app {
namespace {
namespace fs = std::filesystem;

using testing::ElementsAre;
using testing::UnorderedElementsAre;
using tests::PanelStage;

/// A folder with traces in it that goes with the object.
class TraceFolder {
public:
  TraceFolder() {
    for (const char* folder : {"runs", "runs/old", "results", ".hidden"})
      fs::create_directories(path_ + folder);
    for (const char* file : {"llama10.bin", "llama2.bin", "notes.txt", ".secret.bin", "runs/a.bin"})
      std::ofstream(path_ + file) << "0123456789";
  }
  const std::string& path() const { return path_; }

private:
  tests::TemporaryFolder folder_;
  std::string path_ = folder_ / "";
};

/// A model whose folders are read at once.
class Model {
public:
  Model() : model([this](const std::string& folder) { asked = folder; }) {}
  ChooserModel* operator->() { return &model; }
  void read() { model.show(std::make_shared<const FolderListing>(list_folder(asked, Cancel()))); }
  void type(const std::string& text) {
    model.set_text(text);
    read();
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const ChooserRow& row : model.rows()) all.push_back(row.name);
    return all;
  }
  std::string asked;
  ChooserModel model;
};

TEST(FolderListing, HasFoldersThenTracesInTheOrderOfNumbers) {
  const TraceFolder folder;
  const FolderListing listing = list_folder(folder.path(), Cancel());
  std::vector<std::string> names;
  for (const FolderEntry& entry : listing.entries) names.push_back(entry.name);
  EXPECT_THAT(
      names, ElementsAre(".hidden", "results", "runs", ".secret.bin", "llama2.bin", "llama10.bin"));
  EXPECT_EQ(listing.entries.back().bytes, 10U);
  EXPECT_TRUE(listing.error.empty());
}

TEST(FolderListing, SaysWhyAFolderCannotBeRead) {
  const FolderListing listing = list_folder("/no such folder/", Cancel());
  EXPECT_THAT(listing.error, testing::HasSubstr("No such file"));
}

TEST(TypedPath, OfOneThatBeginsAnewIsMeantFromThere) {
  EXPECT_EQ(typed_path("/home/me//tmp/x.bin").folder, "/tmp/");
  EXPECT_EQ(typed_path("/home/me//tmp/x.bin").filter, "x.bin");
  EXPECT_EQ(typed_path("/home/me//").folder, "/");
  EXPECT_EQ(typed_path("/home/me//var/~/x").folder, typed_path("~/x").folder);
  EXPECT_EQ(typed_path("/home/me/~x").folder, "/home/me/");
}

TEST(TypedPath, IsCutAtTheLastSlash) {
  EXPECT_EQ(typed_path("/a/b").folder, "/a/");
  EXPECT_EQ(typed_path("/a/b").filter, "b");
  EXPECT_EQ(typed_path("b").folder, "");
  EXPECT_EQ(text_of_parent("/a/b/"), "/a/");
  EXPECT_EQ(text_of_parent("/a"), "/");
  EXPECT_EQ(text_of_parent("/"), "/");
}

TEST(ChooserModel, WhatIsTypedFiltersTheRows) {
  const TraceFolder folder;
  Model model;
  model->begin(folder.path(), {});
  model.read();
  EXPECT_THAT(model.names(), ElementsAre("results", "runs", "llama2.bin", "llama10.bin"));
  EXPECT_FALSE(model->chosen());
  model.type(folder.path() + "LLAMA1");
  EXPECT_THAT(model.names(), ElementsAre("llama10.bin"));
  EXPECT_EQ(model->chosen(), 0U);
  model.type(folder.path() + ".");
  EXPECT_THAT(model.names(), ElementsAre(".hidden", ".secret.bin", "llama2.bin", "llama10.bin"));
  model.type(folder.path() + "zzz");
  EXPECT_EQ(model->notice(), "Nothing of that name here");
}

TEST(ChooserModel, CompletesWhatTheNamesShare) {
  const TraceFolder folder;
  Model model;
  model.type(folder.path() + "ll");
  EXPECT_EQ(model->completed_text(), folder.path() + "llama");
  model.type(folder.path() + "llama1");
  EXPECT_EQ(model->completed_text(), folder.path() + "llama10.bin");
  model.type(folder.path() + "ru");
  EXPECT_EQ(model->completed_text(), folder.path() + "runs/");
  model.type(folder.path() + "r");
  EXPECT_EQ(model->completed_text(), folder.path() + "r");
  model.type(folder.path() + "zzz");
  EXPECT_EQ(model->completed_text(), folder.path() + "zzz");
}

TEST(ChooserModel, EntersFoldersAndAnswersFiles) {
  const TraceFolder folder;
  Model model;
  model.type(folder.path() + "runs");
  model->activate();
  EXPECT_FALSE(model->answer());
  EXPECT_EQ(model->text(), folder.path() + "runs/");
  model.read();
  model->move(1);
  model->move(1);
  model->activate();
  ASSERT_TRUE(model->answer());
  EXPECT_THAT(*model->answer(), ElementsAre(folder.path() + "runs/a.bin"));
}

TEST(ChooserModel, AnswersAllMarkedFiles) {
  const TraceFolder folder;
  Model model;
  model.type(folder.path());
  model->choose(2, /*marks=*/true);
  model->choose(3, /*marks=*/true);
  model->activate();
  ASSERT_TRUE(model->answer());
  EXPECT_EQ(model->answer()->size(), 2U);
}

TEST(ChooserModel, AFileOfAnotherEndingCanBeTyped) {
  const TraceFolder folder;
  Model model;
  model.type(folder.path() + "notes.txt");
  model->activate();
  ASSERT_TRUE(model->answer());
  EXPECT_THAT(*model->answer(), ElementsAre(folder.path() + "notes.txt"));
}

TEST(ChooserModel, RecentFilesComeFirstAndHeadingsCannotBeChosen) {
  const TraceFolder folder;
  Model model;
  model->begin(folder.path(), {"/x/seen.bin"});
  model.read();
  EXPECT_THAT(model.names(), ElementsAre("Recent", "seen.bin", "In this folder", "results", "runs",
                                         "llama2.bin", "llama10.bin"));
  model->move(1);
  EXPECT_EQ(model->chosen(), 1U);
  model->move(1);
  EXPECT_EQ(model->chosen(), 3U);
  model->move(-1);
  EXPECT_EQ(model->chosen(), 1U);
  model->move(-1);
  EXPECT_EQ(model->chosen(), 1U);
  model->activate();
  EXPECT_THAT(*model->answer(), ElementsAre("/x/seen.bin"));
}

class ChooserTest : public testing::Test {
protected:
  void open(const std::string& folder, std::vector<std::string> recent = {}) {
    chooser.open(folder, std::move(recent));
    settle();
  }
  void settle() {
    for (int i = 0; i < 5; ++i) {
      stage.frame(draw);
      ::usleep(5000);
    }
  }

  PanelStage stage{{1000, 640}};
  Chooser chooser{[] {}};
  std::optional<Chooser::Answer> answer;
  std::function<void()> draw = [this] {
    if (auto given = chooser.draw(stage.context())) answer = std::move(given);
  };
};

TEST_F(ChooserTest, IsDrivenByTheKeyboard) {
  const TraceFolder folder;
  open(folder.path(), {"/home/me/llama1b-dp8.bin", "/home/me/before.bin"});
  stage.picture("chooser");
  stage.type("ru", draw);
  stage.press_key(Key::tab, draw);
  settle();
  stage.picture("chooser-folder");
  stage.press_key(Key::backspace, draw);  // up again
  settle();
  stage.type("llama2", draw);
  settle();
  stage.press_key(Key::enter, draw);
  settle();
  ASSERT_TRUE(answer);
  EXPECT_THAT(answer->paths, ElementsAre(folder.path() + "llama2.bin"));
  EXPECT_FALSE(chooser.is_open());
}

TEST_F(ChooserTest, SeveralFilesAreMarkedByKeys) {
  const TraceFolder folder;
  open(folder.path());
  stage.type("llama", draw);
  settle();
  stage.press_key(Key::page_up, draw);
  stage.press_key(Key::insert, draw);
  stage.press_key(Key::insert, draw);
  stage.press_key(Key::enter, draw);
  settle();
  ASSERT_TRUE(answer);
  EXPECT_THAT(answer->paths,
              UnorderedElementsAre(folder.path() + "llama2.bin", folder.path() + "llama10.bin"));
}

TEST_F(ChooserTest, EscapeAndAClickBesideItCancel) {
  const TraceFolder folder;
  open(folder.path());
  stage.press_key(Key::escape, draw);
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->paths.empty());
  answer.reset();
  open(folder.path());
  stage.click(5, 5, draw);
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->paths.empty());
}

TEST_F(ChooserTest, TheMouseEntersFoldersAndOpensFiles) {
  const TraceFolder folder;
  open(folder.path());
  const float second_row = 165;  // "runs", then "a.bin"
  stage.click(300, second_row, draw);
  stage.click(300, second_row, draw);
  stage.frames(30, draw);
  settle();
  ASSERT_FALSE(answer);
  stage.click(300, second_row, draw);
  stage.frames(30, draw);
  ASSERT_FALSE(answer) << "one click only chooses";
  stage.click(300, second_row, draw);
  stage.click(300, second_row, draw);
  ASSERT_TRUE(answer);
  EXPECT_THAT(answer->paths, ElementsAre(folder.path() + "runs/a.bin"));
}

TEST_F(ChooserTest, UnreadableFoldersSaySo) {
  open("/no such folder");
  const render::Picture picture = stage.picture("chooser-error");
  EXPECT_GT(tests::pixels_unlike(picture, stage.theme().panel), 1000U);
}

TEST(ChooserLight, LooksRightToo) {
  const TraceFolder folder;
  PanelStage light({1000, 640}, /*dark=*/false);
  Chooser shown([] {});
  shown.open(folder.path(), {"/home/me/llama1b-dp8.bin"});
  for (int i = 0; i < 5; ++i) {
    light.frame([&] { shown.draw(light.context()); });
    ::usleep(5000);
  }
  EXPECT_GT(tests::pixels_unlike(light.picture("chooser-light"), light.theme().panel), 1000U);
}

}  // namespace
}  // namespace bytescope::app
