#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "core/io/page_reader.h"
#include "core/trace/trace.h"

namespace bytescope::app {

/// Raw texts of strings that are asked for again and again. Holds at most 8 MB of them (one text,
/// where that is larger).
class TextCache {
public:
  /// Both must outlive the cache.
  TextCache(const trace::Trace& trace, io::PageReader& reader) : trace_(trace), reader_(reader) {}

  /// The text of string `id`; valid until the next call.
  const std::string& text(std::uint32_t id);

private:
  const trace::Trace& trace_;
  io::PageReader& reader_;
  std::unordered_map<std::uint32_t, std::string> texts_;
  std::size_t size_bytes_ = 0;
};

}  // namespace bytescope::app
