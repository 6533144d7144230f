#include "core/query/memory_stack.h"

#include <algorithm>

#include "core/query/memory_columns.h"
#include "core/query/ordinal_set.h"

namespace bytescope::query {
namespace {

using trace::Buffer;
using trace::MemoryIndex;

/// What lies between two thick buffers.
struct Band {
  std::uint64_t bytes = 0;
  std::uint32_t count = 0;
  Band& operator+=(const Band& other) {
    bytes += other.bytes;
    count += other.count;
    return *this;
  }
  Band& operator-=(const Band& other) {
    bytes -= other.bytes;
    count -= other.count;
    return *this;
  }
};

/// The live thin buffers, summed up in blocks of 64, of 64 × 64 and so on: changes cost O(log64 n),
/// a sum over a stretch 64 times that. A Fenwick tree would balance the two, but changes come
/// with every event and such sums only where a thick buffer appears in the middle of a band.
class ThinBuffers {
public:
  explicit ThinBuffers(const MemoryIndex& memory)
      : buffers_(memory.buffers), set_(static_cast<std::uint32_t>(buffers_.size())) {
    std::size_t size = buffers_.size();
    while (size > 64) {
      size = (size + 63) / 64;
      sums_.emplace_back(size);
    }
  }

  void insert(std::uint32_t ordinal) {
    set_.insert(ordinal);
    const Band band{buffers_[ordinal].bytes, 1};
    for (std::vector<Band>& level : sums_) level[ordinal /= 64] += band;
  }
  void erase(std::uint32_t ordinal) {
    set_.erase(ordinal);
    const Band band{buffers_[ordinal].bytes, 1};
    for (std::vector<Band>& level : sums_) level[ordinal /= 64] -= band;
  }
  /// The smallest member that is at least `ordinal`, or OrdinalSet::none.
  std::uint32_t at_or_after(std::uint32_t ordinal) const { return set_.at_or_after(ordinal); }

  /// Sum of the members below `ordinal`.
  Band below(std::uint32_t ordinal) const {
    Band sum;
    const std::uint32_t first = ordinal / 64 * 64;
    std::uint64_t word = set_.word(ordinal / 64) & ((std::uint64_t{1} << (ordinal % 64)) - 1);
    for (; word != 0; word &= word - 1)
      sum += {buffers_[first + static_cast<std::uint32_t>(std::countr_zero(word))].bytes, 1};
    std::uint32_t end = ordinal / 64;
    for (const std::vector<Band>& level : sums_) {
      for (std::uint32_t i = end / 64 * 64; i < end; ++i) sum += level[i];
      end /= 64;
    }
    return sum;
  }

private:
  const trace::BufferTable& buffers_;
  OrdinalSet set_;
  std::vector<std::vector<Band>> sums_;
};

/// Puts the cells of one column down, from the ground up. What lies wholly below the window becomes
/// one band, and so does what lies above.
class CellWriter {
public:
  CellWriter(const ByteRange& window, std::vector<StackCell>& cells)
      : window_(window), cells_(cells) {}

  void add_band(const Band& band) {
    if (band.count != 0) add(band, StackCell::thin);
  }
  void add_buffer(std::uint64_t bytes, std::uint32_t ordinal) { add({bytes, 1}, ordinal); }
  bool above_window() const { return done_.bytes >= window_.end_bytes; }

  /// Ends the column; `all` is everything in it.
  void finish(Band all) {
    flush();
    all -= done_;
    if (all.count != 0) put(all, StackCell::thin);
  }

private:
  void add(const Band& band, std::uint32_t ordinal) {
    if (above_window()) return;
    if (done_.bytes + band.bytes <= window_.begin_bytes) {
      below_ += band;
      done_ += band;
      return;
    }
    flush();
    put(band, ordinal);
  }

  void flush() {
    if (below_.count != 0) cells_.push_back({0, below_.bytes, StackCell::thin, below_.count});
    below_ = {};
  }

  void put(const Band& band, std::uint32_t ordinal) {
    const std::uint32_t count = ordinal == StackCell::thin ? band.count : 0;
    cells_.push_back({done_.bytes, done_.bytes + band.bytes, ordinal, count});
    done_ += band;
  }

  const ByteRange& window_;
  std::vector<StackCell>& cells_;
  Band below_;
  Band done_;
};

/// Numbers those of the buffers that are thick, by ordinal: a bit each, and how many there are
/// before every 64.
class ThickNumbers {
public:
  ThickNumbers(const trace::BufferTable& buffers, std::uint64_t thick_bytes)
      : words_(buffers.size() / 64 + 1), before_(words_.size()) {
    for (std::uint32_t i = 0; i < buffers.size(); ++i)
      words_[i / 64] |= std::uint64_t{buffers[i].bytes >= thick_bytes} << (i % 64);
    for (std::size_t i = 0; i < words_.size(); ++i) {
      before_[i] = count_;
      count_ += static_cast<std::uint32_t>(std::popcount(words_[i]));
    }
  }

  std::uint32_t count() const { return count_; }
  /// The number of a thick buffer.
  std::uint32_t of(std::uint32_t ordinal) const {
    const std::uint64_t lower = (std::uint64_t{1} << (ordinal % 64)) - 1;
    return before_[ordinal / 64] +
           static_cast<std::uint32_t>(std::popcount(words_[ordinal / 64] & lower));
  }

private:
  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> before_;
  std::uint32_t count_ = 0;
};

/// The live buffers while the events go by: the thick ones in order, with a band on top of each.
class LiveStack {
public:
  LiveStack(const MemoryIndex& memory, std::uint64_t thick_bytes)
      : buffers_(memory.buffers),
        thick_bytes_(thick_bytes),
        thick_(static_cast<std::uint32_t>(buffers_.size())),
        thin_(memory),
        numbers_(buffers_, thick_bytes),
        above_(numbers_.count()) {}

  void apply(std::uint32_t event) {
    const std::uint32_t ordinal = MemoryIndex::ordinal(event);
    if (MemoryIndex::is_free(event)) {
      erase(ordinal);
    } else {
      insert(ordinal);
    }
  }

  void insert(std::uint32_t ordinal) {
    const std::uint64_t bytes = buffers_[ordinal].bytes;
    all_ += {bytes, 1};
    const std::uint32_t under = thick_.before(ordinal);
    if (bytes >= thick_bytes_) {
      split(under, ordinal);
      thick_.insert(ordinal);
    } else {
      thin_.insert(ordinal);
      band_above(under) += {bytes, 1};
    }
  }

  void append_cells(const ByteRange& window, std::vector<StackCell>& cells) const {
    CellWriter writer(window, cells);
    writer.add_band(bottom_);
    std::uint32_t ordinal = thick_.at_or_after(0);
    while (ordinal != OrdinalSet::none && !writer.above_window()) {
      writer.add_buffer(buffers_[ordinal].bytes, ordinal);
      writer.add_band(above(ordinal));
      ordinal = thick_.at_or_after(ordinal + 1);
    }
    writer.finish(all_);
  }

private:
  Band& above(std::uint32_t thick) { return above_[numbers_.of(thick)]; }
  const Band& above(std::uint32_t thick) const { return above_[numbers_.of(thick)]; }

  Band& band_above(std::uint32_t thick) {
    return thick == OrdinalSet::none ? bottom_ : above(thick);
  }

  void erase(std::uint32_t ordinal) {
    const std::uint64_t bytes = buffers_[ordinal].bytes;
    all_ -= {bytes, 1};
    Band& under = band_above(thick_.before(ordinal));
    if (bytes >= thick_bytes_) {
      thick_.erase(ordinal);
      under += above(ordinal);
      above(ordinal) = {};
    } else {
      thin_.erase(ordinal);
      under -= {bytes, 1};
    }
  }

  // Divides the band above `under` where the thick buffer `ordinal` is about to appear.
  void split(std::uint32_t under, std::uint32_t ordinal) {
    Band& band = band_above(under);
    above(ordinal) = {};
    const std::uint32_t next_thin = thin_.at_or_after(ordinal);
    if (next_thin == OrdinalSet::none || thick_.at_or_after(ordinal) < next_thin) return;
    Band lower = thin_.below(ordinal);
    if (under != OrdinalSet::none) lower -= thin_.below(under);
    above(ordinal) = band;
    above(ordinal) -= lower;
    band = lower;
  }

  const trace::BufferTable& buffers_;
  std::uint64_t thick_bytes_;
  OrdinalSet thick_;
  ThinBuffers thin_;
  ThickNumbers numbers_;
  std::vector<Band> above_;  ///< By the number of the thick buffer underneath.
  Band bottom_;              ///< Below all thick buffers.
  Band all_;                 ///< Everything that is live.
};

/// Calls `visit` with the ordinals of all buffers that are live in front of event `event`, in
/// order. No event with the time of that event may lie before it.
template <class Visit>
void for_each_live(const MemoryIndex& memory, std::uint32_t event, Visit visit) {
  const bool all = event >= memory.events.size();
  const std::uint32_t time = all ? Buffer::never : memory.event_time(event);
  for (std::uint32_t i = 0; i < memory.buffers.size(); ++i) {
    const Buffer& buffer = memory.buffers[i];
    if (buffer.allocated < time && buffer.freed >= time) visit(i);
  }
}

/// Where the columns' stacks are looked at.
struct Instants {
  std::vector<std::uint32_t> events;  ///< How many have happened by then, for each column.
  std::size_t most_cells = 0;         ///< How many cells the stacks have at most, all together.
};

/// The instants of largest total, the first of equals.
Instants largest_instants(const MemoryIndex& memory, const std::vector<std::uint32_t>& bounds,
                          std::uint64_t thick_bytes) {
  std::uint64_t live = 0;
  std::size_t thick = 0;
  for_each_live(memory, bounds.front(), [&](std::uint32_t ordinal) {
    live += memory.buffers[ordinal].bytes;
    thick += memory.buffers[ordinal].bytes >= thick_bytes ? 1 : 0;
  });
  Instants instants{std::vector<std::uint32_t>(bounds.size() - 1), 0};
  for (std::size_t c = 0; c + 1 < bounds.size(); ++c) {
    std::uint32_t largest = bounds[c];
    std::uint64_t largest_bytes = live;
    std::size_t largest_thick = thick;
    for (std::uint32_t i = bounds[c]; i < bounds[c + 1]; ++i) {
      memory.prefetch(i);
      const std::uint32_t event = memory.events[i];
      const std::uint64_t bytes = memory.buffers[MemoryIndex::ordinal(event)].bytes;
      const std::uint64_t sign = MemoryIndex::is_free(event) ? ~std::uint64_t{0} : 1;
      live += sign * bytes;
      thick += bytes >= thick_bytes ? sign : 0;
      if (live <= largest_bytes) continue;
      largest = i + 1;
      largest_bytes = live;
      largest_thick = thick;
    }
    instants.events[c] = largest;
    instants.most_cells += 2 * std::min<std::size_t>(largest_thick, StackColumns::most_thick) + 3;
  }
  return instants;
}

}  // namespace

StackColumns memory_stack(const MemoryIndex& memory, const Columns& columns,
                          std::uint64_t thick_bytes, const Cancel& cancel,
                          const ByteRange& window) {
  constexpr std::uint32_t events_between_looks = 4096;
  constexpr std::size_t most_reserved = 1U << 22U;
  const std::uint64_t top = std::min(window.end_bytes, memory.peak_bytes);
  const std::uint64_t height = top - std::min(window.begin_bytes, top);
  thick_bytes = std::max({thick_bytes, height / StackColumns::most_thick, std::uint64_t{1}});
  StackColumns stack{columns, thick_bytes, {}, {}, {}};
  stack.first_cell.reserve(std::size_t{columns.count} + 1);
  stack.event.reserve(columns.count);
  const std::vector<std::uint32_t> bounds = column_bounds(memory, columns);
  const Instants instants = largest_instants(memory, bounds, thick_bytes);
  stack.cells.reserve(std::min(instants.most_cells, most_reserved));
  LiveStack live(memory, thick_bytes);
  for_each_live(memory, bounds.front(), [&](std::uint32_t ordinal) { live.insert(ordinal); });
  std::uint32_t next = bounds.front();
  for (const std::uint32_t instant : instants.events) {
    while (next < instant && !cancel.requested()) {
      const std::uint32_t stop =
          instant - next < events_between_looks ? instant : next + events_between_looks;
      for (; next < stop; ++next) {
        memory.prefetch(next);
        live.apply(memory.events[next]);
      }
    }
    if (cancel.requested()) break;
    stack.first_cell.push_back(static_cast<std::uint32_t>(stack.cells.size()));
    stack.event.push_back(instant);
    live.append_cells(window, stack.cells);
  }
  stack.first_cell.resize(std::size_t{columns.count} + 1,
                          static_cast<std::uint32_t>(stack.cells.size()));
  stack.event.resize(columns.count, next);
  return stack;
}

std::vector<LiveBuffer> live_buffers(const MemoryIndex& memory, std::uint32_t event_count) {
  const std::size_t count = std::min<std::size_t>(event_count, memory.events.size());
  std::vector<bool> live(memory.buffers.size());
  for (std::size_t i = 0; i < count; ++i)
    live[MemoryIndex::ordinal(memory.events[i])] = !MemoryIndex::is_free(memory.events[i]);
  std::vector<LiveBuffer> result;
  std::uint64_t y = 0;
  for (std::uint32_t ordinal = 0; ordinal < live.size(); ++ordinal) {
    if (!live[ordinal]) continue;
    result.push_back({ordinal, y});
    y += memory.buffers[ordinal].bytes;
  }
  return result;
}

}  // namespace bytescope::query
