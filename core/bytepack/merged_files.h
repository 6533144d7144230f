#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/io/json_reader.h"

namespace bytescope::bytepack {

/// A file that was merged into a trace (FORMAT.md, "Merged files"). Its tracks lie behind those of
/// the files before it.
struct MergedFile {
  std::string name;  ///< Stands in front of the names of its tracks, with a slash between.
  std::uint32_t track_count = 0;
  std::int64_t offset_us = 0;   ///< That somebody asked for.
  std::uint32_t begin_us = 0;   ///< Where its own time 0 lies in the trace.
  std::uint32_t end_us = 0;     ///< Where its own end lies.
  std::uint32_t first_ref = 0;  ///< What was added to its refs.
  std::uint32_t first_key = 0;  ///< What was added to its run keys.
  /// Members of its index that bytescope does not know, as JSON text (`"a": 1, "b": 2`): written
  /// along, and not read.
  std::string more_json;
};

/// Reads an element of the index key `merged`; none, passing it, where it is nothing of the kind.
std::optional<MergedFile> read_merged_file(io::JsonReader& json);

/// The value of that key.
std::string merged_json(std::span<const MergedFile> files);

}  // namespace bytescope::bytepack
