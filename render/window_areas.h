#pragma once

#include "render/scene.h"

namespace bytescope::render {

/// Where the parts of the window are (LOOK.md's plan), in logical pixels.
struct WindowAreas {
  Box tabs;      ///< Names of the open files, across the window.
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

}  // namespace bytescope::render
