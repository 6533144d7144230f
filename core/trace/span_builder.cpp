#include "core/trace/span_builder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <utility>

#include "core/trace/byte_share.h"

namespace bytescope::trace {
namespace {

/// The smallest float that is not less than `value`, which is finite and not negative.
float at_least(double value) {
  const auto rounded = static_cast<float>(value);
  // Bits of such floats count like the floats themselves.
  const bool below = static_cast<double>(rounded) < value;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(rounded) + (below ? 1U : 0U));
}

/// part / whole in 1/255, rounded; `part` is at most `whole` but for rounding.
std::uint8_t share(double part, double whole) {
  return whole > 0 ? byte_share(part / whole) : std::uint8_t{0};
}

/// `value`, or 0 if it is negative. Without a branch: whether a span begins before the one in front
/// of it has ended to the last digit cannot be predicted. Exact.
double at_least_0(double value) { return (value + std::abs(value)) * 0.5; }

/// By bits of a style: which of the two sums of a block its time counts in, as factors.
struct StyleShares {
  double reduce = 0;
  double elementwise = 0;
};
constexpr std::array<StyleShares, 256> make_style_shares() {
  std::array<StyleShares, 256> shares{};
  for (std::uint8_t variant = 0; variant < 16; ++variant) {
    shares[Style(Category::reduce, variant).bits].reduce = 1;
    shares[Style(Category::elementwise, variant).bits].elementwise = 1;
  }
  return shares;
}
constexpr std::array<StyleShares, 256> style_shares = make_style_shares();

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
    reduce += static_cast<double>(block.covered) * block.reduce_share;
    elementwise += static_cast<double>(block.covered) * block.elementwise_share;
    sum.first += lowest ? block.count : block.first;
    if (block.longest > sum.longest) {
      sum.longest = block.longest;
      sum.style = block.style;
    }
  }
  sum.extent = at_least(end - sum.start);
  sum.covered = static_cast<float>(covered);
  sum.reduce_share = share(reduce, covered * 255);
  sum.elementwise_share = share(elementwise, covered * 255);
  return sum;
}

}  // namespace

void build_levels(LaneIndex& lane) {
  while (lane.levels.back().size() > LaneIndex::fanout) {
    const SpanBlocks& below = lane.levels.back();
    SpanBlocks above;
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
      most_direct_(std::min(count, most_direct_names)),
      lanes_in_file_(lanes_in_file),
      inherits_phase_(inherits_phase),
      style_of_name_(std::move(style_of_name)) {
  index_.block_spans = block_spans;
  if (inherits_phase) index_.styles.reserve(count);
}

void SpanBuilder::add(const SpanBatch& batch) {
  count_names(batch);
  if (all_rise_in_lane_0(batch)) {
    add_in_lane_0(batch);
  } else {
    add_one_by_one(batch);
  }
  record_ += static_cast<std::uint32_t>(batch.count);
}

/// The slot of a name for which there is no place in the table of slots. The table is there because
/// how long a search takes cannot be predicted.
std::uint32_t SpanBuilder::distant_slot_of(std::uint32_t name) const {
  return name < most_direct_ ? NameSlots::none : index_.slots.find(name);
}

/// Adds the spans to the totals of their names and looks their styles up.
void SpanBuilder::count_names(const SpanBatch& batch) {
  for (std::size_t i = count_known_names(batch, 0); i < batch.count;
       i = count_known_names(batch, i))
    add_name(batch.name[i], batch.duration[i], record_ + static_cast<std::uint32_t>(i));
}

/// Does so from span `i` on up to the first whose name is new; answers its place in the batch.
std::size_t SpanBuilder::count_known_names(const SpanBatch& batch, std::size_t i) {
  // In variables of our own: a style is a byte, and to store one might change any member.
  const std::span<const std::uint32_t> slots = direct_slots_;
  NameTotal* const names = index_.names.data();
  const std::uint32_t record = record_;
  const std::size_t count = batch.count;
  for (; i < count; ++i) {
    const std::uint32_t name = batch.name[i];
    const std::uint32_t slot = name < slots.size() ? slots[name] : distant_slot_of(name);
    if (slot == NameSlots::none) break;
    NameTotal& total = names[slot];
    const float duration = batch.duration[i];
    ++total.count;
    total.total += static_cast<double>(duration);
    total.shortest = std::min(total.shortest, duration);
    if (duration > total.longest) {
      total.longest = duration;
      total.longest_record = record + static_cast<std::uint32_t>(i);
    }
    styles_[i] = total.style;
  }
  return i;
}

void SpanBuilder::add_name(std::uint32_t name, float duration, std::uint32_t record) {
  NameTotal total;
  total.name = name;
  total.shortest = duration;
  total.longest_record = record;
  total.style = style_of_name_(name);
  const std::uint32_t slot = index_.slots.insert(name);
  if (name < most_direct_) {
    if (name >= direct_slots_.size())
      direct_slots_.resize(std::min(std::bit_ceil(name + 1), most_direct_), NameSlots::none);
    direct_slots_[name] = slot;
  }
  index_.names.push_back(total);
}

/// Whether there was only lane 0 so far and the spans of the batch rise in it: each begins when the
/// one before it has ended in whole units, and ends last of all so far. Most spans of most tracks
/// do. Notes on the way how much of each the one before it covers. Differences of less than 2^24
/// units are exact; one that is negative, which its top bit tells, is a fault. That way compilers
/// vectorize it.
bool SpanBuilder::all_rise_in_lane_0(const SpanBatch& batch) {
  if (lanes_in_file_ || inherits_phase_ || !fit_.first_is_only_and_free(batch.start[0]))
    return false;
  constexpr float longest = 0x1.fffffeP23F;
  constexpr float most_overlap = 0x1.fffffeP-1F;  // the last before a whole unit
  const double before = open_.empty() ? 0 : open_[0].lane_furthest - batch.start[0];
  overlaps_[0] = static_cast<float>(std::max(before, 0.0));
  std::uint32_t faults = 0;
  for (std::size_t i = 0; i + 1 < batch.count; ++i) {
    const auto step = static_cast<std::int32_t>(batch.start[i + 1] - batch.start[i]);
    const float overlap = batch.duration[i] - static_cast<float>(step);
    overlaps_[i + 1] = std::max(overlap, 0.0F);
    faults |= std::bit_cast<std::uint32_t>(most_overlap - overlap);
  }
  for (std::size_t i = 0; i < batch.count; ++i) {
    faults |= std::bit_cast<std::uint32_t>(longest - batch.duration[i]);
    faults |= std::bit_cast<std::uint32_t>(batch.duration[i] - overlaps_[i]);
  }
  return (faults >> 31U) == 0;
}

void SpanBuilder::add_in_lane_0(const SpanBatch& batch) {
  const std::size_t last = batch.count - 1;
  place(batch, last);
  split_fresh_parts(std::span(batch.duration).first(batch.count), overlaps_, styles_, parts_);
  for (std::size_t i = 0; i < batch.count;) {
    OpenBlock& open = block_for(0, batch.start[i], record_ + static_cast<std::uint32_t>(i));
    const std::size_t end =
        std::min<std::size_t>(batch.count, i + index_.block_spans - open.block.count);
    extend_rising(open, batch, i, end);
    i = end;
  }
  furthest_ = open_[0].lane_furthest;
}

void SpanBuilder::add_one_by_one(const SpanBatch& batch) {
  for (std::size_t i = 0; i < batch.count; ++i) {
    const std::uint32_t record = record_ + static_cast<std::uint32_t>(i);
    const std::uint32_t lane = place(batch, i);
    if (!index_.lanes8.empty()) {
      index_.lanes8[record] = static_cast<std::uint8_t>(lane);
    } else if (!index_.lanes16.empty()) {
      index_.lanes16[record] = static_cast<std::uint16_t>(lane);
    }
    if (inherits_phase_) resolve_phase(batch, i, lane);
    const auto start = static_cast<double>(batch.start[i]);
    const double end = start + static_cast<double>(batch.duration[i]);
    if (end > furthest_) {
      index_.busy += end - std::max(furthest_, start);
      furthest_ = end;
    }
    extend(block_for(lane, batch.start[i], record), batch, i);
  }
}

/// Finds the lane of a span.
std::uint32_t SpanBuilder::place(const SpanBatch& batch, std::size_t i) {
  const std::uint32_t lane =
      lanes_in_file_ ? batch.depth[i]
                     : fit_.place(batch.start[i],
                                  batch.start[i] + static_cast<std::uint64_t>(batch.duration[i]));
  if (lane >= open_.size()) add_lane(lane);
  return lane;
}

void SpanBuilder::add_lane(std::uint32_t lane) {
  start_lanes(lane);
  open_.resize(std::size_t{lane} + 1);
  index_.lanes.resize(open_.size());
  reach_ = std::uint64_t{index_.block_spans} * std::max<std::size_t>(open_.size(), 16);
}

/// Makes room for the lanes of all records when `lane` is the first that needs it.
void SpanBuilder::start_lanes(std::uint32_t lane) {
  if (lane > UINT8_MAX && index_.lanes16.empty()) {
    index_.lanes16.resize(count_);
    std::copy(index_.lanes8.begin(), index_.lanes8.end(), index_.lanes16.begin());
    index_.lanes8 = {};
  } else if (lane > 0 && index_.lanes8.empty() && index_.lanes16.empty()) {
    index_.lanes8.resize(count_);
  }
}

void SpanBuilder::resolve_phase(const SpanBatch& batch, std::size_t i, std::uint32_t lane) {
  const auto start = static_cast<double>(batch.start[i]);
  if (lane == 0) {
    phase_ = styles_[i].category();
    phase_end_ = start + static_cast<double>(batch.duration[i]);
  } else if (start < phase_end_) {
    styles_[i] = Style(phase_, styles_[i].variant());
  }
  index_.styles.push_back(styles_[i]);
}

/// The open block of a lane, with room for a span.
SpanBuilder::OpenBlock& SpanBuilder::block_for(std::uint32_t lane, std::uint32_t start,
                                               std::uint32_t record) {
  OpenBlock& open = open_[lane];
  if (open.open && (open.block.count == index_.block_spans || record - open.block.first >= reach_))
    close_block(lane);
  if (!open.open) {
    open.block = SpanBlock{};
    open.block.start = start;
    open.block.first = record;
    open.extent = open.covered = open.reduce = open.elementwise = 0;
    open.open = true;
  }
  return open;
}

/// Adds a span of a batch to the open block of its lane.
void SpanBuilder::extend(OpenBlock& open, const SpanBatch& batch, std::size_t i) const {
  const auto start = static_cast<double>(batch.start[i]);
  const auto duration = static_cast<double>(batch.duration[i]);
  const double fresh = at_least_0(duration - at_least_0(open.lane_furthest - start));
  // Relative to the block: late in a long trace an absolute end loses digits of a duration.
  const auto since = static_cast<double>(batch.start[i] - open.block.start);
  open.extent = std::max(open.extent, since + duration);
  open.lane_furthest = std::max(open.lane_furthest, start + duration);
  open.covered += fresh;
  const StyleShares& shares = style_shares[styles_[i].bits];
  open.reduce += fresh * shares.reduce;
  open.elementwise += fresh * shares.elementwise;
  if (open.block.count == 0 || batch.duration[i] > open.block.longest) {
    open.block.longest = batch.duration[i];
    open.block.style = styles_[i];
  }
  ++open.block.count;
}

/// The same for spans [begin, end) of a batch that rise in lane 0.
void SpanBuilder::extend_rising(OpenBlock& open, const SpanBatch& batch, std::size_t begin,
                                std::size_t end) {
  const RisingSums sums =
      rising_sums(&batch.duration[begin], &overlaps_[begin], &parts_.reduce[begin],
                  &parts_.elementwise[begin], end - begin);
  index_.busy += sums.covered;
  open.covered += sums.covered;
  open.reduce += static_cast<double>(sums.reduce);
  open.elementwise += static_cast<double>(sums.elementwise);
  // The last one ends last.
  const auto duration = static_cast<double>(batch.duration[end - 1]);
  open.extent = static_cast<double>(batch.start[end - 1] - open.block.start) + duration;
  open.lane_furthest = static_cast<double>(batch.start[end - 1]) + duration;
  if (open.block.count == 0 || sums.longest > open.block.longest) {
    const float* first = batch.duration.data() + begin;
    const auto at =
        static_cast<std::size_t>(std::find(first, first + (end - begin), sums.longest) - first);
    open.block.longest = sums.longest;
    open.block.style = styles_[begin + at];
  }
  open.block.count = static_cast<std::uint8_t>(open.block.count + (end - begin));
}

void SpanBuilder::close_block(std::uint32_t lane) {
  OpenBlock& open = open_[lane];
  open.block.extent = at_least(open.extent);
  open.block.covered = static_cast<float>(open.covered);
  open.block.reduce_share = share(open.reduce, open.covered);
  open.block.elementwise_share = share(open.elementwise, open.covered);
  LaneIndex& target = index_.lanes[lane];
  if (target.levels.empty()) target.levels.emplace_back();
  SpanBlocks& blocks = target.levels[0];
  if (blocks.size() == blocks.capacity()) blocks.reserve(expected_blocks(blocks.size()));
  blocks.push_back(open.block);
  target.span_count += open.block.count;
  open.open = false;
}

/// How many blocks a lane that has `so_far` and is full should have room for. Room that is never
/// used costs nothing, but moving blocks to fresh memory does: as many as it will have if the rest
/// of the track is like its beginning, at least half as many again.
std::size_t SpanBuilder::expected_blocks(std::size_t so_far) const {
  const std::size_t grown = so_far + so_far / 2 + 1;
  if (so_far < 1024) return grown;
  const double expected = static_cast<double>(so_far) * 1.05 * count_ / (record_ + 1.0);
  const std::size_t most = count_ / index_.block_spans + grown;
  return std::clamp(static_cast<std::size_t>(expected), grown, most);
}

SpanIndex SpanBuilder::finish() {
  for (std::uint32_t lane = 0; lane < open_.size(); ++lane) {
    if (open_[lane].open) close_block(lane);
    LaneIndex& target = index_.lanes[lane];
    if (target.levels.empty()) target.levels.emplace_back();
    build_levels(target);
    // Only now: what is given back breaks large pages up, and the system finds each of the small
    // ones anew when it is looked at.
    io::release_unused(target.levels.front());
  }
  index_.lane_count = static_cast<std::uint32_t>(open_.size());
  index_.names.shrink_to_fit();
  return std::move(index_);
}

}  // namespace bytescope::trace
