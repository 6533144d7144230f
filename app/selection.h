#pragma once

#include <cstdint>

#include "core/io/page_reader.h"
#include "core/trace/trace.h"
#include "render/timeline_scene.h"

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

/// The selection that stands for a span, with its times read from the file.
Selection span_selection(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                         std::uint32_t record);
/// The selection that stands for a buffer over its lifetime.
Selection buffer_selection(const trace::Trace& trace, std::uint32_t track, std::uint32_t ordinal);

/// The selection as something that is outlined on the timeline.
render::Highlight highlight_of(const Selection& selection);

}  // namespace bytescope::app
