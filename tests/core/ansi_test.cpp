#include "core/trace/ansi.h"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bytescope::trace {
namespace {

std::vector<std::pair<AnsiColor, std::string>> cut(std::string_view raw) {
  std::vector<std::pair<AnsiColor, std::string>> pieces;
  for (const AnsiPiece& piece : ansi_pieces(raw)) pieces.emplace_back(piece.color, piece.text);
  return pieces;
}

using Pieces = std::vector<std::pair<AnsiColor, std::string>>;

}  // namespace

TEST(Ansi, CutsAKernelNameIntoColours) {
  const std::string_view raw =
      "r_\033[97m16\033[0m\033[90m_\033[0m\033[31m4\033[0m\033[90mn1\033[0m";
  EXPECT_EQ(cut(raw), (Pieces{{AnsiColor::standard, "r_"},
                              {AnsiColor::bright_white, "16"},
                              {AnsiColor::bright_black, "_"},
                              {AnsiColor::red, "4"},
                              {AnsiColor::bright_black, "n1"}}));
  EXPECT_EQ(plain_text(raw), "r_16_4n1");
}

TEST(Ansi, UnderstandsCombinedAndExtendedCodes) {
  EXPECT_EQ(
      cut("\033[1;34ma\033[22mb\033[mc"),
      (Pieces{{AnsiColor::bright_blue, "a"}, {AnsiColor::blue, "b"}, {AnsiColor::standard, "c"}}));
  EXPECT_EQ(cut("\033[31m\033[38;5;200ma\033[38;5;2mb"),
            (Pieces{{AnsiColor::standard, "a"}, {AnsiColor::green, "b"}}));
  EXPECT_EQ(cut("\033[38;2;1;31;3ma"), (Pieces{{AnsiColor::standard, "a"}}));
  EXPECT_EQ(cut("\033[48;5;31;32ma"), (Pieces{{AnsiColor::green, "a"}}));
  EXPECT_EQ(cut("\033[35ma\033[39mb"),
            (Pieces{{AnsiColor::magenta, "a"}, {AnsiColor::standard, "b"}}));
  EXPECT_EQ(cut("\033[99999999999999999999;31ma"), (Pieces{{AnsiColor::red, "a"}}));
}

TEST(Ansi, DropsOtherAndUnfinishedSequences) {
  EXPECT_EQ(plain_text("a\033[2Kb\033Mc\033[?25ld"), "abcd");
  EXPECT_EQ(plain_text("a\033"), "a");
  EXPECT_EQ(plain_text("a\033["), "a");
  EXPECT_EQ(plain_text("a\033[31"), "a");
  EXPECT_EQ(plain_text("a\033[31\nb"), "a\nb");
  EXPECT_EQ(plain_text("a\033\nb"), "a\nb");
  EXPECT_EQ(plain_text(""), "");
}

TEST(Ansi, PiecesAreThePlainTextForAnyBytes) {
  std::mt19937 random(1);
  const std::string_view alphabet = "\033\033\033[[;m0134589ab\n\xC3\xA9";
  for (int round = 0; round < 2000; ++round) {
    std::string raw;
    for (std::size_t i = random() % 40; i-- > 0;) raw += alphabet[random() % alphabet.size()];
    std::string joined;
    for (const AnsiPiece& piece : ansi_pieces(raw)) {
      EXPECT_FALSE(piece.text.empty());
      EXPECT_LT(static_cast<std::size_t>(piece.color), ansi_color_count);
      joined += piece.text;
    }
    EXPECT_EQ(joined, plain_text(raw));
    EXPECT_EQ(joined.find('\033'), std::string::npos);
  }
}

TEST(SingleLine, MakesRunsOfControlCharactersOneSpace) {
  EXPECT_EQ(single_line(std::string_view("a\r\n\tb\0c\x7F é", 11)), "a b c  é");
}

}  // namespace bytescope::trace
