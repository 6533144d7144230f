#include "core/query/track_argument.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/query/closest_names.h"
#include "core/query/wrong_argument.h"

namespace bytescope::query {
namespace {

std::optional<std::uint32_t> whole_number(std::string_view digits) {
  std::uint32_t number = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

}  // namespace

Expected<std::uint32_t> track_from_argument(const trace::Trace& trace, std::string_view argument,
                                            Warnings& warnings) {
  const auto is_named_so = [&](const trace::Track& track) { return track.head.name == argument; };
  const auto found = std::find_if(trace.tracks.begin(), trace.tracks.end(), is_named_so);
  if (found != trace.tracks.end()) {
    const auto number = static_cast<std::uint32_t>(found - trace.tracks.begin());
    const auto count = std::count_if(found, trace.tracks.end(), is_named_so);
    if (count > 1) {
      warnings.add(fmt::format("{} tracks have this name; taking the first, #{}", count, number),
                   {{}, number, found->head.name, {}});
    }
    return number;
  }
  if (argument.starts_with('#')) {
    const auto number = whole_number(argument.substr(1));
    if (number && *number < trace.tracks.size()) return *number;
    if (number && trace.tracks.empty()) return wrong_argument(trace, "The trace has no tracks");
    if (number)
      return wrong_argument(trace, fmt::format("There is no track #{}; the last is #{}", *number,
                                               trace.tracks.size() - 1));
  }
  std::vector<std::string> names;
  for (const trace::Track& track : trace.tracks) names.push_back(track.head.name);
  return wrong_argument(trace, fmt::format("No track is named \"{}\"{}", argument,
                                           closest_names_text(argument, names)));
}

Expected<TrackRecord> record_from_argument(const trace::Trace& trace, std::string_view argument,
                                           Warnings& warnings) {
  const std::size_t colon = argument.rfind(':');
  const auto record =
      colon == std::string_view::npos ? std::nullopt : whole_number(argument.substr(colon + 1));
  if (!record)
    return wrong_argument(trace, fmt::format("\"{}\" is not of the form TRACK:INDEX", argument));
  const auto track = track_from_argument(trace, argument.substr(0, colon), warnings);
  if (!track) return tl::make_unexpected(track.error());
  const bytepack::TrackHead& head = trace.tracks[*track].head;
  if (*record < head.count) return TrackRecord{*track, *record};
  return wrong_argument(
      trace, fmt::format("Track \"{}\" has no record {}, only {} records (from 0)", head.name,
                         *record, head.count));
}

}  // namespace bytescope::query
