#include "render/theme.h"

#include <cmath>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "render/oklch.h"

namespace bytescope::render {
namespace {

constexpr const Theme& (*themes[])() = {dark_theme, light_theme};

std::uint32_t hex(Color color) {
  return (std::uint32_t{color.r} << 16U) | (std::uint32_t{color.g} << 8U) | color.b;
}

TEST(Oklch, RoundTripIsExact) {
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    const Color color = rgb(random() & 0xFFFFFFU);
    ASSERT_EQ(color_from_oklch(oklch_from_color(color)), color) << std::hex << hex(color);
  }
  for (const std::uint32_t corner : {0x000000U, 0xFFFFFFU, 0xFF0000U, 0x00FF00U, 0x0000FFU})
    EXPECT_EQ(color_from_oklch(oklch_from_color(rgb(corner))), rgb(corner));
}

TEST(Oklch, KnownColorsHaveTheirPublishedCoordinates) {
  const Oklch pure_red = oklch_from_color(rgb(0xFF0000));
  EXPECT_NEAR(pure_red.lightness, 0.628, 1e-3);
  EXPECT_NEAR(pure_red.chroma, 0.2577, 1e-3);
  EXPECT_NEAR(pure_red.hue_degrees, 29.23, 0.05);
  EXPECT_NEAR(oklch_from_color(rgb(0xFFFFFF)).lightness, 1, 1e-6);
  EXPECT_NEAR(oklch_from_color(rgb(0xFFFFFF)).chroma, 0, 1e-6);
}

TEST(Oklch, WhatIsTooColorfulKeepsLightnessAndHue) {
  const Oklch wanted = {0.6, 0.4, 150};
  const Oklch found = oklch_from_color(color_from_oklch(wanted));
  EXPECT_NEAR(found.lightness, wanted.lightness, 0.01);
  EXPECT_NEAR(found.hue_degrees, wanted.hue_degrees, 1);
  EXPECT_LT(found.chroma, 0.3);
  EXPECT_GT(found.chroma, 0.1);
}

TEST(Contrast, BlackOnWhiteIs21AndOrderDoesNotMatter) {
  EXPECT_NEAR(contrast(rgb(0x000000), rgb(0xFFFFFF)), 21, 1e-9);
  EXPECT_NEAR(contrast(rgb(0x777777), rgb(0xFFFFFF)), 4.48, 0.01);
  EXPECT_EQ(contrast(rgb(0x123456), rgb(0xFEDCBA)), contrast(rgb(0xFEDCBA), rgb(0x123456)));
}

TEST(Theme, EveryAnsiColorReadsOnEveryBody) {
  for (const auto theme_of : themes) {
    const Theme& theme = theme_of();
    for (std::size_t category = 0; category < trace::category_count; ++category) {
      for (std::uint8_t variant = 0; variant < trace::Style::variants; ++variant) {
        const trace::Style style(static_cast<trace::Category>(category), variant);
        for (const Color text : theme.ansi)
          EXPECT_GE(contrast(text, theme.body(style)), 4.5)
              << category << ' ' << int{variant} << ' ' << std::hex << hex(text);
      }
    }
  }
}

TEST(Theme, BufferPlatesCarryText) {
  for (const auto theme_of : themes) {
    const Theme& theme = theme_of();
    for (const Tones& tones : theme.buffer_tones) EXPECT_GE(contrast(theme.text, tones.body), 4.5);
    EXPECT_GE(contrast(theme.text, theme.thin_buffers.body), 4.5);
  }
}

TEST(Theme, InterfaceTextReadsOnEverySurface) {
  for (const auto theme_of : themes) {
    const Theme& theme = theme_of();
    for (const Color surface : {theme.canvas, theme.row_alt, theme.panel, theme.raised}) {
      for (const Color text : {theme.text, theme.text_2, theme.text_3, theme.accent, theme.hit,
                               theme.warn, theme.error, theme.ok, theme.focus})
        EXPECT_GE(contrast(text, surface), 4.8) << theme.dark << std::hex << ' ' << hex(text);
    }
  }
}

TEST(Theme, VariantsOfACategoryDifferAndStayInTheFamily) {
  for (const auto theme_of : themes) {
    const Theme& theme = theme_of();
    for (std::size_t category = 0; category < trace::category_count; ++category) {
      const auto kind = static_cast<trace::Category>(category);
      const Oklch base = oklch_from_color(category_tones(theme, kind).dense);
      std::set<std::uint32_t> seen;
      for (std::uint8_t variant = 0; variant < trace::Style::variants; ++variant) {
        const Color color = theme.dense(trace::Style(kind, variant));
        const Oklch c = oklch_from_color(color);
        seen.insert(hex(color));
        EXPECT_LE(std::abs(c.lightness - base.lightness), 0.026);
        const double turn = std::remainder(c.hue_degrees - base.hue_degrees, 360);
        if (base.chroma > 0.05) {
          EXPECT_LE(std::abs(turn), 12) << category << " " << int{variant};
        }
      }
      EXPECT_EQ(seen.size(), trace::Style::variants) << category;
    }
  }
}

TEST(Theme, TheMiddleVariantIsTheTableItself) {
  const trace::Style plain(trace::Category::reduce, 4);
  EXPECT_EQ(dark_theme().body(plain), rgb(0x6A3908));
  EXPECT_EQ(light_theme().edge(plain), rgb(0xAE631D));
}

TEST(Theme, AnyStyleByteHasAColor) {
  for (unsigned bits = 0; bits < 256; ++bits) {
    trace::Style style;
    style.bits = static_cast<std::uint8_t>(bits);
    EXPECT_EQ(dark_theme().body(style).a, 255);
  }
}

TEST(Theme, NeighboursInAStackDiffer) {
  for (const auto theme_of : themes) {
    for (std::size_t i = 0; i < trace::lifetime_count; ++i) {
      EXPECT_NE(theme_of().buffer_fills[i][0], theme_of().buffer_fills[i][1]);
    }
  }
}

}  // namespace
}  // namespace bytescope::render
