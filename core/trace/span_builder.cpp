#include "core/trace/span_builder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

namespace bytescope::trace {
namespace {

/// The smallest float that is not less than `value`, which is finite and not negative.
float at_least(double value) {
  const float rounded = static_cast<float>(value);
  // Bits of such floats count like the floats themselves.
  const bool below = static_cast<double>(rounded) < value;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(rounded) + (below ? 1U : 0U));
}

/// part / whole in 1/255; `part` is at most `whole` but for rounding.
std::uint8_t share(double part, double whole) {
  return whole > 0 ? static_cast<std::uint8_t>(std::min(part / whole, 1.0) * 255 + 0.5)
                   : std::uint8_t{0};
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

/// A duration and its place in one number, of which the largest is the first of the longest.
std::uint64_t length_key(float duration, std::uint32_t place) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(duration) & 0x7FFFFFFFU;  // no minus zero
  return std::uint64_t{bits} << 32U | (UINT32_MAX - place);
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
  if (all_follow_in_lane_0(batch)) {
    add_in_lane_0(batch);
  } else {
    add_one_by_one(batch);
  }
  record_ += static_cast<std::uint32_t>(batch.count);
}

/// The slot of a name. Straight from a table where there is one: how long a search in slots takes
/// cannot be predicted.
inline std::uint32_t SpanBuilder::slot_of(std::uint32_t name) const {
  if (name < direct_slots_.size()) return direct_slots_[name];
  return name < most_direct_ ? NameSlots::none : index_.slots.find(name);
}

/// Adds the spans to the totals of their names and looks their styles up.
void SpanBuilder::count_names(const SpanBatch& batch) {
  for (std::size_t i = 0; i < batch.count; ++i) {
    const std::uint32_t slot = slot_of(batch.name[i]);
    const float duration = batch.duration[i];
    const std::uint32_t record = record_ + static_cast<std::uint32_t>(i);
    NameTotal& total =
        slot != NameSlots::none ? index_.names[slot] : add_name(batch.name[i], duration, record);
    ++total.count;
    total.total += static_cast<double>(duration);
    total.shortest = std::min(total.shortest, duration);
    if (duration > total.longest) {
      total.longest = duration;
      total.longest_record = record;
    }
    styles_[i] = total.style;
  }
}

NameTotal& SpanBuilder::add_name(std::uint32_t name, float duration, std::uint32_t record) {
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
  return index_.names.emplace_back(total);
}

/// Whether there was only lane 0 so far and each span of the batch begins after the one before it
/// has ended, as most spans of most tracks do. Without a branch, so that compilers vectorize it.
bool SpanBuilder::all_follow_in_lane_0(const SpanBatch& batch) const {
  if (lanes_in_file_ || inherits_phase_ || !fit_.first_is_only_and_free(batch.start[0]))
    return false;
  constexpr float too_long = 2147483648.0F;
  bool follow = true;
  float longest = 0;
  for (std::size_t i = 0; i + 1 < batch.count; ++i) {
    const float duration = std::min(batch.duration[i], 2147483520.0F);
    longest = std::max(longest, batch.duration[i]);
    const auto whole = static_cast<std::uint32_t>(static_cast<std::int32_t>(duration));
    follow &= batch.start[i + 1] - batch.start[i] >= whole;
  }
  return follow && longest < too_long;
}

void SpanBuilder::add_in_lane_0(const SpanBatch& batch) {
  const std::size_t last = batch.count - 1;
  place(batch, last);
  for (std::size_t i = 0; i < batch.count;) {
    OpenBlock& open = block_for(0, batch.start[i], record_ + static_cast<std::uint32_t>(i));
    const std::size_t end =
        std::min<std::size_t>(batch.count, i + index_.block_spans - open.block.count);
    index_.busy += extend(open, batch, i, end);
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
    extend(block_for(lane, batch.start[i], record), batch, i, i + 1);
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

/// Adds spans [begin, end) of a batch to the open block of their lane; answers the time that they
/// cover and no earlier one of the lane did. Sums are kept in registers on the way.
double SpanBuilder::extend(OpenBlock& open, const SpanBatch& batch, std::size_t begin,
                           std::size_t end) const {
  const std::uint32_t origin = open.block.start;
  // Ends relative to the block: late in a long trace an absolute end loses digits of a duration.
  double extent = open.extent;
  double furthest = open.lane_furthest - static_cast<double>(origin);
  double covered = 0;
  double reduce = 0;
  double elementwise = 0;
  // What came before is longest of equals: place 0 is its.
  const std::uint64_t before = open.block.count == 0 ? 0 : length_key(open.block.longest, 0);
  std::uint64_t longest = before;
  for (std::size_t i = begin; i < end; ++i) {
    const auto start = static_cast<double>(batch.start[i] - origin);
    const auto duration = static_cast<double>(batch.duration[i]);
    const double fresh = at_least_0(duration - at_least_0(furthest - start));
    extent = std::max(extent, start + duration);
    furthest = std::max(furthest, start + duration);
    const StyleShares& shares = style_shares[styles_[i].bits];
    covered += fresh;
    reduce += fresh * shares.reduce;
    elementwise += fresh * shares.elementwise;
    longest = std::max(longest, length_key(batch.duration[i], static_cast<std::uint32_t>(i + 1)));
  }
  open.extent = extent;
  open.lane_furthest = furthest + static_cast<double>(origin);
  open.covered += covered;
  open.reduce += reduce;
  open.elementwise += elementwise;
  if (longest != before) {
    const std::size_t at = UINT32_MAX - static_cast<std::uint32_t>(longest) - 1;
    open.block.longest = batch.duration[at];
    open.block.style = styles_[at];
  }
  open.block.count = static_cast<std::uint8_t>(open.block.count + (end - begin));
  return covered;
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
