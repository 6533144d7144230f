// What packages install beside the program: completions and the manual page.

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"

namespace bytescope::tests {
namespace {

using testing::HasSubstr;

/// What bash offers behind these words, one a line.
std::string completed(const std::string& words) {
  const Finished run = run_shell(
      "bash -c 'source <($BYTESCOPE completion bash); COMP_WORDS=(bytescope " + words +
      R"(); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _bytescope; printf "%s\n" "${COMPREPLY[@]}"')");
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  return run.output;
}

TEST(Completion, OffersCommandsOptionsAndChoices) {
  EXPECT_EQ(completed("sta"), "stats\n");
  EXPECT_THAT(completed("\"\""), HasSubstr("\nscreenshot\n"));
  EXPECT_EQ(completed("screenshot --th"), "--theme\n");
  EXPECT_EQ(completed("screenshot a.bin --theme \"\""), "dark\nlight\n");
  EXPECT_THAT(completed("stats --by \"\""), HasSubstr("track,name\n"));
  EXPECT_EQ(completed("completion z"), "zsh\n");
}

TEST(Completion, OffersFiles) {
  EXPECT_EQ(completed("info /dev/nul"), "/dev/null\n");
  EXPECT_EQ(completed("/dev/nul"), "/dev/null\n");
}

TEST(Completion, OfAnotherShellIsWrongUsage) {
  const Finished run = run_program({"completion", "tcsh"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.output, "");
}

TEST(SettingsCommand, WritesWhatTheFileChanges) {
  const TemporaryFolder folder;
  const auto run = [&folder] {
    return run_shell("XDG_CONFIG_HOME='" + folder.path() + "' $BYTESCOPE settings");
  };
  const Finished plain = run();
  ASSERT_EQ(plain.exit_code, 0);
  EXPECT_EQ(plain.errors, "");
  EXPECT_TRUE(Json(plain.output)["keys"].is_object());
  EXPECT_THAT(plain.output, HasSubstr(R"("view.zoom_in": ["W", "Shift Up"])"));
  std::filesystem::create_directory(folder / "bytescope");
  std::ofstream(folder / "bytescope/settings.json")
      << R"({"keys": {"view.zoom_in": ["J"], "nothing": []}})";
  const Finished changed = run();
  EXPECT_EQ(changed.exit_code, 0);
  EXPECT_THAT(changed.output, HasSubstr(R"("view.zoom_in": ["J"])"));
  EXPECT_THAT(changed.errors, HasSubstr("No action is named \"nothing\""));
}

TEST(ManualPage, IsCleanInTheEyesOfMan) {
  if (run_shell("command -v groff").exit_code != 0) GTEST_SKIP() << "no groff here";
  const Finished run =
      run_shell("$BYTESCOPE manual | groff -man -Tutf8 -ww -Kutf8 2>&1 >/dev/null");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.output, "");
}

}  // namespace
}  // namespace bytescope::tests
