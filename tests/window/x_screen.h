#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bytescope::tests {

/// What a screen shows: 0xRRGGBB, row by row from the top.
struct ScreenPicture {
  int width = 0;
  int height = 0;
  std::vector<std::uint32_t> pixels;
  std::uint32_t at(int x, int y) const {
    return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(x)];
  }
};

/// A part of the screen in pixels, the right and lower edges excluded.
struct ScreenPart {
  int x0 = 0;
  int y0 = 0;
  int x1 = 0;
  int y1 = 0;
};

/// A connection to an X server, to look at its screen and to do what a window manager would.
class XScreen {
public:
  /// A test failure when there is no such display.
  explicit XScreen(const std::string& display);
  XScreen(const XScreen&) = delete;
  XScreen& operator=(const XScreen&) = delete;
  XScreen(XScreen&&) = delete;
  XScreen& operator=(XScreen&&) = delete;
  ~XScreen();

  /// The window on the screen that shows and has a title, if there is exactly one.
  std::optional<unsigned long> window() const;
  /// Its title in UTF-8; empty when it is gone.
  std::string title(unsigned long window) const;
  /// The class by which desktops tell programs apart.
  std::string class_name(unsigned long window) const;
  /// Sides in pixels of the icons that a window brings.
  std::vector<int> icon_sides(unsigned long window) const;
  /// Its size in pixels.
  std::pair<int, int> size(unsigned long window) const;
  /// The whole screen.
  ScreenPicture picture() const;

  /// Moves it to the upper left corner, gives it a size and the keyboard.
  void place(unsigned long window, int width, int height) const;
  /// Asks a window to close, as the cross of its frame would.
  void ask_to_close(unsigned long window) const;

private:
  struct Connection;
  std::unique_ptr<Connection> connection_;
};

/// The share of pixels of a part that differ by more than 24 in a channel.
double difference(const ScreenPicture& a, const ScreenPicture& b, const ScreenPart& part);

/// The share of pixels of a part that differ from its most frequent colour.
double filled_share(const ScreenPicture& picture, const ScreenPart& part);

}  // namespace bytescope::tests
