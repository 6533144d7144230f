#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/bytepack/merged_files.h"
#include "core/bytepack/string_table.h"
#include "core/cancel.h"
#include "core/error.h"
#include "core/io/input_file.h"

namespace bytescope::bytepack {

/// A marker of the file; what the file lacks is none.
struct FileMarker {
  std::optional<double> time_us;
  std::optional<std::string> name;   ///< Raw, colour codes and all.
  std::optional<std::string> color;  ///< Any text; see parse_css_color.
};

/// The JSON index of a trace (FORMAT.md, "Index keys").
struct JsonIndex {
  std::vector<std::string> keys;  ///< In the order of the file, each once.
  StringTable strings;
  std::unordered_map<std::string, std::uint64_t>
      dtype_bytes;                  ///< Element type name → bytes per element.
  std::vector<FileMarker> markers;  ///< In the order of the file.
  std::vector<std::pair<std::string, std::uint32_t>> wave_colors;  ///< Pattern → 0xRRGGBB.
  std::map<std::uint64_t, std::string> pc_map;  ///< Program counter → instruction.
  std::vector<MergedFile> merged;  ///< In the order of the file; none where it is no merged one.
  bool has_pc_map = false;
  bool has_wave_colors = false;
};

/// Reads the JSON object at [begin, begin + size) of `file` once, in pieces of 1 MB: `strings` is
/// located, not copied, the other known keys are taken. Unknown keys are kept in `keys` and
/// otherwise skipped, whatever their depth; of duplicate keys the last counts, with a warning;
/// parts of a wrong type are ignored with a warning. Fails, naming the byte, when it is not a JSON
/// object, something in it is no JSON, or an element of `strings` is not a string; bytes that are
/// not UTF-8 and lone surrogates are let pass. Costs O(size) time; memory: 8 bytes for every 16
/// strings, plus at most 64 MB of other tables and 4096 keys: what exceeds that is ignored with a
/// warning.
Expected<JsonIndex> read_json_index(const io::InputFile& file, std::uint64_t begin,
                                    std::uint64_t size, Warnings& warnings, const Cancel& cancel,
                                    Progress* progress = nullptr);

}  // namespace bytescope::bytepack
