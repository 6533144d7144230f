#include "core/query/time_argument.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/query/closest_names.h"
#include "core/query/wrong_argument.h"
#include "core/trace/ansi.h"

namespace bytescope::query {
namespace {

constexpr double furthest_ns = 1e17;

struct UnitName {
  std::string_view name;
  double ns;
};
constexpr std::array<UnitName, 8> unit_names = {{{"", 1e3},
                                                 {"ns", 1},
                                                 {"us", 1e3},
                                                 {"\u00B5s", 1e3},
                                                 {"\u03BCs", 1e3},
                                                 {"ms", 1e6},
                                                 {"s", 1e9},
                                                 {"clk", 1e3}}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Without the spaces between groups of digits and in front of a unit; as it is where other spaces
/// are in it.
std::string without_groups(std::string_view text) {
  std::string number;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool may_part = text[i] == ' ' && i > 0 && is_digit(text[i - 1]) && i + 1 < text.size();
    if (!may_part || text[i + 1] == ' ') {
      number += text[i];
      continue;
    }
    // Behind the point the last group may be shorter.
    const char* const first = text.data() + i + 1;
    const auto group = std::find_if_not(first, text.data() + text.size(), is_digit) - first;
    const bool behind_point = text.substr(0, i).find('.') != std::string_view::npos;
    if (group != 0 && group != 3 && !(behind_point && group < 3)) return std::string(text);
  }
  return number;
}

std::int64_t rounded_ns(double ns) {
  return std::llround(std::clamp(ns, -furthest_ns, furthest_ns));
}

/// A marker that has a time.
struct TimedMarker {
  std::string plain_name;
  std::int64_t ns = 0;
};

/// In the order of time.
std::vector<TimedMarker> timed_markers(const trace::Trace& trace) {
  std::vector<TimedMarker> markers;
  for (const bytepack::FileMarker& marker : trace.index->markers) {
    if (!marker.time_us || !marker.name || !std::isfinite(*marker.time_us)) continue;
    markers.push_back({trace::plain_text(*marker.name), rounded_ns(*marker.time_us * 1e3)});
  }
  std::stable_sort(markers.begin(), markers.end(),
                   [](const TimedMarker& a, const TimedMarker& b) { return a.ns < b.ns; });
  return markers;
}

/// The time of marker number `which` (from 1) of those with that name.
std::optional<std::int64_t> marker_ns(const std::vector<TimedMarker>& markers,
                                      std::string_view name, std::uint32_t which) {
  for (const TimedMarker& marker : markers) {
    if (marker.plain_name == name && --which == 0) return marker.ns;
  }
  return std::nullopt;
}

Expected<std::int64_t> time_of_marker(const trace::Trace& trace, std::string_view name) {
  const std::vector<TimedMarker> markers = timed_markers(trace);
  if (const auto ns = marker_ns(markers, name, 1)) return *ns;
  const std::size_t hash = name.rfind('#');
  if (hash != std::string_view::npos) {
    std::uint32_t which = 0;
    const char* end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data() + hash + 1, end, which);
    const bool is_number = error == std::errc() && stop == end && which > 0;
    const auto ns = is_number ? marker_ns(markers, name.substr(0, hash), which) : std::nullopt;
    if (ns) return *ns;
  }
  std::vector<std::string> names;
  names.reserve(markers.size());
  for (const TimedMarker& marker : markers) names.push_back(marker.plain_name);
  return wrong_argument(trace, fmt::format("\"{}\" is no time and no marker{}", name,
                                           closest_names_text(name, names)));
}

Expected<TimeRange> range_from_sides(const trace::Trace& trace, std::string_view begin,
                                     std::string_view end) {
  TimeRange range{0, trace::ns_from_unit(trace.frame.duration_us)};
  if (!begin.empty()) {
    const auto ns = time_from_argument(trace, begin);
    if (!ns) return tl::make_unexpected(ns.error());
    range.begin_ns = *ns;
  }
  if (!end.empty()) {
    const auto ns = time_from_argument(trace, end);
    if (!ns) return tl::make_unexpected(ns.error());
    range.end_ns = *ns;
  }
  return range;
}

}  // namespace

std::optional<std::int64_t> ns_from_number_text(std::string_view text) {
  // from_chars would take "inf" and "nan", which may be names of markers.
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  const bool is_number =
      first < text.size() && ((text[first] >= '0' && text[first] <= '9') || text[first] == '.');
  if (!is_number) return std::nullopt;
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc()) return std::nullopt;
  const std::string_view unit(stop, static_cast<std::size_t>(end - stop));
  const auto* found = std::find_if(unit_names.begin(), unit_names.end(),
                                   [unit](const UnitName& known) { return known.name == unit; });
  if (found == unit_names.end()) return std::nullopt;
  return rounded_ns(number * found->ns);
}

std::optional<std::int64_t> ns_from_shown_time(std::string_view text) {
  std::string number = without_groups(text);
  std::int64_t ns = 0;
  bool has_minutes = false;
  for (std::size_t colon = number.find(':'); colon != std::string::npos;
       colon = number.find(':'), has_minutes = true) {
    std::uint32_t count = 0;
    const auto [stop, error] = std::from_chars(number.data(), number.data() + colon, count);
    if (error != std::errc() || stop != number.data() + colon) return std::nullopt;
    ns = (ns + count) * 60;
    if (ns > 1'000'000'000) return std::nullopt;
    number.erase(0, colon + 1);
  }
  if (number.empty() || number.front() == '-') return std::nullopt;
  if (has_minutes && !number.ends_with('s')) number += 's';
  const bool has_unit = (number.back() < '0' || number.back() > '9') && number.back() != '.';
  const auto rest = ns_from_number_text(number);
  if (!has_unit || !rest) return std::nullopt;
  return ns * 1'000'000'000 + *rest;
}

Expected<std::int64_t> time_from_argument(const trace::Trace& trace, std::string_view argument) {
  constexpr std::string_view marker_prefix = "marker:";
  if (const auto ns = ns_from_number_text(argument)) return *ns;
  if (const auto ns = ns_from_shown_time(argument)) return *ns;
  if (argument.starts_with(marker_prefix)) argument.remove_prefix(marker_prefix.size());
  return time_of_marker(trace, argument);
}

Expected<TimeRange> range_from_argument(const trace::Trace& trace, std::string_view argument) {
  constexpr std::string_view dots = "..";
  std::optional<Error> first_error;
  // Names of markers may hold dots too: the first place at which both sides make sense counts.
  for (std::size_t at = argument.find(dots); at != std::string_view::npos;
       at = argument.find(dots, at + 1)) {
    const auto range =
        range_from_sides(trace, argument.substr(0, at), argument.substr(at + dots.size()));
    if (range) {
      if (range->begin_ns < range->end_ns || argument == dots) return *range;
      return wrong_argument(trace, fmt::format("The range {} is empty", argument));
    }
    if (!first_error) first_error = range.error();
  }
  if (first_error) return tl::make_unexpected(std::move(*first_error));
  return wrong_argument(
      trace, fmt::format("\"{}\" is not a range of the form A..B, A.. or ..B", argument));
}

}  // namespace bytescope::query
