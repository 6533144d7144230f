#include "render/track_groups.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include "render/natural_order.h"

namespace bytescope::render {
namespace {

using bytepack::TrackKind;
using trace::TrackRole;

/// Rows of a device from the top.
enum class Slot : std::uint8_t { graph, kernels, other, copies, memory };

/// Where a track belongs, read off its name.
struct Place {
  std::uint32_t track = 0;
  std::string_view file;         ///< Merged traces: where the track comes from …
  std::uint32_t file_place = 0;  ///< … and the first track from there.
  GroupKind group = GroupKind::family;
  Slot slot = Slot::kernels;
  std::string_view family;  ///< `AMD` of `AMD:1:SDMA:0`; shader rows: `WAVE` of `WAVE:3`.
  std::string_view device;  ///< `AMD:1`
  std::string_view rest;    ///< `SDMA:0`
};

constexpr std::array<std::string_view, 3> minor_names = {"PYTHON", "DISK", "GC"};

bool is_minor(std::string_view family) {
  return std::find(minor_names.begin(), minor_names.end(), family) != minor_names.end();
}

std::string_view without_suffix(std::string_view name, std::string_view suffix) {
  if (name.size() >= suffix.size() && name.substr(name.size() - suffix.size()) == suffix)
    name.remove_suffix(suffix.size());
  return name;
}

/// The length of `NAME:n` at the front of `name`; 0 when there is no number.
std::size_t numbered_length(std::string_view name, std::size_t colon) {
  std::size_t end = colon + 1;
  while (end < name.size() && name[end] >= '0' && name[end] <= '9') ++end;
  const bool is_number = end > colon + 1 && (end == name.size() || name[end] == ':');
  return is_number ? end : 0;
}

/// Cuts `name` into family, device and what follows. Only copy engines may follow a device without
/// a number (`NULL:COPY`); anything else unknown is a device of its own.
void cut_name(std::string_view name, bool copy_engine, Place& place) {
  const std::size_t colon = name.find(':');
  place.family = name.substr(0, colon);
  place.device = name;
  if (colon == std::string_view::npos) return;
  std::size_t end = numbered_length(name, colon);
  if (end == 0 && copy_engine) end = colon;
  if (end == 0) return;
  place.device = name.substr(0, end);
  if (end < name.size()) place.rest = name.substr(end + 1);
}

GroupKind group_of(const LayoutTrack& track, std::string_view family) {
  if (track.kind == TrackKind::line) return GroupKind::lines;
  if (is_minor(family)) return GroupKind::minor;
  switch (track.role) {
    case TrackRole::tiny:
    case TrackRole::user:
    case TrackRole::host: return GroupKind::host;
    case TrackRole::shader: return GroupKind::shader;
    default: return GroupKind::family;
  }
}

Slot slot_of(const LayoutTrack& track, std::string_view rest) {
  if (track.kind == TrackKind::memory) return Slot::memory;
  if (track.role == TrackRole::graph) return Slot::graph;
  if (track.role == TrackRole::copy_engine) return Slot::copies;
  return rest.empty() && track.role != TrackRole::memory ? Slot::kernels : Slot::other;
}

Place place_of(const LayoutTrack& track, std::uint32_t number) {
  Place place;
  place.track = number;
  place.file = track.file();
  std::string_view name = track.own_name();
  if (track.role == TrackRole::shader) {
    place.family = name.substr(0, name.find_first_of(": "));
    place.device = name;
  } else {
    if (track.role == TrackRole::graph) name = without_suffix(name, " Graph");
    if (track.kind == TrackKind::memory || track.role == TrackRole::memory)
      name = without_suffix(name, " Memory");
    cut_name(name, track.role == TrackRole::copy_engine, place);
  }
  place.group = group_of(track, place.family);
  place.slot = slot_of(track, place.rest);
  return place;
}

/// A host track named like a device that has memory or batches is that device (`CPU`).
void adopt_host_devices(std::span<const LayoutTrack> tracks, std::vector<Place>& places) {
  std::set<std::pair<std::string_view, std::string_view>> families;
  for (const Place& place : places)
    if (place.group == GroupKind::family) families.insert({place.file, place.family});
  for (Place& place : places) {
    if (tracks[place.track].role == TrackRole::host && place.group == GroupKind::host &&
        families.contains({place.file, place.family}))
      place.group = GroupKind::family;
  }
}

/// Rank of a group's members among each other before their names count.
int rank_of(const Place& place, TrackRole role) {
  if (place.group == GroupKind::host)
    return role == TrackRole::user ? 0 : role == TrackRole::tiny ? 1 : 2;
  const auto rank_in = [&](const auto& names) {
    return static_cast<int>(std::find(names.begin(), names.end(), place.family) - names.begin());
  };
  constexpr std::array<std::string_view, 6> units = {"ALUEXEC", "VMEMEXEC", "WAVE",
                                                     "SIMD",    "SE",       "GPC"};
  if (place.group == GroupKind::shader) return rank_in(units);
  if (place.group == GroupKind::minor) return rank_in(minor_names);
  return 0;
}

std::string shown_name(std::string_view name) {
  return name.empty() ? std::string("(no name)") : std::string(name);
}

/// Sorts by group and natural order of names; equal names keep the file's order.
void sort_places(std::span<const LayoutTrack> tracks, std::vector<Place>& places) {
  const auto comes_first = [&](const Place& a, const Place& b) {
    if (a.file_place != b.file_place) return a.file_place < b.file_place;
    if (a.group != b.group) return a.group < b.group;
    const int rank_a = rank_of(a, tracks[a.track].role);
    const int rank_b = rank_of(b, tracks[b.track].role);
    if (rank_a != rank_b) return rank_a < rank_b;
    if (a.family != b.family) return natural_less(a.family, b.family);
    const bool graph_a = a.slot == Slot::graph;
    const bool graph_b = b.slot == Slot::graph;
    if (graph_a != graph_b) return graph_a;
    if (a.device != b.device) return natural_less(a.device, b.device);
    if (a.slot != b.slot) return a.slot < b.slot;
    if (a.rest != b.rest) return natural_less(a.rest, b.rest);
    return a.track < b.track;
  };
  std::sort(places.begin(), places.end(), comes_first);
}

bool same_group(const Place& a, const Place& b) {
  if (a.group != b.group || a.file != b.file) return false;
  const bool by_family = a.group == GroupKind::family || a.group == GroupKind::shader;
  return !by_family || a.family == b.family;
}

bool same_unit(const Place& a, const Place& b) {
  return a.group == GroupKind::family && a.slot != Slot::graph && b.slot != Slot::graph &&
         a.device == b.device;
}

std::string short_label(const LayoutTrack& track, const Place& place) {
  if (place.slot == Slot::graph) return "Graph";
  if (place.slot == Slot::memory) return "memory";
  return place.rest.empty() ? shown_name(track.own_name()) : std::string(place.rest);
}

/// An id that is unique in a merged trace, too.
std::string within_file(std::string_view file, const std::string& id) {
  return file.empty() ? id : fmt::format("{}/{}", file, id);
}

/// The tracks of one device. Without a row of its own name on top every row says whose it is.
TrackUnit device_unit(std::span<const LayoutTrack> tracks, std::span<const Place> places) {
  TrackUnit unit;
  unit.is_device = true;
  const bool headed = places.front().slot == Slot::kernels;
  unit.label = shown_name(places.front().device);
  unit.id = within_file(places.front().file, fmt::format("device {}", places.front().device));
  for (const Place& place : places) {
    const std::string label = short_label(tracks[place.track], place);
    if (place.slot == Slot::kernels) {
      unit.tracks.push_back({place.track, label, 1});
    } else {
      unit.tracks.push_back(
          {place.track, headed ? label : unit.label + " " + label, headed ? 2U : 1U});
    }
  }
  return unit;
}

TrackUnit single_unit(const LayoutTrack& track, const Place& place) {
  TrackUnit unit;
  unit.label = place.slot == Slot::graph && place.group == GroupKind::family
                   ? "Graph"
                   : shown_name(track.own_name());
  unit.id = fmt::format("track {} {}", place.track, track.name);
  unit.tracks.push_back({place.track, unit.label, 1});
  return unit;
}

std::string minor_title(std::span<const Place> places) {
  std::string title;
  std::string_view last;
  for (const Place& place : places) {
    if (place.family == last) continue;
    if (!title.empty()) title += ", ";
    title += last = place.family;
  }
  return title;
}

std::string family_title(const TrackGroup& group, std::string_view family) {
  const auto devices = std::count_if(group.units.begin(), group.units.end(),
                                     [](const auto& unit) { return unit.is_device; });
  if (group.units.size() == 1) return {};
  return devices > 1 ? fmt::format("{} × {}", shown_name(family), devices) : shown_name(family);
}

std::string title_of(const TrackGroup& group, std::span<const Place> places) {
  const std::string_view family = places.front().family;
  switch (group.kind) {
    case GroupKind::host: return "HOST";
    case GroupKind::minor: return minor_title(places);
    case GroupKind::family: return family_title(group, family);
    case GroupKind::lines: return group.units.size() > 1 ? "COUNTERS" : "";
    case GroupKind::shader:
      if (family == "SE") return "SE / CU";
      return family == "GPC" ? "GPC / SM" : shown_name(family);
    case GroupKind::pinned: break;
  }
  return "PINNED";
}

std::string id_of(const Place& place) {
  switch (place.group) {
    case GroupKind::host: return within_file(place.file, "host");
    case GroupKind::minor: return within_file(place.file, "minor");
    case GroupKind::lines: return within_file(place.file, "lines");
    case GroupKind::shader: return within_file(place.file, fmt::format("shader {}", place.family));
    default: return family_group_id(place.file, place.family);
  }
}

TrackGroup group_from(std::span<const LayoutTrack> tracks, std::span<const Place> places) {
  TrackGroup group;
  group.kind = places.front().group;
  group.id = id_of(places.front());
  group.file = places.front().file;
  for (std::size_t begin = 0; begin < places.size();) {
    std::size_t end = begin + 1;
    while (end < places.size() && same_unit(places[begin], places[end])) ++end;
    const bool device = group.kind == GroupKind::family && places[begin].slot != Slot::graph;
    group.units.push_back(device ? device_unit(tracks, places.subspan(begin, end - begin))
                                 : single_unit(tracks[places[begin].track], places[begin]));
    begin = end;
  }
  group.title = title_of(group, places);
  return group;
}

}  // namespace

std::string family_group_id(std::string_view file, std::string_view family) {
  return within_file(file, fmt::format("family {}", family));
}

std::vector<TrackGroup> group_tracks(std::span<const LayoutTrack> tracks) {
  std::vector<Place> places;
  places.reserve(tracks.size());
  std::map<std::string_view, std::uint32_t> first_of_file;
  for (std::uint32_t i = 0; i < tracks.size(); ++i) {
    places.push_back(place_of(tracks[i], i));
    places.back().file_place = first_of_file.emplace(places.back().file, i).first->second;
  }
  adopt_host_devices(tracks, places);
  sort_places(tracks, places);
  std::vector<TrackGroup> groups;
  const std::span<const Place> sorted = places;
  for (std::size_t begin = 0; begin < sorted.size();) {
    std::size_t end = begin + 1;
    while (end < sorted.size() && same_group(sorted[begin], sorted[end])) ++end;
    groups.push_back(group_from(tracks, sorted.subspan(begin, end - begin)));
    begin = end;
  }
  return groups;
}

}  // namespace bytescope::render
