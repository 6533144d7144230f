#include <array>
#include <cstdint>
#include <string>
#include <string_view>
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

std::string info_json(const std::string& path) {
  const Finished run = run_program({"info", path, "--json"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  return run.output;
}

/// `key` of the truth where it has one must be `name` of the program.
void expect_same(element truth, std::string_view key, element ours, std::string_view name) {
  element expected;
  if (truth[key].get(expected) != simdjson::SUCCESS) return;
  element actual;
  ASSERT_EQ(ours[name].get(actual), simdjson::SUCCESS) << name;
  EXPECT_EQ(text_of(actual), text_of(expected)) << name;
}

/// From dialect E on a free at the very end says that the buffer was alive.
void expect_same_never_freed(element truth, element track, bool end_means_alive) {
  expect_same(truth, "never_freed", track, "never_freed");
  std::uint64_t without = 0;
  std::uint64_t at_end = 0;
  if (truth["never_freed_in_file"].get(without) != simdjson::SUCCESS) return;
  if (truth["frees_at_trace_end"].get(at_end) != simdjson::SUCCESS) return;
  EXPECT_EQ(std::uint64_t{track["never_freed"]}, without + (end_means_alive ? at_end : 0));
}

void expect_same_track(element truth, element track) {
  expect_same(truth, "name", track, "name");
  expect_same(truth, "type", track, "kind");
  expect_same(truth, "count", track, "count");
  expect_same(truth, "js_levels", track, "lanes");
  expect_same(truth, "peak", track, "peak");
  expect_same(truth, "allocs", track, "allocations");
  expect_same(truth, "frees", track, "frees");
}

TEST(Info, TellsWhatTheProducersDecoderTellsOfRealTraces) {
  for (const TruthFile& file : truth_files()) {
    SCOPED_TRACE(file.trace);
    simdjson::dom::parser parser;
    const element truth = parser.load(file.truth);
    const std::string text = info_json(file.trace);
    const Json info(text);
    constexpr std::array<std::array<const char*, 2>, 6> names = {{{"size", "bytes"},
                                                                  {"dur", "duration_us"},
                                                                  {"peak", "peak_bytes"},
                                                                  {"index_len", "index_bytes"},
                                                                  {"index_keys", "index_keys"},
                                                                  {"strings", "strings"}}};
    for (const auto& [key, name] : names) {
      expect_same(truth, key, info.root(), name);
    }
    EXPECT_THAT(text_of(info["dialects"]), HasSubstr(text_of(truth["dialect"])));
    const simdjson::dom::array expected = truth["tracks"];
    const simdjson::dom::array tracks = info["tracks"];
    ASSERT_EQ(tracks.size(), expected.size());
    const bool end_means_alive = text_of(truth["dialect"]) >= "\"E\"";
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      expect_same_track(expected.at(i), tracks.at(i));
      expect_same_never_freed(expected.at(i), tracks.at(i), end_means_alive);
    }
    EXPECT_EQ(info["warnings"].get_array().size(), 0U);
  }
}

TEST(Info, JsonHasItsKeysInTheirOrderInEveryDialect) {
  for (char dialect = 'A'; dialect <= 'L'; ++dialect) {
    SCOPED_TRACE(dialect);
    const TemporaryFile file(varied_bytes(dialect));
    const std::string text = info_json(file.path());
    const Json info(text);
    EXPECT_EQ(keys_of(info.root()),
              "file bytes dialect dialects unit duration_us peak_bytes events strings index_bytes "
              "index_keys markers warnings tracks open_seconds ");
    EXPECT_THAT(text_of(info["dialects"]), HasSubstr(std::string{'"', dialect, '"'}));
    EXPECT_EQ(text_of(info["file"]), '"' + file.path() + '"');
    EXPECT_EQ(text_of(info["unit"]), "\"us\"");
    for (const element track : info["tracks"]) {
      const std::string_view kind = track["kind"];
      EXPECT_EQ(keys_of(track), kind == "spans" ? "name kind count lanes "
                                : kind == "memory"
                                    ? "name kind count peak allocations frees never_freed "
                                    : "name kind count peak ");
    }
  }
}

TEST(Info, MarkersHaveNullForWhatTheFileLacks) {
  const TemporaryFile file(varied_bytes('L'));
  EXPECT_EQ(text_of(Json(info_json(file.path()))["markers"]),
            R"([{"time_us":12.5,"name":"step 1","color":"gray"},)"
            R"({"time_us":null,"name":"","color":"#fff"}])");
}

TEST(Info, WarningsStandInTheJsonAndOnStandardError) {
  bytepack::TraceDescription trace = varied_trace('L');
  trace.tracks[2].peak = 12'345;
  const TemporaryFile file(bytepack::encode(trace, *bytepack::dialect_of('L')));
  const Finished run = run_program({"info", file.path(), "--json"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.errors, testing::StartsWith("warning: "));
  EXPECT_THAT(run.errors, testing::EndsWith(": " + file.path() + "\n"));
  const Json info(run.output);
  const simdjson::dom::array warnings = info["warnings"];
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(keys_of(warnings.at(0)), "message byte track record ");
  EXPECT_EQ(text_of(warnings.at(0)["track"]), "2");
  const element memory = info["tracks"].get_array().at(2);
  EXPECT_EQ(text_of(memory["peak"]), "12345");
}

TEST(Info, OddNamesAreValidJson) {
  const std::string odd("a\"\\\n\0\x1b[31m\xff\xed\xa0\xbd\xf0\x9f\x98\x80", 18);
  bytepack::TraceDescription trace = named_track(odd);
  trace.markers = {{1.0, odd, odd}};
  const TemporaryFile file(bytepack::encode(trace, *bytepack::dialect_of('L')));
  const std::string text = info_json(file.path());
  EXPECT_TRUE(is_json(text)) << text;
  const std::string expected = R"("a\"\\\n\u0000\u001b[31m)"
                               "\xEF\xBF\xBD"
                               R"(\ud83d)"
                               "\xf0\x9f\x98\x80\"";
  EXPECT_THAT(text, HasSubstr("{\"name\":" + expected + R"(,"kind":"spans")"));
  EXPECT_THAT(text, HasSubstr(R"({"time_us":1,"name":)" + expected));
}

TEST(Info, ShaderTracesCountCycles) {
  bytepack::TraceDescription trace = named_track("WAVE:0");
  const TemporaryFile file(bytepack::encode(trace, *bytepack::dialect_of('L')));
  EXPECT_EQ(text_of(Json(info_json(file.path()))["unit"]), "\"cycles\"");
}

TEST(Info, TextHasALineForEachTrack) {
  const TemporaryFile file(varied_bytes('L'));
  const Finished run = run_program({"info", file.path()});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.errors, "");
  EXPECT_THAT(run.output, HasSubstr("dialect    L, since 2026-05-04"));
  EXPECT_THAT(run.output, HasSubstr("events     15 in 4 tracks\n"));
  EXPECT_THAT(run.output, testing::ContainsRegex("\n2  AMD Memory    memory        5"));
}

}  // namespace
}  // namespace bytescope::tests
