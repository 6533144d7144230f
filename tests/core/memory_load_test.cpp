#include "core/trace/memory_load.h"

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <unordered_map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/bytepack/records.h"
#include "core/trace/live_keys.h"
#include "core/trace/memory_records.h"
#include "tests/support/memory_bytes.h"
#include "tests/support/random_memory.h"

namespace bytescope::trace {
namespace {

using bytepack::TrackKind;
using testing::HasSubstr;
using tests::Bytes;
using tests::EventBytes;
using tests::RecordFile;

constexpr char event_letters[] = {'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L'};

MemoryLoadContext context(std::uint32_t duration = 1000) {
  MemoryLoadContext context;
  context.duration = duration;
  context.string_count = 10;
  context.dtype_bytes = [](std::uint32_t dtype) -> std::optional<std::uint64_t> {
    switch (dtype) {
      case 1: return 4;
      case 2: return 1;
      case 3: return 0;
      case 12: return 8;  // Known, but not among the strings.
      default: return std::nullopt;
    }
  };
  return context;
}

Expected<MemoryIndex> load(const RecordFile& file, char letter, const bytepack::TrackHead& head,
                           Warnings& warnings, std::uint32_t duration = 1000) {
  return load_memory(*file.file(), *bytepack::dialect_of(letter), head, context(duration), warnings,
                     Cancel());
}

void expect_same(const MemoryIndex& a, const MemoryIndex& b) {
  ASSERT_EQ(a.buffers.size(), b.buffers.size());
  for (std::size_t i = 0; i < a.buffers.size(); ++i) {
    ASSERT_EQ(a.buffers[i].key, b.buffers[i].key) << i;
    ASSERT_EQ(a.buffers[i].allocated, b.buffers[i].allocated) << i;
    ASSERT_EQ(a.buffers[i].freed, b.buffers[i].freed) << i;
    ASSERT_EQ(a.buffers[i].bytes, b.buffers[i].bytes) << i;
  }
  ASSERT_EQ(a.events, b.events);
  ASSERT_EQ(a.blocks.size(), b.blocks.size());
  for (std::size_t i = 0; i < a.blocks.size(); ++i) {
    ASSERT_EQ(a.blocks[i].before, b.blocks[i].before) << i;
    ASSERT_EQ(a.blocks[i].at_max, b.blocks[i].at_max) << i;
  }
  EXPECT_EQ(a.group_max, b.group_max);
  EXPECT_EQ(a.peak_bytes, b.peak_bytes);
  EXPECT_EQ(a.peak_event, b.peak_event);
  EXPECT_EQ(a.frees, b.frees);
  EXPECT_EQ(a.never_freed, b.never_freed);
}

/// Something wrong, what is said about it and in which record.
struct Violation {
  const char* what;
  std::function<void(EventBytes&)> write;
  std::uint64_t record;
  char from = 'C';   ///< The oldest dialect where it applies …
  char until = 'L';  ///< … and the newest.
};

const std::vector<Violation>& violations() {
  static const std::vector<Violation> all = {
      {"neither a free nor an allocation",
       [](EventBytes& it) { it.alloc(1, 1, 1, 1).free(2, 1).bytes().u8(2).u64(0).u64(0).u32(0); },
       2},
      {"Time runs backwards", [](EventBytes& it) { it.alloc(5, 1, 1, 1).alloc(4, 2, 1, 1); }, 1},
      {"past the end of the trace", [](EventBytes& it) { it.alloc(1002, 1, 1, 1); }, 0},
      {"Key 7 is freed but not live", [](EventBytes& it) { it.alloc(1, 1, 1, 1).free(2, 7); }, 1},
      {"Key 1 is freed but not live",
       [](EventBytes& it) { it.alloc(1, 1, 1, 1).free(2, 1).free(3, 1); }, 2},
      {"Key 1 is allocated while it is live",
       [](EventBytes& it) { it.alloc(1, 1, 1, 1).alloc(2, 1, 1, 1); }, 1},
      {"element type is unknown", [](EventBytes& it) { it.alloc(1, 1, 0, 1); }, 0},
      {"element type is unknown", [](EventBytes& it) { it.alloc(1, 1, 12, 1); }, 0},
      {"A buffer of 2^64 bytes", [](EventBytes& it) { it.alloc(1, 1, 1, std::uint64_t{1} << 62U); },
       0},
      {"live buffers exceed 2^64 bytes",
       [](EventBytes& it) { it.alloc(1, 1, 2, UINT64_MAX).alloc(1, 2, 2, 1); }, 1},
      {"mode is neither",
       [](EventBytes& it) {
         it.alloc(1, 1, 1, 1).free(2, 1, {{}, {0, 0, 0, 3}});
       },
       1, 'F'},
      {"name is not among the strings",
       [](EventBytes& it) {
         it.alloc(1, 1, 1, 1).free(2, 1, {{}, {0, 10, 0, 0}});
       },
       1, 'E', 'F'},
      {"name is not among the strings",
       [](EventBytes& it) {
         it.alloc(1, 1, 1, 1).free(2, 1, {{}, {0, 10, 0, 0}});
       },
       1, 'H'},
  };
  return all;
}

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

TEST(MemoryLoad, ReadsEveryDialectOfEvents) {
  for (const char letter : event_letters) {
    EventBytes records(letter);
    records.alloc(1, 5, 1, 100).alloc(2, 8, 2, 7).free(3, 5, {{70, 3, 1, 2}, {71, 4, 200, 0}});
    records.alloc(3, 5, 3, 9).alloc(900, 4, 1, 50).free(1000, 8, {{72, 5, 3, 1}});
    const RecordFile file(records.bytes());
    const bytepack::TrackHead head = file.head(TrackKind::memory, records.count(), 407);
    Warnings warnings;
    const auto memory = load(file, letter, head, warnings);
    ASSERT_TRUE(memory) << letter << ": " << memory.error().message;
    EXPECT_TRUE(warnings.list().empty());
    ASSERT_EQ(memory->buffers.size(), 4U);
    const std::vector<std::uint32_t> keys{4, 5, 5, 8};
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(memory->buffers[i].key, keys[i]);
    EXPECT_EQ(memory->events, (io::LargeVector<std::uint32_t>{2, 6, 3, 4, 0, 7}));
    EXPECT_EQ(memory->buffers[1].bytes, 400U);
    EXPECT_EQ(memory->buffers[2].bytes, 0U);
    EXPECT_EQ(memory->buffers[1].freed, 3U);
    EXPECT_EQ(memory->buffers[2].freed, Buffer::never);
    EXPECT_EQ(memory->frees, 2U);
    EXPECT_EQ(memory->never_freed, letter < 'E' ? 2U : 3U);
    EXPECT_EQ(memory->peak_bytes, 407U);
    EXPECT_EQ(memory->peak_event, 1U);
    ASSERT_EQ(memory->blocks.size(), 1U);
    EXPECT_EQ(memory->blocks[0].byte, RecordFile::records_byte);
  }
}

TEST(MemoryLoad, EqualsTheIndexMadeFromTheSameEvents) {
  tests::RandomMemory wish;
  wish.events = 60'000;  // More than one piece of the file.
  wish.live = 500;
  wish.duration = 1'000'000;
  for (const char letter : {'C', 'E', 'G', 'L'}) {
    wish.seed = static_cast<std::uint32_t>(letter);
    wish.free_at_end = letter >= 'E';
    const auto events = tests::random_events(wish);
    EventBytes records(letter);
    for (const tests::MemoryEvent& event : events) {
      if (event.is_alloc) {
        records.alloc(event.time, event.key, 2, event.bytes);
      } else {
        records.free(event.time, event.key,
                     std::vector<tests::UserBytes>(event.key % 5, {1, 2, 3, 1}));
      }
    }
    const RecordFile file(records.bytes());
    const MemoryIndex expected = tests::index_of(events, wish.duration, wish.free_at_end);
    Warnings warnings;
    const auto memory =
        load(file, letter, file.head(TrackKind::memory, records.count(), expected.peak_bytes),
             warnings, wish.duration);
    ASSERT_TRUE(memory) << memory.error().message;
    EXPECT_TRUE(warnings.list().empty());
    expect_same(*memory, expected);
  }
}

TEST(MemoryLoad, SaysWhatIsWrongAndInWhichRecord) {
  for (const char letter : event_letters) {
    for (const Violation& violation : violations()) {
      if (letter < violation.from || letter > violation.until) continue;
      EventBytes records(letter);
      violation.write(records);
      const RecordFile file(records.bytes());
      const std::uint32_t count = std::max<std::uint32_t>(
          records.count(), static_cast<std::uint32_t>(violation.record) + 1);
      Warnings warnings;
      const auto memory = load(file, letter, file.head(TrackKind::memory, count), warnings);
      ASSERT_FALSE(memory) << letter << ": " << violation.what;
      EXPECT_EQ(memory.error().kind, ErrorKind::bad_input);
      EXPECT_THAT(memory.error().message, HasSubstr(violation.what)) << letter;
      EXPECT_EQ(memory.error().where.record, violation.record) << letter << violation.what;
      ASSERT_TRUE(memory.error().where.byte);
      EXPECT_GE(*memory.error().where.byte, RecordFile::records_byte);
      EXPECT_LT(*memory.error().where.byte, RecordFile::records_byte + records.bytes().size());
    }
  }
}

TEST(MemoryLoad, PointsAtTheUserThatIsWrong) {
  EventBytes records('L');
  records.alloc(1, 1, 1, 1).free(2, 1, {{}, {}, {0, 0, 0, 9}});
  const RecordFile file(records.bytes());
  Warnings warnings;
  const auto memory = load(file, 'L', file.head(TrackKind::memory, 2), warnings);
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().where.byte, RecordFile::records_byte + 21 + 13 + 2 * 13);
}

TEST(MemoryLoad, RefusesTracksThatAreTooShortOrTooLong) {
  for (const char letter : event_letters) {
    EventBytes records(letter);
    records.alloc(1, 1, 1, 1).free(2, 1, {{}, {}}).alloc(3, 2, 1, 1);
    const RecordFile file(records.bytes(), 0);
    Warnings warnings;
    for (std::size_t cut = 1; cut <= records.bytes().size(); ++cut) {
      bytepack::TrackHead head = file.head(TrackKind::memory, 3);
      head.end_byte -= cut;
      EXPECT_FALSE(load(file, letter, head, warnings)) << letter << " cut by " << cut;
    }
    EXPECT_FALSE(load(file, letter, file.head(TrackKind::memory, 2), warnings));
    EXPECT_FALSE(load(file, letter, file.head(TrackKind::memory, UINT32_MAX), warnings));
    bytepack::TrackHead head = file.head(TrackKind::memory, 3);
    head.end_byte = UINT64_MAX;
    EXPECT_TRUE(load(file, letter, head, warnings)) << "the file ends where the records do";
    head.records_byte = UINT64_MAX;
    EXPECT_FALSE(load(file, letter, head, warnings));
  }
}

TEST(MemoryLoad, WarnsOfAPeakThatIsNotTheSum) {
  EventBytes records('L');
  records.alloc(1, 1, 1, 10);
  const RecordFile file(records.bytes());
  Warnings warnings;
  ASSERT_TRUE(load(file, 'L', file.head(TrackKind::memory, 1, 41), warnings));
  ASSERT_EQ(warnings.list().size(), 1U);
  EXPECT_THAT(warnings.list()[0].message, HasSubstr("41"));
  EXPECT_THAT(warnings.list()[0].message, HasSubstr("40"));
}

TEST(MemoryLoad, OnlyCountsWhatIsLiveAtOnce) {
  EventBytes records('D');
  const std::uint64_t half = std::uint64_t{1} << 63U;
  records.alloc(1, 1, 2, half).alloc(1, 2, 2, 5).free(2, 1).alloc(3, 1, 2, half);
  records.free(4, 1).free(4, 2).alloc(5, 3, 2, UINT64_MAX);
  const std::uint32_t fine = records.count();
  records.alloc(6, 4, 2, 1);
  const RecordFile file(records.bytes());
  Warnings warnings;
  bytepack::TrackHead head = file.head(TrackKind::memory, records.count(), UINT64_MAX);
  const auto memory = load(file, 'D', head, warnings);
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().where.record, fine);
  head.count = fine;
  head.end_byte -= bytepack::alloc_bytes;
  ASSERT_TRUE(load(file, 'D', head, warnings));
  EXPECT_TRUE(warnings.list().empty());
}

TEST(MemoryLoad, TakesTheLatestTimesThatThereAre) {
  EventBytes records('D');
  records.alloc(UINT32_MAX - 1, 1, 1, 1).alloc(UINT32_MAX, 2, 1, 1).free(UINT32_MAX, 2);
  const RecordFile file(records.bytes());
  Warnings warnings;
  const auto memory = load(file, 'D', file.head(TrackKind::memory, 3, 8), warnings, UINT32_MAX);
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->never_freed, 1U);
  EXPECT_NE(memory->buffers[1].freed, Buffer::never);
}

TEST(MemoryLoad, StopsWhenCancelled) {
  EventBytes records('L');
  records.alloc(1, 1, 1, 10);
  const RecordFile file(records.bytes());
  Warnings warnings;
  Cancel cancel;
  cancel.request();
  const auto memory = load_memory(*file.file(), *bytepack::dialect_of('L'),
                                  file.head(TrackKind::memory, 1), context(), warnings, cancel);
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().kind, ErrorKind::cancelled);
}

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
  EXPECT_EQ(memory->events, (io::LargeVector<std::uint32_t>{0, 2, 3}));
}

TEST(LineLoad, ReadsTimesAndValues) {
  Bytes records;
  for (std::uint32_t i = 0; i < 100'000; ++i) records.u32(i / 100).u64(i % 7919);
  const RecordFile file(records);
  Warnings warnings;
  const auto line = load_line(*file.file(), file.head(TrackKind::line, 100'000, 7918), context(),
                              warnings, Cancel());
  ASSERT_TRUE(line);
  EXPECT_TRUE(warnings.list().empty());
  EXPECT_EQ(line->peak, 7918U);
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    ASSERT_EQ(line->times[i], i / 100);
    ASSERT_EQ(line->values[i], i % 7919);
  }
}

TEST(LineLoad, SaysWhatIsWrong) {
  struct Fault {
    const char* what;
    std::uint32_t time;
    std::uint32_t count;
  };
  for (const Fault& fault : {Fault{"backwards", 4, 2}, Fault{"past the end", 1002, 2},
                             Fault{"more records", 6, 3}, Fault{"Bytes behind", 6, 1}}) {
    Bytes records;
    records.u32(5).u64(1).u32(fault.time).u64(2);
    const RecordFile file(records);
    Warnings warnings;
    const auto line = load_line(*file.file(), file.head(TrackKind::line, fault.count, 2), context(),
                                warnings, Cancel());
    ASSERT_FALSE(line);
    EXPECT_THAT(line.error().message, HasSubstr(fault.what));
  }
}

TEST(LiveKeys, BehavesLikeAPlainMap) {
  for (const std::uint32_t range : {50U, 3000U, UINT32_MAX}) {
    std::mt19937 random(range);
    LiveKeys keys;
    std::unordered_map<std::uint32_t, std::uint32_t> plain;
    for (std::uint32_t i = 0; i < 20'000; ++i) {
      const auto key = static_cast<std::uint32_t>(random() % range);
      if (random() % 2 == 0) {
        ASSERT_EQ(keys.insert(key, i), plain.emplace(key, i).second);
      } else {
        const auto found = plain.find(key);
        ASSERT_EQ(keys.take(key), found == plain.end() ? UINT32_MAX : found->second);
        plain.erase(key);
      }
    }
  }
}

}  // namespace bytescope::trace
