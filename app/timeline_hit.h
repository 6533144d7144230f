#pragma once

#include <cstdint>
#include <optional>

#include "app/view_state.h"
#include "core/io/page_reader.h"
#include "render/timeline_scene.h"

namespace bytescope::app {

/// What lies under a place of the window.
struct TimelineHit {
  std::int64_t time_ns = 0;        ///< Of the place, wherever it is.
  std::optional<std::size_t> row;  ///< Of the layout; names and tracks.
  std::optional<Selection> item;   ///< A span, or a buffer of an opened track.
  std::uint32_t thin_buffers = 0;  ///< Not 0: a band of so many buffers lies here.
  bool on_byte_axis = false;       ///< Inside the byte axis of an opened track.
  bool on_hidden_note = false;     ///< Where it is told how many tracks are hidden.
  bool on_lower_edge = false;      ///< Within 3 px of the lower edge of a row that can be resized.
};

/// Looks up what is at (x, y) in logical pixels: a query over the data, not over what was drawn.
/// Reads at most a few records. Spans are found within 3 px.
TimelineHit hit_timeline(const render::TimelineInput& input, io::PageReader& reader, float x,
                         float y);

}  // namespace bytescope::app
