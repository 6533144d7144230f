#include "app/remembered.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <simdjson.h>

#include "core/io/json_text.h"
#include "core/io/json_writer.h"

namespace bytescope::app {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr std::size_t most_notes = 10'000;
constexpr int least_side_px = 200;
constexpr int most_side_px = 20'000;
constexpr double most_height_px = 4000;
constexpr float least_zoom = 0.5F;
constexpr float most_zoom = 3;
constexpr std::int64_t most_offset_us = 86'400'000'000;
/// A century: no trace is longer, and sums stay in range.
constexpr std::int64_t most_ns = 3'200'000'000'000'000'000;

void write_range(io::JsonWriter& json, const query::TimeRange& range) {
  json.begin_array().value(range.begin_ns).value(range.end_ns).end_array();
}

constexpr std::string_view hex_digits = "0123456789abcdef";

/// A text of any bytes, such as a path or the name of a track. JSON holds UTF-8 alone: what is none
/// is written as its bytes, since it has to come back as it was and must not spoil the file.
void write_text(io::JsonWriter& json, std::string_view text) {
  if (simdjson::validate_utf8(text)) {
    json.value(text);
    return;
  }
  std::string hex;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    hex += hex_digits[byte / 16];
    hex += hex_digits[byte % 16];
  }
  json.begin_object().member("hex", hex).end_object();
}

void write_names(io::JsonWriter& json, std::string_view key,
                 const std::vector<std::string>& names) {
  json.key(key).begin_array();
  for (const std::string& name : names) write_text(json, name);
  json.end_array();
}

void write_tracks(io::JsonWriter& json, const RememberedTracks& tracks) {
  write_names(json, "expanded", tracks.expanded);
  write_names(json, "hidden", tracks.hidden);
  write_names(json, "pinned", tracks.pinned);
  json.key("folds").begin_array();
  for (const auto& [id, folded] : tracks.folds) {
    json.begin_object().key("id");
    write_text(json, id);
    json.member("folded", folded).end_object();
  }
  json.end_array().key("heights").begin_array();
  for (const RememberedTracks::Height& height : tracks.heights) {
    json.begin_object().key("track");
    write_text(json, height.track);
    json.member("collapsed_px", height.px.collapsed_px);
    json.member("expanded_px", height.px.expanded_px).end_object();
  }
  json.end_array().key("moves").begin_array();
  for (const RememberedTracks::Move& move : tracks.moves) {
    json.begin_object().key("track");
    write_text(json, move.track);
    if (move.before) {
      json.key("before");
      write_text(json, *move.before);
    }
    json.end_object();
  }
  json.end_array();
}

void write_view(io::JsonWriter& json, const RememberedView& view) {
  json.begin_object().key("path");
  write_text(json, view.path);
  json.key("window_ns");
  write_range(json, view.window);
  json.member("buffer_colors", static_cast<int>(view.memory.colors));
  json.member("memory_scale_per_track", view.memory.scale_per_track);
  if (!view.offsets_us.empty()) {
    json.key("offsets_us").begin_array();
    for (const std::int64_t offset_us : view.offsets_us) json.value(offset_us);
    json.end_array();
  }
  write_tracks(json, view.tracks);
  json.key("markers").begin_array();
  for (const OwnMarker& marker : view.notes.markers) {
    json.begin_object().member("time_ns", marker.time_ns).key("name");
    write_text(json, marker.name);
    json.end_object();
  }
  json.end_array().key("ranges").begin_array();
  for (const KeptRange& kept : view.notes.ranges) {
    json.begin_object().key("name");
    write_text(json, kept.name);
    json.key("range_ns");
    write_range(json, kept.range);
    json.end_object();
  }
  json.end_array().end_object();
}

/// A member of an object; none where it is missing or of another type.
template <class T>
std::optional<T> member(const object& from, std::string_view key) {
  T value;
  if (from[key].get(value) != simdjson::SUCCESS) return std::nullopt;
  return value;
}

/// What write_text() wrote; empty for anything else.
std::string text_from(const element& value) {
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) return std::string(text);
  std::string bytes;
  if (value["hex"].get(text) != simdjson::SUCCESS || text.size() % 2 != 0) return {};
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = io::hex_value(text[i]);
    const int low = io::hex_value(text[i + 1]);
    if (high < 0 || low < 0) return {};
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

std::string text_member(const object& from, std::string_view key) {
  element value;
  return from[key].get(value) == simdjson::SUCCESS ? text_from(value) : std::string();
}

/// Calls `visit` for the elements of an array member that are of type T, up to a limit.
template <class T, class Visit>
void for_each(const object& from, std::string_view key, std::size_t limit, Visit visit) {
  const auto all = member<array>(from, key);
  if (!all) return;
  for (const element& each : *all) {
    T value;
    if (limit == 0) return;
    if (each.get(value) != simdjson::SUCCESS) continue;
    visit(value);
    --limit;
  }
}

std::int64_t time_in_range(std::int64_t ns) { return std::clamp(ns, -most_ns, most_ns); }

query::TimeRange range_member(const object& from, std::string_view key) {
  std::vector<std::int64_t> ends;
  for_each<std::int64_t>(from, key, 2, [&](std::int64_t ns) { ends.push_back(time_in_range(ns)); });
  if (ends.size() < 2 || ends[0] >= ends[1]) return {};
  return {ends[0], ends[1]};
}

double height_member(const object& from, std::string_view key) {
  const double px = member<double>(from, key).value_or(0);
  return px > 0 && px <= most_height_px ? px : 0;
}

RememberedTracks tracks_from(const object& from) {
  RememberedTracks tracks;
  const auto read_names = [&](std::string_view key, std::vector<std::string>& names) {
    for_each<element>(from, key, most_notes,
                      [&](const element& name) { names.push_back(text_from(name)); });
  };
  read_names("expanded", tracks.expanded);
  read_names("hidden", tracks.hidden);
  read_names("pinned", tracks.pinned);
  for_each<object>(from, "folds", most_notes, [&](const object& fold) {
    const auto folded = member<bool>(fold, "folded");
    if (folded) tracks.folds[text_member(fold, "id")] = *folded;
  });
  for_each<object>(from, "heights", most_notes, [&](const object& height) {
    tracks.heights.push_back(
        {text_member(height, "track"),
         {height_member(height, "collapsed_px"), height_member(height, "expanded_px")}});
  });
  for_each<object>(from, "moves", most_notes, [&](const object& move) {
    const auto before = member<element>(move, "before");
    tracks.moves.push_back(
        {text_member(move, "track"), before ? std::optional(text_from(*before)) : std::nullopt});
  });
  return tracks;
}

RememberedView view_from(const object& from) {
  RememberedView view;
  view.path = text_member(from, "path");
  view.window = range_member(from, "window_ns");
  const std::int64_t colors = member<std::int64_t>(from, "buffer_colors").value_or(0);
  if (colors >= 0 && colors <= static_cast<std::int64_t>(render::BufferColors::size))
    view.memory.colors = static_cast<render::BufferColors>(colors);
  view.memory.scale_per_track = member<bool>(from, "memory_scale_per_track").value_or(false);
  for_each<std::int64_t>(from, "offsets_us", most_notes, [&](std::int64_t offset_us) {
    view.offsets_us.push_back(std::clamp(offset_us, -most_offset_us, most_offset_us));
  });
  view.tracks = tracks_from(from);
  for_each<object>(from, "markers", most_notes, [&](const object& marker) {
    const auto time = member<std::int64_t>(marker, "time_ns");
    if (time) view.notes.markers.push_back({time_in_range(*time), text_member(marker, "name")});
  });
  for_each<object>(from, "ranges", most_notes, [&](const object& kept) {
    const query::TimeRange range = range_member(kept, "range_ns");
    if (range.length_ns() > 0) view.notes.ranges.push_back({range, text_member(kept, "name")});
  });
  return view;
}

void read_cards(const object& from, CardTable& cards) {
  const auto families = member<object>(from, "cards");
  if (!families) return;
  for (const auto [family, limits] : *families) {
    object values;
    if (limits.get(values) != simdjson::SUCCESS || cards.size() >= most_notes) continue;
    CardLimits& card = cards[std::string(family)];
    for (const CardQuantity& quantity : card_quantities()) {
      const double value = member<double>(values, quantity.id).value_or(0);
      if (std::isfinite(value) && value > 0) card.*quantity.value = value;
    }
  }
}

}  // namespace

void Remembered::note_recent(const std::string& path) {
  std::erase(recent, path);
  recent.insert(recent.begin(), path);
  recent.resize(std::min(recent.size(), most_recent));
}

void Remembered::note_view(RememberedView view) {
  std::erase_if(views, [&](const RememberedView& other) { return other.path == view.path; });
  views.insert(views.begin(), std::move(view));
  views.resize(std::min(views.size(), most_views));
}

const RememberedView* Remembered::view_of(std::string_view path) const {
  const auto found = std::find_if(views.begin(), views.end(),
                                  [&](const RememberedView& view) { return view.path == path; });
  return found == views.end() ? nullptr : &*found;
}

Remembered merged(const Remembered& base, const Remembered& mine, Remembered disk) {
  const auto take = [&](auto Remembered::*part) {
    if (mine.*part != base.*part) disk.*part = mine.*part;
  };
  take(&Remembered::light);
  take(&Remembered::motion);
  take(&Remembered::zoom);
  take(&Remembered::watches);
  take(&Remembered::window_width);
  take(&Remembered::window_height);
  for (const auto& [family, limits] : mine.cards)
    if (limits != limits_of(base.cards, family)) disk.cards[family] = limits;
  // The oldest first: each is noted before all others.
  if (mine.recent != base.recent)
    std::for_each(mine.recent.rbegin(), mine.recent.rend(),
                  [&](const auto& path) { disk.note_recent(path); });
  std::for_each(mine.views.rbegin(), mine.views.rend(), [&](const RememberedView& view) {
    const RememberedView* before = base.view_of(view.path);
    if (before == nullptr || *before != view) disk.note_view(view);
  });
  return disk;
}

std::string remembered_as_json(const Remembered& remembered) {
  std::string text;
  io::JsonWriter json(text);
  json.begin_object();
  if (remembered.light) json.member("light", *remembered.light);
  if (remembered.motion) json.member("motion", *remembered.motion);
  json.member("zoom", remembered.zoom);
  json.member("watches", remembered.watches);
  json.member("window_width", remembered.window_width);
  json.member("window_height", remembered.window_height);
  json.key("cards").begin_object();
  for (const auto& [family, card] : remembered.cards) {
    if (!simdjson::validate_utf8(family)) continue;  // no family of devices, and no key of JSON
    json.key(family).begin_object();
    for (const CardQuantity& quantity : card_quantities())
      json.member(quantity.id, card.*quantity.value);
    json.end_object();
  }
  json.end_object().key("recent").begin_array();
  for (const std::string& path : remembered.recent) write_text(json, path);
  json.end_array().key("views").begin_array();
  for (const RememberedView& view : remembered.views) write_view(json, view);
  json.end_array().end_object();
  return text + "\n";
}

Expected<Remembered> remembered_from_json(std::string_view json) {
  simdjson::dom::parser parser;
  object root;
  if (parser.parse(json.data(), json.size()).get(root) != simdjson::SUCCESS)
    return failure(ErrorKind::bad_input, "This is not what bytescope wrote");
  Remembered remembered;
  remembered.light = member<bool>(root, "light");
  remembered.motion = member<bool>(root, "motion");
  remembered.watches = member<bool>(root, "watches").value_or(false);
  const double zoom = member<double>(root, "zoom").value_or(1);
  remembered.zoom = static_cast<float>(std::clamp<double>(zoom, least_zoom, most_zoom));
  const auto side = [&](std::string_view key, int otherwise) {
    const std::int64_t px = member<std::int64_t>(root, key).value_or(otherwise);
    return px >= least_side_px && px <= most_side_px ? static_cast<int>(px) : otherwise;
  };
  remembered.window_width = side("window_width", remembered.window_width);
  remembered.window_height = side("window_height", remembered.window_height);
  read_cards(root, remembered.cards);
  for_each<element>(root, "recent", Remembered::most_recent, [&](const element& path) {
    if (std::string text = text_from(path); !text.empty())
      remembered.recent.push_back(std::move(text));
  });
  for_each<object>(root, "views", Remembered::most_views,
                   [&](const object& view) { remembered.views.push_back(view_from(view)); });
  return remembered;
}

}  // namespace bytescope::app
