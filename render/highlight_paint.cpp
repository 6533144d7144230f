#include "render/highlight_paint.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "render/text_fit.h"
#include "render/time_text.h"

namespace bytescope::render {
namespace {

void outline(Scene& scene, const Box& box, float width, Color color) {
  scene.above.push_back({{box.x0 - width, box.y0 - width, box.x1 + width, box.y0}, color, color});
  scene.above.push_back({{box.x0 - width, box.y1, box.x1 + width, box.y1 + width}, color, color});
  scene.above.push_back({{box.x0 - width, box.y0, box.x0, box.y1}, color, color});
  scene.above.push_back({{box.x1, box.y0, box.x1 + width, box.y1}, color, color});
}

/// The row of a track; null where it has none.
const TrackRow* row_of(const TimelineInput& input, std::uint32_t track) {
  const auto number = input.layout.row_of(track);
  return number ? &input.layout.rows[*number] : nullptr;
}

bool is_pinned(const TimelineInput& input, const TrackRow& row) {
  return row.bottom_px() <= input.layout.pinned_px;
}

/// Rows that scroll are not told to those that are pinned; the other way round the box is right.
Box box_of(const TimelineInput& input, const TrackRow& row) {
  const double scrolled_px =
      is_pinned(input, row) && !input.pinned ? input.layout.pinned_px : input.scroll_px;
  return row_box(input.areas, row, scrolled_px);
}

/// Where the lane of a span lies, when its track is open that far; may be out of sight.
std::optional<Box> lane_box(const TimelineInput& input, const Highlight& span) {
  const TrackRow* row = row_of(input, span.track);
  if (row == nullptr || row->kind != RowKind::spans || span.lane >= row->shown_lanes)
    return std::nullopt;
  Box box = box_of(input, *row);
  box.y0 += static_cast<float>(row->lane_top_px(span.lane));
  box.y1 = box.y0 + static_cast<float>(row->lane_height_px(span.lane));
  return box;
}

/// Where a span lies in its lane, in whole columns; none when it is beside the view.
std::optional<Box> span_box(const PaintContext& context, const Highlight& span, const Box& lane) {
  const double begin = std::floor(context.view.at(span.begin_ns));
  const double end = std::max(
      std::ceil(context.view.at(span.begin_ns) + span.length_ns / context.view.ns_per_column),
      begin + 1);
  const Box box = {std::max(context.px(begin), context.left_px - 4), lane.y0,
                   std::min(context.px(end), context.right_px + 4), lane.y1};
  if (box.x1 <= context.left_px || box.x0 >= context.right_px) return std::nullopt;
  return box;
}

/// A stretch of columns where a buffer keeps its place.
struct Piece {
  float x0, x1, y0, y1;
};

/// Where a buffer lies in the picture of an opened stack.
std::vector<Piece> buffer_pieces(const TimelineInput& input, const PaintContext& context,
                                 const StackDetail& stack, const Box& row, std::uint32_t ordinal) {
  std::vector<Piece> pieces;
  const ColumnMap map(stack.cells.columns, context.view);
  const ByteWindow window = byte_window(input, stack.request.track);
  const double px_per_byte =
      static_cast<double>(row.height()) /
      static_cast<double>(std::max<std::uint64_t>(window.end_bytes - window.begin_bytes, 1));
  const auto y = [&](std::uint64_t bytes) {
    return row.y1 - static_cast<float>(
                        (static_cast<double>(bytes) - static_cast<double>(window.begin_bytes)) *
                        px_per_byte);
  };
  for (std::uint32_t c = 0; c + 1 < stack.cells.first_cell.size(); ++c) {
    for (std::uint32_t i = stack.cells.first_cell[c]; i < stack.cells.first_cell[c + 1]; ++i) {
      const query::StackCell& cell = stack.cells.cells[i];
      if (cell.ordinal != ordinal) continue;
      const Piece piece = {context.px(map.position(c)), context.px(map.position(c + 1.0)),
                           std::max(y(cell.end_bytes), row.y0),
                           std::min(y(cell.begin_bytes), row.y1)};
      const bool joins = !pieces.empty() && pieces.back().y0 == piece.y0 &&
                         pieces.back().y1 == piece.y1 && piece.x0 - pieces.back().x1 < 1;
      if (joins) {
        pieces.back().x1 = piece.x1;
      } else if (piece.y1 > piece.y0) {
        pieces.push_back(piece);
      }
    }
  }
  return pieces;
}

void mark_lifetime(const PaintContext& context, const Highlight& what, const Box& row,
                   Color color) {
  const double begin = context.view.at(what.begin_ns);
  const double length = std::max(what.length_ns / context.view.ns_per_column, 2.0);
  const float x0 = std::max(context.px(begin), context.left_px);
  const float x1 = std::min(context.px(begin + length), context.right_px);
  if (x1 > x0) context.scene.above.push_back({{x0, row.y1 - 3, x1, row.y1}, color, color});
}

void highlight_buffer(const TimelineInput& input, const PaintContext& context,
                      const Highlight& what, const Box& row, bool selected) {
  const auto stack = input.stacks.find(what.track);
  if (stack == input.stacks.end()) return;
  const Color color = faded(input.theme.focus, selected ? 0.9F : 0.25F);
  const auto pieces = buffer_pieces(input, context, *stack->second, row, *what.ordinal);
  // One of less than a pixel has no place of its own in the picture: a line on the ground tells
  // when it lives.
  if (pieces.empty() && selected) mark_lifetime(context, what, row, color);
  for (const Piece& piece : pieces) {
    const float x0 = std::max(piece.x0, context.left_px);
    const float x1 = std::min(piece.x1, context.right_px);
    if (x1 <= x0) continue;
    if (!selected) {
      context.scene.above.push_back({{x0, piece.y0, x1, piece.y1}, color, color});
      continue;
    }
    context.scene.above.push_back({{x0, piece.y0, x1, piece.y0 + 2}, color, color});
    context.scene.above.push_back({{x0, piece.y1 - 2, x1, piece.y1}, color, color});
    const bool begins = &piece == &pieces.front() && x0 == piece.x0;
    const bool ends = &piece == &pieces.back() && x1 == piece.x1;
    if (begins) context.scene.above.push_back({{x0, piece.y0, x0 + 2, piece.y1}, color, color});
    if (ends) context.scene.above.push_back({{x1 - 2, piece.y0, x1, piece.y1}, color, color});
  }
}

void highlight_span(const TimelineInput& input, const PaintContext& context, const Highlight& what,
                    const Box& lane, bool selected) {
  const auto box = span_box(context, what, lane);
  if (!box) return;
  if (selected) {
    outline(context.scene, *box, 3, input.theme.canvas);
    outline(context.scene, *box, 2, input.theme.focus);
  } else {
    const Color lighter = faded(input.theme.focus, 0.1F);
    context.scene.above.push_back({*box, lighter, lighter});
  }
}

/// A span that belongs to the selection: framed in the accent colour. A buffer: its lifetime on the
/// ground of its row.
void mark_linked(const TimelineInput& input, const PaintContext& context, const Highlight& what) {
  const TrackRow* row = row_of(input, what.track);
  if (row == nullptr) return;
  const Box whole = box_of(input, *row);
  if (whole.y1 <= input.areas.tracks.y0 || whole.y0 >= input.areas.tracks.y1) return;
  if (what.ordinal) return mark_lifetime(context, what, whole, input.theme.accent);
  const auto lane = lane_box(input, what);
  const auto box = lane ? span_box(context, what, *lane) : std::nullopt;
  if (box) outline(context.scene, *box, 2, input.theme.accent);
}

/// The curve from a shader's span to one that it caused, with the time between their beginnings.
void paint_cause(const TimelineInput& input, const PaintContext& context, const Highlight& cause,
                 const Highlight& effect, bool tells_delay) {
  const auto from = lane_box(input, cause);
  const auto to = lane_box(input, effect);
  if (!from || !to) return;
  const auto px = [&](std::int64_t ns) { return context.px(context.view.at(ns)); };
  const float begin = px(cause.begin_ns);
  const float x1 = px(effect.begin_ns);
  const float x0 = std::clamp(x1, begin, px(cause.begin_ns + std::llround(cause.length_ns)));
  const float y0 = (from->y0 + from->y1) / 2;
  const float y1 = (to->y0 + to->y1) / 2;
  Box clip = input.areas.tracks;
  if (!input.pinned) clip.y0 -= static_cast<float>(input.layout.pinned_px);
  context.scene.curves.push_back({x0, y0, x1, y1, input.theme.focus, clip});
  if (!tells_delay) return;
  std::string text =
      "+" + duration_text(static_cast<double>(effect.begin_ns - cause.begin_ns), input.trace.unit);
  const float width = text_width_px(context.metrics, Face::mono_11, text);
  // Beside the middle of the curve, which would strike it through.
  const float middle = (x0 + x1) / 2;
  const float x = middle + 12 + width > context.right_px ? middle - 10 - width : middle + 8;
  const float y = (y0 + y1) / 2 - 6;
  const Color plate = faded(input.theme.canvas, 0.85F);
  if (x < context.left_px || x + width > context.right_px) return;
  context.scene.above.push_back({{x - 4, y - 2, x + width + 4, y + 14}, plate, plate});
  context.scene.labels.push_back(
      {x, y, Face::mono_11, input.areas.tracks, {{std::move(text), input.theme.focus}}});
}

/// Curves between the selected span of a shader trace, its cause and what it caused.
void paint_causes(const TimelineInput& input, const PaintContext& context) {
  constexpr std::size_t most_delays = 8;
  if (!input.selection) return;
  std::size_t told = 0;
  const auto is_pinned_one = [&](const Highlight& what) {
    const TrackRow* row = row_of(input, what.track);
    return row != nullptr && is_pinned(input, *row);
  };
  for (const Highlight& other : input.linked) {
    const bool both_pinned = is_pinned_one(other) && is_pinned_one(*input.selection);
    if (!other.causes || both_pinned != input.pinned) continue;
    const bool caused_it = other.begin_ns <= input.selection->begin_ns;
    paint_cause(input, context, caused_it ? other : *input.selection,
                caused_it ? *input.selection : other, told++ < most_delays);
  }
}

void highlight(const TimelineInput& input, const PaintContext& context, const Highlight& what,
               bool selected) {
  const TrackRow* row = row_of(input, what.track);
  if (row == nullptr || is_pinned(input, *row) != input.pinned) return;
  if (what.ordinal) {
    if (row->kind == RowKind::memory && row->expanded)
      highlight_buffer(input, context, what, box_of(input, *row), selected);
  } else if (const auto lane = lane_box(input, what)) {
    highlight_span(input, context, what, *lane, selected);
  }
}

}  // namespace

void paint_highlights(const TimelineInput& input, const PaintContext& context) {
  for (const Highlight& what : input.linked) mark_linked(input, context, what);
  paint_causes(input, context);
  if (input.hover) highlight(input, context, *input.hover, false);
  if (input.selection) highlight(input, context, *input.selection, true);
}

}  // namespace bytescope::render
