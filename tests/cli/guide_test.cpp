// What the guide says the commands print is what they print.

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"

namespace bytescope::tests {
namespace {

const std::string guide_path = BYTESCOPE_SOURCE_DIR "/docs/five-questions.md";
constexpr std::string_view fence = "```";

std::string text_of_file(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What a command of the guide prints, run in a folder.
std::string printed(const std::string& command, const std::string& folder) {
  const Finished run =
      run_shell(R"(bytescope() { "$BYTESCOPE" "$@"; }; cd ')" + folder + "' && " + command);
  EXPECT_EQ(run.exit_code, 0) << command << run.errors;
  return run.output;
}

/// The guide with what stands behind the commands (`$ bytescope …`) in its blocks printed anew.
std::string with_outputs(const std::string& guide, int& commands) {
  const TemporaryFolder folder;
  std::istringstream lines(guide);
  std::string out;
  bool inside = false;
  bool skips = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(fence)) {
      inside = !inside;
      skips = false;
    }
    if (skips) continue;
    out += line + "\n";
    if (!inside || !line.starts_with("$ bytescope")) continue;
    out += printed(line.substr(2), folder.path());
    skips = true;
    ++commands;
  }
  return out;
}

// Printed anew: BYTESCOPE_UPDATE_GUIDE=1.
TEST(Guide, CommandsPrintWhatItSays) {
  const std::string guide = text_of_file(guide_path);
  int commands = 0;
  const std::string anew = with_outputs(guide, commands);
  EXPECT_GE(commands, 7);
  if (std::getenv("BYTESCOPE_UPDATE_GUIDE") != nullptr) std::ofstream(guide_path) << anew;
  EXPECT_EQ(text_of_file(guide_path), anew);
}

TEST(Guide, PicturesAreThere) {
  const std::string guide = text_of_file(guide_path);
  int pictures = 0;
  for (std::size_t at = guide.find("]("); at != std::string::npos; at = guide.find("](", at + 1)) {
    const std::string name = guide.substr(at + 2, guide.find(')', at) - at - 2);
    EXPECT_TRUE(std::ifstream(BYTESCOPE_SOURCE_DIR "/docs/" + name)) << name;
    ++pictures;
  }
  EXPECT_GE(pictures, 4);
}

}  // namespace
}  // namespace bytescope::tests
