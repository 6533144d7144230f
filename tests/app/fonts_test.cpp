#include "app/fonts.h"

#include <string>

#include <gtest/gtest.h>
#include <imgui.h>

#include "app/font_finder.h"
#include "render/text_fit.h"
#include "tests/app/imgui_session.h"

namespace bytescope::app {
namespace {

using render::Face;

class FontsTest : public testing::Test {
protected:
  bool shows(const Fonts& fonts, Face face, char32_t character) const {
    return fonts.font(face)->FindGlyphNoFallback(static_cast<ImWchar>(character)) != nullptr;
  }
  ImFontAtlas& atlas() { return *ImGui::GetIO().Fonts; }

  ImGuiSession session;
};

TEST_F(FontsTest, FinderPrefersTheFontsOfTheDesign) {
  const FontFinder finder;
  const auto ui = finder.find(Face::ui_12);
  const auto mono = finder.find(Face::mono_12);
  ASSERT_TRUE(ui && mono);
  EXPECT_TRUE(ui->has('A'));
  EXPECT_FALSE(ui->has(0x10FFFE));
  EXPECT_NE(ui->path(), mono->path());
}

TEST_F(FontsTest, FinderFindsAFontThatHasTheCharacter) {
  const FontFinder finder;
  const auto arrow = finder.find_with(U'→');
  ASSERT_TRUE(arrow);
  EXPECT_TRUE(arrow->has(U'→'));
  EXPECT_FALSE(finder.find_with(0x10FFFE));
}

TEST_F(FontsTest, EveryFaceHasLettersAndOurPunctuation) {
  const Fonts fonts(atlas(), 1);
  for (std::size_t i = 0; i < render::face_count; ++i) {
    for (const char32_t c : U"Az09[]~éßµ×·…–—→←↑↓≈▸▾⌕□") {
      if (c == 0) continue;
      EXPECT_TRUE(shows(fonts, static_cast<Face>(i), c))
          << "face " << i << " U+" << std::hex << static_cast<unsigned>(c);
    }
  }
}

TEST_F(FontsTest, SizesAreThoseOfTheEmSquare) {
  const Fonts fonts(atlas(), 1);
  // The advance of JetBrains Mono is 0.6 em, that of DejaVu Sans Mono 0.602.
  EXPECT_NEAR(fonts.advance_px(Face::mono_12, 'm'), 7.2F, 0.81F);
  EXPECT_GT(fonts.line_height(Face::ui_13_medium), 13);
  EXPECT_GT(render::text_width_px(fonts, Face::ui_13_medium, "wide words"),
            render::text_width_px(fonts, Face::ui_11, "wide words"));
}

TEST_F(FontsTest, MonoFacesHaveOneAdvanceAlsoForCharactersOfOtherFonts) {
  const Fonts fonts(atlas(), 1);
  for (char32_t c = 0x20; c < 0x7F; ++c)
    EXPECT_EQ(fonts.advance_px(Face::mono_11, c), fonts.advance_px(Face::mono_11, 'm'));
}

TEST_F(FontsTest, WidthsStayAboutTheSameAtAnyScale) {
  Fonts fonts(atlas(), 1);
  const float at_one = render::text_width_px(fonts, Face::ui_12, "The quick brown fox 0123");
  fonts.set_scale(2);
  EXPECT_TRUE(fonts.rebuild_wanted());
  ASSERT_TRUE(fonts.rebuild_if_needed());
  EXPECT_FALSE(fonts.rebuild_wanted());
  EXPECT_EQ(fonts.scale(), 2);
  EXPECT_NEAR(render::text_width_px(fonts, Face::ui_12, "The quick brown fox 0123"), at_one,
              at_one * 0.1F);
}

TEST_F(FontsTest, MissingCharactersComeWithTheNextRebuild) {
  Fonts fonts(atlas(), 1);
  EXPECT_FALSE(fonts.need("plain ASCII, and é"));
  EXPECT_FALSE(fonts.rebuild_if_needed());
  EXPECT_FALSE(shows(fonts, Face::ui_12, U'ж'));
  EXPECT_TRUE(fonts.need("ж"));
  EXPECT_FALSE(fonts.need("ж")) << "asked for already";
  EXPECT_TRUE(fonts.rebuild_if_needed());
  EXPECT_TRUE(shows(fonts, Face::ui_12, U'ж'));
  EXPECT_TRUE(shows(fonts, Face::mono_11, U'ж'));
  EXPECT_FALSE(fonts.rebuild_if_needed());
}

TEST_F(FontsTest, CharactersThatNoFontHasArePlaceholders) {
  Fonts fonts(atlas(), 1);
  EXPECT_EQ(fonts.glyph(Face::ui_12, 0xFFFD), fonts.glyph(Face::ui_12, U'□'));
  fonts.need("\xCD\xB8");  // U+0378 means nothing
  fonts.rebuild_if_needed();
  EXPECT_EQ(fonts.advance_px(Face::ui_12, 0x378), fonts.advance_px(Face::ui_12, 0xFFFD));
}

TEST_F(FontsTest, CharactersAboveTheFirstPlaneArePlaceholdersAndAskForNothing) {
  if (IM_UNICODE_CODEPOINT_MAX > 0xFFFF) GTEST_SKIP();
  Fonts fonts(atlas(), 1);
  EXPECT_FALSE(fonts.need("\xF0\x9F\x98\x80 \xED\xA0\x80 \xFF"));
  EXPECT_EQ(fonts.glyph(Face::mono_12, 0x1F600), fonts.glyph(Face::mono_12, 0xFFFD));
}

TEST_F(FontsTest, AddedCharactersAreLimited) {
  Fonts fonts(atlas(), 1);
  std::string text;
  for (char32_t c = 0x4E00; c < 0x4E00 + Fonts::max_added_characters + 500; ++c) {
    text += static_cast<char>(0xE0 | (c >> 12U));
    text += static_cast<char>(0x80 | ((c >> 6U) & 0x3FU));
    text += static_cast<char>(0x80 | (c & 0x3FU));
  }
  EXPECT_TRUE(fonts.need(text));
  EXPECT_FALSE(fonts.need("\xE9\xBF\xBF"));
}

TEST_F(FontsTest, TheAtlasIsSmall) {
  const Fonts fonts(atlas(), 1);
  EXPECT_LE(atlas().TexWidth * atlas().TexHeight, 512 * 512);
}

}  // namespace
}  // namespace bytescope::app
