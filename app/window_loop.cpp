#include "app/window_loop.h"

#include <algorithm>
#include <memory>

#include <imgui.h>

#include "app/screen.h"
#include "app/steady_clock.h"
#include "app/viewer.h"
#include "app/window_glfw.h"
#include "render/theme.h"

namespace bytescope::app {
namespace {

/// After an event ImGui's widgets need a second frame to settle (hovering, closing popups).
constexpr int frames_after_event = 2;
/// While something loads the picture follows it at this pace.
constexpr double loading_pace_s = 0.05;

/// The shape of the pointer that the last frame asked for.
Pointer wanted_pointer() {
  switch (ImGui::GetMouseCursor()) {
    case ImGuiMouseCursor_TextInput: return Pointer::text;
    case ImGuiMouseCursor_Hand: return Pointer::hand;
    case ImGuiMouseCursor_ResizeNS: return Pointer::resize_vertical;
    case ImGuiMouseCursor_ResizeEW: return Pointer::resize_horizontal;
    default: return Pointer::arrow;
  }
}

/// The loop of one window.
class WindowLoop {
public:
  WindowLoop(std::unique_ptr<Window> window, std::unique_ptr<Screen> screen)
      : window_(std::move(window)),
        screen_(std::move(screen)),
        viewer_(render::dark_theme(), *window_, [window = window_.get()] { window->wake_up(); }) {}

  void open(const std::vector<std::string>& files) {
    for (const std::string& file : files) viewer_.open(file);
  }

  void run() {
    int frames_wanted = frames_after_event;
    while (!viewer_.quit_requested()) {
      window_->wait_events(frames_wanted > 0 ? 0 : viewer_.wants_frame() ? loading_pace_s : -1);
      const std::vector<InputEvent> events = window_->take_events();
      for (const InputEvent& event : events) viewer_.handle(event);
      viewer_.poll();
      frames_wanted = events.empty() ? frames_wanted - 1 : frames_after_event;
      draw(events);
      if (screen_->wants_another_frame()) frames_wanted = std::max(frames_wanted, 1);
    }
  }

private:
  void draw(const std::vector<InputEvent>& events) {
    window_->set_zoom(viewer_.zoom());
    screen_->draw(viewer_, events, window_->framebuffer_size(), window_->scale(), steady_seconds());
    window_->set_pointer(wanted_pointer());
    window_->swap_buffers();
    if (viewer_.title() != title_) window_->set_title(title_ = viewer_.title());
  }

  std::unique_ptr<Window> window_;
  std::unique_ptr<Screen> screen_;
  Viewer viewer_;
  std::string title_;
};

}  // namespace

Expected<void> run_window(const std::vector<std::string>& files) {
  auto window = Window::create({});
  if (!window) return tl::make_unexpected(window.error());
  auto screen = Screen::create(**window, (*window)->scale());
  if (!screen) return tl::make_unexpected(screen.error());
  WindowLoop loop(std::move(*window), std::move(*screen));
  loop.open(files);
  loop.run();
  return {};
}

}  // namespace bytescope::app
