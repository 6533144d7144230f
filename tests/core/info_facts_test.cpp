#include "core/trace/info_facts.h"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include "tests/support/trace_files.h"

namespace bytescope::trace {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> shown(std::string_view info) {
  std::vector<std::string> lines;
  for (const Fact& fact : facts_for_display(parse_info(info))) {
    lines.push_back(fact.label + " | " + fact.value);
  }
  return lines;
}

std::vector<std::optional<double>> numbers(const InfoRates& rates) {
  return {rates.flops.value, rates.mem_bytes_per_s.value, rates.lds_bytes_per_s.value,
          rates.bytes_per_s.value, rates.bytes.value};
}

std::vector<bool> failures(const InfoRates& rates) {
  return {rates.flops.failed, rates.mem_bytes_per_s.failed, rates.lds_bytes_per_s.failed,
          rates.bytes_per_s.failed, rates.bytes.failed};
}

}  // namespace

TEST(InfoFacts, ReadsFreeTextOfTheFirstDialects) {
  const InfoFacts facts = parse_info("4.65 GFLOPS 10.6|11.5 GB/s\n(rand,)");
  EXPECT_DOUBLE_EQ(*facts.rates.flops.value, 4.65e9);
  EXPECT_DOUBLE_EQ(*facts.rates.mem_bytes_per_s.value, 10.6e9);
  EXPECT_DOUBLE_EQ(*facts.rates.lds_bytes_per_s.value, 11.5e9);
  EXPECT_THAT(facts.metadata, ElementsAre("(rand,)"));
  EXPECT_THAT(facts.other, IsEmpty());
  EXPECT_THAT(
      shown("0.00 GFLOPS  0.4|0.4 GB/s\n()"),
      ElementsAre("Compute | 0 FLOPS", "Memory | 400.0 MB/s", "Loads and stores | 400.0 MB/s"));
}

TEST(InfoFacts, ReadsOneFactALine) {
  EXPECT_THAT(shown("0 GFLOPS\n18 GB/s mem\n7 GB/s lds\nlinear bw,relu\n(batched)"),
              ElementsAre("Compute | 0 FLOPS", "Memory | 18.0 GB/s", "Loads and stores | 7.00 GB/s",
                          "From | linear bw,relu", "From | (batched)"));
  EXPECT_THAT(shown("12 GB/s\n16.8 MB"), ElementsAre("Bandwidth | 12.0 GB/s", "Moved | 16.8 MB"));
  EXPECT_THAT(shown("PC:256"), ElementsAre("Program counter | 0x100"));
  EXPECT_THAT(shown("LINK:SE:0-CU:1 WAVE:2-17"), ElementsAre("Caused by | SE:0-CU:1 WAVE:2 #17"));
  EXPECT_THAT(
      shown(R"json(TB:[["/a.py", 3, "main", "f(\"x\")"], ["/b.py", 4, "<module>", ""]])json"),
      ElementsAre("Called at | /a.py:3 in main: f(\"x\")", " | /b.py:4 in <module>"));
}

TEST(InfoFacts, ReadsTheJsonForm) {
  const InfoFacts facts = parse_info(
      R"json({"FLOPS": 1290000000000, "B/s mem": 1.55e12, "B/s lds": "ERR", "B/s": 5, "B": 16800000,
          "metadata": "a,b\n(batched)", "tb": [["/a.py", 3, "f", "g()"]], "pc": 5888,
          "link": "WAVE:0-0", "new": [1, {"x": 2}]})json");
  EXPECT_THAT(numbers(facts.rates), ElementsAre(1.29e12, 1.55e12, std::nullopt, 5.0, 16.8e6));
  EXPECT_THAT(failures(facts.rates), ElementsAre(false, false, true, false, false));
  EXPECT_THAT(facts.metadata, ElementsAre("a,b", "(batched)"));
  ASSERT_EQ(facts.call_stack.size(), 1U);
  EXPECT_EQ(facts.call_stack[0].file, "/a.py");
  EXPECT_EQ(facts.call_stack[0].line, 3U);
  EXPECT_EQ(facts.call_stack[0].function, "f");
  EXPECT_EQ(facts.call_stack[0].code, "g()");
  EXPECT_EQ(facts.program_counter, 5888U);
  EXPECT_EQ(facts.link->row, "WAVE:0");
  EXPECT_EQ(facts.link->index, 0U);
  EXPECT_THAT(facts.other, ElementsAre(R"(new: [1, {"x": 2}])"));
  EXPECT_THAT(shown(R"({"FLOPS": "ERR"})"), ElementsAre("Compute | ERR"));
  EXPECT_THAT(shown("{}"), IsEmpty());
  EXPECT_THAT(shown(""), IsEmpty());
}

TEST(InfoFacts, KeepsWhatItDoesNotUnderstand) {
  EXPECT_THAT(shown("a\nb"), ElementsAre("Info | a", "Info | b"));
  EXPECT_THAT(shown("{\"FLOPS\": 1"), ElementsAre("Info | {\"FLOPS\": 1"));
  EXPECT_THAT(shown("{\"FLOPS\": 1} x"), ElementsAre("Info | {\"FLOPS\": 1} x"));
  EXPECT_THAT(shown("PC:x\nLINK:nowhere\nTB:[[1"),
              ElementsAre("Info | PC:x", "Info | LINK:nowhere", "Info | TB:[[1"));
  EXPECT_THAT(shown("5 apples"), ElementsAre("Info | 5 apples"));
  EXPECT_THAT(shown("12 GB/s or so"), ElementsAre("Info | 12 GB/s or so"));
  EXPECT_THAT(shown(R"({"link": "x", "pc": -1, "tb": 3})"),
              ElementsAre("Info | link: x", "Info | tb: 3"));
}

TEST(InfoFacts, SurvivesLoneSurrogatesAndDepth) {
  EXPECT_THAT(parse_info("{\"metadata\": \"\xED\xA0\xBD\"}").other, IsEmpty());
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_EQ(parse_info("{\"tb\": " + deep + "}").call_stack.size(), 1U);
  EXPECT_EQ(parse_info("TB:" + deep).call_stack.size(), 1U);
}

TEST(InfoFacts, TheQuickWayToRatesAgreesOnAnyText) {
  std::mt19937 random(4);
  const std::string_view tokens[] = {"12.5",  " ",         "GFLOPS", "3|4",  "GB/s",  " mem",
                                     "\n",    "ERR",       "B",      "MB",   "{",     "}",
                                     "\"B\"", "\"FLOPS\"", ":",      ",",    "\"x\"", "{\"B\":1",
                                     "}",     " lds",      "TB:[]",  "kB/s", "-1e3",  "PC:1"};
  for (int round = 0; round < 20'000; ++round) {
    std::string info;
    for (std::size_t i = random() % 12; i-- > 0;) info += tokens[random() % std::size(tokens)];
    const InfoRates quick = parse_info_rates(info);
    const InfoRates full = parse_info(info).rates;
    ASSERT_EQ(numbers(quick), numbers(full)) << info;
    ASSERT_EQ(failures(quick), failures(full)) << info;
  }
}

TEST(InfoFacts, UnderstandsEveryInfoOfTheRealTraces) {
  const std::vector<std::string> paths = tests::real_traces();
  if (paths.empty()) GTEST_SKIP() << "no real traces here (BYTESCOPE_TRACES)";
  std::size_t with_rates = 0;
  std::size_t with_stack = 0;
  std::size_t with_link = 0;
  simdjson::dom::parser parser;
  for (const std::string& path : paths) {
    if (path.find("-odd") != std::string::npos) continue;  // Its infos are meant not to be.
    const simdjson::dom::element truth =
        parser.load(path.substr(0, path.size() - 4) + ".truth.json");
    for (const simdjson::dom::element track : truth["tracks"]) {
      if (std::string_view(track["type"]) != "spans") continue;
      for (const simdjson::dom::element record : track["first"]) {
        std::string_view info;
        if (record["info"].get(info) != simdjson::SUCCESS) continue;
        const InfoFacts facts = parse_info(info);
        EXPECT_THAT(facts.other, IsEmpty()) << path << ": " << info;
        with_rates += facts.rates.flops.value ? 1 : 0;
        with_stack += facts.call_stack.empty() ? 0 : 1;
        with_link += facts.link ? 1 : 0;
      }
    }
  }
  EXPECT_GT(with_rates, 100U);
  EXPECT_GT(with_stack, 20U);
  EXPECT_GT(with_link, 20U);
}

}  // namespace bytescope::trace
