#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_maker.h"

namespace bytescope::tests {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class MergeCommand : public testing::Test {
protected:
  Finished run(std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"merge", out, a.path(), b.path()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  }
  std::string name_of_b() { return std::filesystem::path(b.path()).filename().string(); }

  TemporaryFolder folder;
  std::string out = folder / "out.bin";
  TemporaryFile a{varied_bytes('L')};
  TemporaryFile b{varied_bytes('G')};
};

TEST_F(MergeCommand, WritesOneTraceOfAllFiles) {
  const Finished done = run({"--offset", "2=-3us", "--offset", "1=0.001 ms"});
  ASSERT_EQ(done.exit_code, 0) << done.errors;
  EXPECT_THAT(done.output, StartsWith(out + ": "));
  EXPECT_THAT(done.output, HasSubstr("events of 2 files"));
  const Json info(run_program({"info", out, "--json"}).output);
  EXPECT_EQ(text_of(info["dialect"]), "\"L\"");
  const Json before(run_program({"info", b.path(), "--json"}).output);
  EXPECT_THAT(text_of(info["tracks"]), HasSubstr(name_of_b() + "/"));
  const Finished first = run_program({"dump", b.path(), "--track", "#0", "--first", "1"});
  const Finished moved =
      run_program({"dump", out, "--track", name_of_b() + "/AMD", "--first", "1"});
  EXPECT_EQ(first.exit_code, 0);
  EXPECT_EQ(moved.exit_code, 0) << moved.errors;
}

TEST_F(MergeCommand, AlsoWhereOneOfThemIsReplaced) {
  out = folder / "same.bin";
  std::filesystem::copy_file(a.path(), out);
  const Finished done = run_program({"merge", out, out, b.path()});
  ASSERT_EQ(done.exit_code, 0) << done.errors;
  EXPECT_EQ(run_program({"info", out, "--json"}).exit_code, 0);
}

TEST_F(MergeCommand, WrongUsageIsToldAndLeavesNothing) {
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--offset", "3=1ms"},
                                                {"--offset", "0=1ms"},
                                                {"--offset", "1"},
                                                {"--offset", "1=soon"},
                                                {"--offset", "=1"},
                                                {"--offset", "1=5000s"}}) {
    const Finished done = run(wrong);
    EXPECT_EQ(done.exit_code, 2) << done.errors;
    EXPECT_EQ(done.output, "");
    EXPECT_NE(done.errors, "");
  }
  EXPECT_EQ(run_program({"merge", out, a.path()}).exit_code, 2);
  EXPECT_EQ(run_program({"merge", folder / "out.json", a.path(), b.path()}).exit_code, 2);
  EXPECT_EQ(run_program({"merge", out, a.path(), "/none"}).exit_code, 1);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST_F(MergeCommand, EveryCommandTakesTheAddressOfASetOfFiles) {
  const Finished done = run_program({"info", "merge:" + a.path() + "+" + b.path(), "--json"});
  EXPECT_EQ(done.exit_code, 0) << done.errors;
  EXPECT_THAT(done.output, HasSubstr(name_of_b() + "/"));
}

}  // namespace
}  // namespace bytescope::tests
