#include "render/memory_paint.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/query/line_columns.h"
#include "core/trace/byte_share.h"
#include "core/trace/units.h"
#include "render/text_fit.h"

namespace bytescope::render {
namespace {

std::uint8_t share(std::uint64_t bytes, std::uint64_t scale) {
  const double part =
      static_cast<double>(bytes) / static_cast<double>(std::max<std::uint64_t>(scale, 1));
  return trace::byte_share(part);
}

Color heights(const query::CurveColumn& column, std::uint64_t scale) {
  const std::uint64_t never = column.bytes[0];
  const std::uint64_t kept = never + column.bytes[1];
  return {share(never, scale), share(kept, scale), share(column.total(), scale), 255};
}

ColumnRow bars_of(const PaintContext& context, const Box& box, std::uint32_t row) {
  const Theme& theme = context.theme;
  ColumnRow bars{{context.left_px, box.y0, context.px(context.view.count), box.y1},
                 ColumnRow::Kind::bars,
                 row,
                 context.view.count,
                 {},
                 {},
                 {}};
  for (std::size_t i = 0; i < trace::lifetime_count; ++i)
    bars.areas[i] = theme.buffer_tones[i].dense;
  bars.edge = theme.tones(trace::Lifetime::never_freed).edge;
  if (theme.dark) bars.edge = mix(bars.edge, theme.canvas, 0.35F);
  return bars;
}

}  // namespace

double round_bytes_step(double bytes) {
  const double power = std::pow(10.0, std::floor(std::log10(std::max(bytes, 1.0))));
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    if (power * factor >= bytes) return power * factor;
  }
  return power * 10;
}

void paint_curve(const PaintContext& context, const Box& box,
                 const std::vector<query::CurveColumn>& curve, const query::Columns& columns,
                 std::uint64_t scale_bytes, BufferColors colors) {
  const ColumnMap map(columns, context.view);
  std::uint32_t row = 0;
  Color* texels = context.scene.add_texel_row(row);
  bool any = false;
  for (std::uint32_t c = 0; c < context.view.count; ++c) {
    const double begin = std::floor(map.source(c + 1e-6));
    const double end = std::max(std::ceil(map.source(c + 1 - 1e-6)), begin + 1);
    if (end <= 0 || begin >= static_cast<double>(curve.size())) continue;
    const auto first = static_cast<std::size_t>(std::max(begin, 0.0));
    const auto last = static_cast<std::size_t>(std::min(end, static_cast<double>(curve.size())));
    const query::CurveColumn* largest = &curve[first];
    for (std::size_t i = first + 1; i < last; ++i) {
      if (curve[i].total() > largest->total()) largest = &curve[i];
    }
    if (largest->total() == 0) continue;
    texels[c] = heights(*largest, scale_bytes);
    any = true;
  }
  if (!any) return;
  ColumnRow bars = bars_of(context, box, row);
  // Colours of an opened track would mean something else.
  if (colors != BufferColors::lifetime) {
    for (Color& area : bars.areas) area = context.theme.thin_buffers.dense;
    bars.edge = context.theme.thin_buffers.edge;
  }
  context.scene.column_rows.push_back(bars);
}

void paint_stack(const PaintContext& context, const Box& box, const StackDetail& stack,
                 std::uint64_t begin_bytes, std::uint64_t end_bytes) {
  const ColumnMap map(stack.cells.columns, context.view);
  const double px_per_byte =
      static_cast<double>(box.height()) /
      static_cast<double>(std::max<std::uint64_t>(end_bytes - begin_bytes, 1));
  const auto y = [&](std::uint64_t bytes) {
    return box.y1 -
           static_cast<float>((static_cast<double>(bytes) - static_cast<double>(begin_bytes)) *
                              px_per_byte);
  };
  const Box place = {context.px(std::floor(map.position(0) + 0.5)), y(stack.request.end_bytes),
                     context.px(std::floor(map.position(stack.cells.columns.count) + 0.5)),
                     y(stack.request.begin_bytes)};
  const Box clip = {context.left_px, box.y0, context.right_px, box.y1};
  context.scene.pictures.push_back({place, clip, stack.picture});
  for (const StackLabel& label : stack.labels) {
    Box room = {context.px(map.position(label.begin_column)), std::max(y(label.end_bytes), box.y0),
                context.px(map.position(label.end_column)), std::min(y(label.begin_bytes), box.y1)};
    room.x0 = std::max(room.x0, context.left_px + byte_axis_px) + 8;
    room.x1 = std::min(room.x1, context.right_px) - 8;
    if (room.width() < 48 || room.height() < size_px(Face::mono_11) + 2) continue;
    context.labels.push_back({room, Face::mono_11, label.text, context.theme.thin_buffers.body});
  }
}

void paint_byte_axis(const PaintContext& context, const Box& box, std::uint64_t begin_bytes,
                     std::uint64_t end_bytes) {
  const auto shown = static_cast<double>(std::max<std::uint64_t>(end_bytes - begin_bytes, 1));
  const double step =
      round_bytes_step(shown * 40 / static_cast<double>(std::max(box.height(), 1.0F)));
  const Theme& theme = context.theme;
  const double first = std::ceil(static_cast<double>(begin_bytes) / step) * step;
  // So many fit, whatever the sizes: where these are huge a step may be lost beside them.
  const auto most = static_cast<int>(box.height());
  for (int i = 0; i < most; ++i) {
    const double bytes = first + i * step;
    if (bytes >= static_cast<double>(end_bytes)) break;
    const float y =
        std::round(box.y1 - static_cast<float>((bytes - static_cast<double>(begin_bytes)) / shown) *
                                box.height());
    if (y < box.y0 + 8 || y > box.y1 - 4) continue;
    context.scene.above.push_back({{context.left_px, y, context.right_px, y + context.hairline()},
                                   faded(theme.text_3, 0.25F),
                                   faded(theme.text_3, 0.25F)});
    std::string text = trace::bytes_text(static_cast<std::uint64_t>(bytes));
    const float width = text_width_px(context.metrics, Face::mono_11, text);
    const float x = context.left_px + byte_axis_px - 4 - width;
    const Box clip = {context.left_px, box.y0, context.left_px + byte_axis_px + 24, box.y1};
    const Box plate = {std::min(x, context.left_px + 2) - 1, y - 7,
                       std::max(x, context.left_px + 2) + width + 2, y + 6};
    context.scene.above.push_back({plate, faded(theme.canvas, 0.75F), faded(theme.canvas, 0.75F)});
    context.scene.labels.push_back({std::max(x, context.left_px + 2),
                                    y - 6,
                                    Face::mono_11,
                                    clip,
                                    {{std::move(text), theme.text_2}}});
  }
}

void paint_line(const PaintContext& context, const Box& box, const trace::LineIndex& line,
                std::uint64_t peak) {
  const Theme& theme = context.theme;
  std::uint32_t row = 0;
  Color* texels = context.scene.add_texel_row(row);
  const std::vector<std::optional<std::uint64_t>> values = query::line_columns(line, context.view);
  for (std::size_t c = 0; c < values.size(); ++c) {
    if (values[c]) texels[c] = {0, 0, share(*values[c], peak), 255};
  }
  ColumnRow bars = bars_of(context, box, row);
  bars.areas[2] = theme.tones(trace::Lifetime::long_lived).dense;
  bars.edge = theme.tones(trace::Lifetime::long_lived).edge;
  context.scene.column_rows.push_back(bars);
}

}  // namespace bytescope::render
