#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/commands/bench_limits.h"
#include "app/offscreen_viewer.h"
#include "core/cancel.h"

namespace bytescope::app {

/// A distribution of CPU times in milliseconds.
struct Spread {
  double p50 = 0;
  double p99 = 0;
  double max = 0;
};

/// One part of the tour.
struct LegResult {
  std::string name;
  std::size_t frames = 0;
  Spread build_cpu_ms;   ///< CPU of the window's thread: events, scene, panels.
  Spread frame_cpu_ms;   ///< CPU of the whole process for a frame, workers and rasteriser included.
  Spread frame_wall_ms;  ///< Until the picture was drawn, the graphics card's work included.
};

/// Drives the real frame code through a fixed tour of the opened trace: at
/// least 200 measured frames a leg after a warm-up.
class Tour {
public:
  /// The trace must have been opened in the viewer, which must outlive the tour.
  Tour(OffscreenViewer& offscreen, const Cancel& cancel);
  /// All legs in order; stops early when cancelled.
  std::vector<LegResult> run();
  /// The most memory of each kind that was seen between frames.
  const ResidentMemory& memory() const { return memory_; }

private:
  /// Does `step` before each frame, with the number of the frame.
  LegResult leg(const std::string& name, std::size_t frames,
                const std::function<void(std::size_t)>& step);
  /// Settles on the whole trace, does the leg of that name and keeps what it measures.
  void add(const std::string& name, std::size_t frames,
           const std::function<void(std::size_t)>& step);
  void add_zoom();
  void add_pans();
  void add_scroll();
  void add_expand();
  void add_hover();
  void add_select();
  /// About the pointer.
  void zoom_by(double factor);
  /// From the whole trace to where a pixel is a microsecond.
  double closest_zoom() const;
  void start_over();
  void note_memory();

  OffscreenViewer& offscreen_;
  const Cancel& cancel_;
  const render::Box tracks_;
  const float pointer_x_;
  const float pointer_y_;
  std::vector<LegResult> legs_;
  ResidentMemory memory_;
};

}  // namespace bytescope::app
