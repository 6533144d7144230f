#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "core/io/json_reader.h"
#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_files.h"
#include "tests/support/trace_maker.h"

namespace bytescope::tests {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class Export : public testing::Test {
protected:
  Finished run(const std::string& output, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"export", file.path(), output};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  }
  /// Expects that nothing was written.
  void expect_nothing_left() { EXPECT_TRUE(std::filesystem::is_empty(folder.path())); }

  TemporaryFolder folder;
  TemporaryFile file{varied_bytes('L')};
};

TEST_F(Export, TellsWhatItWrote) {
  for (const char* name : {"out.json", "out.csv", "out.bin"}) {
    const Finished done = run(folder / name);
    EXPECT_EQ(done.exit_code, 0) << done.errors;
    EXPECT_EQ(done.errors, "");
    EXPECT_THAT(done.output, StartsWith((folder / name) + ": 15 events, "));
    EXPECT_TRUE(std::filesystem::exists(folder / name));
  }
}

TEST_F(Export, JsonHasProcessesAsTheWindowHasGroups) {
  ASSERT_EQ(run(folder / "out.json").exit_code, 0);
  const Json json(content_of(folder / "out.json"));
  std::string names;
  for (const simdjson::dom::element event : json["traceEvents"])
    if (std::string_view(event["ph"]) == "M" && std::string_view(event["name"]).ends_with("_name"))
      names += std::string(std::string_view(event["args"]["name"])) + "\n";
  EXPECT_EQ(names,
            "Shader Clock\nHOST\nAMD\n"
            "TINY\nTINY (2)\nTINY (3)\nAMD\nAMD (2)\n");
}

TEST_F(Export, BytepackOfEveryDialectReadsBackAsTheNewest) {
  for (char dialect = 'A'; dialect <= 'L'; ++dialect) {
    SCOPED_TRACE(dialect);
    const TemporaryFile source(varied_bytes(dialect));
    const std::string path = folder / "out.bin";
    const Finished done = run_program({"export", source.path(), path});
    ASSERT_EQ(done.exit_code, 0) << done.errors;
    // D has neither categories nor users.
    EXPECT_EQ(done.errors.empty(), dialect == 'D' || dialect >= 'H') << done.errors;
    const Json info(run_program({"info", path, "--json"}).output);
    EXPECT_EQ(std::string_view(info["dialect"]), "L");
    EXPECT_EQ(run_program({"stats", path, "--csv"}).output,
              run_program({"stats", source.path(), "--csv"}).output);
  }
}

TEST_F(Export, RangesAreThoseOfAllCommands) {
  ASSERT_EQ(run(folder / "out.csv", {"--range", "6us..7us"}).exit_code, 0);
  const std::string text = content_of(folder / "out.csv");
  EXPECT_THAT(text, HasSubstr("AMD,spans,1,,6,0.25,"));
  EXPECT_THAT(text, testing::Not(HasSubstr("AMD,spans,0,")));
  const Finished empty = run(folder / "none.csv", {"--range", "7..7"});
  EXPECT_EQ(empty.exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(folder / "none.csv"));
  EXPECT_EQ(run(folder / "none.csv", {"--range", "nobody.."}).exit_code, 2);
}

TEST_F(Export, OtherEndingsAreWrongUsage) {
  for (const char* name : {"out.txt", "out", "out.json.gz"}) {
    const Finished done = run(folder / name);
    EXPECT_EQ(done.exit_code, 2);
    EXPECT_EQ(done.output, "");
    EXPECT_THAT(done.errors, HasSubstr(".json, .csv or .bin"));
    EXPECT_THAT(done.errors, EndsWith((folder / name) + "\n"));
  }
  expect_nothing_left();
}

TEST_F(Export, OntoTheFileItselfIsSafe) {
  const std::string before = run_program({"dump", file.path(), "--track", "AMD Memory"}).output;
  ASSERT_EQ(run(file.path()).exit_code, 0);
  EXPECT_EQ(run_program({"dump", file.path(), "--track", "AMD Memory"}).output, before);
}

TEST_F(Export, BadInputIs1AndLeavesNothing) {
  const TemporaryFile broken(std::vector<std::byte>(30));
  const Finished done = run_program({"export", broken.path(), folder / "out.json"});
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_EQ(done.output, "");
  expect_nothing_left();
}

TEST_F(Export, WhereNothingCanBeWrittenIs3) {
  EXPECT_EQ(run("/proc/out.json").exit_code, 3);
  EXPECT_EQ(run(folder / "missing/out.csv").exit_code, 3);
  std::filesystem::create_directory(folder / "folder.bin");
  const Finished done = run(folder / "folder.bin");
  EXPECT_EQ(done.exit_code, 3);
  EXPECT_THAT(done.errors, EndsWith("folder.bin\n"));
  EXPECT_TRUE(std::filesystem::is_empty(folder / "folder.bin"));
  std::filesystem::remove(folder / "folder.bin");
  expect_nothing_left();
}

/// A disk that takes no more than 64 KB is a file that may not be larger.
TEST_F(Export, AFullDiskIs3AndLeavesNothing) {
  const TemporaryFolder source;
  const std::string big = source / "big.bin";
  ASSERT_EQ(run_program({"generate", big, "--events", "20000"}).exit_code, 0);
  for (const char* name : {"out.json", "out.csv", "out.bin"}) {
    const Finished done = run_shell("trap '' XFSZ; ulimit -f 64; $BYTESCOPE export '" + big +
                                    "' '" + (folder / name) + "'");
    EXPECT_EQ(done.exit_code, 3) << done.errors;
    EXPECT_EQ(done.output, "");
    EXPECT_THAT(done.errors, EndsWith(std::string(name) + "\n"));
    expect_nothing_left();
  }
}

TEST_F(Export, AnInterruptIs130AndLeavesNothing) {
  const TemporaryFolder source;
  const std::string big = source / "big.bin";
  ASSERT_EQ(run_program({"generate", big, "--events", "1000000"}).exit_code, 0);
  // Interrupts once the temporary file is there.
  const Finished done = run_shell("$BYTESCOPE export '" + big + "' '" + (folder / "out.json") +
                                  "' & job=$!; "
                                  "while [ -z \"$(ls -A '" +
                                  folder.path() +
                                  "')\" ]; do sleep 0.01; done; "
                                  "kill -TERM $job; wait $job");
  EXPECT_EQ(done.exit_code, 130) << done.errors;
  expect_nothing_left();
}

TEST_F(Export, RealTracesBecomeValidJsonAndTheSameBytepack) {
  for (const std::string& path : real_traces()) {
    if (path.find("-dp.bin") == std::string::npos && path.find("sqtt") == std::string::npos)
      continue;
    SCOPED_TRACE(path);
    ASSERT_EQ(run_program({"export", path, folder / "out.json"}).exit_code, 0);
    const std::string text = content_of(folder / "out.json");
    io::JsonReader json(text);
    json.skip_value();
    json.finish();
    EXPECT_TRUE(json.ok()) << json.error().message;
    ASSERT_EQ(run_program({"export", path, folder / "out.bin"}).exit_code, 0);
    EXPECT_EQ(run_program({"stats", path, "--by", "track,name", "--csv"}).output,
              run_program({"stats", folder / "out.bin", "--by", "track,name", "--csv"}).output);
  }
}

}  // namespace
}  // namespace bytescope::tests
