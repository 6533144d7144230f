#include "app/window_loop.h"

#include <algorithm>
#include <memory>

#include <imgui.h>

#include "app/desktop_theme.h"
#include "app/remembered_file.h"
#include "app/screen.h"
#include "app/settings_file.h"
#include "app/steady_clock.h"
#include "app/view_picture.h"
#include "app/viewer.h"
#include "app/waiting_pace.h"
#include "app/window_glfw.h"
#include "render/gl/picture_target.h"
#include "render/theme.h"

namespace bytescope::app {
namespace {

/// After an event ImGui's widgets need a second frame to settle (hovering, closing popups).
constexpr int frames_after_event = 2;
/// While somebody works, what is to be remembered is written that often: a crash loses no more.
constexpr double remembering_pace_s = 2;

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
  WindowLoop(std::unique_ptr<Window> window, std::unique_ptr<Screen> screen,
             const render::Theme& theme)
      : window_(std::move(window)),
        screen_(std::move(screen)),
        viewer_(theme, *window_, [window = window_.get()] { window->wake_up(); }) {}

  /// Goes on from an earlier run, and keeps for the next one in that file.
  void recall(const std::string& path, Recalled recalled) {
    path_ = path;
    written_ = recalled.remembered;
    viewer_.recall(std::move(recalled.remembered));
    notice_ = std::move(recalled.notice);
    viewer_.tell(notice_);
  }

  void set_motion(bool moves) { viewer_.set_motion(moves); }

  void set(const std::string& path, SettingsFound found) {
    viewer_.set_settings_path(path);
    viewer_.set_keys(std::move(found.settings.keys));
    if (found.notice.empty()) return;
    viewer_.tell(notice_.empty() ? found.notice : notice_ + "; " + found.notice);
  }

  void open(const std::vector<std::string>& files, bool together) {
    if (together && files.size() > 1) return viewer_.open_together(files);
    for (const std::string& file : files) viewer_.open(file);
  }

  /// Until somebody quits; an error when the last that is to be remembered cannot be written.
  Expected<void> run() {
    while (!viewer_.quit_requested()) {
      window_->wait_events(frames_wanted_ > 0 ? 0 : rest_s());
      const std::vector<InputEvent> events = window_->take_events();
      for (const InputEvent& event : events) viewer_.handle(event);
      viewer_.poll();
      frames_wanted_ = events.empty() ? frames_wanted_ - 1 : frames_after_event;
      draw(events);
      if (screen_->wants_another_frame()) frames_wanted_ = std::max(frames_wanted_, 1);
      touched_ = touched_ || !events.empty();
      if (touched_ && steady_seconds() - looked_at_s_ > remembering_pace_s) remember();
    }
    return remember();
  }

private:
  /// How long to wait for an event, in seconds, before the next frame; negative: until one comes.
  double rest_s() const {
    if (viewer_.is_moving()) return moving_pace_s(drawn_in_s_);
    if (viewer_.wants_frame()) return waiting_pace_s(drawn_in_s_);
    const double next_frame_s = viewer_.next_frame_in_s().value_or(-1);
    if (!touched_) return next_frame_s;
    return next_frame_s < 0 ? remembering_pace_s : std::min(next_frame_s, remembering_pace_s);
  }

  /// Writes what has changed. What cannot be written is told of once, and tried again.
  Expected<void> remember() {
    looked_at_s_ = steady_seconds();
    touched_ = false;
    if (path_.empty()) return {};
    Remembered now = viewer_.remembered();
    const float px = window_->scale() / viewer_.zoom();
    now.window_width = static_cast<int>(static_cast<float>(window_->framebuffer_size().width) / px);
    now.window_height =
        static_cast<int>(static_cast<float>(window_->framebuffer_size().height) / px);
    if (now == written_) return {};
    auto done = remember_in(path_, merged(written_, now, recall_from(path_).remembered));
    if (done) {
      written_ = std::move(now);
    } else if (!has_told_) {
      viewer_.tell("Nothing can be remembered: " + text(done.error()));
      frames_wanted_ = frames_after_event;
    }
    has_told_ = !done;
    return done;
  }

  void draw(const std::vector<InputEvent>& events) {
    const double begin_s = steady_seconds();
    window_->set_zoom(viewer_.zoom());
    screen_->draw(viewer_, events, window_->framebuffer_size(), window_->scale(), steady_seconds());
    if (save_wanted_picture(*screen_, viewer_, window_->framebuffer_size(), window_->scale())) {
      render::gl::bind_window();
      screen_->draw(viewer_, {}, window_->framebuffer_size(), window_->scale(), steady_seconds());
    }
    window_->set_pointer(wanted_pointer());
    window_->swap_buffers();
    viewer_.note_painted();
    drawn_in_s_ = steady_seconds() - begin_s;
    if (viewer_.title() != title_) window_->set_title(title_ = viewer_.title());
  }

  std::unique_ptr<Window> window_;
  std::unique_ptr<Screen> screen_;
  Viewer viewer_;
  std::string title_;
  std::string notice_;     // of what was remembered
  std::string path_;       // where to remember; empty: nowhere
  Remembered written_;     // what is in that file of ours
  double drawn_in_s_ = 0;  // the last frame
  double looked_at_s_ = 0;
  bool touched_ = false;   // something happened since then
  bool has_told_ = false;  // that it cannot be written
  int frames_wanted_ = frames_after_event;
};

}  // namespace

Expected<void> run_window(const std::vector<std::string>& files, bool together) {
  const auto path = remembered_path();
  Recalled recalled = path ? recall_from(*path) : Recalled();
  WindowOptions options;
  options.width = recalled.remembered.window_width;
  options.height = recalled.remembered.window_height;
  auto window = Window::create(options);
  if (!window) return tl::make_unexpected(window.error());
  auto screen = Screen::create(**window, (*window)->scale());
  if (!screen) return tl::make_unexpected(screen.error());
  DesktopWishes wishes;
  if (!recalled.remembered.light || !recalled.remembered.motion) wishes = desktop_wishes();
  const bool light = recalled.remembered.light.value_or(wishes.light.value_or(false));
  const bool moves = recalled.remembered.motion.value_or(!wishes.less_motion.value_or(false));
  WindowLoop loop(std::move(*window), std::move(*screen),
                  light ? render::light_theme() : render::dark_theme());
  loop.recall(path.value_or(""), std::move(recalled));
  loop.set_motion(moves);
  if (const auto settings = settings_path()) loop.set(*settings, settings_of(*settings));
  loop.open(files, together);
  return loop.run();
}

}  // namespace bytescope::app
