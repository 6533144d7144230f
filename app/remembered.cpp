#include "app/remembered.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <simdjson.h>

#include "core/io/json_writer.h"

namespace bytescope::app {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr std::size_t most_notes = 10'000;
constexpr int least_side_px = 200;
constexpr int most_side_px = 20'000;
constexpr float least_zoom = 0.5F;
constexpr float most_zoom = 3;
/// A century: no trace is longer, and sums stay in range.
constexpr std::int64_t most_ns = 3'200'000'000'000'000'000;

void write_range(io::JsonWriter& json, const query::TimeRange& range) {
  json.begin_array().value(range.begin_ns).value(range.end_ns).end_array();
}

void write_view(io::JsonWriter& json, const RememberedView& view) {
  json.begin_object().member("path", view.path).key("window_ns");
  write_range(json, view.window);
  json.member("buffer_colors", static_cast<int>(view.memory.colors));
  json.member("memory_scale_per_track", view.memory.scale_per_track);
  json.key("expanded").begin_array();
  for (const std::string& name : view.expanded) json.value(name);
  json.end_array().key("markers").begin_array();
  for (const OwnMarker& marker : view.notes.markers)
    json.begin_object().member("time_ns", marker.time_ns).member("name", marker.name).end_object();
  json.end_array().key("ranges").begin_array();
  for (const KeptRange& kept : view.notes.ranges) {
    json.begin_object().member("name", kept.name).key("range_ns");
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

std::string text_member(const object& from, std::string_view key) {
  return std::string(member<std::string_view>(from, key).value_or(""));
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

RememberedView view_from(const object& from) {
  RememberedView view;
  view.path = text_member(from, "path");
  view.window = range_member(from, "window_ns");
  const std::int64_t colors = member<std::int64_t>(from, "buffer_colors").value_or(0);
  if (colors >= 0 && colors <= static_cast<std::int64_t>(render::BufferColors::size))
    view.memory.colors = static_cast<render::BufferColors>(colors);
  view.memory.scale_per_track = member<bool>(from, "memory_scale_per_track").value_or(false);
  for_each<std::string_view>(from, "expanded", most_notes,
                             [&](std::string_view name) { view.expanded.emplace_back(name); });
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
  take(&Remembered::zoom);
  take(&Remembered::window_width);
  take(&Remembered::window_height);
  for (const auto& [family, limits] : mine.cards)
    if (limits != limits_of(base.cards, family)) disk.cards[family] = limits;
  if (mine.recent != base.recent)
    for (auto path = mine.recent.rbegin(); path != mine.recent.rend(); ++path)
      disk.note_recent(*path);
  for (auto view = mine.views.rbegin(); view != mine.views.rend(); ++view) {
    const RememberedView* before = base.view_of(view->path);
    if (before == nullptr || *before != *view) disk.note_view(*view);
  }
  return disk;
}

std::string remembered_as_json(const Remembered& remembered) {
  std::string text;
  io::JsonWriter json(text);
  json.begin_object().member("light", remembered.light).member("zoom", remembered.zoom);
  json.member("window_width", remembered.window_width);
  json.member("window_height", remembered.window_height);
  json.key("cards").begin_object();
  for (const auto& [family, card] : remembered.cards) {
    json.key(family).begin_object();
    for (const CardQuantity& quantity : card_quantities())
      json.member(quantity.id, card.*quantity.value);
    json.end_object();
  }
  json.end_object().key("recent").begin_array();
  for (const std::string& path : remembered.recent) json.value(path);
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
  remembered.light = member<bool>(root, "light").value_or(false);
  const double zoom = member<double>(root, "zoom").value_or(1);
  remembered.zoom = std::clamp(static_cast<float>(zoom), least_zoom, most_zoom);
  const auto side = [&](std::string_view key, int otherwise) {
    const std::int64_t px = member<std::int64_t>(root, key).value_or(otherwise);
    return px >= least_side_px && px <= most_side_px ? static_cast<int>(px) : otherwise;
  };
  remembered.window_width = side("window_width", remembered.window_width);
  remembered.window_height = side("window_height", remembered.window_height);
  read_cards(root, remembered.cards);
  for_each<std::string_view>(root, "recent", Remembered::most_recent,
                             [&](std::string_view path) { remembered.recent.emplace_back(path); });
  for_each<object>(root, "views", Remembered::most_views,
                   [&](const object& view) { remembered.views.push_back(view_from(view)); });
  return remembered;
}

}  // namespace bytescope::app
