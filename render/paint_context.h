#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/query/time_range.h"
#include "render/scene.h"
#include "render/text_metrics.h"
#include "render/theme.h"

namespace bytescope::render {

/// A label that wants to be on screen; the widest win (LabelBudget).
struct LabelWish {
  Box room;  ///< Where it may stand, padding taken off.
  Face face = Face::mono_12;
  std::string raw;   ///< With colour codes.
  Color plate = {};  ///< Behind the text; alpha 0 for none.
};

/// What every painter of a row needs to know. Lives for one frame.
struct PaintContext {
  Scene& scene;
  const Theme& theme;
  const TextMetrics& metrics;
  query::Columns view;  ///< Device pixel columns of the timeline's area.
  float left_px = 0;    ///< Logical position of column 0.
  float right_px = 0;   ///< Right edge of the area.
  float scale = 1;      ///< Device pixels in a logical one.
  std::vector<LabelWish>& labels;

  /// Logical position of a column's left edge.
  float px(double column) const { return left_px + static_cast<float>(column) / scale; }
  /// One device pixel in logical ones.
  float hairline() const { return 1 / scale; }
};

/// Maps the columns of an answer to the columns of the view, which may have been zoomed or panned
/// since.
class ColumnMap {
public:
  ColumnMap(const query::Columns& from, const query::Columns& to)
      : factor_(from.ns_per_column / to.ns_per_column),
        shift_(static_cast<double>(from.begin_ns - to.begin_ns) / to.ns_per_column),
        count_(to.count) {}

  /// Position in the view of a column of the answer.
  double position(double column) const { return column * factor_ + shift_; }
  /// Column of the answer at a position of the view.
  double source(double position) const { return (position - shift_) / factor_; }
  /// The columns of the view that [begin, end) of the answer fills: at least one, cut to the view.
  /// Empty (first == last) when outside.
  struct Stretch {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::uint32_t count() const { return last - first; }
  };
  Stretch stretch(std::uint32_t begin, std::uint32_t end) const {
    const double a = std::floor(position(begin) + 0.5);
    const double b = std::max(std::floor(position(end) + 0.5), a + 1);
    const double limit = count_;
    if (b <= 0 || a >= limit) return {};
    return {static_cast<std::uint32_t>(std::max(a, 0.0)),
            static_cast<std::uint32_t>(std::min(b, limit))};
  }

private:
  double factor_;
  double shift_;
  std::uint32_t count_;
};

}  // namespace bytescope::render
