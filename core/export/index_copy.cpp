#include "core/export/index_copy.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/export/kept_events.h"
#include "core/io/json_reader.h"
#include "core/io/json_writer.h"
#include "core/io/piece_reader.h"

namespace bytescope::exporting {
namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20U;

/// Where the value of a key lies in the file.
struct Member {
  std::string key;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// All members of the index, of equal keys the last one.
Expected<std::vector<Member>> members_of(const trace::Trace& trace, const Cancel& cancel) {
  const bytepack::Frame& frame = trace.frame;
  io::PieceReader pieces(*trace.file, bytepack::Frame::head_bytes, frame.tracks_begin());
  io::JsonReader json(pieces, &cancel);
  std::vector<Member> members;
  json.enter_object();
  Member member;
  while (json.next_key(member.key)) {
    json.peek();  // Passes the space before the value.
    member.begin = json.offset();
    json.skip_value();
    member.end = json.offset();
    std::erase_if(members, [&member](const Member& other) { return other.key == member.key; });
    // As many as are remembered when a trace is opened.
    constexpr std::size_t most_members = 4096;
    if (members.size() < most_members) members.push_back(member);
  }
  if (json.ok()) return members;
  if (json.error().cancelled) return failure(ErrorKind::cancelled, "Cancelled");
  return failure(ErrorKind::bad_input, "The file changed while it was exported",
                 {json.error().byte, {}, {}, {}}, trace.file->path());
}

void append_copy(std::string& out, const io::InputFile& file, const Member& member) {
  const std::size_t before = out.size();
  out.resize(before + static_cast<std::size_t>(member.end - member.begin));
  file.read_at(member.begin, std::as_writable_bytes(std::span(out).subspan(before)));
}

bool is_any_of(const std::string& key, std::initializer_list<std::string_view> keys) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

/// Appends the members for which `wanted` holds, as they stand in the file.
template <class Wanted>
Expected<void> append_members(const trace::Trace& trace, Wanted wanted, std::string& text,
                              Warnings& warnings, const Cancel& cancel) {
  const auto members = members_of(trace, cancel);
  if (!members) return tl::make_unexpected(members.error());
  for (const Member& member : *members) {
    if (!wanted(member.key)) continue;
    if (member.end - member.begin > most_bytes - std::min(most_bytes, text.size())) {
      warnings.add(fmt::format("The index key \"{}\" is too large to be copied", member.key));
      continue;
    }
    if (!text.empty()) text += ", ";
    io::append_json_string(text, member.key);
    text += ": ";
    append_copy(text, *trace.file, member);
  }
  return {};
}

}  // namespace

std::string sizes_json(const std::unordered_map<std::string, std::uint64_t>& dtype_bytes) {
  std::vector<std::pair<std::string, std::uint64_t>> sizes(dtype_bytes.begin(), dtype_bytes.end());
  std::sort(sizes.begin(), sizes.end());
  std::string text;
  io::JsonWriter json(text);
  json.begin_object();
  for (const auto& [name, bytes] : sizes) json.member(name, bytes);
  json.end_object();
  return text;
}

std::string markers_json(const std::vector<bytepack::FileMarker>& markers) {
  std::string text;
  io::JsonWriter json(text);
  json.begin_array();
  for (const bytepack::FileMarker& marker : markers) {
    json.begin_object();
    if (marker.name) json.member("name", *marker.name);
    if (marker.time_us) json.member("ts", *marker.time_us);
    if (marker.color) json.member("color", *marker.color);
    json.end_object();
  }
  json.end_array();
  return text;
}

Expected<std::string> copied_index_members(const trace::Trace& trace,
                                           const std::optional<query::TimeRange>& range,
                                           const std::vector<bytepack::MergedFile>& merged,
                                           Warnings& warnings, const Cancel& cancel) {
  std::string text = "\"dtypeSize\": " + sizes_json(trace.index->dtype_bytes);
  if (range && !trace.index->markers.empty()) {
    std::vector<bytepack::FileMarker> kept = trace.index->markers;
    std::erase_if(kept, [&](const auto& marker) { return !keeps(marker, range); });
    text += ", \"markers\": " + markers_json(kept);
  }
  if (range && !merged.empty()) text += ", \"merged\": " + bytepack::merged_json(merged);
  const auto wanted = [&](const std::string& key) {
    return !is_any_of(key, {"strings", "dtypes", "dtypeSize"}) &&
           !(range && is_any_of(key, {"markers", "merged"}));
  };
  const auto done = append_members(trace, wanted, text, warnings, cancel);
  if (!done) return tl::make_unexpected(done.error());
  return text;
}

Expected<std::string> unknown_index_members(const trace::Trace& trace, Warnings& warnings,
                                            const Cancel& cancel) {
  std::string text;
  const auto wanted = [](const std::string& key) {
    return !is_any_of(
        key, {"strings", "dtypes", "dtypeSize", "markers", "waveColors", "pcMap", "merged"});
  };
  const auto done = append_members(trace, wanted, text, warnings, cancel);
  if (!done) return tl::make_unexpected(done.error());
  return text;
}

}  // namespace bytescope::exporting
