#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/bytepack/writer.h"
#include "tests/cli/program.h"
#include "tests/cli/truth.h"
#include "tests/support/trace_maker.h"

namespace bytescope::tests {
namespace {

using simdjson::dom::element;
using testing::HasSubstr;

std::string memory_json(const std::string& path, const std::string& track,
                        std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"memory", path, "--track", track, "--json"});
  const Finished run = run_program(more);
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  return run.output;
}

/// What lives by key, as `key bytes allocated y`, from dump's events.
struct PlainStack {
  std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> live;  ///< Bytes, time.
  std::uint64_t bytes = 0;

  void apply(element event) {
    const std::uint64_t key = event["key"];
    const std::string_view kind = event["event"];
    if (kind == "alloc") {
      live[key] = {event["bytes"], event["time_us"]};
      bytes += std::uint64_t{event["bytes"]};
    } else {
      bytes -= live[key].first;
      live.erase(key);
    }
  }
  std::vector<std::string> lines() const {
    std::vector<std::string> all;
    std::uint64_t y = 0;
    for (const auto& [key, buffer] : live) {
      all.push_back(fmt::format("{} {} {} {}", key, buffer.first, buffer.second, y));
      y += buffer.first;
    }
    std::sort(all.begin(), all.end());
    return all;
  }
};

std::vector<std::string> told_lines(const Json& told) {
  std::vector<std::string> all;
  for (const element buffer : told["buffers"]) {
    all.push_back(fmt::format("{} {} {} {}", std::uint64_t{buffer["key"]},
                              std::uint64_t{buffer["bytes"]}, std::uint64_t{buffer["allocated_us"]},
                              std::uint64_t{buffer["y_bytes"]}));
  }
  std::sort(all.begin(), all.end());
  return all;
}

void expect_largest_first(const Json& told) {
  std::uint64_t sum = 0;
  std::uint64_t last = UINT64_MAX;
  for (const element buffer : told["buffers"]) {
    const std::uint64_t bytes = buffer["bytes"];
    EXPECT_LE(bytes, last);
    last = bytes;
    sum += bytes;
  }
  EXPECT_EQ(std::uint64_t{told["live_bytes"]}, sum);
}

TEST(Memory, TellsThePeakThatTheProducersDecoderTells) {
  std::size_t tracks = 0;
  for (const TruthFile& file : truth_files()) {
    simdjson::dom::parser parser;
    const element truth = parser.load(file.truth);
    for (const element track : truth["tracks"]) {
      if (std::string_view(track["type"]) != "memory") continue;
      SCOPED_TRACE(file.trace + " " + std::string(std::string_view(track["name"])));
      ++tracks;
      const std::string text =
          memory_json(file.trace, std::string(std::string_view(track["name"])));
      const Json told(text);
      EXPECT_EQ(std::uint64_t{told["live_bytes"]}, std::uint64_t{track["peak"]});
      expect_largest_first(told);
    }
  }
  if (!truth_files().empty()) {
    EXPECT_GT(tracks, 20U);
  }
}

TEST(Memory, TellsWhatReplayingTheDumpTells) {
  for (const TruthFile& file : truth_files()) {
    const std::string name = file.trace.substr(file.trace.rfind('/') + 1);
    const bool is_looked_at = name.find("-mem.") != std::string::npos && name > "2025-09";
    if (!is_looked_at) continue;
    SCOPED_TRACE(name);
    const Finished dumped = run_program({"dump", file.trace, "--track", "CPU Memory"});
    const Json dump(dumped.output);
    PlainStack peak;
    PlainStack now;
    PlainStack then;
    std::uint64_t time = 0;
    std::size_t number = 0;
    const std::size_t middle = simdjson::dom::array(dump["records"]).size() / 2;
    for (const element event : dump["records"]) {
      if (number++ == middle) time = event["time_us"];
      now.apply(event);
      if (now.bytes > peak.bytes) peak = now;
    }
    for (const element event : dump["records"])
      if (std::uint64_t{event["time_us"]} <= time) then.apply(event);
    const std::string at_peak = memory_json(file.trace, "CPU Memory", {"--at-peak"});
    EXPECT_EQ(told_lines(Json(at_peak)), peak.lines());
    const std::string at =
        memory_json(file.trace, "CPU Memory", {"--at", fmt::format("{}us", time)});
    const Json told(at);
    EXPECT_EQ(told_lines(told), then.lines());
    EXPECT_EQ(std::uint64_t{told["time_us"]}, time);
    EXPECT_EQ(std::uint64_t{told["live_bytes"]}, then.bytes);
  }
}

TEST(Memory, AnObjectHasTheFieldsOfTheContract) {
  const TemporaryFile file(varied_bytes('L'));
  EXPECT_EQ(
      memory_json(file.path(), "AMD Memory"),
      "{\"track\":\"AMD Memory\",\"time_us\":3,\"live_bytes\":450,\"buffers\":[\n"
      "{\"key\":1,\"dtype\":\"float\",\"length\":100,\"bytes\":400,\"y_bytes\":0,"
      "\"allocated_us\":1,\"freed_us\":5,\"users\":[{\"run\":10,\"name\":\"r_\\u001b[34m64"
      "\\u001b[0m\",\"arg\":0,\"mode\":1},{\"run\":11,\"name\":\"step\",\"arg\":2,\"mode\":0}]}\n"
      ",{\"key\":2,\"dtype\":\"unsigned char\",\"length\":50,\"bytes\":50,\"y_bytes\":400,"
      "\"allocated_us\":3,\"freed_us\":9,\"users\":[]}\n"
      "]}\n");
  // Key 1 is allocated again and never freed.
  EXPECT_EQ(memory_json(file.path(), "#2", {"--at", "20"}),
            "{\"track\":\"AMD Memory\",\"time_us\":20,\"live_bytes\":100,\"buffers\":[\n"
            "{\"key\":1,\"dtype\":\"float\",\"length\":25,\"bytes\":100,\"y_bytes\":0,"
            "\"allocated_us\":7,\"freed_us\":null,\"users\":[]}\n]}\n");
}

TEST(Memory, WorksInEveryDialect) {
  for (char letter = 'A'; letter <= 'L'; ++letter) {
    const TemporaryFile file(varied_bytes(letter));
    const std::string text = memory_json(file.path(), "AMD Memory");
    const Json told(text);
    EXPECT_EQ(std::uint64_t{told["live_bytes"]}, 450U) << letter;
    EXPECT_EQ(simdjson::dom::array(told["buffers"]).size(), 2U) << letter;
    EXPECT_EQ(told["buffers"].at(0)["key"].is_null(), letter < 'C') << letter;
  }
}

TEST(Memory, TimesAreNumbersAndMarkers) {
  const TemporaryFile file(varied_bytes('K'));
  const auto live = [&file](const std::string& time) {
    const std::string text = memory_json(file.path(), "AMD Memory", {"--at", time});
    const Json told(text);
    return std::uint64_t{told["live_bytes"]};
  };
  EXPECT_EQ(live("-1"), 0U);
  EXPECT_EQ(live("0.9us"), 0U);
  EXPECT_EQ(live("1"), 400U);
  EXPECT_EQ(live("4999ns"), 450U);
  EXPECT_EQ(live("0.005ms"), 50U);
  EXPECT_EQ(live("step 1"), 100U);
  EXPECT_EQ(live("1000s"), 100U);
  EXPECT_THAT(memory_json(file.path(), "AMD Memory", {"--at", "1500ns"}),
              HasSubstr("\"time_us\":1.5,"));
}

TEST(Memory, WrongUsageIsTold) {
  const TemporaryFile file(varied_bytes('L'));
  const auto refused = [&file](std::vector<std::string> more) {
    more.insert(more.begin(), {"memory", file.path()});
    const Finished run = run_program(more);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.output, "");
    return run.errors;
  };
  EXPECT_THAT(refused({}), HasSubstr("--track is required"));
  EXPECT_THAT(refused({"--track", "AMD"}),
              HasSubstr("Not a memory track at track 0 (\"AMD\"): " + file.path()));
  EXPECT_THAT(refused({"--track", "Shader Clock"}), HasSubstr("Not a memory track"));
  EXPECT_THAT(refused({"--track", "amd memory"}), HasSubstr("the closest are \"AMD Memory\""));
  EXPECT_THAT(refused({"--track", "AMD Memory", "--at", "step"}), HasSubstr("\"step 1\""));
  EXPECT_THAT(refused({"--track", "AMD Memory", "--at", "1", "--at-peak"}), HasSubstr("excludes"));
  const Finished missing = run_program({"memory", "/nowhere", "--track", "x"});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_EQ(missing.output, "");
}

TEST(Memory, TheTableIsForPeople) {
  const TemporaryFile file(varied_bytes('L'));
  const Finished run = run_program({"memory", file.path(), "--track", "AMD Memory"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.output, HasSubstr("AMD Memory: 450 B (450 B) in 2 buffers at 0.000 003 s\n"));
  EXPECT_THAT(run.output, HasSubstr("bytes  type"));
  EXPECT_THAT(run.output, HasSubstr("unsigned char"));
}

}  // namespace
}  // namespace bytescope::tests
