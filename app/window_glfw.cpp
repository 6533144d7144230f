#include "app/window_glfw.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include "app/heap.h"
#include "app/icon.h"
#include "app/keys_glfw.h"
#include "app/steady_clock.h"
#include "render/gl/load.h"

namespace bytescope::app {
namespace {

using Kind = InputEvent::Kind;
using render::gl::PixelSize;

Error glfw_error(std::string_view what) {
  const char* reason = nullptr;
  glfwGetError(&reason);
  return {ErrorKind::machine,
          reason == nullptr ? std::string(what) : fmt::format("{} ({})", what, reason),
          {},
          {}};
}

class GlfwWindow final : public Window {
public:
  GlfwWindow() = default;
  GlfwWindow(const GlfwWindow&) = delete;
  GlfwWindow& operator=(const GlfwWindow&) = delete;
  GlfwWindow(GlfwWindow&&) = delete;
  GlfwWindow& operator=(GlfwWindow&&) = delete;
  ~GlfwWindow() override {
    for (GLFWcursor* cursor : cursors_)
      if (cursor != nullptr) glfwDestroyCursor(cursor);
    if (window_ != nullptr) glfwDestroyWindow(window_);
    if (initialized_) glfwTerminate();
  }

  Expected<void> open(const WindowOptions& options);

  PixelSize framebuffer_size() const override {
    PixelSize out;
    glfwGetFramebufferSize(window_, &out.width, &out.height);
    return out;
  }
  float scale() const override { return display_scale_ * zoom_; }
  void set_zoom(float zoom) override {
    if (zoom == zoom_) return;
    zoom_ = zoom;
    add({.kind = Kind::scale});
    move_mouse_to_pointer();
  }

  void wait_events(double timeout_s) override {
    // Events that came in with something else (a clipboard request, say) are not to be slept over.
    if (timeout_s == 0 || !events_.empty())
      glfwPollEvents();
    else if (timeout_s < 0)
      glfwWaitEvents();
    else
      glfwWaitEventsTimeout(timeout_s);
  }
  std::vector<InputEvent> take_events() override { return std::exchange(events_, {}); }
  void wake_up() override { glfwPostEmptyEvent(); }

  void swap_buffers() override { glfwSwapBuffers(window_); }
  void set_title(const std::string& title) override { glfwSetWindowTitle(window_, title.c_str()); }
  void set_pointer(Pointer pointer) override;

  std::string clipboard_text() override {
    const char* text = glfwGetClipboardString(window_);
    return text == nullptr ? std::string() : text;
  }
  void set_clipboard_text(const std::string& text) override {
    glfwSetClipboardString(window_, text.c_str());
  }

private:
  static GlfwWindow& of(GLFWwindow* window) {
    return *static_cast<GlfwWindow*>(glfwGetWindowUserPointer(window));
  }
  static void set_hints(const WindowOptions& options);
  static std::pair<int, int> size_on_screen(const WindowOptions& options);
  void show_icon();
  void set_callbacks();
  void set_input_callbacks();

  InputEvent& add(InputEvent event) {
    event.x = mouse_x_;
    event.y = mouse_y_;
    event.time_s = steady_seconds();
    events_.push_back(std::move(event));
    return events_.back();
  }
  void move_mouse(double window_x, double window_y);
  void move_mouse_to_pointer() {
    double x = 0;
    double y = 0;
    glfwGetCursorPos(window_, &x, &y);
    move_mouse(x, y);
  }
  void add_button(int button, int action, int modifiers);
  void add_drop(int count, const char** paths);
  void update_scale();

  bool initialized_ = false;
  GLFWwindow* window_ = nullptr;
  std::array<GLFWcursor*, 6> cursors_{};
  Pointer pointer_ = Pointer::arrow;
  std::vector<InputEvent> events_;
  float display_scale_ = 1;
  float zoom_ = 1;
  float mouse_x_ = -1;
  float mouse_y_ = -1;
};

void GlfwWindow::show_icon() {
  std::vector<IconPicture> pictures;
  for (const int side_px : {16, 32, 48, 128}) pictures.push_back(icon_picture(side_px));
  std::vector<GLFWimage> images;
  images.reserve(pictures.size());
  for (IconPicture& picture : pictures)
    images.push_back({picture.side_px, picture.side_px, picture.rgba.data()});
  glfwSetWindowIcon(window_, static_cast<int>(images.size()), images.data());
}

Expected<void> GlfwWindow::open(const WindowOptions& options) {
  if (glfwInit() == GLFW_FALSE)
    return tl::unexpected(
        glfw_error("no display to open a window on; `bytescope screenshot` draws without one"));
  initialized_ = true;
  set_hints(options);
  const auto [width, height] = size_on_screen(options);
  window_ = glfwCreateWindow(width, height, options.title.c_str(), nullptr, nullptr);
  if (window_ == nullptr)
    return tl::unexpected(glfw_error("a window with OpenGL 3.3 cannot be opened here"));
  show_icon();
  glfwMakeContextCurrent(window_);
  if (auto loaded = render::gl::load(glfwGetProcAddress); !loaded) return loaded;
  glfwSwapInterval(1);
  update_scale();
  const auto device = [this](int px) {
    return static_cast<int>(std::lround(static_cast<float>(px) * display_scale_));
  };
  glfwSetWindowSizeLimits(window_, device(options.min_width), device(options.min_height),
                          GLFW_DONT_CARE, GLFW_DONT_CARE);
  glfwSetWindowUserPointer(window_, this);
  set_callbacks();
  set_input_callbacks();
  return {};
}

/// The size that was asked for, or what the first screen has room for. A window manager may still
/// want room for a frame.
std::pair<int, int> GlfwWindow::size_on_screen(const WindowOptions& options) {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  if (monitor == nullptr) return {options.width, options.height};
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
  glfwGetMonitorWorkarea(monitor, &x, &y, &width, &height);
  float x_scale = 1;
  float y_scale = 1;
  glfwGetMonitorContentScale(monitor, &x_scale, &y_scale);
  const auto fitting = [](int wanted, int least, int room, float scale) {
    const int logical = static_cast<int>(static_cast<float>(room) / std::max(scale, 1.0F));
    return std::min(wanted, std::max(logical, least));
  };
  return {fitting(options.width, options.min_width, width, x_scale),
          fitting(options.height, options.min_height, height, y_scale)};
}

void GlfwWindow::set_hints(const WindowOptions& options) {
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);  // macOS gives 3.3 in no other way
  // A depth buffer that nobody uses makes the software rasteriser three times slower.
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  glfwWindowHint(GLFW_ALPHA_BITS, 0);
  glfwWindowHint(GLFW_SAMPLES, 0);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, options.title.c_str());
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, options.title.c_str());
}

void GlfwWindow::set_callbacks() {
  glfwSetFramebufferSizeCallback(
      window_, [](GLFWwindow* window, int, int) { of(window).add({.kind = Kind::resize}); });
  glfwSetWindowContentScaleCallback(window_, [](GLFWwindow* window, float, float) {
    of(window).update_scale();
    of(window).add({.kind = Kind::scale});
  });
  glfwSetWindowRefreshCallback(window_,
                               [](GLFWwindow* window) { of(window).add({.kind = Kind::refresh}); });
  glfwSetWindowFocusCallback(window_, [](GLFWwindow* window, int focused) {
    of(window).add({.kind = Kind::focus, .down = focused == GLFW_TRUE});
  });
  glfwSetWindowCloseCallback(window_, [](GLFWwindow* window) {
    // Whether the window closes is decided by who handles the event.
    glfwSetWindowShouldClose(window, GLFW_FALSE);
    of(window).add({.kind = Kind::close});
  });
  glfwSetDropCallback(window_, [](GLFWwindow* window, int count, const char** paths) {
    of(window).add_drop(count, paths);
  });
}

void GlfwWindow::set_input_callbacks() {
  glfwSetKeyCallback(window_, [](GLFWwindow* window, int key, int, int action, int modifiers) {
    of(window).add({.kind = Kind::key,
                    .key = key_from_glfw(key),
                    .down = action != GLFW_RELEASE,
                    .repeat = action == GLFW_REPEAT,
                    .modifiers = modifiers_with(window, key, modifiers)});
  });
  glfwSetCharCallback(window_, [](GLFWwindow* window, unsigned character) {
    of(window).add({.kind = Kind::character, .character = static_cast<char32_t>(character)});
  });
  glfwSetCursorPosCallback(
      window_, [](GLFWwindow* window, double x, double y) { of(window).move_mouse(x, y); });
  glfwSetCursorEnterCallback(window_, [](GLFWwindow* window, int entered) {
    if (entered == GLFW_FALSE) of(window).add({.kind = Kind::mouse_leave});
  });
  glfwSetMouseButtonCallback(window_,
                             [](GLFWwindow* window, int button, int action, int modifiers) {
                               of(window).add_button(button, action, modifiers);
                             });
  glfwSetScrollCallback(window_, [](GLFWwindow* window, double x, double y) {
    InputEvent& event = of(window).add({.kind = Kind::scroll});
    event.scroll_x = -static_cast<float>(x);  // GLFW counts to the left
    event.scroll_y = static_cast<float>(y);
    event.modifiers = held_modifiers(window);
  });
}

// GLFW counts in screen coordinates, which are device pixels on X11 and Windows and larger
// elsewhere.
void GlfwWindow::move_mouse(double window_x, double window_y) {
  int window_width = 0;
  glfwGetWindowSize(window_, &window_width, nullptr);
  const double device_per_screen =
      window_width > 0 ? static_cast<double>(framebuffer_size().width) / window_width : 1;
  const double logical_per_screen = device_per_screen / static_cast<double>(scale());
  const auto x = static_cast<float>(window_x * logical_per_screen);
  const auto y = static_cast<float>(window_y * logical_per_screen);
  if (x == mouse_x_ && y == mouse_y_) return;
  mouse_x_ = x;
  mouse_y_ = y;
  // Only the last of several moves in a row matters, and a fast mouse sends a thousand a second.
  if (!events_.empty() && events_.back().kind == Kind::mouse_move) events_.pop_back();
  add({.kind = Kind::mouse_move});
}

void GlfwWindow::add_button(int button, int action, int modifiers) {
  if (button < 0 || button >= static_cast<int>(mouse_button_count)) return;
  // The pointer may have been moved without an event (a window that just opened under it).
  move_mouse_to_pointer();
  add({.kind = Kind::mouse_button,
       .down = action == GLFW_PRESS,
       .modifiers = modifiers_from_glfw(modifiers),
       .button = static_cast<MouseButton>(button)});
}

void GlfwWindow::add_drop(int count, const char** paths) {
  InputEvent event{.kind = Kind::drop};
  event.paths.assign(paths, paths + count);
  add(std::move(event));
}

void GlfwWindow::update_scale() {
  float x = 1;
  float y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  const float larger = std::max(x, y);
  display_scale_ = larger > 0 ? std::clamp(larger, 0.5F, 8.0F) : 1.0F;
}

void GlfwWindow::set_pointer(Pointer pointer) {
  if (pointer == pointer_) return;
  pointer_ = pointer;
  constexpr std::array shapes{GLFW_ARROW_CURSOR,   GLFW_IBEAM_CURSOR,   GLFW_HAND_CURSOR,
                              GLFW_HRESIZE_CURSOR, GLFW_VRESIZE_CURSOR, GLFW_CROSSHAIR_CURSOR};
  const auto at = static_cast<std::size_t>(pointer);
  GLFWcursor*& cursor = cursors_.at(at);
  if (cursor == nullptr) cursor = glfwCreateStandardCursor(shapes.at(at));
  glfwSetCursor(window_, cursor);
}

}  // namespace

Expected<std::unique_ptr<Window>> Window::create(const WindowOptions& options) {
  keep_freed_memory();
  auto out = std::make_unique<GlfwWindow>();
  if (auto opened = out->open(options); !opened) return tl::unexpected(opened.error());
  return out;
}

}  // namespace bytescope::app
