#include "core/trace/memory_load.h"

#include <algorithm>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/bytepack/records.h"
#include "tests/support/memory_bytes.h"
#include "tests/support/memory_tracks.h"
#include "tests/support/random_memory.h"

namespace bytescope::trace {
namespace {

using bytepack::TrackKind;
using testing::HasSubstr;
using tests::EventBytes;
using tests::expect_same;
using tests::load;
using tests::load_context;
using tests::RecordFile;

constexpr char event_letters[] = {'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L'};

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
    EXPECT_EQ(std::vector(memory->events.begin(), memory->events.end()),
              (std::vector<std::uint32_t>{2, 6, 3, 4, 0, 7}));
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
    wish.seed = static_cast<unsigned char>(letter);
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
  EXPECT_EQ(memory.error().where.byte, RecordFile::records_byte + 21 + 13 + std::uint64_t{2} * 13);
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
  const auto memory =
      load_memory(*file.file(), *bytepack::dialect_of('L'), file.head(TrackKind::memory, 1),
                  load_context(), warnings, cancel);
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().kind, ErrorKind::cancelled);
}

}  // namespace bytescope::trace
