#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/fonts.h"
#include "app/imgui_input.h"
#include "app/imgui_renderer.h"
#include "app/input.h"
#include "app/offscreen_egl.h"
#include "app/panels/panel_context.h"
#include "render/theme.h"
#include "tests/app/imgui_session.h"

namespace bytescope::tests {

/// A window without a screen on which panels are drawn: pointer and keys are made up, the picture
/// can be looked at.
class PanelStage {
public:
  explicit PanelStage(render::gl::PixelSize size, bool dark = true, float scale = 1);
  PanelStage(const PanelStage&) = delete;
  PanelStage& operator=(const PanelStage&) = delete;
  PanelStage(PanelStage&&) = delete;
  PanelStage& operator=(PanelStage&&) = delete;
  ~PanelStage();

  const render::Theme& theme() const { return theme_; }
  /// Of the whole window.
  app::PanelContext context();
  app::PanelContext context(const render::Box& area);

  /// One frame: `draw` calls the panels. What lies behind them has the panel's colour.
  void frame(const std::function<void()>& draw);
  /// So many of them; windows of ImGui take two to settle.
  void frames(int count, const std::function<void()>& draw);
  /// The last frame. Saved as NAME.png in $BYTESCOPE_PICTURES where that is set.
  render::Picture picture(const std::string& name);

  /// Something that the next frame sees.
  void feed(const app::InputEvent& event) { events_.push_back(event); }
  void move_pointer(float x, float y);
  void press(bool down);
  /// Frames that move the pointer there, press, and let go.
  void click(float x, float y, const std::function<void()>& draw);
  void press_key(app::Key key, const std::function<void()>& draw, app::Modifiers modifiers = {});
  void type(const std::string& ascii, const std::function<void()>& draw);

private:
  render::gl::PixelSize size_;
  float scale_;
  const render::Theme& theme_;
  std::unique_ptr<app::OffscreenContext> gl_;
  app::ImGuiSession session_;
  app::MemoryClipboard clipboard_;
  std::unique_ptr<app::Fonts> fonts_;
  std::unique_ptr<app::ImGuiInput> input_;
  std::optional<app::ImGuiRenderer> renderer_;
  std::vector<app::InputEvent> events_;
};

/// How many pixels of a picture differ from `color`.
std::size_t pixels_unlike(const render::Picture& picture, render::Color color);

}  // namespace bytescope::tests
