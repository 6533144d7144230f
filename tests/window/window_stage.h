#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/offscreen_viewer.h"
#include "tests/support/temporary_folder.h"
#include "tests/window/child.h"
#include "tests/window/x_screen.h"

namespace bytescope::tests {

/// Size of the screen of the X server, and of the window unless a test changes it.
constexpr int screen_width = 1280;
constexpr int screen_height = 720;

/// A place of the window in pixels.
struct Place {
  int x = 0;
  int y = 0;
};

/// In the status bar, where the pointer changes nothing.
constexpr Place nowhere = {screen_width / 2, screen_height - 5};

/// The X server that all cases share, on a display that was free.
class XServer {
public:
  /// With that many dots an inch in its resources; 0 for none there. Null when it does not start.
  static std::unique_ptr<XServer> start(int dpi = 0);
  /// Where it is, ":7".
  const std::string& display() const { return display_; }

private:
  XServer(Child server, std::string display)
      : server_(std::move(server)), display_(std::move(display)) {}
  Child server_;
  std::string display_;
};

/// Where things are in a window of the screen's size that shows a trace as it opens: asked of the
/// same code, drawing without a screen.
class Plan {
public:
  explicit Plan(const std::string& path);

  ScreenPart tracks() const;
  ScreenPart panel() const;
  /// Where the panel of answers is once it is open.
  ScreenPart dock() const;
  /// The right part of the tracks' area, where no tooltip or name reaches.
  ScreenPart below_rows() const;
  /// The middle of a track's name.
  Place name_of(const std::string& track) const;
  /// The middle of the longest span of a track.
  Place longest_span(const std::string& track) const;

private:
  std::uint32_t number_of(const std::string& track) const;
  app::DocumentView& view() const { return *stage_->viewer().active(); }

  std::unique_ptr<app::OffscreenViewer> stage_;
};

/// The built program with a window on the X server, and hands on its mouse and keyboard.
class WindowStage {
public:
  /// Starts it with these arguments, waits until its window rests, as large as the screen.
  /// `environment` ("NAME=VALUE") says what is not as on a bare machine.
  WindowStage(const XServer& server, const std::vector<std::string>& files,
              const std::vector<std::string>& environment = {});
  WindowStage(const WindowStage&) = delete;
  WindowStage& operator=(const WindowStage&) = delete;
  WindowStage(WindowStage&&) = delete;
  WindowStage& operator=(WindowStage&&) = delete;
  ~WindowStage();

  Child& program() { return program_; }
  const XScreen& screen() const { return screen_; }
  unsigned long window() const { return window_; }
  /// How large it opened by itself.
  std::pair<int, int> first_size() const { return first_size_; }
  const std::string& display() const { return display_; }

  /// Does what xdotool's commands say, one after another.
  void xdotool(std::vector<std::string> arguments) const;
  /// "ctrl+q", "question", "w", several one after another.
  void keys(const std::vector<std::string>& names) const;
  void type(const std::string& text) const;
  void move(Place place) const;
  /// Moves there and presses and lets go; 4 and 5 are the wheel, up and down.
  void click(Place place, int button = 1, int times = 1) const;
  /// Presses at one place, moves in a few steps, lets go at the other.
  void drag(Place from, Place to) const;

  /// What the program keeps for its next run; empty while there is nothing.
  std::string remembered() const;
  std::string title() const { return screen_.title(window_); }
  /// The picture once nothing moves any more.
  ScreenPicture settled();
  /// Looks again and again until it is so, for at most fifteen seconds; answers whether it is.
  bool becomes(const std::function<bool()>& so) const;
  /// Whether the title becomes that of the file, or of the start page for an empty one.
  bool shows(const std::string& file_name) const;
  /// Whether a part of the picture comes to differ from an old one by more than that share, or to
  /// be as it was.
  bool changes(const ScreenPicture& old, const ScreenPart& part, double share = 0.01) const;
  bool returns_to(const ScreenPicture& old, const ScreenPart& part) const;

private:
  std::string display_;
  XScreen screen_;
  TemporaryFolder folder_;
  std::string output_path_;
  Child program_;
  unsigned long window_ = 0;
  std::pair<int, int> first_size_;
};

}  // namespace bytescope::tests
