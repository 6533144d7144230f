#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "core/bytepack/json_index.h"
#include "core/io/input_file.h"
#include "core/io/page_reader.h"
#include "core/trace/category.h"

namespace bytescope::trace {

/// How spans look by role of their track and name: most names occur in many tracks, and are read
/// once here. For one thread.
class NameStyles {
public:
  /// `file` and `index` must outlive it.
  NameStyles(const io::InputFile& file, const bytepack::JsonIndex& index);

  /// The style of the string at position `name`. Costs a look into a table, the first time the
  /// reading of the string.
  Style operator()(TrackRole role, std::uint32_t name);

private:
  /// A trace of millions of names shall not fill the memory; those after the first ones are read
  /// again for each track.
  static constexpr std::size_t most_known = 32'768;

  const bytepack::JsonIndex& index_;
  io::PageReader reader_;
  std::unordered_map<std::uint64_t, Style> known_;
};

}  // namespace bytescope::trace
