#include "app/screen.h"

#include <algorithm>
#include <utility>

#include <imgui.h>

#include "app/draw_curves.h"
#include "app/draw_labels.h"
#include "app/panels/panel_style.h"

namespace bytescope::app {

namespace {

/// Curves and labels of a scene: they keep inside their clips, whatever is painted over them.
void draw_texts(const render::Scene& scene, Fonts& fonts) {
  draw_curves(*ImGui::GetBackgroundDrawList(), scene.curves);
  draw_labels(*ImGui::GetBackgroundDrawList(), scene.labels, fonts);
  for (const render::Scene& over : scene.over) draw_texts(over, fonts);
}

}  // namespace

/// Owns ImGui's context.
struct Screen::Context {
  Context() : imgui(ImGui::CreateContext()) {
    ImGui::SetCurrentContext(imgui);
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().LogFilename = nullptr;
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  Context(Context&&) = delete;
  Context& operator=(Context&&) = delete;
  ~Context() {
    ImGui::SetCurrentContext(imgui);
    ImGui::DestroyContext(imgui);
  }
  ImGuiContext* imgui;
};

Screen::Screen(render::gl::SceneRenderer renderer)
    : context_(std::make_unique<Context>()), renderer_(std::move(renderer)) {}

Screen::~Screen() {
  ImGui::SetCurrentContext(context_->imgui);
  input_.reset();
  fonts_.reset();
  widgets_.reset();
}

Expected<std::unique_ptr<Screen>> Screen::create(Clipboard& clipboard, float scale) {
  auto renderer = render::gl::SceneRenderer::create();
  if (!renderer) return tl::make_unexpected(renderer.error());
  std::unique_ptr<Screen> screen(new Screen(std::move(*renderer)));
  auto imgui_renderer = ImGuiRenderer::create();
  if (!imgui_renderer) return tl::make_unexpected(imgui_renderer.error());
  screen->imgui_renderer_.emplace(std::move(*imgui_renderer));
  screen->fonts_ = std::make_unique<Fonts>(*ImGui::GetIO().Fonts, scale);
  screen->input_ = std::make_unique<ImGuiInput>(clipboard);
  return screen;
}

void Screen::draw(Viewer& viewer, std::span<const InputEvent> events, render::gl::PixelSize size,
                  float scale, double now_s) {
  build(viewer, events, size, scale, now_s);
  paint(viewer, size, scale);
}

void Screen::build(Viewer& viewer, std::span<const InputEvent> events, render::gl::PixelSize size,
                   float scale, double now_s) {
  ImGui::SetCurrentContext(context_->imgui);
  fonts_->set_scale(scale);
  fonts_->rebuild_if_needed();
  apply_panel_style(viewer.theme(), *fonts_);
  imgui_renderer_->begin_frame();
  input_->begin_frame(events, size, scale, std::clamp(now_s - last_s_, 1e-4, 0.1));
  last_s_ = now_s;
  ImGui::NewFrame();
  viewer.frame(*fonts_, static_cast<float>(size.width) / scale,
               static_cast<float>(size.height) / scale, scale, now_s);
  draw_texts(viewer.scene(), *fonts_);
  ImGui::Render();
}

void Screen::paint(const Viewer& viewer, render::gl::PixelSize size, float scale) {
  renderer_.draw(viewer.scene(), size, scale);
  imgui_renderer_->draw(*ImGui::GetDrawData(), size);
}

bool Screen::wants_another_frame() const {
  return fonts_->rebuild_wanted() || input_->wants_another_frame();
}

}  // namespace bytescope::app
