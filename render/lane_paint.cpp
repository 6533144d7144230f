#include "render/lane_paint.h"

#include <algorithm>
#include <optional>

#include "core/trace/byte_share.h"

namespace bytescope::render {
namespace {

using query::VisibleRun;
using trace::byte_share;

/// How strongly a narrow span or a partly busy column stands out: a single one in an idle stretch
/// must still catch the eye.
Color faded_by_busy(const Theme& theme, trace::Style style, float busy) {
  return mix(theme.canvas, theme.dense(style), 0.45F + 0.55F * std::clamp(busy, 0.0F, 1.0F));
}

/// What is not looked for steps back, and is still there.
Color dimmed(const Theme& theme, Color color) { return mix(theme.canvas, color, 0.22F); }

constexpr std::uint8_t middle_variant = 4;

/// Where a row of texels goes that shows all columns of the view.
Box row_box(const PaintContext& context, const Box& box) {
  const auto width = static_cast<float>(context.view.count);
  return {context.left_px, box.y0, context.px(width), box.y1};
}

void add_bars(const PaintContext& context, std::uint32_t texel_row, const Box& box, bool dim) {
  const Theme& theme = context.theme;
  const auto tone = [&](Color color) { return dim ? dimmed(theme, color) : color; };
  ColumnRow bars{box, ColumnRow::Kind::bars, texel_row, context.view.count, {}, {}, {}};
  bars.ghost = theme.ghost;
  bars.areas[0] = tone(theme.dense(trace::Style(trace::Category::reduce, middle_variant)));
  bars.areas[1] = tone(theme.dense(trace::Style(trace::Category::elementwise, middle_variant)));
  bars.areas[2] = tone(theme.dense(trace::Style(trace::Category::other_kernel, middle_variant)));
  if (!theme.dark)
    bars.edge = tone(theme.edge(trace::Style(trace::Category::elementwise, middle_variant)));
  context.scene.column_rows.push_back(bars);
}

/// Lower lanes (copies) have no room for a line of text.
constexpr float least_label_height_px = 12;

/// Fills the rows of texels of one lane; a row comes to be when it is first needed.
class TexelRows {
public:
  TexelRows(const PaintContext& context, const LanePaint& lane) : context_(context), lane_(lane) {}

  void color(ColumnMap::Stretch columns, Color color) { fill(colors_, columns, color); }

  void bar(ColumnMap::Stretch columns, const VisibleRun& run, bool dim) {
    const Color heights = {byte_share(run.reduce), byte_share(run.reduce + run.elementwise),
                           byte_share(run.busy), 255};
    std::optional<std::uint32_t>& bars = dim ? dim_bars_ : bars_;
    if (!bars) bars = new_row();
    Color* texels = row(*bars);
    for (std::uint32_t c = columns.first; c < columns.last; ++c) {
      // Several columns of an older answer in one of the view: the busiest is seen.
      if (texels[c].b <= heights.b) texels[c] = heights;
    }
  }

  void finish() {
    const Box box = row_box(context_, lane_.box);
    if (dim_bars_) add_bars(context_, *dim_bars_, box, true);
    if (bars_) add_bars(context_, *bars_, box, false);
    if (colors_) {
      context_.scene.column_rows.push_back(
          {box, ColumnRow::Kind::colors, *colors_, context_.view.count, {}, {}, {}});
    }
  }

private:
  std::uint32_t new_row() const {
    std::uint32_t number = 0;
    context_.scene.add_texel_row(number);
    return number;
  }
  Color* row(std::uint32_t number) const {
    return context_.scene.texels.data() + std::size_t{number} * context_.scene.texel_width;
  }
  void fill(std::optional<std::uint32_t>& which, ColumnMap::Stretch columns, Color color) {
    if (!which) which = new_row();
    Color* texels = row(*which);
    std::fill(texels + columns.first, texels + columns.last, color);
  }

  const PaintContext& context_;
  const LanePaint& lane_;
  std::optional<std::uint32_t> bars_;
  std::optional<std::uint32_t> dim_bars_;
  std::optional<std::uint32_t> colors_;
};

bool is_single_span(const VisibleRun& run) {
  return !run.dense() && run.record != VisibleRun::unknown;
}

/// Whether a run is one span that is wide enough to have edges and a name.
bool is_rectangle(const PaintContext& context, const VisibleRun& run, ColumnMap::Stretch columns) {
  const auto least_columns = static_cast<std::uint32_t>(least_span_px * context.scale);
  return is_single_span(run) && columns.count() >= least_columns;
}

/// The colour of a run that is no rectangle: a single span of some columns has its full tone.
Color texel_color(const Theme& theme, const VisibleRun& run, bool dim) {
  const Color color = is_single_span(run) && run.end_column - run.begin_column > 1
                          ? theme.dense(run.style)
                          : faded_by_busy(theme, run.style, run.busy);
  return dim ? dimmed(theme, color) : color;
}

Box add_rectangle(const PaintContext& context, const LanePaint& lane, const VisibleRun& run,
                  ColumnMap::Stretch columns, bool dim) {
  const auto tone = [&](Color color) { return dim ? dimmed(context.theme, color) : color; };
  const Box box = {context.px(columns.first), lane.box.y0, context.px(columns.last) - 1,
                   lane.box.y1};
  context.scene.marks.push_back(
      {box, tone(context.theme.body(run.style)), tone(context.theme.edge(run.style))});
  return box;
}

/// The name of a lane's run; null where it is not known yet.
const std::string* name_of(const LanePaint& lane, std::size_t run, const NameTexts* texts) {
  if (texts == nullptr || lane.names == nullptr) return nullptr;
  const auto text = texts->find((*lane.names)[run]);
  return text != texts->end() ? text->second.get() : nullptr;
}

void wish_label(const PaintContext& context, const LanePaint& lane, const Box& box,
                const std::string* raw) {
  if (raw == nullptr || lane.box.height() < least_label_height_px) return;
  // Pinned to the view's left edge where the span starts before it.
  const float left = std::max(box.x0, context.left_px) + label_padding_px;
  const float right = std::min(box.x1, context.right_px) - label_padding_px;
  if (right - left < least_label_px - 2 * label_padding_px) return;
  context.labels.push_back({{left, box.y0, right, box.y1}, lane.face, *raw, {}});
}

/// The covered shares of columns, summed over lanes.
struct BusySums {
  float reduce = 0;
  float elementwise = 0;
  float busy = 0;
};

void add_run(const VisibleRun& run, BusySums& sums) {
  const trace::Category category = run.style.category();
  sums.busy += run.busy;
  sums.reduce += run.dense() ? run.reduce : (category == trace::Category::reduce ? run.busy : 0);
  sums.elementwise +=
      run.dense() ? run.elementwise : (category == trace::Category::elementwise ? run.busy : 0);
}

void fill_bars(const PaintContext& context, const std::vector<BusySums>& sums, float lanes,
               const Box& box, bool dim) {
  std::uint32_t number = 0;
  context.scene.add_texel_row(number);
  Color* texels = context.scene.texels.data() + std::size_t{number} * context.scene.texel_width;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const BusySums& of = sums[i];
    texels[i] = {byte_share(of.reduce / lanes), byte_share((of.reduce + of.elementwise) / lanes),
                 byte_share(of.busy / lanes), 255};
    if (of.busy <= 0) texels[i] = {};
  }
  add_bars(context, number, row_box(context, box), dim);
}

}  // namespace

void paint_lane(const PaintContext& context, const LanePaint& lane, const NameTexts* texts) {
  const ColumnMap map(lane.columns, context.view);
  TexelRows texels(context, lane);
  for (std::size_t i = 0; i < lane.runs->size(); ++i) {
    const VisibleRun& run = (*lane.runs)[i];
    const ColumnMap::Stretch columns = map.stretch(run.begin_column, run.end_column);
    if (columns.count() == 0) continue;
    const bool dim = lane.lit != nullptr && (*lane.lit)[i] == 0;
    if (is_rectangle(context, run, columns)) {
      const Box box = add_rectangle(context, lane, run, columns, dim);
      if (!dim && box.width() >= least_label_px)
        wish_label(context, lane, box, name_of(lane, i, texts));
    } else if (run.dense() && lane.busy_columns) {
      texels.bar(columns, run, dim);
    } else {
      texels.color(columns, texel_color(context.theme, run, dim));
    }
  }
  texels.finish();
}

void paint_mean_busy(const PaintContext& context, const Box& box,
                     std::span<const LanePaint> lanes) {
  std::vector<BusySums> all(context.view.count);
  std::vector<BusySums> lit(context.view.count);
  bool has_dim = false;
  for (const LanePaint& lane : lanes) {
    const ColumnMap map(lane.columns, context.view);
    for (std::size_t i = 0; i < lane.runs->size(); ++i) {
      const VisibleRun& run = (*lane.runs)[i];
      const bool dim = lane.lit != nullptr && (*lane.lit)[i] == 0;
      has_dim = has_dim || dim;
      const ColumnMap::Stretch columns = map.stretch(run.begin_column, run.end_column);
      for (std::uint32_t column = columns.first; column < columns.last; ++column) {
        add_run(run, all[column]);
        if (!dim) add_run(run, lit[column]);
      }
    }
  }
  const auto count = static_cast<float>(std::max<std::size_t>(lanes.size(), 1));
  if (has_dim) fill_bars(context, all, count, box, /*dim=*/true);
  fill_bars(context, lit, count, box, /*dim=*/false);
}

}  // namespace bytescope::render
