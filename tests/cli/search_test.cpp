#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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
using testing::Not;

std::string search_json(const std::string& path, const std::vector<std::string>& terms) {
  std::vector<std::string> arguments = {"search", path, "--json"};
  arguments.insert(arguments.end(), terms.begin(), terms.end());
  const Finished run = run_program(arguments);
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  return run.output;
}

TEST(Search, TellsHitsByTrackAndInTheOrderOfTime) {
  const TemporaryFile file(varied_bytes('L'));
  EXPECT_EQ(search_json(file.path(), {"R_64"}),
            "{\"terms\":\"R_64\",\"hits\":3,\"tracks\":[{\"index\":0,\"name\":\"AMD\",\"count\":2},"
            "{\"index\":1,\"name\":\"TINY\",\"count\":1}],\"markers\":[],\"spans\":[\n"
            "{\"track\":\"TINY\",\"index\":1,\"name\":\"do_to_program for r_64\",\"start_us\":1,"
            "\"duration_us\":4}\n"
            ",{\"track\":\"AMD\",\"index\":0,\"name\":\"r_\\u001b[34m64\\u001b[0m\",\"start_us\":2,"
            "\"duration_us\":3.5}\n"
            ",{\"track\":\"AMD\",\"index\":2,\"name\":\"r_\\u001b[34m64\\u001b[0m\",\"start_us\":6,"
            "\"duration_us\":2}\n]}\n");
  EXPECT_EQ(search_json(file.path(), {"step"}),
            "{\"terms\":\"step\",\"hits\":1,\"tracks\":[],\"markers\":[{\"index\":0,\"name\":"
            "\"step 1\",\"time_us\":12.5}],\"spans\":[\n]}\n");
}

TEST(Search, TermsAreJoined) {
  const TemporaryFile file(varied_bytes('K'));
  const auto hits = [&file](const std::vector<std::string>& terms) {
    const std::string text = search_json(file.path(), terms);
    const Json told(text);
    EXPECT_EQ(
        simdjson::dom::array(told["spans"]).size() + simdjson::dom::array(told["markers"]).size(),
        std::size_t{std::uint64_t{told["hits"]}});
    return std::uint64_t{told["hits"]};
  };
  EXPECT_EQ(hits({"r_64", "dur>=3us"}), 2U);
  EXPECT_EQ(hits({"r_64 dur>=3us"}), 2U);
  EXPECT_EQ(hits({"track:amd", "name:64", "info:sum"}), 2U);
  EXPECT_EQ(hits({"/^(JIT|Schedule \\d)$/"}), 2U);
  EXPECT_EQ(hits({"\"schedule 2\""}), 1U);
  EXPECT_EQ(hits({"nothing like that"}), 0U);
}

TEST(Search, AnArrowIsATermAndNoOption) {
  const TemporaryFile file(bytepack::encode(
      one_track({span("AMD -> CPU", 1, {}), span("CPU -> AMD", 5, {}), span("r_8", 9, {})}),
      *bytepack::dialect_of('L')));
  const auto first_line = [](const Finished& run) {
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    return run.output.substr(0, run.output.find('\n'));
  };
  EXPECT_EQ(first_line(run_program({"search", file.path(), "->"})), "2 hits");
  EXPECT_EQ(first_line(run_program({"search", file.path(), "-> cpu", "--", "amd"})), "2 hits");
  EXPECT_THAT(run_program({"search", file.path(), "->", "--json"}).output, HasSubstr("\"hits\":2"));
  EXPECT_EQ(run_program({"search", file.path(), "-x"}).exit_code, 2);
}

TEST(Search, FindsEverySpanOfRealTraces) {
  for (const TruthFile& file : truth_files()) {
    simdjson::dom::parser parser;
    const element truth = parser.load(file.truth);
    std::uint64_t spans = 0;
    for (const element track : truth["tracks"])
      if (std::string_view(track["type"]) == "spans") spans += std::uint64_t{track["count"]};
    const std::string text = search_json(file.trace, {"dur>=0"});
    EXPECT_THAT(text, HasSubstr("\"hits\":" + std::to_string(spans) + ",")) << file.trace;
  }
}

TEST(Search, WrongTermsAreToldWithTheirPlace) {
  const TemporaryFile file(varied_bytes('L'));
  const auto refused = [&file](const std::vector<std::string>& terms) {
    std::vector<std::string> arguments = {"search", file.path()};
    arguments.insert(arguments.end(), terms.begin(), terms.end());
    const Finished run = run_program(arguments);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.output, "");
    return run.errors;
  };
  EXPECT_EQ(refused({"a", "\"b"}),
            "error: Character 3: The quote is not closed: " + file.path() + "\n");
  EXPECT_THAT(refused({"/(/"}), HasSubstr("The pattern makes no sense"));
  EXPECT_THAT(refused({" "}), HasSubstr("There is nothing to look for"));
  EXPECT_THAT(refused({}), HasSubstr("TERMS is required"));
  EXPECT_EQ(run_program({"search", "/nowhere", "x"}).exit_code, 1);
}

TEST(Search, TheTableIsForPeople) {
  const TemporaryFile file(varied_bytes('L'));
  const Finished run = run_program({"search", file.path(), "e"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.output, HasSubstr("(marker)"));
  EXPECT_THAT(run.output, HasSubstr("E_8"));
  EXPECT_THAT(run.output, Not(HasSubstr("\x1b")));
  EXPECT_EQ(run_program({"search", file.path(), "zzz"}).output, "0 hits\n");
}

}  // namespace
}  // namespace bytescope::tests
