#pragma once

#include <cstdint>
#include <functional>

#include "core/bytepack/dialect.h"
#include "core/bytepack/frame.h"
#include "core/cancel.h"
#include "core/error.h"
#include "core/io/input_file.h"
#include "core/io/piece_reader.h"
#include "core/trace/span_index.h"

namespace bytescope::trace {

/// What the spans of a track are checked against, and how their names are coloured.
struct SpanLoadContext {
  std::uint32_t duration = 0;  ///< Of the trace.
  std::uint32_t string_count = 0;
  std::uint32_t block_spans = 16;
  bool inherits_phase = false;  ///< Children take the category of their top-lane ancestor.
  std::function<Style(std::uint32_t)> style_of_name;
  io::PieceBuffer* buffer = nullptr;  ///< For reading; used when there is one.
  Progress* progress = nullptr;       ///< Gets events and bytes; may be null.
};

/// Reads a span track once and makes its index. Every record is validated (FORMAT.md, "Which
/// dialect is this file?"); the error carries byte and record, not the track.
Expected<SpanIndex> load_spans(const io::InputFile& file, const bytepack::Dialect& dialect,
                               const bytepack::TrackHead& head, const SpanLoadContext& context,
                               Warnings& warnings, const Cancel& cancel);

/// A preview of a span track from at most `samples` places of its records: one lane, busy shares
/// estimated. Costs one small read a sample, however long the track.
SpanIndex sample_spans(const io::InputFile& file, const bytepack::Dialect& dialect,
                       const bytepack::TrackHead& head, const SpanLoadContext& context,
                       std::uint32_t samples);

}  // namespace bytescope::trace
