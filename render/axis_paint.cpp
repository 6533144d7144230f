#include "render/axis_paint.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/trace/ansi.h"
#include "core/trace/units.h"
#include "render/label_budget.h"
#include "render/text_fit.h"

namespace bytescope::render {
namespace {

/// From that width on microseconds are told apart by shading.
constexpr double least_cell_px = 24;
constexpr std::int64_t cell_ns = 1000;
/// Markers closer together than that show one line.
constexpr float least_marker_px = 3;
/// Lines of markers are that strong where each has so much room; where they stand closer they would
/// hide what they mark, and are fainter down to that share.
constexpr float line_strength = 0.55F;
constexpr float roomy_marker_px = 24;
constexpr float faintest_share = 0.3F;

void shade_cells(const PaintContext& context, const WindowAreas& areas) {
  const double cell_columns = static_cast<double>(cell_ns) / context.view.ns_per_column;
  if (cell_columns < least_cell_px * static_cast<double>(context.scale)) return;
  const std::int64_t first = context.view.begin_ns / (2 * cell_ns) * 2;
  const Color shade = faded(context.theme.text_3, 0.05F);
  for (std::int64_t cell = first;; cell += 2) {
    const float x0 = std::max(context.px(context.view.at(cell * cell_ns)), areas.tracks.x0);
    if (x0 >= areas.tracks.x1) return;
    const float x1 = std::min(context.px(context.view.at((cell + 1) * cell_ns)), areas.tracks.x1);
    if (x1 > x0)
      context.scene.below.push_back({{x0, areas.tracks.y0, x1, areas.tracks.y1}, shade, shade});
  }
}

/// How far up in a window a number of bytes within it lies, 0 to 1.
float share_of(const ByteWindow& window, std::uint64_t bytes) {
  return static_cast<float>(
      static_cast<double>(bytes - window.begin_bytes) /
      static_cast<double>(std::max<std::uint64_t>(window.end_bytes - window.begin_bytes, 1)));
}

/// A marker that has a line of its own, and where the next one begins.
struct ShownMarker {
  const MarkerFlag* flag = nullptr;
  float x = 0;
  float limit = 0;
};

std::vector<ShownMarker> shown_markers(const WindowAreas& areas, const Viewport& viewport,
                                       const std::vector<MarkerFlag>& markers) {
  std::vector<ShownMarker> shown;
  const auto px = [&](std::int64_t ns) {
    return areas.tracks.x0 + static_cast<float>(viewport.px_from_ns(ns));
  };
  const auto before = [](const MarkerFlag& marker, std::int64_t ns) { return marker.time_ns < ns; };
  // The flag of a marker left of the view still reaches into it.
  auto at = std::lower_bound(markers.begin(), markers.end(), viewport.ns_from_px(-200), before);
  while (at != markers.end()) {
    const float x = std::round(px(at->time_ns));
    if (x >= areas.tracks.x1) break;
    // However many markers share a few pixels, one search finds the first that does not.
    const std::int64_t next_ns =
        viewport.ns_from_px(static_cast<double>(x - areas.tracks.x0 + least_marker_px));
    const auto next = std::lower_bound(at + 1, markers.end(), next_ns, before);
    const float limit =
        next == markers.end() ? areas.flags.x1 : std::min(px(next->time_ns), areas.flags.x1);
    shown.push_back({&*at, x, limit});
    at = next;
  }
  return shown;
}

/// The name of a marker, as far as the next one leaves room.
void paint_flag(const PaintContext& context, const WindowAreas& areas, const ShownMarker& marker) {
  const Theme& theme = context.theme;
  const float left = std::max(marker.x, areas.flags.x0) + 6;
  if (marker.limit - left <= 16) return;
  std::vector<TextPiece> pieces = colored_pieces(theme, marker.flag->raw_name);
  for (TextPiece& piece : pieces) {
    if (piece.color == theme.ansi[0]) piece.color = theme.text_2;
  }
  cut_before_number(context.metrics, Face::ui_11, pieces, marker.limit - left - 4);
  context.scene.labels.push_back(
      {left, areas.flags.y0 + 3, Face::ui_11, areas.flags, std::move(pieces)});
}

}  // namespace

void paint_grid(const PaintContext& context, const WindowAreas& areas, const TimeAxis& axis) {
  shade_cells(context, areas);
  for (const Tick& tick : axis.ticks) {
    const float x = std::round(areas.tracks.x0 + static_cast<float>(tick.px));
    const Color color = tick.major ? context.theme.grid_major : context.theme.grid;
    context.scene.below.push_back({{x, areas.tracks.y0, x + 1, areas.tracks.y1}, color, color});
  }
}

void paint_axis(const PaintContext& context, const WindowAreas& areas, const TimeAxis& axis) {
  const Theme& theme = context.theme;
  Scene& scene = context.scene;
  for (const Tick& tick : axis.ticks) {
    const float x = std::round(areas.axis.x0 + static_cast<float>(tick.px));
    if (x < areas.axis.x0) continue;
    scene.above.push_back(
        {{x, areas.axis.y1 - 7, x + 1, areas.axis.y1}, theme.text_3, theme.text_3});
    // Half a number would be another number.
    const float end = x + 5 + text_width_px(context.metrics, Face::mono_11, tick.label);
    if (end > areas.axis.x1) continue;
    std::vector<TextPiece> pieces = {{tick.label, theme.text_2}};
    if (!tick.real.empty()) {
      const std::string real = "  " + tick.real;
      if (end + text_width_px(context.metrics, Face::mono_11, real) <= areas.axis.x1)
        pieces.push_back({real, theme.text_3});
    }
    scene.labels.push_back({x + 5, areas.axis.y0 + 8, Face::mono_11, areas.axis, pieces});
  }
  if (axis.anchor.empty()) return;
  const float width = text_width_px(context.metrics, Face::mono_11, axis.anchor);
  const float x = std::max(areas.corner.x1 - 10 - width, 4.0F);
  scene.labels.push_back(
      {x, areas.axis.y0 + 8, Face::mono_11, areas.corner, {{axis.anchor, theme.text}}});
}

void paint_markers(const PaintContext& context, const WindowAreas& areas, const Viewport& viewport,
                   const std::vector<MarkerFlag>& markers) {
  const std::vector<ShownMarker> shown = shown_markers(areas, viewport, markers);
  const float each_px =
      areas.tracks.width() / static_cast<float>(std::max<std::size_t>(shown.size(), 1));
  const float strength =
      line_strength * std::clamp(each_px / roomy_marker_px, faintest_share, 1.0F);
  for (const ShownMarker& marker : shown) {
    const Color color = marker.flag->color.value_or(context.theme.text_3);
    if (marker.x >= areas.tracks.x0) {
      const Color line = faded(color, strength);
      const float x = marker.x;
      context.scene.above.push_back({{x, areas.flags.y0, x + 1, areas.tracks.y1}, line, line});
      context.scene.above.push_back(
          {{x, areas.flags.y0 + 3, x + 3, areas.flags.y1 - 3}, color, color});
    }
    paint_flag(context, areas, marker);
  }
}

void paint_capacity(const PaintContext& context, const Box& box, std::uint64_t capacity_bytes,
                    const ByteWindow& window, bool tells_value) {
  if (capacity_bytes == 0 || capacity_bytes < window.begin_bytes ||
      capacity_bytes > window.end_bytes)
    return;
  const Color color = context.theme.error;
  const float y = std::round(box.y1 - share_of(window, capacity_bytes) * box.height());
  context.scene.above.push_back({{box.x0, y, box.x1, y + 1}, color, color});
  if (!tells_value) return;
  std::string text = "capacity " + trace::bytes_text(capacity_bytes);
  const float width = text_width_px(context.metrics, Face::mono_11, text);
  const float x = box.x1 - width - 8;
  const Color plate = faded(context.theme.canvas, 0.8F);
  context.scene.above.push_back({{x - 3, y + 3, x + width + 3, y + 17}, plate, plate});
  context.scene.labels.push_back({x, y + 4, Face::mono_11, box, {{std::move(text), color}}});
}

void paint_peak(const PaintContext& context, const Box& box, std::int64_t peak_ns,
                std::uint64_t peak_bytes, const ByteWindow& window) {
  if (peak_ns < 0) return;
  const double column = context.view.at(peak_ns);
  if (column < 0 || column >= context.view.count) return;
  const Color warn = context.theme.warn;
  const float x = std::round(context.px(std::floor(column)));
  const auto dashes = static_cast<int>(std::ceil(box.height() / 6));
  for (int i = 0; i < dashes; ++i) {
    const float dash_y = box.y0 + static_cast<float>(i * 6);
    context.scene.above.push_back({{x, dash_y, x + 1, std::min(dash_y + 3, box.y1)}, warn, warn});
  }
  if (peak_bytes == 0 || peak_bytes < window.begin_bytes || peak_bytes > window.end_bytes) return;
  std::string text = "peak " + trace::bytes_text(peak_bytes);
  const float width = text_width_px(context.metrics, Face::mono_11, text);
  const bool left = x + 8 + width > box.x1;
  const float y = std::max(box.y1 - share_of(window, peak_bytes) * box.height() - 15, box.y0 + 2);
  const float text_x = left ? x - 6 - width : x + 6;
  const Color plate = faded(context.theme.canvas, 0.8F);
  context.scene.above.push_back({{text_x - 3, y - 2, text_x + width + 3, y + 13}, plate, plate});
  context.scene.labels.push_back({text_x, y, Face::mono_11, box, {{std::move(text), warn}}});
}

}  // namespace bytescope::render
