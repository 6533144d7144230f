#include "core/bytepack/string_table.h"

#include <algorithm>
#include <utility>

#include "core/io/json_text.h"

namespace bytescope::bytepack {
namespace {

/// Walks over the bytes from `offset` to `end` in stretches that lie in one page each.
class StringWalk {
public:
  StringWalk(io::PageReader& reader, std::uint64_t offset, std::uint64_t end)
      : reader_(reader), offset_(offset), end_(end) {}

  /// Passes the next string with what stands before it; adds up to `limit` bytes of its inside to
  /// `raw` unless that is null. False when none follows.
  bool take_string(std::string* raw, std::size_t limit) {
    return pass_opening_quote() && pass_inside(raw, limit);
  }

private:
  bool fill() {
    if (at_ != stop_) return true;
    if (offset_ >= end_) return false;
    constexpr std::uint64_t page = io::PageReader::page_bytes;
    const auto size = static_cast<std::size_t>(std::min(end_ - offset_, page - offset_ % page));
    at_ = reinterpret_cast<const char*>(reader_.at(offset_, size));
    stop_ = at_ + size;
    offset_ += size;
    return true;
  }

  bool pass_opening_quote() {
    while (fill()) {
      if (*at_++ == '"') return true;
    }
    return false;
  }

  bool pass_inside(std::string* raw, std::size_t limit) {
    while (fill()) {
      const char* special = io::find_json_special(at_, stop_);
      // A file that changed may hold control characters: they count as text.
      const bool ends = special != stop_ && *special == '"';
      const std::size_t escape_bytes = special != stop_ && !ends ? 1 : 0;
      add(raw, limit, special + escape_bytes);
      if (ends) {
        ++at_;
        return true;
      }
      if (escape_bytes == 0 || *special != '\\') continue;
      if (!fill()) break;
      add(raw, limit, at_ + 1);
    }
    return true;
  }

  void add(std::string* raw, std::size_t limit, const char* until) {
    const auto size = static_cast<std::size_t>(until - at_);
    if (raw != nullptr) raw->append(at_, std::min(size, limit - std::min(limit, raw->size())));
    at_ = until;
  }

  io::PageReader& reader_;
  std::uint64_t offset_;
  std::uint64_t end_;
  const char* at_ = nullptr;
  const char* stop_ = nullptr;
};

}  // namespace

StringTable::StringTable(std::vector<std::uint64_t> offsets, std::uint32_t count)
    : offsets_(std::move(offsets)), count_(count) {}

std::string StringTable::text(io::PageReader& reader, std::uint32_t id,
                              std::size_t limit_bytes) const {
  std::string text;
  const std::size_t group = id / stride;
  if (id >= count_ || group >= offsets_.size()) return text;
  const bool last_group = group + 1 == offsets_.size();
  StringWalk walk(reader, offsets_[group],
                  last_group ? reader.file().size_bytes() : offsets_[group + 1]);
  for (std::uint32_t skipped = 0; skipped < id % stride; ++skipped) {
    if (!walk.take_string(nullptr, 0)) return text;
  }
  std::string raw;
  if (walk.take_string(&raw, limit_bytes)) io::append_decoded_json(text, raw);
  return text;
}

}  // namespace bytescope::bytepack
