#include "core/query/search_match.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "core/query/fold_case.h"
#include "core/trace/ansi.h"
#include "tests/support/plain_search.h"

namespace bytescope::query {
namespace {

TextTerm term(std::string_view line) { return tests::parsed(line).texts.at(0); }

std::string matched(std::string_view line, std::string_view name, std::string_view info) {
  return matched_info(tests::parsed(line), name, info);
}

TEST(SearchMatch, PlacesCountBytesOfTheTextItself) {
  EXPECT_EQ(place_of(term("gflops"), "12 GFLOPS"), (TextPlace{3, 9}));
  EXPECT_EQ(place_of(term("/[0-9]+/"), "ab 12 c"), (TextPlace{3, 5}));
  EXPECT_EQ(place_of(term("kx"),
                     "\u212A"
                     "a \u212AX"),
            (TextPlace{5, 9}))
      << "a Kelvin sign takes three bytes, its small letter one";
  EXPECT_EQ(place_of(term("none"), "12 GFLOPS"), std::nullopt);
}

TEST(SearchMatch, WhatAPlaceHoldsIsWhatWasLookedFor) {
  std::mt19937 random(1);
  const std::string letters[] = {"a", "B", "\u00C4", "\u212A", "\xFF", "\u1E9E", "k"};
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (int j = 0; j < 12; ++j) text += letters[random() % std::size(letters)];
    TextTerm one;
    one.needle =
        folded(letters[random() % std::size(letters)] + letters[random() % std::size(letters)]);
    const auto place = place_of(one, text);
    ASSERT_EQ(place.has_value(), one.matches(text, folded(text))) << text;
    if (place) {
      EXPECT_NE(folded(text.substr(place->begin, place->end - place->begin)).find(one.needle),
                std::string::npos);
    }
  }
}

TEST(SearchMatch, TellsTheLineOfTheInfoThatTheNameDoesNotTell) {
  EXPECT_EQ(matched("r_3", "r_3_4", "about r_3"), "") << "the name tells";
  EXPECT_EQ(matched("bfloat", "E_4", "one\ndtype: bfloat16 x\nlast"),
            "dtype: \033[33mbfloat\033[0m16 x");
  EXPECT_EQ(matched("info:r_3", "r_3_4", "of r_3"), "of \033[33mr_3\033[0m");
  EXPECT_EQ(matched("E_4 sum", "E_4", "a \033[31msum\033[0m"), "a \033[33msum\033[0m");
  EXPECT_EQ(matched("name:E_4", "E_4", "E_4"), "");
}

TEST(SearchMatch, LongLinesAreCutAroundThePlaceBetweenLetters) {
  std::string info;
  for (int i = 0; i < 300; ++i) info += "\u00E4";
  info += "needle";
  for (int i = 0; i < 300; ++i) info += "\u00E4";
  const std::string cut = matched("needle", "", info);
  const std::string plain = trace::plain_text(cut);
  EXPECT_TRUE(plain.starts_with("\u2026\u00E4")) << plain;
  EXPECT_TRUE(plain.ends_with("\u00E4\u2026")) << plain;
  EXPECT_LT(plain.size(), 300U);
  EXPECT_NE(cut.find("\033[33mneedle\033[0m"), std::string::npos);
}

}  // namespace
}  // namespace bytescope::query
