#pragma once

#include <memory>
#include <optional>
#include <span>

#include "app/fonts.h"
#include "app/imgui_input.h"
#include "app/imgui_renderer.h"
#include "app/input.h"
#include "app/viewer.h"
#include "core/error.h"
#include "render/gl/scene_renderer.h"

struct ImGuiContext;

namespace bytescope::app {

/// Draws a viewer's frames into whatever framebuffer is bound: ImGui's context, fonts and renderer,
/// and ours. The same in a window and without one. Needs a current GL context with its functions
/// loaded.
class Screen {
public:
  /// `clipboard` must outlive the screen.
  static Expected<std::unique_ptr<Screen>> create(Clipboard& clipboard, float scale);

  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;
  Screen(Screen&&) = delete;
  Screen& operator=(Screen&&) = delete;
  ~Screen();

  /// Builds and draws one frame. `events` are those that the viewer was given since the last one.
  void draw(Viewer& viewer, std::span<const InputEvent> events, render::gl::PixelSize size,
            float scale, double now_s);
  /// The parts of draw(), for measuring: building is the work of the window's thread, painting that
  /// of GL.
  void build(Viewer& viewer, std::span<const InputEvent> events, render::gl::PixelSize size,
             float scale, double now_s);
  void paint(const Viewer& viewer, render::gl::PixelSize size, float scale);
  /// Whether the frame that was drawn lacks characters, or a widget wants to see another one.
  bool wants_another_frame() const;

private:
  explicit Screen(render::gl::SceneRenderer renderer);

  struct Context;
  std::unique_ptr<Context> context_;
  std::unique_ptr<Fonts> fonts_;
  std::unique_ptr<ImGuiInput> input_;
  render::gl::SceneRenderer renderer_;
  std::unique_ptr<ImGuiRenderer> widgets_;
  std::optional<ImGuiRenderer> imgui_renderer_;
  double last_s_ = 0;
};

}  // namespace bytescope::app
