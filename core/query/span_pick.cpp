#include "core/query/span_pick.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/bytepack/records.h"
#include "core/io/piece_reader.h"
#include "core/query/block_records.h"
#include "core/trace/ansi.h"

namespace bytescope::query {
namespace {

using trace::SpanBlock;
using trace::SpanBlocks;

/// Place of the block of a lane that holds `record`.
std::size_t block_of(const SpanBlocks& blocks, std::uint32_t record) {
  const auto after = std::upper_bound(
      blocks.begin(), blocks.end(), record,
      [](std::uint32_t value, const SpanBlock& block) { return value < block.first; });
  return after == blocks.begin() ? 0 : static_cast<std::size_t>(after - blocks.begin()) - 1;
}

/// 0 inside the span, else how far away it is.
double distance_ns(const bytepack::SpanRecord& span, std::int64_t time_ns) {
  const auto before = static_cast<double>(trace::ns_from_unit(span.start) - time_ns);
  const double after = -before - static_cast<double>(span.duration) * 1000;
  return std::max({before, after, 0.0});
}

/// Looks for the span at a time in one lane. Blocks that begin at or before the time are tried
/// from the latest backwards: the first span met that covers it is the answer, and a block whose
/// end is farther away than what was found is not opened. Of those that begin later only the first
/// can matter.
class Picker {
public:
  Picker(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track, std::uint32_t lane,
         std::int64_t time_ns, double tolerance_ns)
      : trace_(trace),
        reader_(reader),
        track_(track),
        lane_(lane),
        levels_(trace.tracks[track].spans->lanes[lane].levels),
        time_ns_(time_ns),
        best_ns_(tolerance_ns) {}

  std::optional<std::uint32_t> run() {
    const std::size_t top = levels_.size() - 1;
    visit(top, 0, begun(top, 0, levels_[top].size()));
    const std::size_t later = begun(0, 0, levels_[0].size());
    if (later < levels_[0].size()) {
      const SpanBlock& block = levels_[0][later];
      offer(block.first, static_cast<double>(trace::ns_from_unit(block.start) - time_ns_));
    }
    return best_;
  }

private:
  /// The first of the blocks [begin, end) of a level that begins after the time.
  std::size_t begun(std::size_t level, std::size_t begin, std::size_t end) const {
    const auto first = levels_[level].begin();
    const auto after = std::upper_bound(first + static_cast<std::ptrdiff_t>(begin),
                                        first + static_cast<std::ptrdiff_t>(end), time_ns_,
                                        [](std::int64_t time, const SpanBlock& block) {
                                          return time < trace::ns_from_unit(block.start);
                                        });
    return static_cast<std::size_t>(after - first);
  }

  void visit(std::size_t level, std::size_t begin, std::size_t end) {
    for (std::size_t i = end; i-- > begin && !covered();) {
      const SpanBlock& block = levels_[level][i];
      const auto since_start = static_cast<double>(time_ns_ - trace::ns_from_unit(block.start));
      if (since_start - static_cast<double>(block.extent) * 1000 > best_ns_) continue;
      if (level == 0) {
        read(block);
      } else {
        const std::size_t first = i * trace::LaneIndex::fanout;
        const std::size_t last =
            std::min(first + trace::LaneIndex::fanout, levels_[level - 1].size());
        visit(level - 1, first, begun(level - 1, first, last));
      }
    }
  }

  void read(const SpanBlock& block) {
    for_records(trace_, track_, lane_, block, [this](std::uint32_t record) {
      offer(record, distance_ns(trace_.span(reader_, track_, record), time_ns_));
    });
  }

  /// Of spans that cover the time the last one counts, of others equally near the first.
  void offer(std::uint32_t record, double away_ns) {
    if (away_ns > best_ns_) return;
    const bool is_better =
        !best_ || away_ns < best_ns_ || (away_ns == 0 ? record > *best_ : record < *best_);
    if (!is_better) return;
    best_ = record;
    best_ns_ = away_ns;
  }

  bool covered() const { return best_ && best_ns_ == 0; }

  const trace::Trace& trace_;
  io::PageReader& reader_;
  std::uint32_t track_;
  std::uint32_t lane_;
  const std::vector<SpanBlocks>& levels_;
  std::int64_t time_ns_;
  std::optional<std::uint32_t> best_;
  double best_ns_;
};

/// The names of a track that differ from `name` in colours at most, itself among them.
std::vector<const trace::NameTotal*> namesakes_in(const trace::Trace& trace, std::uint32_t track,
                                                  std::uint32_t name) {
  io::PageReader reader(trace.file, 4);
  const std::string plain = trace::plain_text(trace.text(reader, name));
  std::vector<const trace::NameTotal*> names;
  for (const trace::NameTotal& total : trace.tracks[track].spans->names) {
    if (total.name == name || trace::plain_text(trace.text(reader, total.name)) == plain)
      names.push_back(&total);
  }
  return names;
}

}  // namespace

std::optional<std::uint32_t> span_at(const trace::Trace& trace, io::PageReader& reader,
                                     std::uint32_t track, std::uint32_t lane, std::int64_t time_ns,
                                     double tolerance_ns) {
  if (finest_blocks(trace, track, lane) == nullptr) return std::nullopt;
  return Picker(trace, reader, track, lane, time_ns, tolerance_ns).run();
}

std::optional<std::uint32_t> neighbour_in_lane(const trace::Trace& trace, std::uint32_t track,
                                               std::uint32_t record, int step) {
  const auto& spans = trace.tracks[track].spans;
  if (!spans || spans->sampled || record >= trace.tracks[track].head.count) return std::nullopt;
  const std::uint32_t lane = spans->lane(record);
  const SpanBlocks* blocks = finest_blocks(trace, track, lane);
  if (blocks == nullptr) return std::nullopt;
  const std::size_t place = block_of(*blocks, record);
  std::optional<std::uint32_t> before;
  std::optional<std::uint32_t> after;
  for (std::size_t i = place == 0 ? 0 : place - 1; i < std::min(place + 2, blocks->size()); ++i) {
    for_records(trace, track, lane, (*blocks)[i], [&](std::uint32_t other) {
      if (other < record) before = other;
      if (other > record && !after) after = other;
    });
  }
  return step < 0 ? before : after;
}

std::optional<Occurrence> occurrence(const trace::Trace& trace, std::uint32_t track,
                                     std::uint32_t record, const Cancel& cancel) {
  const trace::Track& owner = trace.tracks[track];
  if (!owner.spans || owner.spans->sampled || record >= owner.head.count) return std::nullopt;
  const bytepack::SpanLayout& layout = trace.dialect->span;
  io::PieceReader reader(*trace.file, owner.head.records_byte, owner.head.end_byte);
  std::array<std::byte, 32> last{};
  trace.file->read_at(owner.head.records_byte + std::uint64_t{layout.stride} * record,
                      std::span(last).first(layout.stride));
  const auto name = bytepack::load<std::uint32_t>(last.data() + layout.name);
  if (owner.spans->slots.find(name) == trace::NameSlots::none) return std::nullopt;
  const std::vector<const trace::NameTotal*> names = namesakes_in(trace, track, name);
  Occurrence found{1, 0};
  for (const trace::NameTotal* one : names) found.total += one->count;
  for (std::uint32_t i = 0; i < record; ++i) {
    const std::span<const std::byte> bytes = reader.peek(layout.stride);
    if (bytes.size() < layout.stride || (i % 65536 == 0 && cancel.requested())) return std::nullopt;
    const auto other = bytepack::load<std::uint32_t>(bytes.data() + layout.name);
    if (std::any_of(names.begin(), names.end(),
                    [other](const trace::NameTotal* one) { return one->name == other; }))
      ++found.rank;
    reader.skip(layout.stride);
  }
  return found;
}

}  // namespace bytescope::query
