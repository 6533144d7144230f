#include "tests/window/xdnd_drop.h"

#include <array>
#include <cctype>
#include <chrono>
#include <thread>

#include <X11/Xatom.h>
#include <X11/Xlib.h>

namespace bytescope::tests {
namespace {

constexpr long version = 5;

/// The file's address as text/uri-list wants it: what is no plain letter is escaped.
std::string uri(const std::string& path) {
  constexpr const char* digits = "0123456789ABCDEF";
  std::string result = "file://";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = std::isalnum(byte) != 0 || c == '/' || c == '.' || c == '-' || c == '_';
    if (plain) {
      result += c;
    } else {
      result += {'%', digits[byte >> 4U], digits[byte & 15U]};
    }
  }
  return result + "\r\n";
}

class DragSource {
public:
  DragSource(Display* display, Window target) : display_(display), target_(target) {
    window_ = XCreateSimpleWindow(display_, DefaultRootWindow(display_), 0, 0, 1, 1, 0, 0, 0);
  }
  DragSource(const DragSource&) = delete;
  DragSource& operator=(const DragSource&) = delete;
  DragSource(DragSource&&) = delete;
  DragSource& operator=(DragSource&&) = delete;
  ~DragSource() { XDestroyWindow(display_, window_); }

  DropResult drop(int x, int y, const std::string& uris) {
    XSetSelectionOwner(display_, atom("XdndSelection"), window_, CurrentTime);
    const auto list = static_cast<long>(atom("text/uri-list"));
    send("XdndEnter", {version << 24, list, 0, 0});
    send("XdndPosition",
         {0, (long{x} << 16) | y, CurrentTime, static_cast<long>(atom("XdndActionCopy"))});
    if (!wait_for("XdndStatus", uris) || !result_.accepted) return result_;
    send("XdndDrop", {0, CurrentTime, 0, 0});
    wait_for("XdndFinished", uris);
    return result_;
  }

private:
  Atom atom(const char* name) const { return XInternAtom(display_, name, False); }

  /// A message to the target; its first word is always the source's window.
  void send(const char* type, const std::array<long, 4>& words) {
    XEvent event{};
    event.xclient.type = ClientMessage;
    event.xclient.window = target_;
    event.xclient.message_type = atom(type);
    event.xclient.format = 32;
    event.xclient.data.l[0] = static_cast<long>(window_);
    for (std::size_t i = 0; i < words.size(); ++i) event.xclient.data.l[i + 1] = words[i];
    XSendEvent(display_, target_, False, NoEventMask, &event);
    XFlush(display_);
  }

  /// Answers what the target asks until its message `type` comes; whether it came in time.
  bool wait_for(const char* type, const std::string& uris) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (std::chrono::steady_clock::now() < end) {
      if (XPending(display_) == 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        continue;
      }
      XEvent event;
      XNextEvent(display_, &event);
      if (event.type == SelectionRequest) give(event.xselectionrequest, uris);
      if (event.type != ClientMessage || event.xclient.message_type != atom(type)) continue;
      // Whether a drop was taken is said in bit 0 of a status; GLFW fills the same word of the end
      // with the length of the list.
      if (event.xclient.message_type == atom("XdndStatus"))
        result_.accepted = (event.xclient.data.l[1] & 1) != 0;
      else
        result_.finished = true;
      return true;
    }
    return false;
  }

  void give(const XSelectionRequestEvent& request, const std::string& uris) {
    XChangeProperty(display_, request.requestor, request.property, request.target, 8,
                    PropModeReplace, reinterpret_cast<const unsigned char*>(uris.data()),
                    static_cast<int>(uris.size()));
    XEvent answer{};
    answer.xselection.type = SelectionNotify;
    answer.xselection.requestor = request.requestor;
    answer.xselection.selection = request.selection;
    answer.xselection.target = request.target;
    answer.xselection.property = request.property;
    answer.xselection.time = request.time;
    XSendEvent(display_, request.requestor, False, NoEventMask, &answer);
    XFlush(display_);
    result_.asked = true;
  }

  Display* display_;
  Window target_;
  Window window_ = 0;
  DropResult result_;
};

}  // namespace

DropResult drop_files(const std::string& display, unsigned long target, int x, int y,
                      const std::vector<std::string>& paths) {
  Display* connection = XOpenDisplay(display.c_str());
  if (connection == nullptr) return {};
  std::string uris;
  for (const std::string& path : paths) uris += uri(path);
  const DropResult result = DragSource(connection, target).drop(x, y, uris);
  XCloseDisplay(connection);
  return result;
}

}  // namespace bytescope::tests
