#include "tests/app/panel_stage.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <glad/gl.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include "app/panels/panel_style.h"
#include "app/png.h"

namespace bytescope::tests {

using app::InputEvent;

PanelStage::PanelStage(render::gl::PixelSize size, bool dark, float scale)
    : size_(size), scale_(scale), theme_(dark ? render::dark_theme() : render::light_theme()) {
  auto context = app::OffscreenContext::create(size);
  if (!context) {
    ADD_FAILURE() << text(context.error());
    return;
  }
  gl_ = std::move(*context);
  fonts_ = std::make_unique<app::Fonts>(*ImGui::GetIO().Fonts, scale);
  input_ = std::make_unique<app::ImGuiInput>(clipboard_);
  auto renderer = app::ImGuiRenderer::create();
  if (!renderer) {
    ADD_FAILURE() << text(renderer.error());
    return;
  }
  renderer_.emplace(std::move(*renderer));
}

PanelStage::~PanelStage() = default;

app::PanelContext PanelStage::context() {
  return context(
      {0, 0, static_cast<float>(size_.width) / scale_, static_cast<float>(size_.height) / scale_});
}

app::PanelContext PanelStage::context(const render::Box& area) {
  return {theme_, *fonts_, area, static_cast<float>(size_.width) / scale_,
          static_cast<float>(size_.height) / scale_};
}

void PanelStage::frame(const std::function<void()>& draw) {
  fonts_->rebuild_if_needed();
  app::apply_panel_style(theme_, *fonts_);
  renderer_->begin_frame();
  input_->begin_frame(std::exchange(events_, {}), size_, scale_, 1.0 / 60);
  ImGui::NewFrame();
  draw();
  ImGui::Render();
  gl_->bind();
  glViewport(0, 0, size_.width, size_.height);
  const render::Color back = theme_.panel;
  glClearColor(static_cast<float>(back.r) / 255, static_cast<float>(back.g) / 255,
               static_cast<float>(back.b) / 255, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  renderer_->draw(*ImGui::GetDrawData(), size_);
  EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
}

void PanelStage::frames(int count, const std::function<void()>& draw) {
  for (int i = 0; i < count; ++i) frame(draw);
}

render::Picture PanelStage::picture(const std::string& name) {
  render::Picture shown = gl_->pixels();
  const char* folder = std::getenv("BYTESCOPE_PICTURES");
  if (folder != nullptr) {
    const auto written = app::write_png(shown, std::string(folder) + "/" + name + ".png");
    EXPECT_TRUE(written.has_value());
  }
  return shown;
}

void PanelStage::move_pointer(float x, float y) {
  InputEvent event;
  event.kind = InputEvent::Kind::mouse_move;
  event.x = x;
  event.y = y;
  events_.push_back(event);
}

void PanelStage::press(bool down) {
  InputEvent event;
  event.kind = InputEvent::Kind::mouse_button;
  event.down = down;
  event.x = ImGui::GetIO().MousePos.x;
  event.y = ImGui::GetIO().MousePos.y;
  events_.push_back(event);
}

void PanelStage::click(float x, float y, const std::function<void()>& draw) {
  move_pointer(x, y);
  frame(draw);
  press(true);
  frame(draw);
  press(false);
  frame(draw);
}

void PanelStage::press_key(app::Key key, const std::function<void()>& draw,
                           app::Modifiers modifiers) {
  for (const bool down : {true, false}) {
    InputEvent event;
    event.kind = InputEvent::Kind::key;
    event.key = key;
    event.down = down;
    event.modifiers = modifiers;
    events_.push_back(event);
    frame(draw);
  }
}

void PanelStage::type(const std::string& ascii, const std::function<void()>& draw) {
  for (const char c : ascii) {
    InputEvent event;
    event.kind = InputEvent::Kind::character;
    event.character = static_cast<char32_t>(c);
    events_.push_back(event);
  }
  frame(draw);
}

std::size_t pixels_unlike(const render::Picture& picture, render::Color color) {
  return static_cast<std::size_t>(
      std::count_if(picture.pixels.begin(), picture.pixels.end(),
                    [color](render::Color pixel) { return !(pixel == color); }));
}

}  // namespace bytescope::tests
