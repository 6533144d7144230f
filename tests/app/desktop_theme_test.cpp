#include "app/desktop_theme.h"

#include <optional>
#include <string>

#include <gtest/gtest.h>

namespace bytescope::tests {
namespace {

using app::wishes_from_ini;

TEST(DesktopTheme, ReadsWhatGtkIsSetTo) {
  EXPECT_EQ(wishes_from_ini("[Settings]\ngtk-theme-name=Adwaita-dark\n").light, false);
  EXPECT_EQ(wishes_from_ini("[Settings]\ngtk-theme-name = Adwaita\n").light, std::nullopt);
  EXPECT_EQ(wishes_from_ini("[Settings]\r\ngtk-application-prefer-dark-theme = TRUE\r\n").light,
            false);
  EXPECT_EQ(wishes_from_ini("[Settings]\ngtk-application-prefer-dark-theme=0").light, true);
  EXPECT_EQ(
      wishes_from_ini("[Settings]\ngtk-application-prefer-dark-theme=0\ngtk-theme-name=X-Dark")
          .light,
      false)
      << "the theme is what is seen";
  EXPECT_EQ(wishes_from_ini("[Settings]\ngtk-enable-animations=0\n").less_motion, true);
  EXPECT_EQ(wishes_from_ini("[Settings]\ngtk-enable-animations=true\n").less_motion, false);
}

TEST(DesktopTheme, ReadsWhatKdeIsSetTo) {
  EXPECT_EQ(wishes_from_ini("[General]\nColorScheme=BreezeDark\n").light, false);
  EXPECT_EQ(wishes_from_ini("[General]\nColorScheme=BreezeLight\n").light, true);
  for (const char* off : {"0", "0.0", "0.000"})
    EXPECT_EQ(wishes_from_ini("[KDE]\nAnimationDurationFactor=" + std::string(off)).less_motion,
              true);
  EXPECT_EQ(wishes_from_ini("[KDE]\nAnimationDurationFactor=0.5").less_motion, false);
}

TEST(DesktopTheme, WishesNothingForAnythingElse) {
  for (const char* text :
       {"", "=", "[", "[Settings]", "gtk-enable-animations=0", "[Other]\ngtk-enable-animations=0",
        "[Settings]\ngtk-enable-animations=perhaps", "[General]\nColorScheme=\n"}) {
    const app::DesktopWishes wishes = wishes_from_ini(text);
    EXPECT_EQ(wishes.light, std::nullopt) << text;
    EXPECT_EQ(wishes.less_motion, std::nullopt) << text;
  }
}

TEST(DesktopTheme, WhatWasWishedFirstHolds) {
  app::DesktopWishes wishes{.light = true, .less_motion = std::nullopt};
  EXPECT_FALSE(wishes.is_complete());
  wishes.fill_from({.light = false, .less_motion = true});
  EXPECT_EQ(wishes.light, true);
  EXPECT_EQ(wishes.less_motion, true);
  EXPECT_TRUE(wishes.is_complete());
}

}  // namespace
}  // namespace bytescope::tests
