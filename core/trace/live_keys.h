#pragma once

#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bytescope::trace {

/// The keys that are live while the events of a memory track go by, each with a number. A hash
/// table without holes: its size follows the live keys, not all that ever were. Where a key lands
/// depends on the moment it was made, so that no file can be written to slow it down.
class LiveKeys {
public:
  LiveKeys() : slots_(initial_slots), shift_(64 - std::countr_zero(initial_slots)) {}

  /// False when the key is live already. `value` must be below UINT32_MAX.
  bool insert(std::uint32_t key, std::uint32_t value) {
    if ((size_ + 1) * 2 > slots_.size()) grow();
    std::size_t i = home(key);
    for (; slots_[i].value_plus_one != 0; i = next(i)) {
      if (slots_[i].key == key) return false;
    }
    slots_[i] = {key, value + 1};
    ++size_;
    return true;
  }

  /// Takes a key out. Its value, or UINT32_MAX when it was not live.
  std::uint32_t take(std::uint32_t key) {
    for (std::size_t i = home(key); slots_[i].value_plus_one != 0; i = next(i)) {
      if (slots_[i].key != key) continue;
      const std::uint32_t value = slots_[i].value_plus_one - 1;
      close_gap(i);
      --size_;
      return value;
    }
    return UINT32_MAX;
  }

  /// Fetches what a look-up of this key will need.
  void prefetch(std::uint32_t key) const { __builtin_prefetch(&slots_[home(key)]); }

private:
  struct Slot {
    std::uint32_t key = 0;
    std::uint32_t value_plus_one = 0;
  };
  static constexpr std::size_t initial_slots = 1024;

  std::size_t home(std::uint32_t key) const {
    std::uint64_t mixed = (key ^ seed_) * 0x9E3779B97F4A7C15U;
    mixed = (mixed ^ (mixed >> 32U)) * 0xD6E8FEB86659FD93U;
    return static_cast<std::size_t>(mixed >> static_cast<unsigned>(shift_));
  }
  std::size_t next(std::size_t i) const { return (i + 1) & (slots_.size() - 1); }

  // Moves later entries of the run back, so that look-ups may stop at the first empty slot.
  void close_gap(std::size_t gap) {
    for (std::size_t i = next(gap); slots_[i].value_plus_one != 0; i = next(i)) {
      const std::size_t from_home = (i - home(slots_[i].key)) & (slots_.size() - 1);
      const std::size_t from_gap = (i - gap) & (slots_.size() - 1);
      if (from_home < from_gap) continue;
      slots_[gap] = slots_[i];
      gap = i;
    }
    slots_[gap] = {};
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    --shift_;
    for (const Slot& slot : old) {
      if (slot.value_plus_one == 0) continue;
      std::size_t i = home(slot.key);
      while (slots_[i].value_plus_one != 0) i = next(i);
      slots_[i] = slot;
    }
  }

  std::vector<Slot> slots_;
  int shift_;
  std::size_t size_ = 0;
  std::uint64_t seed_ =
      static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()) *
      0xBF58476D1CE4E5B9U;
};

}  // namespace bytescope::trace
