#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <simdjson.h>

#include "core/export/export.h"
#include "core/query/time_range.h"
#include "core/trace/trace.h"

namespace bytescope::tests {

/// What an export writes, read back; a test failure when it does not.
std::string exported(const trace::Trace& trace, exporting::Format format,
                     const std::optional<query::TimeRange>& range = {},
                     std::vector<exporting::TrackProcess> processes = {});

/// The events of a JSON export in the order of the file; a test failure when it is no JSON.
struct ChromeEvents {
  explicit ChromeEvents(const std::string& text);

  simdjson::dom::parser parser;
  simdjson::dom::element other;
  std::map<std::string, std::vector<simdjson::dom::element>> of;  ///< By phase.
};

/// A member that is a text.
std::string text_of(simdjson::dom::element event, const char* key);

/// Track label by thread, without the number of the lane.
std::map<std::uint64_t, std::string> thread_names(const ChromeEvents& events);

}  // namespace bytescope::tests
