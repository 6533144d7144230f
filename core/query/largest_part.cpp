#include "core/query/largest_part.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "core/query/block_records.h"

namespace bytescope::query {
namespace {

using trace::LaneIndex;
using trace::SpanBlock;
using trace::SpanBlocks;

/// Goes down the blocks of a lane, those first whose spans may cover most, and leaves out what
/// cannot cover more than what was found.
class PartSearch {
public:
  PartSearch(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
             std::uint32_t lane, double begin, double end)
      : trace_(trace),
        reader_(reader),
        track_(track),
        lane_(lane),
        levels_(trace.tracks[track].spans->lanes[lane].levels),
        begin_(begin),
        end_(end) {}

  LargestPart run() {
    const std::size_t top = levels_.size() - 1;
    for (std::size_t first = 0; first < levels_[top].size(); first += LaneIndex::fanout)
      visit(top, first);
    return best_;
  }

private:
  struct Candidate {
    double most = 0;  // what one of its spans may cover
    std::size_t block = 0;
  };

  double inside(double from, double to) const {
    return std::min(to, end_) - std::max(from, begin_);
  }

  /// Looks at up to `fanout` neighbouring blocks of a level.
  void visit(std::size_t level, std::size_t first) {
    const SpanBlocks& blocks = levels_[level];
    std::array<Candidate, LaneIndex::fanout> candidates;
    std::size_t count = 0;
    const std::size_t last = std::min(first + LaneIndex::fanout, blocks.size());
    for (std::size_t i = first; i < last; ++i) {
      const double most = std::min(inside(static_cast<double>(blocks[i].start), blocks[i].end()),
                                   static_cast<double>(blocks[i].longest));
      if (most > best_.covered) candidates[count++] = {most, i};
    }
    std::sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(count),
              [](const Candidate& a, const Candidate& b) {
                return a.most != b.most ? a.most > b.most : a.block < b.block;
              });
    for (std::size_t i = 0; i < count && candidates[i].most > best_.covered; ++i) {
      if (level == 0) {
        read(blocks[candidates[i].block]);
      } else {
        visit(level - 1, candidates[i].block * LaneIndex::fanout);
      }
    }
  }

  void read(const SpanBlock& block) {
    for_records(trace_, track_, lane_, block, [this](std::uint32_t record) {
      const bytepack::SpanRecord span = trace_.span(reader_, track_, record);
      const double covered = inside(static_cast<double>(span.start), span.end());
      if (covered > best_.covered) best_ = {record, covered};
    });
  }

  const trace::Trace& trace_;
  io::PageReader& reader_;
  std::uint32_t track_;
  std::uint32_t lane_;
  const std::vector<SpanBlocks>& levels_;
  double begin_;
  double end_;
  LargestPart best_;
};

}  // namespace

std::optional<LargestPart> largest_part(const trace::Trace& trace, io::PageReader& reader,
                                        std::uint32_t track, std::uint32_t lane, double begin,
                                        double end) {
  if (finest_blocks(trace, track, lane) == nullptr) return std::nullopt;
  const LargestPart found = PartSearch(trace, reader, track, lane, begin, end).run();
  if (found.covered <= 0) return std::nullopt;
  return found;
}

}  // namespace bytescope::query
