// Links in what is written for other programs, against comparing everything with everything.

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include "core/export/export.h"
#include "core/io/utf8.h"
#include "core/trace/ansi.h"
#include "tests/support/chrome_events.h"
#include "tests/support/decoded_trace.h"
#include "tests/support/trace_maker.h"

namespace bytescope::exporting {
namespace {

using bytepack::TrackKind;
using query::TimeRange;
using simdjson::dom::element;
using tests::ChromeEvents;
using tests::DecodedEvent;
using tests::DecodedTrack;
using tests::exported;
using tests::text_of;
using tests::thread_names;

/// What flows say: kind, record and label of both ends.
using Flow = std::tuple<std::string, std::string, std::uint64_t, std::string, std::uint64_t>;

std::multiset<Flow> flows_of(const ChromeEvents& events) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> span_at;  // tid, ts → index
  for (const element span : events.of.at("X"))
    span_at[{span["tid"], span["ts"]}] = span["args"]["index"];
  const auto names = thread_names(events);
  std::map<std::uint64_t, element> begins;
  std::multiset<Flow> flows;
  if (events.of.find("s") == events.of.end()) return flows;
  for (const element event : events.of.at("s")) begins.emplace(event["id"], event);
  EXPECT_EQ(events.of.at("s").size(), events.of.at("f").size());
  for (const element end : events.of.at("f")) {
    const element begin = begins.at(end["id"]);
    EXPECT_EQ(text_of(begin, "cat"), text_of(end, "cat"));
    EXPECT_LE(std::uint64_t{begin["ts"]}, std::uint64_t{end["ts"]});
    flows.emplace(text_of(end, "name"), names.at(begin["tid"]),
                  span_at.at({begin["tid"], begin["ts"]}), names.at(end["tid"]),
                  span_at.at({end["tid"], end["ts"]}));
  }
  return flows;
}

/// Who wrote what somebody read, by comparing everything with everything.
std::multiset<Flow> brute_force_flows(const std::vector<DecodedTrack>& tracks) {
  std::set<Flow> found;
  for (const DecodedTrack& memory : tracks) {
    if (!memory.name.ends_with(" Memory")) continue;
    const auto device = std::find_if(tracks.begin(), tracks.end(), [&](const auto& track) {
      return track.name + " Memory" == memory.name;
    });
    if (device == tracks.end()) continue;
    const auto only = [&](const tests::DecodedUser& user) -> const DecodedEvent* {
      const DecodedEvent* match = nullptr;
      for (const DecodedEvent& span : device->events) {
        if (span.key != user.run || tests::shown_text(span.name) != tests::shown_text(user.name))
          continue;
        if (match != nullptr) return nullptr;
        match = &span;
      }
      return match;
    };
    for (const DecodedEvent& event : memory.events) {
      for (std::size_t i = 0; i < event.users.size(); ++i) {
        if (event.users[i].mode == 1) continue;
        std::size_t writer = i;
        while (writer > 0 && event.users[writer - 1].mode == 0) --writer;
        if (writer == 0) continue;
        const DecodedEvent* from = only(event.users[writer - 1]);
        const DecodedEvent* to = only(event.users[i]);
        if (from != nullptr && to != nullptr && from != to && from->time <= to->time)
          found.emplace("buffer", device->name, from->record, device->name, to->record);
      }
    }
  }
  return {found.begin(), found.end()};
}

bytepack::TraceDescription random_users(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&random](std::uint32_t limit) {
    return static_cast<std::uint32_t>(random() % limit);
  };
  bytepack::TraceDescription trace;
  trace.dtype_bytes = {{"float", 4}};
  bytepack::TrackDescription device;
  device.name = "AMD";
  for (std::uint32_t i = 0; i < 200; ++i)
    device.spans.push_back({fmt::format("E_{}", i % 7), i * 2, 1.5F, "{}", {}, below(180)});
  bytepack::TrackDescription memory;
  memory.name = "AMD Memory";
  memory.kind = TrackKind::memory;
  for (std::uint32_t i = 0; i < 100; ++i) {
    memory.memory.push_back({true, i * 4, i, "float", 8, {}});
    std::vector<bytepack::UserDescription> users;
    for (std::uint32_t j = below(6); j > 0; --j) {
      const bytepack::SpanDescription& span = device.spans[below(200)];
      users.push_back({*span.key, span.name, j, static_cast<std::uint8_t>(below(3))});
    }
    memory.memory.push_back({false, i * 4 + 2, i, "", 0, users});
  }
  trace.tracks = {device, memory};
  return trace;
}

TEST(ExportFlows, LeadFromTheLastWriterToEachReader) {
  std::size_t count = 0;
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    const auto trace = tests::load_description(random_users(seed));
    const ChromeEvents events(exported(*trace, Format::chrome_json));
    const std::multiset<Flow> flows = flows_of(events);
    EXPECT_EQ(flows, brute_force_flows(tests::decoded_tracks(*trace)));
    count += flows.size();
  }
  EXPECT_GT(count, 20U);
}

TEST(ExportFlows, LeadFromCausesToEffects) {
  bytepack::TraceDescription described;
  bytepack::TrackDescription wave;
  wave.name = "WAVE:0";
  wave.spans = {{"issue", 1, 1.0F, "{}"}, {"issue", 5, 1.0F, "{}"}};
  bytepack::TrackDescription alu;
  alu.name = "ALUEXEC:0";
  alu.spans = {{"run", 0, 1.0F, R"({"link": "WAVE:0-1"})"},  // Before its cause.
               {"run", 7, 1.0F, R"({"link": "WAVE:0-1"})"},
               {"run", 9, 1.0F, R"({"link": "WAVE:0-2"})"}};  // No such span.
  described.tracks = {wave, alu};
  const auto trace = tests::load_description(described);
  const ChromeEvents events(exported(*trace, Format::chrome_json));
  EXPECT_EQ(flows_of(events), (std::multiset<Flow>{{"cause", "WAVE:0", 1, "ALUEXEC:0", 1}}));
  EXPECT_EQ(text_of(events.other, "unit"), "cycles");
  const ChromeEvents cut(exported(*trace, Format::chrome_json, TimeRange{6000, 9000}));
  EXPECT_TRUE(flows_of(cut).empty());
}

}  // namespace
}  // namespace bytescope::exporting
