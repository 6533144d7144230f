#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/bytepack/writer.h"
#include "tests/cli/program.h"
#include "tests/support/trace_maker.h"

namespace bytescope::tests {
namespace {

using simdjson::dom::element;
using testing::HasSubstr;
using testing::StartsWith;

class Stats : public testing::Test {
protected:
  std::string output(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"stats", varied.path()});
    const Finished run = run_program(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    return run.output;
  }
  void expect_failure(std::vector<std::string> arguments, int exit_code) {
    arguments.insert(arguments.begin(), {"stats", varied.path()});
    const Finished run = run_program(arguments);
    EXPECT_EQ(run.exit_code, exit_code) << testing::PrintToString(arguments);
    EXPECT_EQ(run.output, "");
    EXPECT_NE(run.errors, "");
  }
  TemporaryFile varied{varied_bytes('L')};
};

TEST_F(Stats, JsonHasItsKeysInTheirOrder) {
  const std::string text = output({"--json"});
  const Json json(text);
  EXPECT_EQ(keys_of(json.root().get_object()), "range_us rows ");
  const element row = json["rows"].at(0);
  EXPECT_EQ(keys_of(row.get_object()),
            "name track count cut total_us self_us share mean_us min_us max_us p50_us p90_us "
            "p99_us flops mem_Bps lds_Bps bytes Bps ");
}

TEST_F(Stats, NamesWithoutColoursAreOneRow) {
  const std::string text = output({"--json"});
  const Json json(text);
  EXPECT_EQ(text_of(json["range_us"]), "[0,12]");
  ASSERT_EQ(json["rows"].get_array().size(), 2U);
  const element row = json["rows"].at(0);
  EXPECT_EQ(text_of(row["name"]), "\"r_64\"");
  EXPECT_TRUE(row["track"].is_null());
  EXPECT_EQ(text_of(row["count"]), "2");
  EXPECT_EQ(text_of(row["total_us"]), "5.5");
  EXPECT_EQ(text_of(row["mean_us"]), "2.75");
  EXPECT_EQ(text_of(row["p50_us"]), "2");
  EXPECT_EQ(text_of(row["p99_us"]), "3.5");
  EXPECT_EQ(text_of(row["flops"]), "1500000000.0");
  EXPECT_TRUE(row["bytes"].is_null());
  EXPECT_TRUE(json["rows"].at(1)["flops"].is_null());
}

TEST_F(Stats, RangesCutSpansUnlessTheyCountWhole) {
  const std::string cut = output({"--json", "--range", "4..7"});
  const Json json(cut);
  const element row = json["rows"].at(0);
  EXPECT_EQ(text_of(row["total_us"]), "2.5");  // [4, 5.5) and [6, 7)
  EXPECT_EQ(text_of(row["cut"]), "2");
  const std::string whole = output({"--json", "--range", "4..7", "--whole"});
  const Json whole_json(whole);
  EXPECT_EQ(text_of(whole_json["rows"].at(0)["total_us"]), "2");
  EXPECT_EQ(text_of(whole_json["rows"].at(0)["cut"]), "0");
  const std::string marked = output({"--json", "--range", "..marker:step 1"});
  EXPECT_EQ(text_of(Json(marked)["range_us"]), "[0,12.5]");
}

TEST_F(Stats, RowsAreNamesTracksOrBoth) {
  const std::string by_track = output({"--json", "--by", "track"});
  const Json json(by_track);
  EXPECT_EQ(json["rows"].get_array().size(), 1U);
  EXPECT_TRUE(json["rows"].at(0)["name"].is_null());
  EXPECT_EQ(text_of(json["rows"].at(0)["track"]), "\"AMD\"");
  const std::string both =
      output({"--json", "--by", "track,name", "--track", "TINY", "--track", "#0"});
  const Json both_json(both);
  EXPECT_EQ(both_json["rows"].get_array().size(), 6U);
  EXPECT_EQ(text_of(both_json["rows"].at(0)["name"]), "\"Schedule 2\"");
  EXPECT_EQ(text_of(both_json["rows"].at(0)["track"]), "\"TINY\"");
  EXPECT_EQ(text_of(both_json["rows"].at(0)["self_us"]), "5");
}

TEST_F(Stats, TopKeepsTheLargestAndTheSharesOfAll) {
  const std::string all = output({"--json"});
  const std::string top = output({"--json", "--top", "1"});
  const Json all_json(all);
  const Json top_json(top);
  ASSERT_EQ(top_json["rows"].get_array().size(), 1U);
  EXPECT_EQ(text_of(top_json["rows"].at(0)), text_of(all_json["rows"].at(0)));
}

TEST_F(Stats, CsvHasARowEach) {
  EXPECT_EQ(output({"--csv"}),
            "name,track,count,cut,total_us,self_us,share,mean_us,min_us,max_us,p50_us,p90_us,"
            "p99_us,flops,mem_Bps,lds_Bps,bytes,Bps\n"
            "r_64,,2,0,5.5,5.5,0.9565217391304348,2.75,2,3.5,2,3.5,3.5,1500000000,,,,\n"
            "E_8,,1,0,0.25,0.25,0.043478260869565216,0.25,0.25,0.25,0.25,0.25,0.25,,,,,\n");
}

TEST_F(Stats, TableLeavesOutWhatNobodyHas) {
  const std::string text = output({});
  EXPECT_THAT(text, StartsWith("name"));
  EXPECT_THAT(text, HasSubstr("1.50 GFLOPS"));
  EXPECT_THAT(text, testing::Not(HasSubstr("B/s")));
  EXPECT_THAT(text, testing::Not(HasSubstr("track")));
}

TEST_F(Stats, WrongUsageIs2) {
  expect_failure({"--track", "none"}, 2);
  expect_failure({"--track", "AMD Memory"}, 2);
  expect_failure({"--range", "5..5"}, 2);
  expect_failure({"--range", "7..5"}, 2);
  expect_failure({"--range", "no such marker.."}, 2);
  expect_failure({"--by", "colour"}, 2);
  expect_failure({"--json", "--csv"}, 2);
  expect_failure({"--top", "-1"}, 2);
}

TEST(StatsOfOddNames, QuotesThemInCsv) {
  const TemporaryFile file(
      bytepack::encode(one_track({{"a,\"b\"\nc", 0, 1, "{}"}}), *bytepack::dialect_of('L')));
  const Finished run = run_program({"stats", file.path(), "--csv"});
  EXPECT_THAT(run.output, HasSubstr("\n\"a,\"\"b\"\"\nc\",,1,0,"));
  const Finished json = run_program({"stats", file.path(), "--json"});
  EXPECT_TRUE(is_json(json.output)) << json.output;
}

TEST(StatsOfNothing, HaveNoRows) {
  const TemporaryFile file(bytepack::encode({}, *bytepack::dialect_of('L')));
  const Finished run = run_program({"stats", file.path(), "--json"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(text_of(Json(run.output).root()), R"({"range_us":[0,0],"rows":[]})");
}

class GapsCommand : public testing::Test {
protected:
  static bytepack::TraceDescription gappy() {
    bytepack::TraceDescription trace = one_track({{"\x1b[34mE\x1b[0m", 0, 10, "{}"},
                                                  {"r", 11, 9, "{}"},
                                                  {"E", 100, 10.5F, "{}"},
                                                  {"E", 120, 1, "{}"}});
    bytepack::TrackDescription compiler;
    compiler.name = "TINY";
    compiler.spans = {{"Schedule", 20, 70, "{}"}, {"lower", 25, 60, "{}"}};
    trace.tracks.push_back(compiler);
    return trace;
  }
  TemporaryFile gappy_file{bytepack::encode(gappy(), *bytepack::dialect_of('L'))};
};

TEST_F(GapsCommand, JsonListsTheLongestFirst) {
  const Finished run = run_program({"gaps", gappy_file.path(), "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  const Json json(run.output);
  EXPECT_EQ(keys_of(json.root().get_object()), "range_us min_us tracks gaps ");
  EXPECT_EQ(text_of(json["tracks"]),
            R"([{"track":"AMD","gaps":2,"idle_us":89.5,"batches":false}])");
  ASSERT_EQ(json["gaps"].get_array().size(), 2U);
  EXPECT_EQ(text_of(json["gaps"].at(0)),
            R"({"track":"AMD","begin_us":20,"end_us":100,"length_us":80,"below_resolution":false,)"
            R"("before":{"index":1,"name":"r"},"after":{"index":2,"name":"E"},"host":null,)"
            R"("compiler":{"track":"TINY","index":1,"name":"lower","share":0.75},)"
            R"("compiler_share":0.875,"compiling":true})");
  EXPECT_EQ(text_of(json["gaps"].at(1)["length_us"]), "9.5");
}

TEST_F(GapsCommand, ShorterOnesThanTheFileCanTellAreMarked) {
  const Finished run = run_program({"gaps", gappy_file.path(), "--json", "--min", "0"});
  const Json json(run.output);
  ASSERT_EQ(json["gaps"].get_array().size(), 3U);
  EXPECT_EQ(text_of(json["gaps"].at(2)["below_resolution"]), "true");
  const Finished longer = run_program({"gaps", gappy_file.path(), "--json", "--min", "10us"});
  EXPECT_EQ(Json(longer.output)["gaps"].get_array().size(), 1U);
  const Finished top = run_program({"gaps", gappy_file.path(), "--json", "--top", "1"});
  EXPECT_EQ(Json(top.output)["gaps"].get_array().size(), 1U);
}

TEST_F(GapsCommand, TableSaysWhatWentOn) {
  const Finished run = run_program({"gaps", gappy_file.path()});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.output, HasSubstr("compiling, TINY lower"));
}

TEST_F(GapsCommand, WrongUsageIs2) {
  for (const auto& wrong : std::vector<std::vector<std::string>>{{"--track", "none"},
                                                                 {"--min", "long"},
                                                                 {"--min", "-1us"},
                                                                 {"--range", "9..3"},
                                                                 {"--top", "x"}}) {
    std::vector<std::string> arguments = {"gaps", gappy_file.path()};
    arguments.insert(arguments.end(), wrong.begin(), wrong.end());
    const Finished run = run_program(arguments);
    EXPECT_EQ(run.exit_code, 2) << testing::PrintToString(wrong);
    EXPECT_EQ(run.output, "");
  }
}

}  // namespace
}  // namespace bytescope::tests
