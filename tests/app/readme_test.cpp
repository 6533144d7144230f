#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "app/actions.h"

namespace bytescope::app {
namespace {

const std::string path = std::string(BYTESCOPE_SOURCE_DIR) + "/README.md";
const std::string begin_mark = "<!-- keys: begin (from the action table) -->\n";
const std::string end_mark = "<!-- keys: end -->";

std::string readme() {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::string keys_of(const WindowAction& action) {
  std::string keys;
  for (const Chord& chord : action.chords) keys += (keys.empty() ? "" : ", ") + chord.text();
  return keys;
}

/// What has no key, in one sentence.
std::string keyless_titles() {
  std::string titles;
  for (const WindowAction& action : window_actions())
    if (action.chords.empty())
      titles += std::string(titles.empty() ? "*" : "; *") + action.title + "*";
  return titles;
}

std::string tables() {
  std::string text = "| key | does |\n| --- | --- |\n";
  for (const WindowAction& action : window_actions()) {
    if (!action.chords.empty()) text += "| " + keys_of(action) + " | " + action.title + " |\n";
  }
  text += "\nCtrl P finds these by their names, as it does the others: ";
  text += keyless_titles() + ".\n";
  text += "\n| gesture | does |\n| --- | --- |\n";
  for (const GestureHelp& row : gesture_help())
    text += std::string("| ") + row.gesture + " | " + row.effect + " |\n";
  return text;
}

}  // namespace

/// Run with BYTESCOPE_UPDATE_README=1 after a change of the table of actions.
TEST(Readme, ListsTheActionsOfTheTable) {
  std::string text = readme();
  const std::size_t begin = text.find(begin_mark);
  const std::size_t end = text.find(end_mark);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  const std::size_t from = begin + begin_mark.size();
  if (std::getenv("BYTESCOPE_UPDATE_README") != nullptr) {
    std::ofstream(path) << text.replace(from, end - from, tables());
    return;
  }
  EXPECT_EQ(text.substr(from, end - from), tables());
}

TEST(Actions, HaveDistinctIdsAndReadableKeys) {
  for (const WindowAction& action : window_actions()) {
    for (const Chord& chord : action.chords) EXPECT_FALSE(chord.text().empty()) << action.id;
    for (const WindowAction& other : window_actions())
      EXPECT_TRUE(&other == &action || std::string(other.id) != action.id) << action.id;
  }
}

}  // namespace bytescope::app
