#include "core/trace/span_builder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace bytescope::trace {
namespace {

/// The smallest float that is not less than `value`.
float at_least(double value) {
  const float rounded = static_cast<float>(value);
  if (static_cast<double>(rounded) >= value) return rounded;
  return std::nextafter(rounded, std::numeric_limits<float>::infinity());
}

std::uint8_t share(double part, double whole) {
  return whole > 0 ? static_cast<std::uint8_t>(std::min(part / whole, 1.0) * 255 + 0.5)
                   : std::uint8_t{0};
}

/// What eight neighbouring blocks look like together.
SpanBlock merged(const SpanBlock* blocks, std::size_t count, bool lowest) {
  SpanBlock sum = blocks[0];
  sum.first = 0;
  sum.count = 0;
  double end = 0;
  double covered = 0;
  double reduce = 0;
  double elementwise = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const SpanBlock& block = blocks[i];
    end = std::max(end, block.end());
    covered += static_cast<double>(block.covered);
    reduce += static_cast<double>(block.covered) * block.reduce_share / 255;
    elementwise += static_cast<double>(block.covered) * block.elementwise_share / 255;
    sum.first += lowest ? block.count : block.first;
    if (block.longest > sum.longest) {
      sum.longest = block.longest;
      sum.style = block.style;
    }
  }
  sum.extent = at_least(end - sum.start);
  sum.covered = static_cast<float>(covered);
  sum.reduce_share = share(reduce, covered);
  sum.elementwise_share = share(elementwise, covered);
  return sum;
}

}  // namespace

void build_levels(LaneIndex& lane) {
  while (lane.levels.back().size() > LaneIndex::fanout) {
    const std::vector<SpanBlock>& below = lane.levels.back();
    std::vector<SpanBlock> above;
    above.reserve((below.size() + LaneIndex::fanout - 1) / LaneIndex::fanout);
    for (std::size_t i = 0; i < below.size(); i += LaneIndex::fanout) {
      above.push_back(merged(&below[i], std::min(LaneIndex::fanout, below.size() - i),
                             lane.levels.size() == 1));
    }
    lane.levels.push_back(std::move(above));
  }
}

SpanBuilder::SpanBuilder(std::uint32_t count, std::uint32_t block_spans, bool lanes_in_file,
                         bool inherits_phase, std::function<Style(std::uint32_t)> style_of_name)
    : count_(count),
      lanes_in_file_(lanes_in_file),
      inherits_phase_(inherits_phase),
      style_of_name_(std::move(style_of_name)) {
  index_.block_spans = block_spans;
  if (inherits_phase) index_.styles.reserve(count);
}

void SpanBuilder::add(const bytepack::SpanRecord& span) {
  const std::uint32_t lane = lane_of(span);
  NameTotal& total = index_.names[slot_of(span)];
  ++total.count;
  total.total += static_cast<double>(span.duration);
  total.shortest = std::min(total.shortest, span.duration);
  if (span.duration > total.longest) {
    total.longest = span.duration;
    total.longest_record = record_;
  }
  Style style = total.style;
  if (inherits_phase_) {
    style = resolve_phase(span, lane, style);
    index_.styles.push_back(style);
  }
  const double end = span.end();
  if (end > furthest_) {
    index_.busy += end - std::max(furthest_, static_cast<double>(span.start));
    furthest_ = end;
  }
  add_to_block(span, lane, style);
  ++record_;
}

std::uint32_t SpanBuilder::lane_of(const bytepack::SpanRecord& span) {
  const std::uint32_t lane =
      lanes_in_file_
          ? span.depth
          : fit_.place(span.start, span.start + static_cast<std::uint64_t>(span.duration));
  if (lane >= open_.size()) open_.resize(std::size_t{lane} + 1);
  store_lane(lane);
  return lane;
}

void SpanBuilder::store_lane(std::uint32_t lane) {
  if (!index_.lanes16.empty()) {
    index_.lanes16[record_] = static_cast<std::uint16_t>(lane);
  } else if (lane > UINT8_MAX) {
    index_.lanes16.resize(count_);
    std::copy(index_.lanes8.begin(), index_.lanes8.begin() + record_, index_.lanes16.begin());
    index_.lanes8 = {};
    index_.lanes16[record_] = static_cast<std::uint16_t>(lane);
  } else if (lane > 0 || !index_.lanes8.empty()) {
    if (index_.lanes8.empty()) index_.lanes8.resize(count_);
    index_.lanes8[record_] = static_cast<std::uint8_t>(lane);
  }
}

std::uint32_t SpanBuilder::slot_of(const bytepack::SpanRecord& span) {
  const std::uint32_t known = index_.slots.find(span.name);
  if (known != NameSlots::none) return known;
  NameTotal total;
  total.name = span.name;
  total.shortest = span.duration;
  total.longest_record = record_;
  total.style = style_of_name_(span.name);
  index_.names.push_back(total);
  return index_.slots.insert(span.name);
}

Style SpanBuilder::resolve_phase(const bytepack::SpanRecord& span, std::uint32_t lane,
                                 Style style) {
  if (lane == 0) {
    phase_ = style.category();
    phase_end_ = span.end();
    return style;
  }
  return static_cast<double>(span.start) < phase_end_ ? Style(phase_, style.variant()) : style;
}

void SpanBuilder::add_to_block(const bytepack::SpanRecord& span, std::uint32_t lane, Style style) {
  OpenBlock& open = open_[lane];
  const std::uint64_t reach =
      std::uint64_t{index_.block_spans} * std::max<std::size_t>(open_.size(), 16);
  if (open.open && (open.block.count == index_.block_spans || record_ - open.block.first >= reach))
    close_block(lane);
  if (!open.open) {
    open.block = SpanBlock{};
    open.block.start = span.start;
    open.block.first = record_;
    open.extent = open.covered = open.reduce = open.elementwise = 0;
    open.open = true;
  }
  const auto start = static_cast<double>(span.start);
  const auto duration = static_cast<double>(span.duration);
  // Differences of whole units first: late in a long trace an end loses digits of its duration.
  open.extent =
      std::max(open.extent, static_cast<double>(span.start - open.block.start) + duration);
  const double end = start + duration;
  const double fresh = open.lane_furthest > start ? end - open.lane_furthest : duration;
  if (fresh > 0) {
    open.covered += fresh;
    if (style.category() == Category::reduce) open.reduce += fresh;
    if (style.category() == Category::elementwise) open.elementwise += fresh;
    open.lane_furthest = end;
  }
  if (open.block.count == 0 || span.duration > open.block.longest) {
    open.block.longest = span.duration;
    open.block.style = style;
  }
  ++open.block.count;
}

void SpanBuilder::close_block(std::uint32_t lane) {
  if (lane >= index_.lanes.size()) index_.lanes.resize(open_.size());
  OpenBlock& open = open_[lane];
  open.block.extent = at_least(open.extent);
  open.block.covered = static_cast<float>(open.covered);
  open.block.reduce_share = share(open.reduce, open.covered);
  open.block.elementwise_share = share(open.elementwise, open.covered);
  LaneIndex& target = index_.lanes[lane];
  if (target.levels.empty()) target.levels.emplace_back();
  target.levels[0].push_back(open.block);
  target.span_count += open.block.count;
  open.open = false;
}

SpanIndex SpanBuilder::finish() {
  index_.lanes.resize(open_.size());
  for (std::uint32_t lane = 0; lane < open_.size(); ++lane) {
    if (open_[lane].open) close_block(lane);
    LaneIndex& target = index_.lanes[lane];
    if (target.levels.empty()) target.levels.emplace_back();
    target.levels[0].shrink_to_fit();
    build_levels(target);
  }
  index_.lane_count = static_cast<std::uint32_t>(open_.size());
  return std::move(index_);
}

}  // namespace bytescope::trace
