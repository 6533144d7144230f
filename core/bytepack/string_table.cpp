#include "core/bytepack/string_table.h"

#include <algorithm>
#include <utility>

#include "core/io/json_text.h"

namespace bytescope::bytepack {

StringCursor::StringCursor(io::PageReader& reader, std::uint64_t begin, std::uint64_t end)
    : reader_(reader), offset_(begin), end_(std::min(end, reader.file().size_bytes())) {}

bool StringCursor::next(std::string& text, std::size_t limit_bytes) {
  text.clear();
  if (!next_raw(raw_, limit_bytes)) return false;
  io::append_decoded_json(text, raw_);
  return true;
}

bool StringCursor::next_raw(std::string& raw, std::size_t limit_bytes) {
  raw.clear();
  return pass(&raw, limit_bytes);
}

bool StringCursor::skip() { return pass(nullptr, 0); }

bool StringCursor::pass(std::string* raw, std::size_t limit) {
  const bool found = pass_opening_quote();
  if (found) pass_inside(raw, limit);
  // The reader may turn its pages before the next call.
  offset_ -= static_cast<std::uint64_t>(stop_ - at_);
  at_ = stop_ = nullptr;
  return found;
}

bool StringCursor::fill() {
  if (at_ != stop_) return true;
  if (offset_ >= end_) return false;
  constexpr std::uint64_t page = io::PageReader::page_bytes;
  const auto size = static_cast<std::size_t>(std::min(end_ - offset_, page - offset_ % page));
  at_ = reinterpret_cast<const char*>(reader_.at(offset_, size));
  stop_ = at_ + size;
  offset_ += size;
  return true;
}

bool StringCursor::pass_opening_quote() {
  while (fill()) {
    if (*at_++ == '"') return true;
  }
  return false;
}

void StringCursor::pass_inside(std::string* raw, std::size_t limit) {
  while (fill()) {
    const char* special = io::find_json_special(at_, stop_);
    add(raw, limit, special);
    if (at_ == stop_) continue;
    if (*at_ == '"') {
      ++at_;
      return;
    }
    // A file that changed may hold control characters: they count as text.
    const bool escapes = *at_ == '\\';
    add(raw, limit, at_ + 1);
    if (escapes && fill()) add(raw, limit, at_ + 1);
  }
}

void StringCursor::add(std::string* raw, std::size_t limit, const char* until) {
  const auto size = static_cast<std::size_t>(until - at_);
  if (raw != nullptr) raw->append(at_, std::min(size, limit - std::min(limit, raw->size())));
  at_ = until;
}

StringTable::StringTable(std::vector<std::uint64_t> offsets, std::uint32_t count)
    : offsets_(std::move(offsets)), count_(count) {}

StringCursor StringTable::walk_from(io::PageReader& reader, std::uint32_t id) const {
  const std::size_t group = id / stride;
  return {reader, group < offsets_.size() ? offsets_[group] : UINT64_MAX, UINT64_MAX};
}

std::string StringTable::text(io::PageReader& reader, std::uint32_t id,
                              std::size_t limit_bytes) const {
  std::string text;
  const std::size_t group = id / stride;
  if (id >= count_ || group >= offsets_.size()) return text;
  const bool last_group = group + 1 == offsets_.size();
  StringCursor cursor(reader, offsets_[group], last_group ? UINT64_MAX : offsets_[group + 1]);
  for (std::uint32_t skipped = 0; skipped < id % stride; ++skipped) {
    if (!cursor.skip()) return text;
  }
  cursor.next(text, limit_bytes);
  return text;
}

}  // namespace bytescope::bytepack
