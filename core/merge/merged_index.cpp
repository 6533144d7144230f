#include "core/merge/merged_index.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/export/index_copy.h"
#include "core/io/json_writer.h"

namespace bytescope::merge {
namespace {

Expected<void> units_fit(std::span<const Source> sources) {
  for (const Source& source : sources) {
    const Source& first = sources.front();
    if (source.trace->unit == first.trace->unit) continue;
    const bool first_is_shader = first.trace->unit == trace::Unit::cycles;
    const Source& shader = first_is_shader ? first : source;
    const Source& other = first_is_shader ? source : first;
    return failure(ErrorKind::usage, fmt::format("{} counts clock cycles and {} microseconds: such "
                                                 "traces cannot be shown as one",
                                                 shader.name, other.name));
  }
  return {};
}

/// Whether a key has the same value wherever sources have it; `table` answers their tables.
template <class Table>
Expected<void> tables_fit(std::span<const Source> sources, std::string_view what, Table table) {
  using Key = typename std::decay_t<decltype(table(sources.front()))>::key_type;
  std::map<Key, const Source*> known;
  for (const Source& source : sources) {
    for (const auto& [key, value] : table(source)) {
      const Source& before = *known.emplace(key, &source).first->second;
      if (table(before).at(key) != value) {
        return failure(ErrorKind::usage,
                       fmt::format("{} {} is another in {} than in {}: such traces "
                                   "cannot be shown as one",
                                   what, key, before.name, source.name));
      }
    }
  }
  return {};
}

const auto& sizes_of(const Source& source) { return source.trace->index->dtype_bytes; }
const auto& instructions_of(const Source& source) { return source.trace->index->pc_map; }

/// Markers at their new times; those of a file that was merged already have its files' names.
std::vector<bytepack::FileMarker> markers_of(std::span<const Source> sources,
                                             std::span<const std::uint32_t> later_us) {
  std::vector<bytepack::FileMarker> markers;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    for (bytepack::FileMarker marker : sources[i].trace->index->markers) {
      const std::string& name = sources[i].name;
      marker.name = marker.name ? name + "/" + *marker.name : name;
      if (marker.time_us) *marker.time_us += later_us[i];
      markers.push_back(std::move(marker));
    }
  }
  return markers;
}

std::string colors_json(std::span<const Source> sources) {
  std::string text;
  io::JsonWriter json(text);
  json.begin_array();
  for (const Source& source : sources)
    for (const auto& [pattern, rgb] : source.trace->index->wave_colors)
      json.begin_array().value(pattern).value(fmt::format("#{:06x}", rgb)).end_array();
  json.end_array();
  return text;
}

std::string instructions_json(std::span<const Source> sources) {
  std::map<std::uint64_t, std::string_view> all;
  for (const Source& source : sources)
    for (const auto& [counter, instruction] : instructions_of(source))
      all.emplace(counter, instruction);
  std::string text;
  io::JsonWriter json(text);
  json.begin_object();
  for (const auto& [counter, instruction] : all) json.member(std::to_string(counter), instruction);
  json.end_object();
  return text;
}

template <class Has>
bool any(std::span<const Source> sources, Has has) {
  return std::any_of(sources.begin(), sources.end(),
                     [&](const Source& source) { return has(*source.trace->index); });
}

}  // namespace

Expected<void> sources_fit(std::span<const Source> sources) {
  if (auto fits = units_fit(sources); !fits) return fits;
  if (auto fits = tables_fit(sources, "The size of", sizes_of); !fits) return fits;
  return tables_fit(sources, "The instruction at", instructions_of);
}

Expected<std::string> merged_index_members(std::span<const Source> sources,
                                           std::span<const std::uint32_t> later_us,
                                           std::vector<IndexFile>& files, Warnings& warnings,
                                           const Cancel& cancel) {
  std::unordered_map<std::string, std::uint64_t> sizes;
  for (const Source& source : sources)
    sizes.insert(sizes_of(source).begin(), sizes_of(source).end());
  std::string text = "\"dtypeSize\": " + exporting::sizes_json(sizes);
  text += ", \"markers\": " + exporting::markers_json(markers_of(sources, later_us));
  if (any(sources, [](const auto& index) { return index.has_wave_colors; }))
    text += ", \"waveColors\": " + colors_json(sources);
  if (any(sources, [](const auto& index) { return index.has_pc_map; }))
    text += ", \"pcMap\": " + instructions_json(sources);
  std::vector<bytepack::MergedFile> told;
  for (IndexFile& file : files) {
    if (file.trace != nullptr) {
      auto unknown = exporting::unknown_index_members(*file.trace, warnings, cancel);
      if (!unknown) return tl::make_unexpected(unknown.error());
      file.file.more_json = std::move(*unknown);
    }
    told.push_back(std::move(file.file));
  }
  return text + ", \"merged\": " + bytepack::merged_json(told);
}

}  // namespace bytescope::merge
