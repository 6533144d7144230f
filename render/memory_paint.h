#pragma once

#include <cstdint>
#include <vector>

#include "core/query/memory_curve.h"
#include "render/memory_look.h"
#include "render/paint_context.h"
#include "render/timeline_detail.h"

namespace bytescope::render {

/// The total of a memory track over time in `box`, `scale_bytes` at its upper edge. It is split by
/// lifetime where that is what colours tell, else of one colour that tells nothing. `curve` counts
/// in `columns`. Where several of its columns fall on one of the view, the largest is seen.
void paint_curve(const PaintContext& context, const Box& box,
                 const std::vector<query::CurveColumn>& curve, const query::Columns& columns,
                 std::uint64_t scale_bytes, BufferColors colors);

/// An opened track: the picture that the worker made, moved and stretched to where the view is now,
/// with labels. `box` shows the bytes [begin_bytes, end_bytes).
void paint_stack(const PaintContext& context, const Box& box, const StackDetail& stack,
                 std::uint64_t begin_bytes, std::uint64_t end_bytes);

/// The round number of bytes (1, 2 or 5 times a power of ten) that is at least `bytes`.
double round_bytes_step(double bytes);

/// Width of the byte axis of an opened track.
constexpr float byte_axis_px = 56;

/// The byte axis inside the left edge of an opened track.
void paint_byte_axis(const PaintContext& context, const Box& box, std::uint64_t begin_bytes,
                     std::uint64_t end_bytes);

/// A line track: a step function from its points, `peak` at the upper edge.
void paint_line(const PaintContext& context, const Box& box, const trace::LineIndex& line,
                std::uint64_t peak);

}  // namespace bytescope::render
