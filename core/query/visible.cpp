#include "core/query/visible.h"

#include <algorithm>
#include <cmath>

namespace bytescope::query {
namespace {

using trace::LaneIndex;
using trace::SpanBlock;
using trace::SpanBlocks;
using trace::SpanIndex;
using trace::Style;

/// Without a reader blocks of so many columns are good enough: a picture of all lanes must be there
/// within a millisecond, and is replaced as soon as a worker has read the records.
constexpr double coarse_columns = 4;

/// What has been found in one pixel column so far. Times in ns.
struct Cell {
  double covered = 0;
  double reduce = 0;
  double elementwise = 0;
  float longest = -1;
  std::uint32_t record = VisibleRun::unknown;
  std::uint32_t count = 0;
  Style style;
};

/// Gathers the spans and blocks of one lane, in time order, into pixel columns.
class Gatherer {
public:
  Gatherer(const trace::Trace& trace, std::uint32_t track, std::uint32_t lane,
           const Columns& columns, io::PageReader* reader)
      : trace_(trace),
        track_(track),
        lane_(lane),
        columns_(columns),
        reader_(trace.tracks[track].spans->sampled ? nullptr : reader),
        spans_(*trace.tracks[track].spans),
        whole_ns_(columns.ns_per_column * (reader == nullptr ? coarse_columns : 1)) {
    cells_.resize(columns.count);
  }

  std::vector<Cell> run() {
    if (lane_ >= spans_.lanes.size() || columns_.count == 0) return std::move(cells_);
    const LaneIndex& lane = spans_.lanes[lane_];
    if (lane.levels.empty()) return std::move(cells_);
    const std::size_t top = lane.levels.size() - 1;
    visit_blocks(top, 0, lane.levels[top].size());
    return std::move(cells_);
  }

private:
  double window_ns() const { return columns_.offset_ns(columns_.count); }
  /// Whether [start, end) lies before the window; an empty one at its begin does not.
  static bool is_before(double start, double end) { return end <= 0 && start < 0; }
  /// Time in ns relative to the window's begin.
  double relative_ns(std::uint32_t start) const {
    return static_cast<double>(trace::ns_from_unit(start) - columns_.begin_ns);
  }

  /// Blocks [begin, end) of a level; those narrower than a column are taken whole, others are
  /// looked into.
  void visit_blocks(std::size_t level, std::size_t begin, std::size_t end) {
    const SpanBlocks& blocks = spans_.lanes[lane_].levels[level];
    for (std::size_t i = begin; i < end; ++i) {
      const SpanBlock& block = blocks[i];
      const double start = relative_ns(block.start);
      if (start >= window_ns()) return;
      const double extent = static_cast<double>(block.extent) * 1000;
      if (is_before(start, start + extent)) continue;
      if (extent <= whole_ns_ || (level == 0 && reader_ == nullptr)) {
        add_block(block, level, start, extent);
      } else if (level == 0) {
        add_records(block);
      } else {
        const std::size_t below = spans_.lanes[lane_].levels[level - 1].size();
        visit_blocks(level - 1, i * LaneIndex::fanout,
                     std::min((i + 1) * LaneIndex::fanout, below));
      }
    }
  }

  void add_block(const SpanBlock& block, std::size_t level, double start, double extent) {
    const double end = start + extent;
    // What earlier blocks reach into counts as theirs; the rest is where the covered time lies.
    const double fresh_begin = std::clamp(furthest_ns_, start, end);
    furthest_ns_ = std::max(furthest_ns_, end);
    const double covered = static_cast<double>(block.covered) * 1000;
    const double density = covered < end - fresh_begin ? covered / (end - fresh_begin) : 1;
    const double total = level == 0 ? block.count : block.first;
    for_columns(start, end, [&](Cell& cell, double piece_begin, double piece_end) {
      const double part = std::max(piece_end - std::max(piece_begin, fresh_begin), 0.0) * density;
      cell.covered += part;
      cell.reduce += part * block.reduce_share / 255;
      cell.elementwise += part * block.elementwise_share / 255;
      const double inside = piece_end - piece_begin;
      const double estimate = extent > 0 ? std::ceil(total * inside / extent) : total;
      cell.count += static_cast<std::uint32_t>(std::max(estimate, 1.0));
      if (block.longest > cell.longest) {
        cell.longest = block.longest;
        cell.style = block.style;
        cell.record = VisibleRun::unknown;
      }
    });
  }

  void add_records(const SpanBlock& block) {
    std::uint32_t left = block.count;
    const std::uint32_t count = trace_.tracks[track_].head.count;
    for (std::uint32_t record = block.first; left > 0 && record < count; ++record) {
      if (spans_.lane(record) != lane_) continue;
      --left;
      add_span(record, trace_.span(*reader_, track_, record));
    }
  }

  void add_span(std::uint32_t record, const bytepack::SpanRecord& span) {
    // A file that changed underneath may hold anything here.
    if (!(span.duration >= 0)) return;
    const double start = relative_ns(span.start);
    const double end = start + static_cast<double>(span.duration) * 1000;
    const Style style = spans_.styles.empty() ? style_of(span.name) : spans_.styles[record];
    const double already = furthest_ns_;
    furthest_ns_ = std::max(furthest_ns_, end);
    for_columns(start, end, [&](Cell& cell, double piece_begin, double piece_end) {
      const double fresh = std::max(piece_end - std::max(piece_begin, already), 0.0);
      cell.covered += fresh;
      if (style.category() == trace::Category::reduce) cell.reduce += fresh;
      if (style.category() == trace::Category::elementwise) cell.elementwise += fresh;
      ++cell.count;
      if (span.duration > cell.longest) {
        cell.longest = span.duration;
        cell.style = style;
        cell.record = record;
      }
    });
  }

  Style style_of(std::uint32_t name) const {
    const std::uint32_t slot = spans_.slots.find(name);
    return slot == trace::NameSlots::none ? Style() : spans_.names[slot].style;
  }

  /// Calls `add(cell, begin, end of the piece inside it)` for every column of the window that
  /// [start, end) touches.
  template <class Add>
  void for_columns(double start, double end, Add add) {
    if (is_before(start, end) || start >= window_ns()) return;
    const double first = std::max(std::floor(start / columns_.ns_per_column), 0.0);
    const double last_column = static_cast<double>(columns_.count) - 1;
    const double last = std::clamp(std::ceil(end / columns_.ns_per_column) - 1, first, last_column);
    if (first > last_column) return;
    for (auto c = static_cast<std::uint32_t>(first); c <= static_cast<std::uint32_t>(last); ++c) {
      const double piece_begin = std::max(columns_.offset_ns(c), start);
      add(cells_[c], piece_begin, std::max(std::min(columns_.offset_ns(c + 1), end), piece_begin));
    }
  }

  const trace::Trace& trace_;
  std::uint32_t track_;
  std::uint32_t lane_;
  Columns columns_;
  io::PageReader* reader_;
  const SpanIndex& spans_;
  double whole_ns_;  // blocks up to that length are taken whole
  std::vector<Cell> cells_;
  double furthest_ns_ = -1e300;
};

VisibleRun run_of(const Cell& cell, std::uint32_t column, double ns_per_column) {
  VisibleRun run;
  run.begin_column = column;
  run.end_column = column + 1;
  run.count = cell.count;
  run.style = cell.style;
  // Blocks that overlap may add up to more than the column; the parts stay in proportion.
  const double whole = std::max(cell.covered, ns_per_column);
  run.busy = static_cast<float>(cell.covered / whole);
  run.reduce = static_cast<float>(cell.reduce / whole);
  run.elementwise = std::min(static_cast<float>(cell.elementwise / whole), run.busy - run.reduce);
  if (!run.dense()) run.record = cell.record;
  return run;
}

/// Neighbouring columns of one span are one run.
bool continues(const VisibleRun& run, const VisibleRun& next) {
  return run.record != VisibleRun::unknown && run.record == next.record && !run.dense() &&
         !next.dense();
}

}  // namespace

void append_visible(const trace::Trace& trace, std::uint32_t track, std::uint32_t lane,
                    const Columns& columns, io::PageReader* reader, std::vector<VisibleRun>& out) {
  const std::vector<Cell> cells = Gatherer(trace, track, lane, columns, reader).run();
  const std::size_t first = out.size();
  for (std::uint32_t c = 0; c < cells.size(); ++c) {
    if (cells[c].count == 0) continue;
    const VisibleRun run = run_of(cells[c], c, columns.ns_per_column);
    if (out.size() > first && out.back().end_column == c && continues(out.back(), run)) {
      VisibleRun& open = out.back();
      const auto width = static_cast<float>(open.end_column - open.begin_column);
      const auto widen = [width](float& mean, float next) {
        mean = (mean * width + next) / (width + 1);
      };
      widen(open.busy, run.busy);
      widen(open.reduce, run.reduce);
      widen(open.elementwise, run.elementwise);
      open.count = std::max(open.count, run.count);
      open.end_column = c + 1;
    } else {
      out.push_back(run);
    }
  }
}

}  // namespace bytescope::query
