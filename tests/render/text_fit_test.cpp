#include "render/text_fit.h"

#include <gtest/gtest.h>

#include "tests/support/pure_colors.h"

namespace bytescope::render {
namespace {

/// Latin letters are 6 px wide, the ellipsis 8, everything else 10; the mono faces twice that.
class FakeMetrics final : public TextMetrics {
public:
  float advance_px(Face face, char32_t character) const override {
    const float unit = face == Face::mono_12 ? 2 : 1;
    return unit * (character < 128 ? 6.0F : character == 0x2026 ? 8.0F : 10.0F);
  }
};

const FakeMetrics metrics;

std::vector<TextPiece> cut(std::vector<TextPiece> pieces, float room_px) {
  cut_to(metrics, Face::ui_12, pieces, room_px);
  return pieces;
}

std::string joined(const std::vector<TextPiece>& pieces) {
  std::string out;
  for (const TextPiece& piece : pieces) out += (out.empty() ? "" : "|") + piece.text;
  return out;
}

TEST(TextFit, WidthSumsCharactersNotBytes) {
  EXPECT_FLOAT_EQ(text_width_px(metrics, Face::ui_12, "ab"), 12);
  EXPECT_FLOAT_EQ(text_width_px(metrics, Face::mono_12, "ab"), 24);
  EXPECT_FLOAT_EQ(text_width_px(metrics, Face::ui_12, "a\xC3\xA9\xF0\x9F\x98\x80"), 26);
  EXPECT_FLOAT_EQ(text_width_px(metrics, Face::ui_12, ""), 0);
  const std::vector<TextPiece> pieces{{"ab", red}, {"c", blue}};
  EXPECT_FLOAT_EQ(text_width_px(metrics, Face::ui_12, pieces), 18);
}

TEST(TextFit, BytesThatAreNotUtf8HaveAWidthToo) {
  EXPECT_FLOAT_EQ(text_width_px(metrics, Face::ui_12, "\xFF\x80z"), 26);
}

TEST(TextFit, TextThatFitsExactlyIsLeftAlone) {
  EXPECT_EQ(text_cut_to(metrics, Face::ui_12, "abcd", 24), "abcd");
}

TEST(TextFit, TextThatIsTooWideEndsInAnEllipsis) {
  EXPECT_EQ(text_cut_to(metrics, Face::ui_12, "abcd", 23.9F), "ab…");
  EXPECT_EQ(text_cut_to(metrics, Face::ui_12, "abcd", 20), "ab…");
  EXPECT_EQ(text_cut_to(metrics, Face::ui_12, "abcd", 19.9F), "a…");
}

TEST(TextFit, WithoutRoomForACharacterNothingIsLeft) {
  EXPECT_EQ(text_cut_to(metrics, Face::ui_12, "abcd", 13.9F), "");
  EXPECT_EQ(text_cut_to(metrics, Face::ui_12, "abcd", 0), "");
  EXPECT_EQ(text_cut_to(metrics, Face::ui_12, "abcd", -5), "");
  EXPECT_EQ(text_cut_to(metrics, Face::ui_12, "", 0), "");
}

TEST(TextFit, CharactersAreNeverCutInTheMiddle) {
  EXPECT_EQ(text_cut_to(metrics, Face::ui_12, "ééé", 29), "éé…");
}

TEST(TextFit, CutPiecesKeepTheirColoursAndTheRestGoes) {
  const std::vector<TextPiece> pieces{{"abc", red}, {"def", blue}, {"ghi", red}};
  EXPECT_EQ(joined(cut(pieces, 54)), "abc|def|ghi");
  EXPECT_EQ(joined(cut(pieces, 53)), "abc|def|g…");
  EXPECT_EQ(joined(cut(pieces, 44)), "abc|def…") << "the ellipsis follows the last whole piece";
  EXPECT_EQ(joined(cut(pieces, 32)), "abc|d…");
  EXPECT_EQ(joined(cut(pieces, 26)), "abc…");
  EXPECT_EQ(cut(pieces, 32)[1].color, blue);
  EXPECT_TRUE(cut(pieces, 13).empty());
}

TEST(TextFit, EverythingCutFitsAtEveryWidth) {
  const std::vector<TextPiece> pieces{{"aé", red}, {"", blue}, {"日本語x", blue}, {"end", red}};
  for (float room = 0; room < 80; room += 0.5F)
    EXPECT_LE(text_width_px(metrics, Face::ui_12, cut(pieces, room)), room);
}

TEST(TextFit, ANumberAtTheEndStaysWhereARestIsCut) {
  const auto fitted = [](std::vector<TextPiece> pieces, float room_px) {
    cut_before_number(metrics, Face::ui_12, pieces, room_px);
    EXPECT_LE(text_width_px(metrics, Face::ui_12, pieces), room_px);
    return joined(pieces);
  };
  EXPECT_EQ(fitted({{"train 12", red}}, 48), "train 12");
  EXPECT_EQ(fitted({{"train 12", red}}, 47), "trai\u2026|12") << "24 + 8 + 12";
  EXPECT_EQ(fitted({{"train 12", red}}, 33), "tr\u2026|12");
  EXPECT_EQ(fitted({{"train 12", red}}, 20), "\u2026|12");
  EXPECT_EQ(fitted({{"train 12", red}}, 19), "t\u2026") << "not even the number fits";
  EXPECT_EQ(fitted({{"training", red}}, 33), "trai\u2026") << "no number";
  EXPECT_EQ(fitted({{"123456789", red}}, 33), "1234\u2026") << "nothing but a number";
  EXPECT_EQ(fitted({{"train ", red}, {"12", blue}}, 33), "tr\u2026|12");
  EXPECT_EQ(fitted({}, 10), "");
}

}  // namespace
}  // namespace bytescope::render
