#include "render/name_column.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/trace/ansi.h"
#include "render/text_fit.h"

namespace bytescope::render {
namespace {

constexpr float indent_px = 12;
constexpr float first_text_px = 20;
constexpr float right_padding_px = 10;
constexpr double least_roomy_px = 14;
constexpr float legend_top_px = 48;
constexpr float legend_line_px = 17;
constexpr float legend_chip_px = 10;

bool is_opening(const TimelineInput& input, const TrackRow& row) {
  if (row.kind == RowKind::memory || row.heads_unit) return true;
  if (row.kind == RowKind::folded || row.kind == RowKind::header) return true;
  const auto& spans =
      row.track < input.trace.tracks.size() ? input.trace.tracks[row.track].spans : nullptr;
  return spans && spans->lane_count > 1;
}

Face face_of(const TrackRow& row) {
  if (row.heads_file) return Face::ui_13_medium;
  if (row.kind == RowKind::header || row.kind == RowKind::folded) return Face::ui_12_semibold;
  // Copy engines stand close: larger names of neighbours would touch.
  if (row.kind == RowKind::spans && row.height_px < least_roomy_px) return Face::ui_11;
  return row.indent <= 1 && row.role == trace::TrackRole::device ? Face::ui_13_medium : Face::ui_12;
}

Color color_of(const Theme& theme, const TrackRow& row) {
  if (row.heads_file) return theme.text;
  if (row.kind == RowKind::header || row.kind == RowKind::folded) return theme.text_2;
  return row.indent <= 1 ? theme.text : theme.text_2;
}

/// The mean busy share of a family's devices, for its header (`AMD × 8`).
std::string header_figure(const TimelineInput& input, const TrackRow& header) {
  const auto known = input.model.family_figures.find(header.fold_id);
  return known == input.model.family_figures.end() ? std::string() : known->second;
}

/// What stands right of a name: a share of time or a peak, and that the row is folded.
std::vector<TextPiece> figure_of(const TimelineInput& input, const TrackRow& row) {
  const Theme& theme = input.theme;
  std::vector<TextPiece> pieces;
  if (row.kind == RowKind::folded) pieces.push_back({"folded", theme.text_3});
  if (row.kind == RowKind::folded || row.kind == RowKind::header) {
    const std::string share = header_figure(input, row);
    if (!share.empty()) pieces.push_back({(pieces.empty() ? "" : " ") + share, theme.text_2});
  } else if (row.track < input.model.figures.size()) {
    const TrackFigure& figure = input.model.figures[row.track];
    if (!figure.text.empty())
      pieces.push_back({figure.text, figure.worst ? theme.warn : theme.text_2});
  }
  return pieces;
}

/// Height of the first line of a row: its name stands beside the first lane, not in the middle of
/// an opened track.
float line_height(const TrackRow& row) {
  if (row.expanded) return std::min(static_cast<float>(row.height_px), 40.0F);
  return static_cast<float>(row.kind == RowKind::spans ? row.first_lane_px : row.height_px);
}

void paint_name(const TimelineInput& input, Scene& scene, std::size_t number) {
  const TrackRow& row = input.layout.rows[number];
  const Theme& theme = input.theme;
  const float top = input.areas.names.y0 + static_cast<float>(row.top_px - input.scroll_px);
  const float middle = top + line_height(row) / 2;
  const Box clip = input.areas.names;
  const Face face = face_of(row);
  float right = clip.x1 - right_padding_px;
  std::vector<TextPiece> figure = figure_of(input, row);
  if (!figure.empty()) {
    right -= text_width_px(input.metrics, Face::mono_11, figure);
    scene.labels.push_back({right, middle - 5.5F, Face::mono_11, clip, std::move(figure)});
    right -= 8;
  }
  if (row.hidden_lanes > 0) {
    std::string more = fmt::format("+{}", row.hidden_lanes);
    right -= text_width_px(input.metrics, Face::mono_11, more);
    scene.labels.push_back(
        {right, middle - 5.5F, Face::mono_11, clip, {{std::move(more), theme.text_3}}});
    right -= 8;
  }
  const float left = name_left_px(row);
  if (is_opening(input, row)) {
    const bool folds = row.kind == RowKind::header || row.kind == RowKind::folded || row.heads_unit;
    const bool open = folds ? !row.folded : row.expanded;
    scene.labels.push_back({left - 14,
                            middle - 5.5F,
                            Face::ui_11,
                            clip,
                            {{open ? "\u25BE" : "\u25B8", theme.text_3}}});
  }
  std::string text = text_cut_to(input.metrics, face,
                                 trace::single_line(trace::plain_text(row.label)), right - left);
  scene.labels.push_back(
      {left, middle - size_px(face) / 2, face, clip, {{std::move(text), color_of(theme, row)}}});
}

/// What the colours of an opened stack mean, under its name.
void paint_legend(const TimelineInput& input, Scene& scene, const TrackRow& row) {
  const auto stack = input.stacks.find(row.track);
  if (row.kind != RowKind::memory || !row.expanded || stack == input.stacks.end()) return;
  const Box& clip = input.areas.names;
  const float top = clip.y0 + static_cast<float>(row.top_px - input.scroll_px);
  const float bottom = std::min(top + static_cast<float>(row.height_px), clip.y1);
  const float x = name_left_px(row);
  float y = top + legend_top_px;
  for (const LegendEntry& entry : stack->second->legend) {
    if (y + legend_line_px > bottom) return;
    if (y >= clip.y0)
      scene.above.push_back(
          {{x, y, x + legend_chip_px, y + legend_chip_px}, entry.color, entry.color});
    const float text_x = x + legend_chip_px + 6;
    scene.labels.push_back(
        {text_x,
         y - 1,
         Face::ui_11,
         clip,
         {{text_cut_to(input.metrics, Face::ui_11, trace::single_line(entry.text),
                       clip.x1 - right_padding_px - text_x),
           input.theme.text_2}}});
    y += legend_line_px;
  }
}

}  // namespace

float name_left_px(const TrackRow& row) {
  return first_text_px + indent_px * static_cast<float>(row.indent);
}

Box hidden_note_box(const WindowAreas& areas, const TrackLayout& layout) {
  if (layout.hidden_tracks == 0) return {};
  return {areas.corner.x0 + 8, areas.flags.y0 - 1, areas.corner.x1 - right_padding_px,
          areas.flags.y1 - 3};
}

void paint_hidden_note(const TimelineInput& input, Scene& scene) {
  const Box box = hidden_note_box(input.areas, input.layout);
  if (box.width() <= 0) return;
  const Theme& theme = input.theme;
  scene.above.push_back({box, theme.raised, theme.raised});
  const float y = (box.y0 + box.y1 - size_px(Face::ui_11)) / 2;
  scene.labels.push_back({box.x0 + 8,
                          y,
                          Face::ui_11,
                          box,
                          {{fmt::format("{} hidden", input.layout.hidden_tracks), theme.text},
                           {" \u00B7 show", theme.accent}}});
}

void paint_names(const TimelineInput& input, Scene& scene, std::size_t first, std::size_t last) {
  const Box& names = input.areas.names;
  // Spans and pictures are cut at the column's edge by being painted over.
  scene.above.push_back(
      {{0, names.y0, names.x1 - 1, names.y1}, input.theme.panel, input.theme.panel});
  for (std::size_t i = first; i < last; ++i) {
    paint_name(input, scene, i);
    paint_legend(input, scene, input.layout.rows[i]);
  }
}

}  // namespace bytescope::render
