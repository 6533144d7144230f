#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/bytepack/writer.h"
#include "core/io/json_reader.h"
#include "tests/cli/program.h"
#include "tests/cli/truth.h"
#include "tests/support/trace_maker.h"

namespace bytescope::tests {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using testing::HasSubstr;

std::string dump(const std::string& path, const std::string& track,
                 std::vector<std::string> more = {}) {
  std::vector<std::string> arguments = {"dump", path, "--track", track};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Finished run = run_program(arguments);
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(run.errors, "");
  return run.output;
}

/// The records of a dump, without white space.
std::string records(const std::string& path, const std::string& track,
                    const std::vector<std::string>& more = {}) {
  return text_of(Json(dump(path, track, more))["records"]);
}

std::string indexes(const std::string& path, const std::string& track,
                    const std::vector<std::string>& more) {
  const Json json(dump(path, track, more));
  std::string text;
  for (const element record : json["records"]) text += text_of(record["index"]) + " ";
  return text;
}

using NamePairs = std::initializer_list<std::pair<std::string_view, std::string_view>>;

/// Values of the truth, where it has them, must be those of the record under their other names.
void expect_same(element truth, element record, NamePairs names) {
  for (const auto& [key, name] : names) {
    element expected;
    if (truth[key].get(expected) != simdjson::SUCCESS) continue;
    element actual;
    ASSERT_EQ(record[name].get(actual), simdjson::SUCCESS) << name;
    const bool is_empty = text_of(expected) == "\"\"" && name == "info";
    if (expected.is_double()) {
      EXPECT_EQ(static_cast<float>(double{expected}), static_cast<float>(double{actual})) << name;
    } else {
      EXPECT_EQ(text_of(actual), is_empty ? "null" : text_of(expected)) << name;
    }
  }
}

/// The truth may have lists cut in the middle.
void expect_same_users(element truth, element record) {
  array users;
  if (truth["users"].get(users) != simdjson::SUCCESS) return;
  std::uint64_t count = users.size();
  const bool is_cut = truth["n_users"].get(count) == simdjson::SUCCESS;
  const array ours = record["users"];
  ASSERT_EQ(ours.size(), count);
  for (std::size_t i = 0; i < users.size(); ++i) {
    const std::size_t from_end = users.size() - i;
    const std::size_t at = is_cut && from_end <= users.size() / 2 ? count - from_end : i;
    EXPECT_EQ(text_of(ours.at(at)), text_of(users.at(i)));
  }
}

void expect_same_points(element truth, element record) {
  array y;
  if (truth["y"].get(y) != simdjson::SUCCESS) return;
  const array points = record["points"];
  for (std::size_t i = 0; i < y.size() && !y.at(i).is_string(); ++i)
    EXPECT_EQ(text_of(points.at(i).get_array().at(1)), text_of(y.at(i)));
  std::uint64_t count = 0;
  EXPECT_EQ(points.size(), truth["n_points"].get(count) == simdjson::SUCCESS ? count : y.size());
}

void expect_same_records(array truth, array records, std::size_t first) {
  ASSERT_GE(records.size(), first + truth.size());
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const element record = records.at(first + i);
    SCOPED_TRACE(text_of(record));
    expect_same(truth.at(i), record,
                {{"name", "name"},
                 {"ref", "ref"},
                 {"key", "key"},
                 {"st", "start_us"},
                 {"dur", "duration_us"},
                 {"cat", "category"},
                 {"info", "info"},
                 {"js_depth", "lane"},
                 {"ts", "time_us"},
                 {"dtype", "dtype"},
                 {"len", "length"},
                 {"nbytes", "bytes"},
                 {"value", "value"}});
    expect_same_users(truth.at(i), record);
    expect_same_points(truth.at(i), record);
  }
}

TEST(Dump, RecordsAreThoseOfTheProducersDecoderInRealTraces) {
  for (const TruthFile& file : truth_files()) {
    SCOPED_TRACE(file.trace);
    simdjson::dom::parser parser;
    const element truth = parser.load(file.truth);
    std::size_t number = 0;
    for (const element track : truth["tracks"]) {
      SCOPED_TRACE(number);
      const Json json(
          dump(file.trace, fmt::format("#{}", number++), {"--first", "50", "--last", "50"}));
      expect_same(track, json.root(), {{"name", "track"}, {"type", "kind"}, {"count", "count"}});
      const array records = json["records"];
      const array last = track["last"];
      EXPECT_EQ(records.size(), std::min<std::uint64_t>(json["count"], 100));
      expect_same_records(track["first"], records, 0);
      expect_same_records(last, records, records.size() - last.size());
    }
  }
}

TEST(Dump, EveryTrackOfEveryDialectIsValidAndComplete) {
  for (char dialect = 'A'; dialect <= 'L'; ++dialect) {
    SCOPED_TRACE(dialect);
    const TemporaryFile file(varied_bytes(dialect));
    for (std::size_t track = 0; track < varied_trace(dialect).tracks.size(); ++track) {
      const Json json(dump(file.path(), fmt::format("#{}", track)));
      EXPECT_EQ(json["records"].get_array().size(), std::uint64_t{json["count"]});
      EXPECT_GT(std::uint64_t{json["count"]}, 0U);
    }
  }
}

TEST(Dump, SpansHaveNullForWhatTheyLack) {
  const TemporaryFile file(varied_bytes('L'));
  EXPECT_EQ(records(file.path(), "AMD", {"--last", "2"}),
            R"([{"index":1,"name":"E_\u001b[36m8\u001b[0m","start_us":6,"duration_us":0.25,)"
            R"("lane":0,"ref":2,"key":11,"category":null,"info":"{}"},)"
            R"({"index":2,"name":"r_\u001b[34m64\u001b[0m","start_us":6,"duration_us":2,)"
            R"("lane":0,"ref":1,"key":12,"category":null,)"
            R"("info":"{\"FLOPS\": 1.5e9, \"metadata\": \"sum\"}"}])");
  const TemporaryFile old(varied_bytes('C'));
  EXPECT_THAT(records(old.path(), "AMD", {"--last", "1"}),
              HasSubstr(R"("key":null,"category":3,"info":"1.5 GFLOPS\nsum")"));
  EXPECT_THAT(records(old.path(), "TINY", {"--first", "1"}), HasSubstr(R"("info":null)"));
}

TEST(Dump, UsersHaveWhatTheDialectHas) {
  const auto freed = [](char dialect) {
    const TemporaryFile file(varied_bytes(dialect));
    const Json json(dump(file.path(), "AMD Memory"));
    return text_of(json["records"].get_array().at(2));
  };
  const std::string head = R"({"index":2,"event":"free","time_us":5,"key":1)";
  const std::string name = R"("name":"r_\u001b[34m64\u001b[0m")";
  EXPECT_EQ(freed('D'), head + "}");
  EXPECT_EQ(freed('E'), head + R"(,"users":[{)" + name + R"(},{"name":"step"}]})");
  EXPECT_EQ(freed('F'), head + R"(,"users":[{)" + name +
                            R"(,"arg":0,"mode":1},{"name":"step","arg":2,"mode":0}]})");
  EXPECT_EQ(freed('G'),
            head + R"(,"users":[{"run":10,"arg":0,"mode":1},{"run":11,"arg":2,"mode":0}]})");
  EXPECT_EQ(freed('L'), head + R"(,"users":[{"run":10,)" + name +
                            R"(,"arg":0,"mode":1},{"run":11,"name":"step","arg":2,"mode":0}]})");
}

TEST(Dump, AllocationsOutlinesAndLines) {
  const TemporaryFile newest(varied_bytes('L'));
  EXPECT_EQ(records(newest.path(), "AMD Memory", {"--first", "1"}),
            R"([{"index":0,"event":"alloc","time_us":1,"key":1,"dtype":"float","length":100,)"
            R"("bytes":400}])");
  EXPECT_EQ(records(newest.path(), "Shader Clock"),
            R"([{"index":0,"time_us":0,"value":5},{"index":1,"time_us":4,"value":900},)"
            R"({"index":2,"time_us":12,"value":7}])");
  const TemporaryFile oldest(varied_bytes('A'));
  EXPECT_THAT(records(oldest.path(), "AMD Memory", {"--first", "1"}),
              testing::StartsWith(R"([{"index":0,"event":"buffer","dtype":"float","length":100,)"
                                  R"("bytes":400,"points":[[1,0],)"));
}

TEST(Dump, FirstAndLastNeverGiveARecordTwice) {
  const TemporaryFile file(varied_bytes('L'));
  const auto of = [&file](const std::vector<std::string>& more) {
    return indexes(file.path(), "AMD Memory", more);
  };
  EXPECT_EQ(of({}), "0 1 2 3 4 ");
  EXPECT_EQ(of({"--first", "2"}), "0 1 ");
  EXPECT_EQ(of({"--last", "2"}), "3 4 ");
  EXPECT_EQ(of({"--first", "1", "--last", "2"}), "0 3 4 ");
  EXPECT_EQ(of({"--first", "3", "--last", "2"}), "0 1 2 3 4 ");
  EXPECT_EQ(of({"--first", "4", "--last", "4"}), "0 1 2 3 4 ");
  EXPECT_EQ(of({"--first", "99999999999", "--last", "18446744073709551615"}), "0 1 2 3 4 ");
  EXPECT_EQ(of({"--first", "003"}), "0 1 2 ");
  EXPECT_EQ(of({"--first", "0"}), "");
  EXPECT_EQ(of({"--first", "0", "--last", "1"}), "4 ");
}

TEST(Dump, ListHasAnObjectALine) {
  const TemporaryFile file(varied_bytes('L'));
  const Finished run = run_program({"dump", file.path(), "--list"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.output,
            "{\"index\":0,\"name\":\"AMD\",\"kind\":\"spans\"}\n"
            "{\"index\":1,\"name\":\"TINY\",\"kind\":\"spans\"}\n"
            "{\"index\":2,\"name\":\"AMD Memory\",\"kind\":\"memory\"}\n"
            "{\"index\":3,\"name\":\"Shader Clock\",\"kind\":\"line\"}\n");
}

TEST(Dump, AnUnknownTrackIs2AndTellsTheClosestNames) {
  const TemporaryFile file(varied_bytes('L'));
  const Finished run = run_program({"dump", file.path(), "--track", "amd memry"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.output, "");
  EXPECT_THAT(run.errors, HasSubstr("the closest are \"AMD Memory\", "));
  EXPECT_EQ(run_program({"dump", file.path(), "--track", "#4"}).exit_code, 2);
}

TEST(Dump, OfEqualNamesTheFirstCountsWithAWarning) {
  bytepack::TraceDescription trace = named_track("twin");
  trace.tracks.push_back(trace.tracks[0]);
  trace.tracks[1].spans[0].name = "second";
  trace.tracks.push_back(trace.tracks[0]);
  trace.tracks[2].name = "#0";
  trace.tracks[2].spans[0].name = "third";
  const TemporaryFile file(bytepack::encode(trace, *bytepack::dialect_of('L')));
  const Finished run = run_program({"dump", file.path(), "--track", "twin"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.output, HasSubstr("\"kernel\""));
  EXPECT_THAT(run.errors, testing::StartsWith("warning: 2 tracks have this name"));
  EXPECT_THAT(dump(file.path(), "#1"), HasSubstr("\"second\""));
  // The exact name goes before the number.
  EXPECT_THAT(dump(file.path(), "#0"), HasSubstr("\"third\""));
}

TEST(Dump, OddTextsAreValidJsonAndAnEmptyNameIsAName) {
  const std::string odd("\0\x1b[31m\"\\\xed\xb8\x80\xc3", 12);
  bytepack::TraceDescription trace = named_track("");
  trace.tracks[0].spans[0].name = odd;
  const TemporaryFile file(bytepack::encode(trace, *bytepack::dialect_of('L')));
  const std::string text = dump(file.path(), "");
  EXPECT_THAT(text, HasSubstr(R"("name":"\u0000\u001b[31m\"\\\ude00)"
                              "\xEF\xBF\xBD\""));
  io::JsonReader reader(text);
  reader.skip_value();
  reader.finish();
  EXPECT_TRUE(reader.ok());
}

}  // namespace
}  // namespace bytescope::tests
