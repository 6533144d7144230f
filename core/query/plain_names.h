#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "core/io/page_reader.h"
#include "core/trace/ansi.h"
#include "core/trace/trace.h"

namespace bytescope::query {

/// Plain names by position in `strings`, each decoded once. Keeps a few thousand of them.
class PlainNames {
public:
  /// Both must outlive it.
  PlainNames(const trace::Trace& trace, io::PageReader& reader) : trace_(trace), reader_(reader) {}

  /// Valid until the next call.
  const std::string& operator()(std::uint32_t id) {
    // Dropping all of them is rare and costs less than remembering which was used when.
    if (names_.size() > most_names) names_.clear();
    const auto [at, is_new] = names_.try_emplace(id);
    if (is_new) at->second = trace::plain_text(trace_.text(reader_, id));
    return at->second;
  }

  bool agree(std::uint32_t a, std::uint32_t b) {
    if (a == b) return true;
    const std::string name = (*this)(a);
    return name == (*this)(b);
  }

private:
  static constexpr std::size_t most_names = 8192;
  const trace::Trace& trace_;
  io::PageReader& reader_;
  std::unordered_map<std::uint32_t, std::string> names_;
};

}  // namespace bytescope::query
