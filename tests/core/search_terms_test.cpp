#include "core/query/search_terms.h"

#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/query/fold_case.h"
#include "tests/support/plain_search.h"

namespace bytescope::query {
namespace {

std::string complaint(std::string_view line) {
  const auto terms = parse_search_line(line);
  return terms ? "no complaint" : terms.error().text(line);
}

bool has(const TextTerm& term, std::string_view text) { return term.matches(text, folded(text)); }

bool matches(std::string_view line, std::string_view text) {
  const SearchTerms terms = tests::parsed(line);
  return terms.texts.size() == 1 && has(terms.texts[0], text);
}

TEST(FoldCase, TakesCapitalsAwayInSeveralAlphabets) {
  EXPECT_EQ(folded("R_64 GFLOPS@Z["), "r_64 gflops@z[");
  EXPECT_EQ(folded("ÄÖÜ ÀÝ Ÿ ŁÓDŹ"), "äöü àý ÿ łódź");
  EXPECT_EQ(folded("ΣΊΣΥΦΟΣ"), folded("σίσυφος"));
  EXPECT_EQ(folded("ЁЖИК ЉУБАВ ҐАНОК"), "ёжик љубав ґанок");
  EXPECT_EQ(folded("Ｋ"), "ｋ");
  EXPECT_EQ(folded("\u212A\u2126\u1E9E"), "kωß");
  EXPECT_EQ(folded("ß×÷漢字🙂"), "ß×÷漢字🙂");
}

TEST(FoldCase, LeavesBytesThatMeanNothing) {
  const std::string bytes = "A\xFF\xC3(\xED\xA0\x80Z\xF0\x9F";
  EXPECT_EQ(folded(bytes), "a\xFF\xC3(\xED\xA0\x80z\xF0\x9F");
  EXPECT_EQ(folded(folded(bytes)), folded(bytes));
}

TEST(FoldCase, FoldingTwiceChangesNothingMore) {
  std::string all;
  for (char32_t letter = 0x80; letter < 0x10000; ++letter) {
    const bool three = letter >= 0x800;
    if (three) all += static_cast<char>(0xE0U | letter >> 12U);
    all += static_cast<char>(three ? 0x80U | (letter >> 6U & 0x3FU) : 0xC0U | letter >> 6U);
    all += static_cast<char>(0x80U | (letter & 0x3FU));
  }
  const std::string once = folded(all);
  EXPECT_NE(once, all);
  EXPECT_EQ(folded(once), once);
}

TEST(SearchTerms, WordsAreFoldedAndApart) {
  const SearchTerms terms = tests::parsed("  Foo\tBÄR ");
  ASSERT_EQ(terms.texts.size(), 2U);
  EXPECT_EQ(terms.texts[0].needle, "foo");
  EXPECT_EQ(terms.texts[1].needle, "bär");
  EXPECT_EQ(terms.texts[0].field, SearchField::name_or_info);
  EXPECT_FALSE(terms.empty());
}

TEST(SearchTerms, AnEmptyLineAsksForNothing) {
  EXPECT_TRUE(tests::parsed("").empty());
  EXPECT_TRUE(tests::parsed(" \t ").empty());
  EXPECT_FALSE(tests::parsed("dur>=0").empty());
  EXPECT_FALSE(tests::parsed("track:x").empty());
}

TEST(SearchTerms, PhrasesHoldSpacesAndEscapedQuotes) {
  EXPECT_EQ(tests::parsed(R"("Two Words")").texts.at(0).needle, "two words");
  EXPECT_EQ(tests::parsed(R"("a \"b\" \\ \n")").texts.at(0).needle, R"(a "b" \ \n)");
  EXPECT_EQ(tests::parsed(R"("a""b")").texts.size(), 2U);
  EXPECT_EQ(tests::parsed(R"(it"s)").texts.at(0).needle, R"(it"s)");
}

TEST(SearchTerms, PrefixesChooseTheField) {
  const SearchTerms terms = tests::parsed(R"(name:R_ info:"12 GB" track:/^AMD:\d$/ AMD:1 Name:x)");
  ASSERT_EQ(terms.texts.size(), 4U);
  EXPECT_EQ(terms.texts[0].field, SearchField::name);
  EXPECT_EQ(terms.texts[0].needle, "r_");
  EXPECT_EQ(terms.texts[1].field, SearchField::info);
  EXPECT_EQ(terms.texts[1].needle, "12 gb");
  EXPECT_EQ(terms.texts[2].needle, "amd:1");
  EXPECT_EQ(terms.texts[3].needle, "name:x");
  EXPECT_TRUE(terms.track_fits("\x1b[34mAMD\x1b[0m:7"));
  EXPECT_FALSE(terms.track_fits("AMD:70"));
}

TEST(SearchTerms, PatternsAreRegularExpressionsWithoutCase) {
  EXPECT_TRUE(matches("/^R_\\d+ x$/", "r_64 X"));
  EXPECT_FALSE(matches("/^r_\\d+$/", "xr_64"));
  EXPECT_TRUE(matches("/(?-i)GB/", "12 GB"));
  EXPECT_FALSE(matches("/(?-i)GB/", "12 gb"));
  EXPECT_TRUE(matches("/usr/lib/", "an usr/lib here"));
  EXPECT_TRUE(matches("/a\\/ b/", "A/ B"));
  EXPECT_TRUE(matches("/ÄÖ/", "äö"));
}

TEST(SearchTerms, DurationsLimitBothSides) {
  const SearchTerms above = tests::parsed("dur>100us");
  EXPECT_FALSE(above.duration_fits(100'000));
  EXPECT_TRUE(above.duration_fits(100'000.01));
  const SearchTerms from = tests::parsed("dur>=100");
  EXPECT_TRUE(from.duration_fits(100'000));
  EXPECT_FALSE(from.duration_fits(99'999.99));
  const SearchTerms between = tests::parsed("dur<5ms dur>=1ms dur>10ns dur<=2s");
  EXPECT_FALSE(between.duration_fits(999'999));
  EXPECT_TRUE(between.duration_fits(1e6));
  EXPECT_TRUE(between.duration_fits(4'999'999.9));
  EXPECT_FALSE(between.duration_fits(5e6));
  EXPECT_TRUE(tests::parsed("dur<=7clk").duration_fits(7000));
  EXPECT_FALSE(tests::parsed("dur<0").duration_fits(0));
  EXPECT_EQ(tests::parsed("duration dur").texts.size(), 2U);
}

TEST(SearchTerms, ErrorsSayWhatAndWhere) {
  EXPECT_EQ(complaint("foo \"bar"), "Character 5: The quote is not closed");
  EXPECT_EQ(complaint("ÄÖ name:\"x"), "Character 9: The quote is not closed");
  EXPECT_EQ(complaint("a name: b"), "Character 3: Something to look for must follow \"name:\"");
  EXPECT_EQ(complaint("info:\"\""), "Character 6: Nothing stands between the quotes");
  EXPECT_EQ(complaint("/usr/lib"),
            "Character 1: The pattern has no slash at its end (quote it to look for a slash)");
  EXPECT_EQ(complaint("/a\\/"),
            "Character 1: The pattern has no slash at its end (quote it to look for a slash)");
  EXPECT_EQ(complaint("/a\\"),
            "Character 1: The pattern has no slash at its end (quote it to look for a slash)");
  EXPECT_EQ(complaint("//"), "Character 1: Nothing stands between the slashes");
  EXPECT_EQ(complaint("x /a(/").substr(0, 40), "Character 3: The pattern makes no sense:");
  EXPECT_EQ(complaint("dur>fast"),
            "Character 1: \"fast\" is not a duration such as 100us, 5ms or 2s");
  EXPECT_EQ(complaint("x dur<"), "Character 3: \"\" is not a duration such as 100us, 5ms or 2s");
  EXPECT_EQ(complaint("a b c d e f g h i"), "Character 17: There are more than 8 words");
  EXPECT_EQ(complaint(std::string(5000, 'x')),
            "Character 4097: The search is longer than 4096 bytes");
}

TEST(SearchTerms, AnyBytesGiveTermsOrAComplaint) {
  std::uint32_t state = 1;
  const std::string alphabet = "a\"\\/:<>= \t\xFF\xC3(.*)[{name:info:track:dur>1us";
  for (int i = 0; i < 20'000; ++i) {
    std::string line;
    for (int n = 0; n < 12; ++n) {
      state = state * 1664525U + 1013904223U;
      line += alphabet[(state >> 8U) % alphabet.size()];
    }
    const auto terms = parse_search_line(line);
    if (!terms) {
      EXPECT_LE(terms.error().byte, line.size()) << line;
    }
  }
}

TEST(SearchTerms, HostilePatternsTakeLinearTime) {
  const std::string text(100'000, 'a');
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(matches("/^(a+)+$|(a|aa)*b/", text + "!"));
  EXPECT_FALSE(matches("/(.*)(.*)(.*)(.*)(.*)[^a]b/", text));
  EXPECT_NE(complaint("/((((a{900}){900}){900}){900})/"), "no complaint");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
}

TEST(SearchTerms, NarrowingFollowsWhatIsTyped) {
  struct Case {
    const char* terms;
    const char* wider;
    bool narrows;
  };
  const std::vector<Case> cases = {
      {"foob", "foo", true},        {"foo", "foob", false},         {"foo bar", "foo", true},
      {"foo", "foo bar", false},    {"name:foo", "fo", true},       {"foo", "name:fo", false},
      {"info:x", "name:x", false},  {"/fo+/", "/fo+/", true},       {"/foo/", "/fo/", false},
      {"foo", "/foo/", false},      {"x dur>5us", "x", true},       {"x", "x dur>5us", false},
      {"dur>5us", "dur>4us", true}, {"dur>=5us", "dur>5us", false}, {"track:ab", "track:a", true},
      {"ab", "track:a", false},     {"track:a", "a", false},        {"FOO", "foo", true}};
  for (const Case& one : cases)
    EXPECT_EQ(tests::parsed(one.terms).narrows(tests::parsed(one.wider)), one.narrows)
        << one.terms << " | " << one.wider;
}

}  // namespace
}  // namespace bytescope::query
