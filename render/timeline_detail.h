#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/cancel.h"
#include "core/io/page_reader.h"
#include "core/query/links.h"
#include "core/query/memory_curve.h"
#include "core/query/memory_stack.h"
#include "core/query/search.h"
#include "core/query/visible.h"
#include "core/trace/trace.h"
#include "render/buffer_colors.h"
#include "render/memory_look.h"
#include "render/overview.h"
#include "render/scene.h"
#include "render/theme.h"

namespace bytescope::render {

/// A lane of a track as one number.
constexpr std::uint64_t lane_key(std::uint32_t track, std::uint32_t lane) {
  return (std::uint64_t{track} << 32U) | lane;
}

/// An opened memory track: which bytes it shows, and how tall.
struct StackRequest {
  std::uint32_t track = 0;
  std::uint32_t height_px = 0;    ///< Device pixels.
  std::uint64_t begin_bytes = 0;  ///< At the lower edge.
  std::uint64_t end_bytes = 1;    ///< At the upper edge.
  BufferColors colors = BufferColors::lifetime;
  bool operator==(const StackRequest&) const = default;
};

/// What a view wants to know exactly; answered by a worker.
struct DetailRequest {
  std::shared_ptr<const trace::Trace> trace;
  query::Columns columns;             ///< Device pixel columns, wider than the view.
  query::Columns overview_columns;    ///< Of the whole trace; no overview for none.
  std::vector<std::uint64_t> lanes;   ///< lane_key of every lane in sight.
  std::vector<std::uint32_t> curves;  ///< Memory tracks in sight.
  std::vector<StackRequest> stacks;   ///< Of these, the opened ones.
  std::uint32_t label_columns = 28;   ///< Spans at least so wide want their name.
  const Theme* theme = nullptr;       ///< For the pictures of stacks.
  std::shared_ptr<const query::SearchResult> search;  ///< Whose hits are marked; null: none.
  std::optional<std::uint32_t>
      lit_name;  ///< Position in `strings`; spans of other names are dimmed.
};

/// One lane; names[i] is the position in `strings` of run i's name, or VisibleRun::unknown where it
/// is not wanted.
struct LaneDetail {
  std::vector<query::VisibleRun> runs;
  std::vector<std::uint32_t> names;
  std::vector<std::uint8_t> lit;  ///< Beside the runs, where others are dimmed; else empty.
};

/// A place on an opened stack with room for a buffer's label. Columns and bytes are those of the
/// stack.
struct StackLabel {
  std::uint32_t ordinal = 0;
  std::uint32_t begin_column = 0;
  std::uint32_t end_column = 0;
  std::uint64_t begin_bytes = 0;
  std::uint64_t end_bytes = 0;
  std::string text;  ///< Type and size.
};

/// The settled picture of an opened memory track.
struct StackDetail {
  StackRequest request;
  query::StackColumns cells;
  std::shared_ptr<const Picture> picture;
  std::vector<StackLabel> labels;
  std::vector<LegendEntry> legend;  ///< What its colours mean.
};

/// In which columns hits begin, one entry a column, 1 or 0.
using HitColumns = std::vector<std::uint8_t>;

/// The answer to a DetailRequest. Immutable; shared between the worker and the window.
struct TimelineDetail {
  std::shared_ptr<const trace::Trace> trace;
  query::Columns columns;
  std::unordered_map<std::uint64_t, LaneDetail> lanes;
  std::unordered_map<std::uint32_t, std::vector<query::CurveColumn>> curves;
  std::unordered_map<std::uint32_t, std::shared_ptr<const std::string>>
      names;                                           ///< Raw names by position in `strings`.
  std::shared_ptr<const query::SearchResult> search;   ///< As asked.
  std::unordered_map<std::uint32_t, HitColumns> hits;  ///< Of span tracks in sight with any.
  HitColumns marker_hits;                              ///< Empty without a search.
  std::optional<std::uint32_t> lit_name;               ///< As asked.
};

/// What the worker has found: the timeline first, the stacks when they are done.
struct DetailResult {
  std::shared_ptr<const TimelineDetail> timeline;
  std::shared_ptr<const Overview> overview;
  std::unordered_map<std::uint32_t, std::shared_ptr<const StackDetail>> stacks;  ///< By track.
};

/// Answers requests for one trace after another; belongs to the worker's thread.
class DetailMaker {
public:
  /// Lanes, curves and names. Costs pixels, not events; reads the file where spans are wider than a
  /// column.
  std::shared_ptr<const TimelineDetail> timeline(const DetailRequest& request,
                                                 const Cancel& cancel);
  /// The overview, if the last one does for the request.
  std::shared_ptr<const Overview> known_overview(const DetailRequest& request) const;
  /// The overview; what of the last one still holds is kept. Null when cancelled, or not asked for.
  std::shared_ptr<const Overview> overview(const DetailRequest& request, const Cancel& cancel);
  /// One opened track; see query::memory_stack for the cost, which is saved where the last request
  /// had the same one. Null when cancelled.
  std::shared_ptr<const StackDetail> stack(const DetailRequest& request, const StackRequest& stack,
                                           const Cancel& cancel);

private:
  void follow(const std::shared_ptr<const trace::Trace>& trace);
  void add_lane(const DetailRequest& request, std::uint64_t key, TimelineDetail& detail);
  void add_names(const DetailRequest& request, std::uint32_t track, LaneDetail& lane,
                 TimelineDetail& detail);
  std::shared_ptr<const std::string> name(std::uint32_t id);
  void add_hits(const DetailRequest& request, TimelineDetail& detail);
  void add_lit(const DetailRequest& request, TimelineDetail& detail, const Cancel& cancel);
  const LaneDetail* known_lane(const DetailRequest& request, std::uint64_t key) const;
  const std::vector<query::CurveColumn>* known_curve(const DetailRequest& request,
                                                     std::uint32_t track) const;

  std::shared_ptr<const trace::Trace> trace_;
  std::unique_ptr<io::PageReader> reader_;
  std::unordered_map<std::uint32_t, std::shared_ptr<const std::string>> names_;
  std::optional<query::Namesakes> lit_names_;  // ids[0] is what was asked for
  // The last answer and its label_columns: while a trace loads, most tracks stay what they were.
  std::shared_ptr<const TimelineDetail> last_;
  std::uint32_t last_label_columns_ = 0;
  std::shared_ptr<const Overview> overview_;
  // The stacks that the last request asked for, and what they were made of: another track that is
  // opened leaves them as they are.
  struct KnownStack {
    std::shared_ptr<const trace::MemoryIndex> memory;
    const Theme* theme = nullptr;
    std::shared_ptr<const StackDetail> detail;
  };
  std::unordered_map<std::uint32_t, KnownStack> stacks_;
};

}  // namespace bytescope::render
