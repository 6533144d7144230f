#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"

namespace bytescope::tests {
namespace {

using testing::HasSubstr;

class Generate : public testing::Test {
protected:
  std::string path(const std::string& name) const { return folder / name; }

  TemporaryFolder folder;
};

Finished generated(const std::string& path, const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"generate", path};
  arguments.insert(arguments.end(), more.begin(), more.end());
  Finished run = run_program(arguments);
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(run.errors, "");
  return run;
}

TEST_F(Generate, HasExactlyTheEventsAskedForInEveryDialect) {
  for (char dialect = 'A'; dialect <= 'L'; ++dialect) {
    SCOPED_TRACE(dialect);
    const std::uint64_t events = 1000U + static_cast<unsigned char>(dialect);
    const Finished run = generated(path("a.bin"), {"--events", std::to_string(events), "--dialect",
                                                   std::string(1, dialect), "--devices", "2"});
    EXPECT_THAT(run.output, HasSubstr(fmt::format("1,{:03} events, 2 devices, dialect {}",
                                                  events - 1000, dialect)));
    const Finished info = run_program({"info", path("a.bin"), "--json"});
    EXPECT_EQ(info.errors, "");
    const Json json(info.output);
    EXPECT_EQ(std::uint64_t{json["events"]}, events);
    EXPECT_THAT(text_of(json["dialects"]), HasSubstr(std::string{'"', dialect, '"'}));
  }
}

TEST_F(Generate, TheSameOptionsGiveTheSameBytesAndAnotherSeedOthers) {
  generated(path("a.bin"), {"--events", "5000", "--seed", "7"});
  generated(path("b.bin"), {"--events", "5000", "--seed", "7"});
  generated(path("c.bin"), {"--events", "5000", "--seed", "8"});
  generated(path("d.bin"), {"--events", "5000", "--seed", "7", "--infos", "distinct"});
  EXPECT_EQ(content_of(path("a.bin")), content_of(path("b.bin")));
  EXPECT_NE(content_of(path("a.bin")), content_of(path("c.bin")));
  EXPECT_GT(content_of(path("d.bin")).size(), content_of(path("a.bin")).size());
}

TEST_F(Generate, FailureLeavesNothingBehind) {
  EXPECT_EQ(run_program({"generate", "/no/such/folder/x.bin", "--events", "10"}).exit_code, 3);
  EXPECT_EQ(run_program({"generate", path("x.bin"), "--events", "10", "--devices", "0"}).exit_code,
            2);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST_F(Generate, AnInterruptIs130AndLeavesNothingBehind) {
  // A program that starts slowly would be ended by the signal before it handles any: the fourth
  // digit from the right tells whether it handles number 15.
  const Finished run = run_shell("$BYTESCOPE generate '" + path("big.bin") +
                                 R"(' --events 40000000 & child=$!
for i in $(seq 200); do
  grep -q 'SigCgt:.*[4-7c-f][0-9a-f]\{3\}$' /proc/$child/status && break
  sleep 0.05
done
sleep 0.1
kill -TERM $child
wait $child
echo $?)");
  EXPECT_EQ(run.output, "130\n");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace bytescope::tests
