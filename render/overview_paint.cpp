#include "render/overview_paint.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "render/text_fit.h"
#include "render/time_text.h"

namespace bytescope::render {
namespace {

constexpr float top_px = 3;
constexpr float rows_px = 32;
constexpr float memory_gap_px = 2;
constexpr float memory_px = 16;
constexpr float least_bars_px = 8;  // lower rows tell busy shares by brightness
constexpr float most_row_px = 12;
constexpr float least_frame_px = 4;
constexpr float handle_px = 3;
constexpr float handle_height_px = 20;
constexpr float least_tick_px = 3;
constexpr float hit_px = 3;

void fill(Scene& scene, const Box& box, Color color) {
  if (box.width() > 0 && box.height() > 0) scene.above.push_back({box, color, color});
}

/// How a row of the strip is drawn.
struct RowLook {
  ColumnRow::Kind kind = ColumnRow::Kind::bars;
  Color tone;
  Color edge;
};

/// A row of texels of the strip, and what is drawn of it.
void add_row(const TimelineInput& input, const Box& box, const std::vector<std::uint8_t>& shares,
             const RowLook& look, Scene& scene) {
  std::array<Color, 256> colors;
  for (std::size_t i = 0; i < colors.size(); ++i) {
    const float share = static_cast<float>(i) / 255;
    colors[i] = look.kind == ColumnRow::Kind::bars
                    ? Color{0, 0, static_cast<std::uint8_t>(i), 255}
                    : mix(input.theme.canvas, look.tone, 0.3F + 0.7F * share);
  }
  colors[0] = {};
  std::uint32_t row = 0;
  Color* texels = scene.add_texel_row(row);
  const std::size_t count = std::min<std::size_t>(shares.size(), scene.texel_width);
  for (std::size_t c = 0; c < count; ++c) texels[c] = colors[shares[c]];
  ColumnRow columns{box, look.kind, row, static_cast<std::uint32_t>(count), {}, {}, {}};
  columns.areas[2] = look.tone;
  columns.edge = look.edge;
  if (count > 0) scene.column_rows.push_back(columns);
}

/// Where the columns of an overview are drawn; it may be of another width, for a frame or two.
Box columns_box(const TimelineInput& input, float y0, float y1) {
  return {input.areas.overview.x0, y0, input.areas.overview.x1, y1};
}

void paint_devices(const TimelineInput& input, Scene& scene) {
  const Overview& overview = *input.overview;
  if (overview.rows.empty()) return;
  const float room = rows_px + (overview.memory.empty() ? memory_gap_px + memory_px : 0);
  const float each =
      std::clamp(std::floor(room / static_cast<float>(overview.rows.size())), 1.0F, most_row_px);
  const Tones& tones = category_tones(input.theme, trace::Category::elementwise);
  const bool bars = each >= least_bars_px;
  const Color edge = bars && !input.theme.dark ? tones.edge : Color{};
  float y = input.areas.overview.y0 + top_px;
  for (const std::vector<std::uint8_t>& row : overview.rows) {
    const float gap = each >= 4 ? 1 : 0;
    add_row(input, columns_box(input, y, y + each - gap), row,
            {bars ? ColumnRow::Kind::bars : ColumnRow::Kind::colors, tones.dense, edge}, scene);
    y += each;
  }
}

void paint_memory(const TimelineInput& input, Scene& scene) {
  const Overview& overview = *input.overview;
  if (overview.memory.empty()) return;
  const float y0 = input.areas.overview.y0 + top_px + rows_px + memory_gap_px;
  const bool tells_lifetime = input.memory.colors == BufferColors::lifetime;
  const Tones& tones =
      tells_lifetime ? input.theme.tones(trace::Lifetime::never_freed) : input.theme.thin_buffers;
  add_row(input, columns_box(input, y0, y0 + memory_px), overview.memory,
          {ColumnRow::Kind::bars, tones.dense, tones.edge}, scene);
}

/// Lines at markers, no closer together than a few pixels.
void paint_markers(const TimelineInput& input, const Viewport& whole, Scene& scene) {
  const Box& strip = input.areas.overview;
  const auto& markers = input.model.markers;
  const auto before = [](const MarkerFlag& marker, std::int64_t ns) { return marker.time_ns < ns; };
  auto at = markers.begin();
  while (at != markers.end()) {
    const float px = std::round(static_cast<float>(whole.px_from_ns(at->time_ns)));
    const Color color = faded(at->color.value_or(input.theme.text_3), 0.6F);
    if (px >= 0 && px < strip.width())
      fill(scene, {strip.x0 + px, strip.y0, strip.x0 + px + 1, strip.y1 - 1}, color);
    at = std::lower_bound(at + 1, markers.end(),
                          whole.ns_from_px(static_cast<double>(px + least_tick_px)), before);
  }
}

void paint_hit_columns(const TimelineInput& input, Scene& scene) {
  const Overview& overview = *input.overview;
  const Box& strip = input.areas.overview;
  if (overview.hits.empty()) return;
  const float width = strip.width() / static_cast<float>(overview.hits.size());
  for (std::size_t begin = 0; begin < overview.hits.size(); ++begin) {
    if (overview.hits[begin] == 0) continue;
    std::size_t end = begin + 1;
    while (end < overview.hits.size() && overview.hits[end] != 0) ++end;
    const float x0 = strip.x0 + static_cast<float>(begin) * width;
    const float x1 = std::max(strip.x0 + static_cast<float>(end) * width, x0 + 2);
    // Above the lower edge of the frame.
    fill(scene, {x0, strip.y1 - 2 - hit_px, std::min(x1, strip.x1), strip.y1 - 2}, input.theme.hit);
    begin = end;
  }
}

void paint_range(const TimelineInput& input, const Viewport& whole, Scene& scene) {
  if (!input.range) return;
  const Box& strip = input.areas.overview;
  const auto x = [&](std::int64_t ns) {
    return std::clamp(strip.x0 + static_cast<float>(whole.px_from_ns(ns)), strip.x0, strip.x1);
  };
  const float x0 = x(input.range->begin_ns);
  const float x1 = std::max(x(input.range->end_ns), std::min(x0 + 1, strip.x1));
  fill(scene, {x0, strip.y0, x1, strip.y1 - 1}, faded(input.theme.accent, 0.25F));
  fill(scene, {x0, strip.y0, x1, strip.y0 + 2}, input.theme.accent);
}

/// What is not on screen steps back; the window has an edge all around and a handle at each end.
void paint_window_frame(const TimelineInput& input, Scene& scene) {
  const Box& strip = input.areas.overview;
  const Box frame = overview_frame(input.viewport, input.areas);
  const Theme& theme = input.theme;
  const Color shade = faded(theme.canvas, 0.55F);
  fill(scene, {strip.x0, strip.y0, frame.x0, strip.y1 - 1}, shade);
  fill(scene, {frame.x1, strip.y0, strip.x1, strip.y1 - 1}, shade);
  const Color color = theme.accent;
  fill(scene, {frame.x0, frame.y0, frame.x1, frame.y0 + 1}, color);
  fill(scene, {frame.x0, frame.y1 - 1, frame.x1, frame.y1}, color);
  fill(scene, {frame.x0, frame.y0, frame.x0 + 1, frame.y1}, color);
  fill(scene, {frame.x1 - 1, frame.y0, frame.x1, frame.y1}, color);
  const float y0 = (frame.y0 + frame.y1 - handle_height_px) / 2;
  for (const float x : {frame.x0 - 1, frame.x1 - handle_px + 1}) {
    const float x0 = std::clamp(x, strip.x0, strip.x1 - handle_px);
    fill(scene, {x0, y0, x0 + handle_px, y0 + handle_height_px}, color);
  }
}

/// How much of the trace is on screen, beside the strip.
void tell_window(const TimelineInput& input, const Viewport& whole, Scene& scene) {
  const Box& strip = input.areas.overview;
  const Box room = {0, strip.y0, input.areas.names.x1 - 1, strip.y1};
  const bool all = input.viewport.length_ns() >= whole.length_ns();
  const std::string shown = duration_text(input.viewport.length_ns(), input.trace.unit);
  const std::string total = duration_text(whole.length_ns(), input.trace.unit);
  const auto tell = [&](float y, Face face, std::string text, Color color) {
    scene.labels.push_back({14, room.y0 + y, face, room, {{std::move(text), color}}});
  };
  tell(14, Face::mono_11, all ? total : shown, input.theme.text);
  tell(31, Face::ui_11, all ? "the whole trace" : "of " + total, input.theme.text_3);
}

}  // namespace

Viewport overview_viewport(const Viewport& viewport, const WindowAreas& areas) {
  return viewport.fitted().resized(static_cast<double>(std::max(areas.overview.width(), 1.0F)));
}

Box overview_frame(const Viewport& viewport, const WindowAreas& areas) {
  const Box& strip = areas.overview;
  const Viewport whole = overview_viewport(viewport, areas);
  const auto begin = static_cast<float>(whole.px_from_ns(viewport.window().begin_ns));
  const auto length = static_cast<float>(viewport.length_ns() / whole.ns_per_px());
  const float spare = std::max(least_frame_px - length, 0.0F) / 2;
  const float x0 = std::clamp(strip.x0 + begin - spare, strip.x0, strip.x1 - least_frame_px);
  const float x1 = std::clamp(strip.x0 + begin + length + spare, x0 + least_frame_px, strip.x1);
  return {std::round(x0), strip.y0, std::round(x1), strip.y1 - 1};
}

void paint_overview(const TimelineInput& input, Scene& scene) {
  const Box& strip = input.areas.overview;
  if (strip.height() <= 0) return;
  const Theme& theme = input.theme;
  scene.below.push_back({{0, strip.y0, strip.x1, strip.y1}, theme.canvas, theme.canvas});
  scene.below.push_back({{0, strip.y0, strip.x0 - 1, strip.y1}, theme.panel, theme.panel});
  const Viewport whole = overview_viewport(input.viewport, input.areas);
  if (input.overview != nullptr && input.overview->trace->file == input.trace.file) {
    paint_devices(input, scene);
    paint_memory(input, scene);
  }
  paint_markers(input, whole, scene);
  paint_range(input, whole, scene);
  paint_window_frame(input, scene);
  if (input.overview != nullptr) paint_hit_columns(input, scene);
  fill(scene, {0, strip.y1 - 1, strip.x1, strip.y1}, theme.border);
  tell_window(input, whole, scene);
}

}  // namespace bytescope::render
