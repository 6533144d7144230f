#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/io/page_reader.h"
#include "core/query/links.h"
#include "tests/support/trace_maker.h"

// What FORMAT.md says of values that make no sense: which are taken as they are, which open with a
// warning, which end the sound part of a trace.

namespace bytescope::trace {
namespace {

using bytepack::MemoryDescription;
using bytepack::SpanDescription;
using bytepack::TraceDescription;
using bytepack::TrackDescription;
using bytepack::TrackKind;
using testing::HasSubstr;

constexpr std::uint64_t half = std::uint64_t{1} << 63U;

SpanDescription span(std::uint32_t start, float duration) { return {"E_4", start, duration, "{}"}; }
MemoryDescription alloc(std::uint32_t time, std::uint32_t key, std::uint64_t length,
                        const std::string& dtype = "unsigned char") {
  return {true, time, key, dtype, length};
}
MemoryDescription freed(std::uint32_t time, std::uint32_t key, std::uint8_t mode = 0) {
  return {false, time, key, "", 0, {{7, "nobody", 0, mode}}};
}

/// A sound track, then one of these spans or these memory records.
TraceDescription behind_a_sound_track(std::vector<SpanDescription> spans,
                                      std::vector<MemoryDescription> memory = {}) {
  TraceDescription trace = tests::one_track({span(0, 5), span(6, 2)});
  TrackDescription second;
  second.name = "NV";
  second.kind = memory.empty() ? TrackKind::spans : TrackKind::memory;
  second.spans = std::move(spans);
  second.memory = std::move(memory);
  trace.tracks.push_back(std::move(second));
  trace.dtype_bytes = {{"unsigned char", 1}, {"float", 4}};
  trace.duration_us = 10;
  return trace;
}

struct Fault {
  const char* says;
  std::uint64_t record;
  std::vector<SpanDescription> spans{};
  std::vector<MemoryDescription> memory{};
};

std::vector<Fault> faults() {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  std::vector<Fault> all;
  for (const float duration : {std::numeric_limits<float>::quiet_NaN(), infinity, -infinity, -1.0F,
                               -1e-30F, 1e13F, std::numeric_limits<float>::max()}) {
    for (std::uint64_t at = 0; at < 3; ++at) {
      Fault fault{"duration is not a time", at, {span(0, 1), span(1, 1), span(2, 1)}};
      fault.spans[at].duration = duration;
      all.push_back(std::move(fault));
    }
  }
  all.push_back({"out of order", 2, {span(1, 1), span(2, 1), span(1, 1), span(3, 1)}});
  all.push_back({"starts after the end", 1, {span(1, 1), span(12, 1)}});
  all.push_back({"Key 2 is freed but not live", 1, {}, {alloc(1, 1, 5), freed(2, 2)}});
  all.push_back({"Key 1 is freed but not live", 2, {}, {alloc(1, 1, 5), freed(2, 1), freed(3, 1)}});
  all.push_back({"Key 1 is allocated while it is live", 1, {}, {alloc(1, 1, 5), alloc(2, 1, 5)}});
  all.push_back({"2^64", 1, {}, {alloc(1, 1, 5), alloc(2, 2, half, "float")}});
  all.push_back({"2^64", 1, {}, {alloc(1, 1, half), alloc(2, 2, half)}});
  all.push_back({"unknown", 1, {}, {alloc(1, 1, 5), alloc(2, 2, 5, "quaternion")}});
  all.push_back({"out of order", 1, {}, {alloc(3, 1, 5), alloc(2, 2, 5)}});
  all.push_back({"after the end", 1, {}, {alloc(3, 1, 5), alloc(12, 2, 5)}});
  all.push_back({"mode", 1, {}, {alloc(1, 1, 5), freed(2, 1, 3)}});
  return all;
}

TEST(Bounds, WhatMakesNoSenseEndsTheSoundPartOfTheTrace) {
  for (const Fault& fault : faults()) {
    SCOPED_TRACE(fault.says);
    const auto loaded = tests::load_description(behind_a_sound_track(fault.spans, fault.memory));
    ASSERT_NE(loaded, nullptr);
    EXPECT_EQ(loaded->tracks.size(), 1U);
    ASSERT_FALSE(loaded->warnings.list().empty());
    const Warning& warning = loaded->warnings.list().front();
    EXPECT_THAT(warning.message, HasSubstr("Damaged: 1 of 2 tracks"));
    EXPECT_THAT(warning.message, HasSubstr(fault.says));
    EXPECT_EQ(warning.where.track, 1U);
    EXPECT_EQ(warning.where.track_name, "NV");
    EXPECT_EQ(warning.where.record, fault.record);
    EXPECT_TRUE(warning.where.byte);
  }
}

TEST(Bounds, WithNothingSoundTheFileIsRefused) {
  for (const Fault& fault : faults()) {
    TraceDescription trace = behind_a_sound_track(fault.spans, fault.memory);
    trace.tracks.erase(trace.tracks.begin());
    const auto loaded = tests::load_bytes(bytepack::encode(trace, *bytepack::dialect_of('L')));
    ASSERT_FALSE(loaded) << fault.says;
    EXPECT_EQ(loaded.error().kind, ErrorKind::bad_input);
    EXPECT_EQ(loaded.error().where.track, 0U) << text(loaded.error());
    EXPECT_TRUE(loaded.error().where.byte) << text(loaded.error());
    EXPECT_EQ(loaded.error().where.record, fault.record) << text(loaded.error());
  }
}

/// Expects that such a trace opens whole, and answers it; `warning` is the only one, if any.
std::shared_ptr<const Trace> opens(const TraceDescription& trace, const std::string& warning = "") {
  auto loaded = tests::load_description(trace);
  if (loaded == nullptr) return nullptr;
  EXPECT_EQ(loaded->tracks.size(), trace.tracks.size());
  EXPECT_EQ(loaded->warnings.list().size(), warning.empty() ? 0U : 1U);
  for (const Warning& found : loaded->warnings.list())
    EXPECT_THAT(found.message, HasSubstr(warning));
  return loaded;
}

TEST(Bounds, EdgesThatHoldAreTakenAsTheyAre) {
  opens(behind_a_sound_track({span(1, -0.0F), span(11, 0.0F)}));  // one past the end
  opens(behind_a_sound_track({span(1, std::numeric_limits<float>::denorm_min()), span(2, 1e12F)}));
  opens(behind_a_sound_track({}, {alloc(1, 1, half), freed(1, 1), alloc(1, 1, UINT64_MAX)}));
  opens(behind_a_sound_track({}, {alloc(1, UINT32_MAX, 0), alloc(11, 0, 0)}));
}

TEST(Bounds, SpansMayEndAfterTheTrace) {
  const auto trace = opens(behind_a_sound_track({span(1, 1e9F)}));
  ASSERT_NE(trace, nullptr);
  EXPECT_EQ(trace->frame.duration_us, 10U);
  EXPECT_EQ(trace->tracks[1].spans->names[0].longest, 1e9F);
}

TEST(Bounds, UsersOfRunsThatDoNotExistLeadNowhere) {
  const auto trace = opens(behind_a_sound_track({}, {alloc(1, 1, 5), freed(2, 1)}));
  ASSERT_NE(trace, nullptr);
  io::PageReader reader(trace->file);
  const auto producer = query::producer_of_buffer(*trace, reader, 1, 0, Cancel());
  const auto consumer = query::consumer_of_buffer(*trace, reader, 1, 0, Cancel());
  EXPECT_FALSE(producer.has_value());
  EXPECT_FALSE(consumer.has_value());
}

TEST(Bounds, TrackNamesMayBeAnyBytes) {
  for (const std::string& name :
       {std::string(), std::string(255, '\0'), std::string(255, '\xff'), std::string("\x1b[31m\n"),
        std::string("AMD")}) {  // the last: both tracks have one name
    TraceDescription description = behind_a_sound_track({span(1, 1)});
    description.tracks[1].name = name;
    const auto trace = opens(description);
    ASSERT_NE(trace, nullptr);
    EXPECT_EQ(trace->tracks[1].head.name, name);
  }
}

TEST(Bounds, LengthsThatCountCharactersOpenWithAWarning) {
  std::string smile;
  for (int i = 0; i < 255; ++i) smile += "\xf0\x9f\x98\x80";
  TraceDescription description = behind_a_sound_track({span(1, 1)});
  description.tracks[1].name = smile.substr(0, 252);
  description.tracks[1].name_length = std::uint8_t{63};
  const auto trace = opens(description, "counted in characters");
  ASSERT_NE(trace, nullptr);
  EXPECT_EQ(trace->tracks[1].head.name, description.tracks[1].name);
}

TEST(Bounds, MoreLanesThanThereAreShareTheLastWithAWarning) {
  constexpr std::uint32_t count = 66'000;
  const auto trace = opens(behind_a_sound_track(std::vector<SpanDescription>(count, span(1, 5))),
                           "share the last lane");
  ASSERT_NE(trace, nullptr);
  EXPECT_EQ(trace->tracks[1].spans->lane_count, 65'535U);
  EXPECT_EQ(trace->tracks[1].head.count, count);
}

TEST(Bounds, ATraceOfNothingAtAllOpens) {
  opens(TraceDescription{});
  TraceDescription tracks_only;
  tracks_only.tracks.resize(3);
  opens(tracks_only);  // without an event, without a name
}

TEST(Bounds, StringsThatTheIndexLacksRefuseWhatRefersToThem) {
  TraceDescription trace = behind_a_sound_track({span(1, 1)});
  trace.more_json = R"("strings": [])";  // of duplicate keys the last counts
  const auto loaded = tests::load_bytes(bytepack::encode(trace, *bytepack::dialect_of('L')));
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().message, HasSubstr("not in the strings"));
}

}  // namespace
}  // namespace bytescope::trace
