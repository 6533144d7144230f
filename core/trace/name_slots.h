#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace bytescope::trace {

/// Dense numbers for the names of one track: position in `strings` → slot 0, 1, 2 … in order of
/// insertion. Open addressing, 8 bytes an entry, at most half full.
class NameSlots {
public:
  static constexpr std::uint32_t none = UINT32_MAX;

  /// The slot of a name, `none` when it was never inserted.
  std::uint32_t find(std::uint32_t name) const {
    if (entries_.empty()) return none;
    for (std::size_t i = home(name);; i = (i + 1) & mask_) {
      // The slot of an empty entry is `none`, whatever its name.
      if (entries_[i].name == name || entries_[i].slot == none) return entries_[i].slot;
    }
  }

  /// Gives a name that has no slot yet the next one.
  std::uint32_t insert(std::uint32_t name) {
    if ((std::size_t{count_} + 1) * 2 > entries_.size()) grow();
    place({name, count_});
    return count_++;
  }

  std::uint32_t size() const { return count_; }

private:
  struct Entry {
    std::uint32_t name = 0;
    std::uint32_t slot = none;
  };

  std::size_t home(std::uint32_t name) const {
    return static_cast<std::size_t>((name * 0x9E3779B97F4A7C15ULL) >> shift_);
  }
  void place(Entry entry) {
    std::size_t i = home(entry.name);
    while (entries_[i].slot != none) i = (i + 1) & mask_;
    entries_[i] = entry;
  }
  void grow() {
    const std::vector<Entry> old = std::move(entries_);
    const std::size_t size = old.empty() ? 16 : old.size() * 2;
    entries_.assign(size, Entry{});
    mask_ = size - 1;
    shift_ = 64 - std::countr_zero(size);
    for (const Entry& entry : old) {
      if (entry.slot != none) place(entry);
    }
  }

  std::vector<Entry> entries_;
  std::size_t mask_ = 0;
  int shift_ = 64;
  std::uint32_t count_ = 0;
};

}  // namespace bytescope::trace
