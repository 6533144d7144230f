#include "app/commands/text_cache.h"

#include <utility>

namespace bytescope::app {
namespace {

constexpr std::size_t capacity_bytes = 8 << 20;
/// What a text costs beside its own bytes.
constexpr std::size_t entry_bytes = 64;

}  // namespace

const std::string& TextCache::text(std::uint32_t id) {
  const auto known = texts_.find(id);
  if (known != texts_.end()) return known->second;
  std::string text = trace_.text(reader_, id);
  size_bytes_ += text.size() + entry_bytes;
  // Dropping all of them is rare and costs less than remembering which was used when.
  if (size_bytes_ > capacity_bytes) {
    texts_.clear();
    size_bytes_ = text.size() + entry_bytes;
  }
  return texts_.emplace(id, std::move(text)).first->second;
}

}  // namespace bytescope::app
