#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "app/selection.h"
#include "render/timeline_scene.h"
#include "render/track_layout.h"
#include "render/viewport.h"

namespace bytescope::app {

/// How a trace is looked at: a copyable value; going back in the history of views is assignment.
struct ViewState {
  render::Viewport viewport;
  double scroll_px = 0;
  render::TrackChanges changes;  ///< Has a history of its own (TrackHistory).
  std::map<std::uint32_t, render::ByteWindow>
      byte_windows;  ///< Of opened memory tracks zoomed in bytes.
  render::MemoryLook memory;
  std::optional<Selection> selection;
  std::optional<query::TimeRange> range;  ///< The measured one.
  bool operator==(const ViewState&) const = default;
};

}  // namespace bytescope::app
