#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/query/visible.h"
#include "render/paint_context.h"

namespace bytescope::render {

/// What one lane shows and where.
struct LanePaint {
  Box box;  ///< Logical; the area of the timeline.
  const std::vector<query::VisibleRun>* runs = nullptr;
  const std::vector<std::uint32_t>* names =
      nullptr;                ///< Beside the runs; null where names are not known.
  query::Columns columns;     ///< That the runs count in.
  bool busy_columns = false;  ///< Dense columns show busy share by category (kernels).
  Face face = Face::mono_12;
  const std::vector<std::uint8_t>* lit =
      nullptr;  ///< Beside the runs: others than these are dimmed; null: none is.
};

using NameTexts = std::unordered_map<std::uint32_t, std::shared_ptr<const std::string>>;

/// Paints a lane: spans of 3 px and more as rectangles with labels, narrower ones and dense columns
/// as texels. Costs the number of runs.
void paint_lane(const PaintContext& context, const LanePaint& lane, const NameTexts* texts);

/// Paints lanes as one busy area: the mean of their busy shares by category, column by column. What
/// is dimmed in them stands behind the rest. Costs the number of runs and columns.
void paint_mean_busy(const PaintContext& context, const Box& box, std::span<const LanePaint> lanes);

/// The widths from which a span is a rectangle, and from which it has a label, in logical pixels.
constexpr float least_span_px = 3;
constexpr float least_label_px = 28;
constexpr float label_padding_px = 5;

}  // namespace bytescope::render
