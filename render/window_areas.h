#pragma once

#include <optional>

#include "render/scene.h"

namespace bytescope::render {

/// Where the parts of the window are, in logical pixels.
struct WindowAreas {
  Box tabs;      ///< Names of the open files, across the window.
  Box title;     ///< Name of the file above its axis; empty unless two are shown.
  Box overview;  ///< The strip of the whole trace; no height in low windows.
  Box corner;    ///< Left of the axis: the anchor of its labels.
  Box axis;
  Box flags;  ///< Names of markers.
  Box names;  ///< Names of tracks.
  Box tracks;
  Box panel;   ///< Summary or selection; empty in narrow windows.
  Box dock;    ///< Answers, under names and tracks; empty while none is open.
  Box status;  ///< Across the window.
};

/// The parts of a window of that size. `with_panel`: room is made for the right panel where the
/// window is wide enough. `dock_px`: how high the panel at the bottom shall be; it leaves some room
/// for tracks.
WindowAreas window_areas(float width, float height, bool with_panel, float dock_px = 0);

/// The parts of the window where the timelines of two traces lie one above the other.
struct SplitAreas {
  WindowAreas upper;
  WindowAreas lower;
};

/// Divides axis, names and tracks among two traces; each gets a title, all else stays and is the
/// same in both. Nothing where there is too little room for two.
std::optional<SplitAreas> split_areas(const WindowAreas& whole);

/// All that belongs to one of two traces: title, axis, names and tracks.
Box pane_of(const WindowAreas& areas);

}  // namespace bytescope::render
