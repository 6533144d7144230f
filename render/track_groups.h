#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/bytepack/frame.h"
#include "core/trace/category.h"

namespace bytescope::render {

/// What the layout needs to know of a track; its number is its place in the list.
struct LayoutTrack {
  std::string name;  ///< Raw; may be any bytes.
  bytepack::TrackKind kind = bytepack::TrackKind::spans;
  trace::TrackRole role = trace::TrackRole::device;
  std::uint32_t lane_count = 1;
  std::uint32_t prefix_bytes = 0;  ///< How much of the name tells its file, in merged traces.

  /// The name without that.
  std::string_view own_name() const { return std::string_view(name).substr(prefix_bytes); }
  /// The name of the file; empty but in merged traces.
  std::string_view file() const {
    return std::string_view(name).substr(0, prefix_bytes == 0 ? 0 : prefix_bytes - 1);
  }
};

/// A track at its place.
struct GroupedTrack {
  std::uint32_t track = 0;
  std::string label;  ///< Short: what its surroundings do not say already (`SDMA:0`, `memory`).
  std::uint32_t indent = 0;  ///< 0 to 2.
};

/// What stays together when it is moved: a device with its copy engines and its memory, or a single
/// track.
struct TrackUnit {
  std::string id;  ///< Unique among groups and units, the same in every trace with such a device.
  std::string label;
  std::vector<GroupedTrack> tracks;
  bool is_device = false;
};

enum class GroupKind : std::uint8_t { pinned, lines, host, shader, family, minor };

/// Tracks under one header.
struct TrackGroup {
  GroupKind kind = GroupKind::family;
  std::string id;
  std::string title;  ///< `HOST`, `AMD × 8`; empty where a header would say nothing new.
  std::string file;   ///< In merged traces the file that the tracks come from.
  std::vector<TrackUnit> units;
};

/// The id of the group of a family of devices; `file` is empty but in merged traces.
std::string family_group_id(std::string_view file, std::string_view family);

/// All tracks in the order of the window, file by file in merged traces: lines, the host's own,
/// shader rows by unit, families of devices in natural order (each with its batches first and every
/// device with its copy engines and memory beneath), and last PYTHON, DISK and GC. Every track is
/// in exactly one unit, whatever its name. Costs O(n log n).
std::vector<TrackGroup> group_tracks(std::span<const LayoutTrack> tracks);

}  // namespace bytescope::render
