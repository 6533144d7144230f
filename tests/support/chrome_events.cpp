#include "tests/support/chrome_events.h"

#include <fstream>
#include <sstream>
#include <utility>

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace bytescope::tests {

using simdjson::dom::element;

std::string exported(const trace::Trace& trace, exporting::Format format,
                     const std::optional<query::TimeRange>& range,
                     std::vector<exporting::TrackProcess> processes) {
  exporting::Request request;
  request.format = format;
  request.range = range;
  request.processes = std::move(processes);
  const TemporaryFolder folder;
  const auto written = exporting::export_trace(trace, folder / "out", request, Cancel());
  if (!written) {
    ADD_FAILURE() << text(written.error());
    return {};
  }
  std::ostringstream text;
  text << std::ifstream(folder / "out", std::ios::binary).rdbuf();
  EXPECT_EQ(text.str().size(), written->size_bytes);
  return text.str();
}

ChromeEvents::ChromeEvents(const std::string& text) {
  element root;
  const auto error = parser.parse(text).get(root);
  EXPECT_EQ(error, simdjson::SUCCESS) << text.substr(0, 2000);
  if (error != simdjson::SUCCESS) return;
  other = root["otherData"];
  for (const element event : root["traceEvents"]) of[text_of(event, "ph")].push_back(event);
}

std::string text_of(element event, const char* key) {
  return std::string(std::string_view(event[key]));
}

/// Track label by thread, without the number of the lane.
std::map<std::uint64_t, std::string> thread_names(const ChromeEvents& events) {
  std::map<std::uint64_t, std::string> names;
  for (const element event : events.of.at("M")) {
    if (text_of(event, "name") != "thread_name") continue;
    const auto [at, is_new] =
        names.emplace(event["tid"], std::string(std::string_view(event["args"]["name"])));
    EXPECT_TRUE(is_new) << at->second;
  }
  return names;
}

}  // namespace bytescope::tests
