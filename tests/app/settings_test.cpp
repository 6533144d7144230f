// The settings file: which keys do what.

#include "app/settings.h"

#include <fstream>
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/settings_file.h"
#include "tests/app/answer_trace.h"
#include "tests/app/viewer_stage.h"
#include "tests/support/temporary_folder.h"

namespace bytescope::tests {
namespace {

using app::Chord;
using app::Key;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(ChordText, ComesBackForEveryKeyAndModifier) {
  for (std::size_t i = 1; i < static_cast<std::size_t>(Key::left_shift); ++i) {
    for (int held = 0; held < 8; ++held) {
      const Chord chord{
          static_cast<Key>(i), {(held & 1) != 0, (held & 2) != 0, (held & 4) != 0, false}, 0};
      EXPECT_EQ(app::chord_from_text(app::text_from_chord(chord)), chord)
          << app::text_from_chord(chord);
    }
  }
  for (char32_t sign = U'!'; sign <= U'~'; ++sign) {
    const Chord chord{Key::none, {}, sign};
    EXPECT_EQ(app::chord_from_text(app::text_from_chord(chord)), chord);
  }
}

TEST(ChordText, TakesAnyCaseAndOrder) {
  const Chord chord{Key::p, {true, true, false, false}, 0};
  for (const char* text : {"Ctrl Shift P", "shift ctrl p", "  CMD   SHIFT  p "})
    EXPECT_EQ(app::chord_from_text(text), chord) << text;
}

TEST(ChordText, RefusesWhatIsNoKey) {
  for (const char* text : {"", " ", "Ctrl", "Hyper P", "P Ctrl", "PP", "type", "type ab", "type \t",
                           "type a b", "LeftShift"})
    EXPECT_FALSE(app::chord_from_text(text)) << text;
}

TEST(Settings, WhatIsWrittenIsReadAsWhatItWas) {
  app::Settings settings;
  settings.keys.bind("view.zoom_in", {{Key::j, {}, 0}, {Key::none, {}, U'+'}});
  settings.keys.bind("file.close", {});
  const auto read = app::settings_from_json(app::settings_as_json(settings));
  ASSERT_TRUE(read);
  EXPECT_THAT(read->complaints, IsEmpty());
  for (const app::WindowAction& action : app::window_actions()) {
    const auto before = settings.keys.chords_of(action);
    const auto after = read->settings.keys.chords_of(action);
    EXPECT_TRUE(std::equal(before.begin(), before.end(), after.begin(), after.end())) << action.id;
  }
}

TEST(Settings, WhatMakesNoSenseIsToldOfAndTheRestCounts) {
  const auto read = app::settings_from_json(
      R"({"keys": {"view.zom_in": ["W"], "view.zoom_in": ["Ctrl", "J", 7], "file.close": "W"}, "colour": 1})");
  ASSERT_TRUE(read);
  EXPECT_THAT(read->complaints,
              ElementsAre(HasSubstr("\"view.zom_in\"; the closest"), HasSubstr("\"Ctrl\" of"),
                          HasSubstr("\"?\" of"), HasSubstr("\"file.close\" are no list"),
                          HasSubstr("no setting \"colour\"")));
  EXPECT_THAT(read->settings.keys.chords_of(*app::action_named("view.zoom_in")),
              ElementsAre(Chord{Key::j, {}, 0}));
  EXPECT_FALSE(read->settings.keys.is_changed(*app::action_named("file.close")));
}

TEST(Settings, AnyBytesAreReadOrRefused) {
  const std::string sound = app::settings_as_json({});
  std::mt19937 random(3);
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = sound;
    for (auto changes = random() % 4 + 1; changes > 0; --changes)
      text[random() % text.size()] = static_cast<char>(random() % 256);
    if (i % 3 == 0) text.resize(random() % text.size());
    const auto read = app::settings_from_json(text);
    refused += read ? 0 : 1;
  }
  EXPECT_GT(refused, 100);
  for (const char* text : {"", "7", "[]", "null", "{", R"({"keys": {"a"}})"})
    EXPECT_FALSE(app::settings_from_json(text)) << text;
}

TEST(SettingsFile, ThatIsMissingIsNothing) {
  const TemporaryFolder folder;
  EXPECT_THAT(app::settings_of(folder / "none").notice, IsEmpty());
}

TEST(SettingsFile, ThatIsBrokenIsToldOfAndLeftAlone) {
  const TemporaryFolder folder;
  const std::string path = folder / "settings.json";
  std::ofstream(path) << "{\"keys\": ";
  EXPECT_THAT(app::settings_of(path).notice, testing::EndsWith(": " + path));
  std::ofstream(path) << R"({"keys": {"x": [], "y": []}})";
  EXPECT_THAT(app::settings_of(path).notice, HasSubstr("(and 1 more), in " + path));
  std::ifstream file(path);
  EXPECT_EQ(file.peek(), '{');
}

TEST(SettingsInTheWindow, ThePageOfKeysTellsWhereTheyAreChangedAndCopiesThat) {
  ViewerStage stage;
  stage.viewer().set_settings_path("/home/me/.config/bytescope/settings.json");
  app::action_named("program.settings")->run(stage.viewer());
  stage.settle();
  for (int i = 0; i < 2; ++i) stage.key(Key::tab);
  stage.key(Key::enter);
  stage.settle();
  EXPECT_EQ(stage.offscreen().clipboard().clipboard_text(),
            "/home/me/.config/bytescope/settings.json");
  stage.key(Key::tab);
  stage.key(Key::enter);
  stage.settle();
  stage.key(Key::tab);
  EXPECT_TRUE(stage.viewer().focus().is_at_control())
      << "the cross closed it: the start page has keys";
}

TEST(SettingsInTheWindow, AKeyThatIsGivenToAnActionDoesItAndNothingElse) {
  const TemporaryFile file(answer_bytes());
  ViewerStage stage;
  app::KeyBindings keys;
  keys.bind("note.marker", {{Key::w, {}, 0}});
  keys.bind("view.fit", {});
  stage.viewer().set_keys(keys);
  stage.open(file.path());
  const auto window = stage.state().viewport.window();
  stage.key(Key::w);
  EXPECT_EQ(stage.view().notes().markers.size(), 1U);
  EXPECT_EQ(stage.state().viewport.window(), window) << "W no longer zooms";
  stage.key(Key::m);
  EXPECT_EQ(stage.view().notes().markers.size(), 1U) << "M no longer puts markers";
  stage.key(Key::up, with_shift);
  const auto closer = stage.state().viewport.window();
  EXPECT_NE(closer, window);
  stage.key(Key::space);
  EXPECT_EQ(stage.state().viewport.window(), closer) << "nothing is bound to it";
}

}  // namespace
}  // namespace bytescope::tests
