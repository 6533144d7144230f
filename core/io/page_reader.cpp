#include "core/io/page_reader.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace bytescope::io {

PageReader::PageReader(std::shared_ptr<const InputFile> file, std::size_t capacity_pages)
    : file_(std::move(file)), capacity_(std::max<std::size_t>(capacity_pages, 2)) {}

const std::byte* PageReader::at(std::uint64_t offset, std::size_t size) {
  assert(size <= page_bytes);
  const std::uint64_t number = offset / page_bytes;
  const auto inside = static_cast<std::size_t>(offset % page_bytes);
  if (inside + size <= page_bytes) {
    return (number == last_page_ ? last_data_ : page(number)) + inside;
  }
  straddling_.resize(size);
  const std::size_t head = page_bytes - inside;
  std::memcpy(straddling_.data(), page(number) + inside, head);
  std::memcpy(straddling_.data() + head, page(number + 1), size - head);
  return straddling_.data();
}

std::size_t PageReader::victim() const {
  const auto oldest = std::min_element(
      slots_.begin(), slots_.end(), [](const Slot& a, const Slot& b) { return a.used < b.used; });
  return static_cast<std::size_t>(oldest - slots_.begin());
}

const std::byte* PageReader::page(std::uint64_t number) {
  std::size_t slot = 0;
  if (const auto known = slot_of_page_.find(number); known != slot_of_page_.end()) {
    slot = known->second;
  } else {
    if (slots_.size() < capacity_) {
      slot = slots_.size();
      slots_.emplace_back();
      pages_.push_back(std::make_unique_for_overwrite<std::byte[]>(page_bytes));
    } else {
      slot = victim();
      slot_of_page_.erase(slots_[slot].page);
    }
    file_->read_at(number * page_bytes, {pages_[slot].get(), page_bytes});
    slots_[slot].page = number;
    slot_of_page_[number] = slot;
  }
  slots_[slot].used = ++clock_;
  last_page_ = number;
  last_data_ = pages_[slot].get();
  return last_data_;
}

}  // namespace bytescope::io
