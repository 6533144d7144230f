// Memory tracks of ready-made polygons (dialects A and B) become events again.

#include <functional>
#include <map>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/bytepack/records.h"
#include "core/trace/memory_load.h"
#include "tests/support/memory_bytes.h"
#include "tests/support/memory_tracks.h"
#include "tests/support/random_memory.h"

namespace bytescope::trace {
namespace {

using bytepack::TrackKind;
using testing::HasSubstr;
using tests::Bytes;
using tests::expect_same;
using tests::load;
using tests::RecordFile;

/// What the producer of dialects A and B made of allocations and frees, by hand.
Bytes polygon_bytes(const std::vector<tests::MemoryEvent>& events, std::uint32_t duration) {
  struct Outline {
    std::vector<std::uint32_t> x;
    std::vector<std::uint64_t> y;
    std::uint64_t bytes = 0;
  };
  std::vector<Outline> outlines;
  std::map<std::uint32_t, std::size_t> live;
  std::uint64_t total = 0;
  Bytes bytes;
  std::uint32_t step = 0;
  for (const tests::MemoryEvent& event : events) {
    bytes.u32(event.time);
    if (event.is_alloc) {
      live[event.key] = outlines.size();
      outlines.push_back({{step++}, {total}, event.bytes});
      total += event.bytes;
      continue;
    }
    ++step;
    Outline& gone = outlines[live[event.key]];
    gone.x.push_back(step);
    gone.y.push_back(gone.y.back());
    live.erase(event.key);
    total -= gone.bytes;
    for (auto above = live.upper_bound(event.key); above != live.end(); ++above) {
      Outline& outline = outlines[above->second];
      outline.x.insert(outline.x.end(), {step, step});
      const std::uint64_t y = outline.y.back();
      outline.y.insert(outline.y.end(), {y, y - gone.bytes});
    }
  }
  bytes.u32(duration);
  for (const auto& [key, number] : live) {
    outlines[number].x.push_back(step);
    outlines[number].y.push_back(outlines[number].y.back());
  }
  for (const Outline& outline : outlines) {
    bytes.u32(static_cast<std::uint32_t>(outline.x.size()));
    for (const std::uint32_t x : outline.x) bytes.u32(x);
    for (const std::uint64_t y : outline.y) bytes.u64(y);
    bytes.u32(2).u64(outline.bytes);
  }
  return bytes;
}

/// Small records of a polygon track with one fault.
struct PolygonViolation {
  const char* what;
  std::uint32_t steps;
  std::uint32_t count;
  std::function<void(Bytes&)> write;
};

void outline(Bytes& bytes, const std::vector<std::uint32_t>& x, std::uint32_t dtype = 1,
             std::uint64_t length = 1) {
  bytes.u32(static_cast<std::uint32_t>(x.size()));
  for (const std::uint32_t step : x) bytes.u32(step);
  for (std::size_t i = 0; i < x.size(); ++i) bytes.u64(0);
  bytes.u32(dtype).u64(length);
}

void times(Bytes& bytes, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) bytes.u32(i * 10);
}

}  // namespace

TEST(MemoryLoad, RebuildsEventsFromPolygons) {
  for (std::uint32_t seed = 1; seed < 20; ++seed) {
    tests::RandomMemory wish;
    wish.seed = seed;
    wish.events = 200 + seed;
    wish.live = 12;
    wish.reuse = 0;
    wish.duration = 1000;
    auto events = tests::random_events(wish);
    const RecordFile file(polygon_bytes(events, wish.duration));
    for (std::uint32_t number = 0; tests::MemoryEvent & event : events) {
      if (event.is_alloc) {  // Polygons have no keys; they lie in the order of allocation.
        for (tests::MemoryEvent& other : events) {
          if (!other.is_alloc && other.key == event.key) other.key = number;
        }
        event.key = number++;
      }
    }
    const MemoryIndex expected = tests::index_of(events, wish.duration, false);
    bytepack::TrackHead head =
        file.head(TrackKind::memory, static_cast<std::uint32_t>(expected.buffers.size()),
                  expected.peak_bytes);
    head.step_count = wish.events + 1;
    for (const char letter : {'A', 'B'}) {
      Warnings warnings;
      const auto memory = load(file, letter, head, warnings);
      ASSERT_TRUE(memory) << memory.error().message;
      EXPECT_TRUE(warnings.list().empty());
      expect_same(*memory, expected);
    }
  }
}

TEST(MemoryLoad, SaysWhatIsWrongWithPolygons) {
  const std::vector<PolygonViolation> all = {
      {"Step 3 of an outline, of only 3", 3, 1,
       [](Bytes& it) {
         outline(it, {0, 3});
       }},
      {"ends where it begins", 3, 1, [](Bytes& it) { outline(it, {1}); }},
      {"ends where it begins", 3, 1,
       [](Bytes& it) {
         outline(it, {2, 2});
       }},
      {"Two buffers change in step 0", 3, 2,
       [](Bytes& it) {
         outline(it, {0, 2}), outline(it, {0, 2});
       }},
      {"Two buffers change in step 1", 5, 1,
       [](Bytes& it) {
         outline(it, {1, 2});
       }},
      {"without an outline", 3, 1, [](Bytes& it) { outline(it, {}), it.u64(0).u64(0); }},
      {"element type is unknown", 3, 1,
       [](Bytes& it) {
         outline(it, {0, 2}, 4);
       }},
      {"A buffer of 2^64 bytes", 3, 1,
       [](Bytes& it) {
         outline(it, {0, 2}, 1, UINT64_MAX);
       }},
      {"live buffers exceed", 3, 2,
       [](Bytes& it) {
         outline(it, {0, 2}, 2, UINT64_MAX), outline(it, {1, 2}, 2, 1);
       }},
      {"More buffers than steps", 1, 2,
       [](Bytes& it) {
         outline(it, {0, 2}), outline(it, {1, 2});
       }},
      {"Bytes behind", 3, 1,
       [](Bytes& it) {
         outline(it, {0, 2}), it.u8(0);
       }},
      {"inside a record", 3, 1,
       [](Bytes& it) {
         outline(it, {0, 1, 2, 2}), it.cut(it.size() - 1);
       }},
      {"more records than bytes", 3, 1, [](Bytes& it) { it.u64(0); }},
  };
  for (const PolygonViolation& violation : all) {
    Bytes records;
    times(records, violation.steps);
    violation.write(records);
    const RecordFile file(records);
    bytepack::TrackHead head = file.head(TrackKind::memory, violation.count);
    head.step_count = violation.steps;
    Warnings warnings;
    const auto memory = load(file, 'A', head, warnings);
    ASSERT_FALSE(memory) << violation.what;
    EXPECT_THAT(memory.error().message, HasSubstr(violation.what));
    EXPECT_EQ(memory.error().kind, ErrorKind::bad_input);
    EXPECT_TRUE(memory.error().where.byte);
  }
  for (const std::uint32_t last : {9U, 1002U}) {
    Bytes records;
    records.u32(10).u32(last);
    const RecordFile file(records);
    bytepack::TrackHead head = file.head(TrackKind::memory, 0);
    head.step_count = 2;
    Warnings warnings;
    EXPECT_FALSE(load(file, 'B', head, warnings));
    head.step_count = UINT32_MAX;
    EXPECT_FALSE(load(file, 'B', head, warnings));
  }
}

TEST(MemoryLoad, OpensPolygonsWithStepsThatNoBufferExplains) {
  Bytes records;
  times(records, 6);
  outline(records, {0, 5});
  outline(records, {3, 5});
  const RecordFile file(records);
  bytepack::TrackHead head = file.head(TrackKind::memory, 2, 8);
  head.step_count = 6;
  Warnings warnings;
  const auto memory = load(file, 'A', head, warnings);
  ASSERT_TRUE(memory) << memory.error().message;
  ASSERT_EQ(warnings.list().size(), 1U);
  EXPECT_THAT(warnings.list()[0].message, HasSubstr("2 allocations or frees"));
  EXPECT_EQ(std::vector(memory->events.begin(), memory->events.end()),
            (std::vector<std::uint32_t>{0, 2, 3}));
}

}  // namespace bytescope::trace
