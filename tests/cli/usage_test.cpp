#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/bytepack/writer.h"
#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_maker.h"

namespace bytescope::tests {
namespace {

using testing::HasSubstr;

class Usage : public testing::Test {
protected:
  TemporaryFile varied{varied_bytes('L')};
  const std::string& path() const { return varied.path(); }
};

void expect_failure(const std::vector<std::string>& arguments, int exit_code) {
  const Finished run = run_program(arguments);
  EXPECT_EQ(run.exit_code, exit_code) << testing::PrintToString(arguments) << run.errors;
  EXPECT_EQ(run.output, "") << testing::PrintToString(arguments);
  EXPECT_NE(run.errors, "") << testing::PrintToString(arguments);
}

TEST_F(Usage, VersionIsThatOfTheProject) {
  const Finished run = run_program({"--version"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.output, "bytescope " BYTESCOPE_VERSION "\n");
}

TEST_F(Usage, HelpListsTheCommandsAndEachHasItsOwn) {
  const Finished help = run_program({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_EQ(help.errors, "");
  for (const char* command : {"info", "dump", "memory", "search", "generate"}) {
    EXPECT_THAT(help.output, HasSubstr(std::string("\n  ") + command + " "));
    const Finished own = run_program({command, "--help"});
    EXPECT_EQ(own.exit_code, 0);
    EXPECT_THAT(own.output, HasSubstr(std::string("Usage: bytescope ") + command));
  }
  EXPECT_THAT(run_program({"dump", "--help"}).output, HasSubstr("--first"));
}

TEST_F(Usage, WrongUsageIs2AndWritesNoResult) {
  expect_failure({"info"}, 2);
  expect_failure({"info", path(), "too", "many"}, 2);
  expect_failure({"info", path(), "--jsn"}, 2);
  expect_failure({"dump", path()}, 2);
  expect_failure({"dump", path(), "--list", "--track", "AMD"}, 2);
  expect_failure({"dump", path(), "--track", "AMD", "--first", "few"}, 2);
  expect_failure({"dump", path(), "--track", "AMD", "--last", "-1"}, 2);
  expect_failure({"dump", path(), "--track", "AMD", "--last", "99999999999999999999"}, 2);
  expect_failure({"generate", "/tmp/x.bin"}, 2);
  expect_failure({"generate", "/tmp/x.bin", "--events", "10", "--seed", "-1"}, 2);
  expect_failure({"generate", "/tmp/x.bin", "--events", "10", "--dialect", "M"}, 2);
  expect_failure({"--nonsense"}, 2);
}

TEST_F(Usage, AMisspeltCommandIs2AndTellsTheClosest) {
  const Finished run = run_program({"infos", path()});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.output, "");
  EXPECT_THAT(run.errors, HasSubstr("the closest are \"info\", "));
}

TEST_F(Usage, BadInputIs1WithThePathLast) {
  const TemporaryFile noise(std::vector<std::byte>(100, std::byte{0x7B}));
  const TemporaryFile empty(std::vector<std::byte>{});
  for (const std::string& bad :
       {noise.path(), empty.path(), std::string("/no/such/file"), testing::TempDir()}) {
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"info", bad},
                                                      {"info", bad, "--json"},
                                                      {"dump", bad, "--list"}}) {
      expect_failure(arguments, 1);
      EXPECT_THAT(run_program(arguments).errors, testing::EndsWith(": " + bad + "\n"));
    }
  }
}

TEST_F(Usage, EveryPrefixOfATraceIsRefusedOrOpensWithAWarning) {
  const std::vector<std::byte> whole = varied_bytes('K');
  for (const std::size_t size :
       {std::size_t{10}, std::size_t{60}, whole.size() / 2, whole.size() - 30, whole.size() - 1}) {
    const TemporaryFile cut(std::span<const std::byte>(whole).first(size));
    const Finished run = run_program({"info", cut.path(), "--json"});
    if (run.exit_code == 0) {
      EXPECT_THAT(run.errors, testing::StartsWith("warning: ")) << size;
      EXPECT_GT(Json(run.output)["warnings"].get_array().size(), 0U);
    } else {
      EXPECT_EQ(run.exit_code, 1) << size;
      EXPECT_EQ(run.output, "");
      EXPECT_THAT(run.errors, HasSubstr("at byte ")) << size;
    }
  }
}

TEST_F(Usage, CommandsWinOverFilesOfTheirName) {
  const TemporaryFolder folder;
  std::filesystem::copy_file(path(), folder / "info");
  EXPECT_EQ(run_shell("cd '" + folder.path() + "' && $BYTESCOPE info").exit_code, 2);
  EXPECT_EQ(run_shell("cd '" + folder.path() + "' && $BYTESCOPE info info").exit_code, 0);
}

TEST_F(Usage, AFullDiskIs3AndAClosedPipeEndsQuietly) {
  const Finished full = run_shell("$BYTESCOPE info " + path() + " >/dev/full");
  EXPECT_EQ(full.exit_code, 3);
  EXPECT_THAT(full.errors, HasSubstr("standard output"));
  EXPECT_EQ(run_shell("$BYTESCOPE --help >/dev/full").exit_code, 3);
  const Finished closed = run_shell("{ sleep 0.2; $BYTESCOPE dump " + path() +
                                    " --track AMD; echo exit $? >&2; } | true");
  EXPECT_EQ(closed.errors, "exit 0\n");
}

TEST_F(Usage, MessagesHoldNothingThatATerminalObeys) {
  const TemporaryFile file(
      bytepack::encode(named_track("\x1b[31m\x9b\n"), *bytepack::dialect_of('L')));
  const Finished unknown = run_program({"dump", file.path(), "--track", "\x1b]0;title\a"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.errors, HasSubstr("\\x1b]0;title\\x07"));
  EXPECT_THAT(unknown.errors, HasSubstr("\\x1b[31m"));
  for (const std::string& text : {unknown.errors, run_program({"info", file.path()}).output})
    EXPECT_EQ(text.find_first_of("\x1b\x9b\a"), std::string::npos) << text;
}

}  // namespace
}  // namespace bytescope::tests
