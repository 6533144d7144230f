#include "tests/window/x_screen.h"

#include <algorithm>
#include <cstdlib>
#include <map>

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
// Xlib's macros for everyday words.
#undef None
#undef Bool
#undef Status
#undef Success
#include <gtest/gtest.h>

namespace bytescope::tests {
namespace {

constexpr int tolerance = 24;

// A window may be gone when a request arrives; the tests then see that something is missing.
int ignore_error(Display*, XErrorEvent*) { return 0; }

int channel(std::uint32_t color, int shift) { return static_cast<int>((color >> shift) & 0xFFU); }

bool differ(std::uint32_t a, std::uint32_t b) {
  for (const int shift : {0, 8, 16}) {
    if (std::abs(channel(a, shift) - channel(b, shift)) > tolerance) return true;
  }
  return false;
}

/// The items of a property, each of 8 bits or a long; empty where there is none.
template <class Item>
std::vector<Item> property(Display* display, Window window, Atom name) {
  constexpr long most = 1 << 20;
  Atom type = 0;
  int format = 0;
  unsigned long count = 0;
  unsigned long left = 0;
  unsigned char* bytes = nullptr;
  const int failed = XGetWindowProperty(display, window, name, 0, most, 0, AnyPropertyType, &type,
                                        &format, &count, &left, &bytes);
  if (failed != 0 || bytes == nullptr) return {};
  const auto* items = reinterpret_cast<const Item*>(bytes);
  std::vector<Item> result(items, items + count);
  XFree(bytes);
  return result;
}

}  // namespace

struct XScreen::Connection {
  Display* display = nullptr;
  Atom atom(const char* name) const { return XInternAtom(display, name, 0); }
};

XScreen::XScreen(const std::string& display) : connection_(std::make_unique<Connection>()) {
  XSetErrorHandler(ignore_error);
  connection_->display = XOpenDisplay(display.c_str());
  EXPECT_NE(connection_->display, nullptr) << display;
}

XScreen::~XScreen() {
  if (connection_->display != nullptr) XCloseDisplay(connection_->display);
}

std::optional<unsigned long> XScreen::window() const {
  Display* display = connection_->display;
  Window root = 0;
  Window parent = 0;
  Window* children = nullptr;
  unsigned count = 0;
  std::vector<Window> found;
  if (XQueryTree(display, DefaultRootWindow(display), &root, &parent, &children, &count) != 0) {
    for (unsigned i = 0; i < count; ++i) {
      XWindowAttributes attributes;
      if (XGetWindowAttributes(display, children[i], &attributes) != 0 &&
          attributes.map_state == IsViewable && !title(children[i]).empty())
        found.push_back(children[i]);
    }
  }
  if (children != nullptr) XFree(children);
  return found.size() == 1 ? std::optional<unsigned long>(found[0]) : std::nullopt;
}

std::string XScreen::title(unsigned long window) const {
  const auto text = property<char>(connection_->display, window, connection_->atom("_NET_WM_NAME"));
  return {text.begin(), text.end()};
}

std::string XScreen::class_name(unsigned long window) const {
  XClassHint hint{};
  if (XGetClassHint(connection_->display, window, &hint) == 0) return {};
  std::string name = hint.res_class;
  XFree(hint.res_name);
  XFree(hint.res_class);
  return name;
}

std::vector<int> XScreen::icon_sides(unsigned long window) const {
  const auto items =
      property<unsigned long>(connection_->display, window, connection_->atom("_NET_WM_ICON"));
  std::vector<int> sides;
  for (std::size_t at = 0; at + 1 < items.size(); at += 2 + items[at] * items[at + 1])
    sides.push_back(static_cast<int>(items[at]));
  return sides;
}

std::pair<int, int> XScreen::size(unsigned long window) const {
  XWindowAttributes is{};
  XGetWindowAttributes(connection_->display, window, &is);
  return {is.width, is.height};
}

ScreenPicture XScreen::picture() const {
  Display* display = connection_->display;
  ScreenPicture result;
  result.width = DisplayWidth(display, 0);
  result.height = DisplayHeight(display, 0);
  XImage* image =
      XGetImage(display, DefaultRootWindow(display), 0, 0, static_cast<unsigned>(result.width),
                static_cast<unsigned>(result.height), AllPlanes, ZPixmap);
  if (image == nullptr) return {};
  for (int y = 0; y < result.height; ++y) {
    for (int x = 0; x < result.width; ++x)
      result.pixels.push_back(static_cast<std::uint32_t>(XGetPixel(image, x, y)) & 0xFFFFFFU);
  }
  XDestroyImage(image);
  return result;
}

void XScreen::place(unsigned long window, int width, int height) const {
  Display* display = connection_->display;
  XMoveResizeWindow(display, window, 0, 0, static_cast<unsigned>(width),
                    static_cast<unsigned>(height));
  XSetInputFocus(display, window, RevertToParent, CurrentTime);
  XSync(display, 0);
}

void XScreen::ask_to_close(unsigned long window) const {
  XEvent event{};
  event.xclient.type = ClientMessage;
  event.xclient.window = window;
  event.xclient.message_type = connection_->atom("WM_PROTOCOLS");
  event.xclient.format = 32;
  event.xclient.data.l[0] = static_cast<long>(connection_->atom("WM_DELETE_WINDOW"));
  XSendEvent(connection_->display, window, 0, NoEventMask, &event);
  XSync(connection_->display, 0);
}

double difference(const ScreenPicture& a, const ScreenPicture& b, const ScreenPart& part) {
  if (a.width != b.width || a.height != b.height || a.pixels.empty()) return 1;
  int count = 0;
  for (int y = part.y0; y < part.y1; ++y) {
    for (int x = part.x0; x < part.x1; ++x) count += differ(a.at(x, y), b.at(x, y)) ? 1 : 0;
  }
  return static_cast<double>(count) / ((part.x1 - part.x0) * (part.y1 - part.y0));
}

double filled_share(const ScreenPicture& picture, const ScreenPart& part) {
  if (picture.pixels.empty()) return 0;
  std::map<std::uint32_t, int> counts;
  for (int y = part.y0; y < part.y1; ++y) {
    for (int x = part.x0; x < part.x1; ++x) ++counts[picture.at(x, y)];
  }
  int most = 0;
  for (const auto& [color, count] : counts) most = std::max(most, count);
  return 1 - static_cast<double>(most) / ((part.x1 - part.x0) * (part.y1 - part.y0));
}

}  // namespace bytescope::tests
