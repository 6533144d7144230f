#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "render/timeline_scene.h"
#include "render/track_layout.h"
#include "render/viewport.h"

namespace bytescope::app {

/// What is selected on the timeline: a span, or a buffer of a memory track.
struct Selection {
  enum class Kind : std::uint8_t { span, buffer };
  Kind kind = Kind::span;
  std::uint32_t track = 0;
  std::uint32_t number = 0;  ///< Record of the span, or ordinal of the buffer.
  std::uint32_t lane = 0;    ///< Spans.
  std::int64_t begin_ns = 0;
  double length_ns = 0;
  bool operator==(const Selection&) const = default;
};

/// How a trace is looked at: a copyable value; going back in the history of views is assignment.
struct ViewState {
  render::Viewport viewport;
  double scroll_px = 0;
  render::TrackChanges changes;
  std::map<std::uint32_t, render::ByteWindow>
      byte_windows;  ///< Of opened memory tracks zoomed in bytes.
  std::optional<Selection> selection;
  std::optional<query::TimeRange> range;  ///< The measured one.
  bool operator==(const ViewState&) const = default;
};

}  // namespace bytescope::app
