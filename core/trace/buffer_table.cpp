#include "core/trace/buffer_table.h"

#include <algorithm>
#include <chrono>

namespace bytescope::trace {
namespace {

constexpr std::size_t initial_slots = 256;

}  // namespace

void BufferTable::push_back(const Buffer& buffer) {
  keys_.push_back(buffer.key);
  lives_.push_back({buffer.allocated, buffer.freed});
  shape_numbers_.push_back(shape_of(buffer.dtype, buffer.bytes));
}

void BufferTable::finish() {
  io::free_all(slots_);
  findable_ = 0;
  shorten_keys();
  keys_.pack();
  shape_numbers_.pack();
  io::release_unused(lives_);
  io::release_unused(shapes_);
}

/// Takes the keys apart into those of runs and distances, if they are in order.
void BufferTable::shorten_keys() {
  if (!std::is_sorted(keys_.begin(), keys_.end())) return;
  first_keys_.reserve(keys_.size() / run + 1);
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (i % run == 0) first_keys_.push_back(keys_[i]);
    keys_.set(i, keys_[i] - first_keys_.back());
  }
}

/// The place of a pair of type and size, which is added when there is none yet.
std::uint32_t BufferTable::shape_of(std::uint32_t dtype, std::uint64_t bytes) {
  if (findable_ >= slots_.size() / 2) grow();
  const Shape wanted{bytes, dtype};
  std::size_t i = home(wanted);
  for (; slots_[i] != 0; i = (i + 1) & (slots_.size() - 1)) {
    const Shape& shape = shapes_[slots_[i] - 1];
    if (shape.bytes == bytes && shape.dtype == dtype) return slots_[i] - 1;
  }
  shapes_.push_back(wanted);
  slots_[i] = static_cast<std::uint32_t>(shapes_.size());
  ++findable_;
  return slots_[i] - 1;
}

std::size_t BufferTable::home(const Shape& shape) const {
  std::uint64_t mixed = (shape.bytes ^ seed_) * 0x9E3779B97F4A7C15U;
  mixed = ((mixed ^ (mixed >> 32U)) + shape.dtype) * 0xD6E8FEB86659FD93U;
  return static_cast<std::size_t>(mixed >> 32U) & (slots_.size() - 1);
}

void BufferTable::grow() {
  // Depends on the moment, so that no file can be written to slow it down.
  if (seed_ == 0)
    seed_ =
        static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()) | 1;
  const io::LargeVector<std::uint32_t> old = std::move(slots_);
  slots_.assign(old.empty() ? initial_slots : old.size() * 2, 0);
  for (const std::uint32_t slot : old) {
    if (slot == 0) continue;
    std::size_t i = home(shapes_[slot - 1]);
    while (slots_[i] != 0) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = slot;
  }
}

}  // namespace bytescope::trace
