#include "app/imgui_renderer.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include <glad/gl.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include "app/draw_labels.h"
#include "app/fonts.h"
#include "app/imgui_input.h"
#include "app/offscreen_egl.h"
#include "tests/app/imgui_session.h"

namespace bytescope::app {
namespace {

using render::Color;
using render::Face;
using render::Label;
using render::rgb;

constexpr render::gl::PixelSize picture_size{400, 100};
constexpr Color background = rgb(0x000000);

class ImGuiRendererTest : public testing::Test {
protected:
  void SetUp() override {
    auto made = OffscreenContext::create(picture_size);
    ASSERT_TRUE(made.has_value()) << text(made.error());
    context = std::move(*made);
    auto built = ImGuiRenderer::create();
    ASSERT_TRUE(built.has_value()) << text(built.error());
    renderer.emplace(std::move(*built));
    fonts.emplace(*ImGui::GetIO().Fonts, 1.0F);
  }

  /// Draws labels, and what `widgets` adds, on black.
  template <class Widgets>
  void draw(const std::vector<Label>& labels, Widgets widgets) {
    fonts->rebuild_if_needed();
    ImGui::GetIO().FontDefault = fonts->font(Face::ui_12);
    renderer->begin_frame();
    input.begin_frame({}, picture_size, fonts->scale(), 0.016);
    ImGui::NewFrame();
    draw_labels(*ImGui::GetBackgroundDrawList(), labels, *fonts);
    widgets();
    ImGui::Render();
    context->bind();
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    renderer->draw(*ImGui::GetDrawData(), picture_size);
    EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
    shown = context->pixels();
  }
  void draw(const std::vector<Label>& labels) {
    draw(labels, [] {});
  }
  Color at(std::size_t x, std::size_t y) const {
    return shown.pixels.at(y * picture_size.width + x);
  }
  /// The box of everything that is not black.
  render::Box inked() const {
    render::Box out{picture_size.width, picture_size.height, 0, 0};
    for (std::size_t y = 0; y < shown.height; ++y) {
      for (std::size_t x = 0; x < shown.width; ++x) {
        if (at(x, y) != background) {
          const auto fx = static_cast<float>(x);
          const auto fy = static_cast<float>(y);
          out = {std::min(out.x0, fx), std::min(out.y0, fy), std::max(out.x1, fx + 1),
                 std::max(out.y1, fy + 1)};
        }
      }
    }
    return out;
  }

  ImGuiSession session;
  MemoryClipboard clipboard;
  ImGuiInput input{clipboard};
  std::unique_ptr<OffscreenContext> context;
  std::optional<ImGuiRenderer> renderer;
  std::optional<Fonts> fonts;
  render::Picture shown;
};

constexpr render::Box everywhere{0, 0, 400, 100};

TEST_F(ImGuiRendererTest, LabelsHaveTheColoursOfTheirPieces) {
  draw({{10, 10, Face::mono_12, everywhere, {{"MMMM", rgb(0xFF0000)}, {"MMMM", rgb(0x0000FF)}}}});
  std::size_t red = 0;
  std::size_t blue = 0;
  for (const Color color : shown.pixels) {
    EXPECT_EQ(color.g, 0);
    EXPECT_TRUE(color.r == 0 || color.b == 0);
    red += color.r > 200 ? 1U : 0U;
    blue += color.b > 200 ? 1U : 0U;
  }
  EXPECT_GT(red, 20U);
  EXPECT_EQ(red, blue);
}

TEST_F(ImGuiRendererTest, LabelsStandInTheirLineBox) {
  for (std::size_t i = 0; i < render::face_count; ++i) {
    const auto face = static_cast<Face>(i);
    draw({{20, 30, face, everywhere, {{"Hxg", rgb(0xFFFFFF)}}}});
    const render::Box ink = inked();
    EXPECT_NEAR(ink.x0, 21, 1);
    EXPECT_GE(ink.y0, 30);
    EXPECT_LE(ink.y1, 30 + render::size_px(face) + 2);
    draw({{20, 30, face, everywhere, {{"H", rgb(0xFFFFFF)}}}});
    const render::Box capital = inked();
    EXPECT_NEAR((capital.y0 + capital.y1) / 2, 30 + render::size_px(face) / 2, 1.1F)
        << "face " << i;
  }
}

TEST_F(ImGuiRendererTest, LabelsAreCutAtTheirClipBox) {
  const Label whole{10, 10, Face::ui_12, everywhere, {{"clipped text", rgb(0xFFFFFF)}}};
  draw({whole});
  const render::Picture before = shown;
  Label cut = whole;
  cut.clip = {14, 12, 40, 19};
  draw({cut});
  for (std::size_t y = 0; y < 100; ++y) {
    for (std::size_t x = 0; x < 400; ++x) {
      const bool inside = x >= 14 && x < 40 && y >= 12 && y < 19;
      ASSERT_EQ(at(x, y), inside ? before.pixels[y * 400 + x] : background) << x << " " << y;
    }
  }
}

TEST_F(ImGuiRendererTest, CharactersSeenForTheFirstTimeShowAfterTheNextRebuild) {
  const std::vector<Label> labels{{10, 10, Face::ui_12, everywhere, {{"жжж", rgb(0xFFFFFF)}}}};
  draw(labels);
  const render::Picture placeholders = shown;
  EXPECT_TRUE(fonts->rebuild_wanted());
  draw(labels);
  EXPECT_FALSE(fonts->rebuild_wanted());
  EXPECT_NE(shown.pixels, placeholders.pixels);
  EXPECT_GT(inked().x1, 20);
}

TEST_F(ImGuiRendererTest, WidgetsAreDrawnInTheirColours) {
  draw({}, [] {
    ImGui::GetForegroundDrawList()->AddRectFilled({50, 20}, {60, 30}, IM_COL32(255, 128, 0, 255));
    ImGui::GetForegroundDrawList()->AddRectFilled({70, 20}, {80, 30}, IM_COL32(255, 255, 255, 128));
    ImGui::GetForegroundDrawList()->AddTriangleFilled({90, 20}, {110, 20}, {90, 40},
                                                      IM_COL32(0, 255, 0, 255));
    ImGui::GetForegroundDrawList()->AddRectFilled({120, 20}, {130, 30}, IM_COL32(0, 0, 255, 255));
  });
  EXPECT_EQ(at(50, 20), rgb(0xFF8000));
  EXPECT_EQ(at(59, 29), rgb(0xFF8000));
  EXPECT_EQ(at(60, 29), background);
  EXPECT_NEAR(at(75, 25).r, 128, 1);
  EXPECT_EQ(at(93, 23), rgb(0x00FF00));
  EXPECT_EQ(at(108, 38), background);
  EXPECT_EQ(at(125, 25), rgb(0x0000FF));
}

TEST_F(ImGuiRendererTest, TextLooksTheSameInLabelsAndInWidgets) {
  const float line = fonts->line_height(Face::ui_12);
  const float y = 20 + (12 - line) / 2;
  draw({{10, 20, Face::ui_12, everywhere, {{"Hamburgefonstiv 123", rgb(0xC0E0F0)}}}});
  const render::Picture labels = shown;
  draw({}, [&] {
    ImGui::GetForegroundDrawList()->AddText({10, std::round(y)}, IM_COL32(0xC0, 0xE0, 0xF0, 255),
                                            "Hamburgefonstiv 123");
  });
  EXPECT_EQ(shown.pixels, labels.pixels);
}

}  // namespace
}  // namespace bytescope::app
