#include "core/trace/memory_records.h"

#include <random>

#include <gtest/gtest.h>

#include "core/trace/memory_load.h"
#include "tests/support/memory_bytes.h"

namespace bytescope::trace {
namespace {

using bytepack::TrackKind;
using bytepack::UserRecord;
using tests::Bytes;
using tests::EventBytes;
using tests::RecordFile;

MemoryLoadContext context() {
  MemoryLoadContext context;
  context.duration = 1'000'000;
  context.string_count = 10;
  context.dtype_bytes = [](std::uint32_t) { return std::uint64_t{1}; };
  return context;
}

/// Allocations of keys 0, 1, 2 … each followed by its free; buffer i has i % 4 users.
EventBytes pairs(char letter, std::uint32_t count) {
  EventBytes records(letter);
  for (std::uint32_t i = 0; i < count; ++i) {
    records.alloc(i, i, 1, i);
    records.free(i, i, std::vector<tests::UserBytes>(i % 4, {i, 3, i % 256, 2}));
  }
  return records;
}

MemoryIndex index_of(const RecordFile& file, char letter, const bytepack::TrackHead& head) {
  Warnings warnings;
  auto memory =
      load_memory(*file.file(), *bytepack::dialect_of(letter), head, context(), warnings, Cancel());
  EXPECT_TRUE(memory) << memory.error().message;
  return memory ? *memory : MemoryIndex{};
}

}  // namespace

TEST(MemoryCursor, ReadsWhatEachDialectHas) {
  for (const char letter : {'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L'}) {
    EventBytes records(letter);
    records.alloc(1, 5, 1, 100).free(3, 5, {{70, 3, 1, 2}, {71, 4, 200, 0}});
    const RecordFile file(records.bytes());
    const bytepack::TrackHead head = file.head(TrackKind::memory, 2);
    io::PageReader reader(file.file());
    MemoryCursor cursor(reader, *bytepack::dialect_of(letter), head);
    ASSERT_TRUE(cursor.next());
    EXPECT_TRUE(cursor.event().is_alloc);
    EXPECT_EQ(cursor.event().time, 1U);
    EXPECT_EQ(cursor.event().key, 5U);
    EXPECT_EQ(cursor.event().dtype, 1U);
    EXPECT_EQ(cursor.event().length, 100U);
    std::vector<UserRecord> users;
    cursor.append_users(0, 10, users);
    EXPECT_TRUE(users.empty());
    ASSERT_TRUE(cursor.next());
    EXPECT_FALSE(cursor.event().is_alloc);
    EXPECT_EQ(cursor.record(), 1U);
    EXPECT_EQ(cursor.byte(), RecordFile::records_byte + 21);
    cursor.append_users(0, 10, users);
    ASSERT_EQ(users.size(), letter < 'E' ? 0U : 2U);
    EXPECT_EQ(cursor.event().user_count, users.size());
    EXPECT_FALSE(cursor.next());
    if (users.empty()) continue;
    EXPECT_EQ(users[1].run.has_value(), letter >= 'G');
    EXPECT_EQ(users[1].name.has_value(), letter != 'G');
    EXPECT_EQ(users[1].arg.has_value(), letter >= 'F');
    EXPECT_EQ(users[1].mode.has_value(), letter >= 'F');
    EXPECT_EQ(users[0].run.value_or(70), 70U);
    EXPECT_EQ(users[1].run.value_or(71), 71U);
    EXPECT_EQ(users[1].name.value_or(4), 4U);
    EXPECT_EQ(users[1].arg.value_or(200), 200U);
    EXPECT_EQ(users[0].mode.value_or(2), 2U);
  }
}

TEST(MemoryCursor, GoesToAnyRecordWithAndWithoutAnIndex) {
  EventBytes records = pairs('H', 1000);
  const RecordFile file(records.bytes());
  const bytepack::TrackHead head = file.head(TrackKind::memory, records.count());
  const MemoryIndex memory = index_of(file, 'H', head);
  io::PageReader reader(file.file(), 2);
  MemoryCursor with(reader, *bytepack::dialect_of('H'), head, &memory);
  MemoryCursor without(reader, *bytepack::dialect_of('H'), head);
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    const auto record = static_cast<std::uint32_t>(random() % 2000);
    for (MemoryCursor* cursor : {&with, &without}) {
      ASSERT_TRUE(cursor->seek(record));
      ASSERT_TRUE(cursor->next());
      ASSERT_EQ(cursor->record(), record);
      ASSERT_EQ(cursor->event().key, record / 2);
      ASSERT_EQ(cursor->event().is_alloc, record % 2 == 0);
    }
  }
  EXPECT_FALSE(with.seek(2000));
  EXPECT_FALSE(without.seek(UINT32_MAX));
}

TEST(MemoryCursor, ReadsOutlinesAndTheirPoints) {
  Bytes records;
  records.u32(10).u32(20).u32(30).u32(40);
  records.u32(2).u32(0).u32(3).u64(0).u64(5).u32(1).u64(77);
  records.u32(4).u32(1).u32(2).u32(2).u32(3).u64(7).u64(8).u64(9).u64(11).u32(2).u64(78);
  const RecordFile file(records);
  bytepack::TrackHead head = file.head(TrackKind::memory, 2);
  head.step_count = 4;
  io::PageReader reader(file.file());
  MemoryCursor cursor(reader, *bytepack::dialect_of('A'), head);
  ASSERT_TRUE(cursor.seek(1));
  ASSERT_TRUE(cursor.next());
  EXPECT_EQ(cursor.outline().dtype, 2U);
  EXPECT_EQ(cursor.outline().length, 78U);
  EXPECT_EQ(cursor.outline().point_count, 4U);
  std::vector<OutlinePoint> points;
  cursor.append_points(1, 2, points);
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].step, 2U);
  EXPECT_EQ(points[0].time, 30U);
  EXPECT_EQ(points[1].y_bytes, 9U);
  EXPECT_FALSE(cursor.next());
  ASSERT_TRUE(cursor.seek(0));
  ASSERT_TRUE(cursor.next());
  EXPECT_EQ(cursor.outline().length, 77U);
}

TEST(MemoryCursor, ReadsLines) {
  Bytes records;
  for (std::uint32_t i = 0; i < 10; ++i) records.u32(i).u64(std::uint64_t{i} * 100);
  const RecordFile file(records);
  const bytepack::TrackHead head = file.head(TrackKind::line, 10);
  io::PageReader reader(file.file());
  MemoryCursor cursor(reader, *bytepack::dialect_of('L'), head);
  ASSERT_TRUE(cursor.seek(7));
  ASSERT_TRUE(cursor.next());
  EXPECT_EQ(cursor.point().time, 7U);
  EXPECT_EQ(cursor.point().value, 700U);
  ASSERT_TRUE(cursor.next());
  ASSERT_TRUE(cursor.next());
  EXPECT_EQ(cursor.record(), 9U);
  EXPECT_FALSE(cursor.next());
}

TEST(MemoryCursor, StopsSafelyInAnyBytes) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    Bytes records;
    for (int i = 0; i < 40; ++i)
      records.u8(static_cast<std::uint8_t>(random() % 3))
          .u32(static_cast<std::uint32_t>(random() >> (random() % 32)));
    const RecordFile file(records);
    for (const char letter : {'A', 'D', 'L'}) {
      bytepack::TrackHead head =
          file.head(round % 5 == 0 ? TrackKind::line : TrackKind::memory, UINT32_MAX);
      head.step_count = static_cast<std::uint32_t>(random() % 8);
      head.end_byte += random() % 3 == 0 ? 100 : 0;
      MemoryIndex memory;
      memory.blocks.resize(3);
      memory.blocks[1].byte = random() % 200;
      memory.blocks[2].byte = UINT64_MAX - 3;
      io::PageReader reader(file.file());
      MemoryCursor cursor(reader, *bytepack::dialect_of(letter), head, &memory);
      std::vector<UserRecord> users;
      std::vector<OutlinePoint> points;
      for (const std::uint32_t record : {0U, 256U, 3U, 512U, 513U, UINT32_MAX - 1}) {
        if (!cursor.seek(record) || !cursor.next()) continue;
        cursor.append_users(0, UINT32_MAX, users);
        cursor.append_points(1, UINT32_MAX, points);
      }
      EXPECT_LT(users.size() + points.size(), 1000U);
    }
  }
}

TEST(UsersOf, FindsTheFreeRecordOfALifetime) {
  for (const char letter : {'C', 'E', 'L'}) {
    EventBytes records = pairs(letter, 1000);
    records.alloc(2000, 17, 1, 1).alloc(2000, 3000, 1, 1).free(2000, 17, {{99, 1, 2, 0}});
    const RecordFile file(records.bytes());
    const bytepack::TrackHead head = file.head(TrackKind::memory, records.count());
    const MemoryIndex memory = index_of(file, letter, head);
    io::PageReader reader(file.file(), 2);
    const bytepack::Dialect& dialect = *bytepack::dialect_of(letter);
    for (std::uint32_t i = 0; i < memory.buffers.size(); ++i) {
      const Buffer& buffer = memory.buffers[i];
      const bool second_life = buffer.key == 17 && buffer.allocated == 2000;
      const BufferUsers users = users_of(reader, dialect, head, memory, i, 2);
      std::uint32_t expected = second_life ? 1 : buffer.key % 4;
      if (letter == 'C' || buffer.key == 3000) expected = 0;
      ASSERT_EQ(users.total, expected) << buffer.key;
      ASSERT_EQ(users.users.size(), std::min(expected, 2U));
      if (expected != 0 && letter == 'L') {
        ASSERT_EQ(users.users[0].run, second_life ? 99 : buffer.key);
      }
    }
    EXPECT_EQ(users_of(reader, dialect, head, memory, UINT32_MAX).total, 0U);
  }
}

TEST(UsersOf, ReadsThousandsOfUsersAcrossPieces) {
  EventBytes records('L');
  std::vector<tests::UserBytes> many(200'000);
  for (std::uint32_t i = 0; i < many.size(); ++i) many[i] = {i, i % 10, i, 1};
  records.alloc(1, 1, 1, 1).alloc(1, 2, 1, 1).free(2, 1, many).free(3, 2, {{7, 7, 7, 0}});
  const RecordFile file(records.bytes());
  const bytepack::TrackHead head = file.head(TrackKind::memory, 4);
  const MemoryIndex memory = index_of(file, 'L', head);
  io::PageReader reader(file.file());
  const auto& dialect = *bytepack::dialect_of('L');
  const BufferUsers users = users_of(reader, dialect, head, memory, 0, 300'000);
  ASSERT_EQ(users.total, 200'000U);
  ASSERT_EQ(users.users.size(), 200'000U);
  for (std::uint32_t i = 0; i < users.total; ++i) ASSERT_EQ(users.users[i].run, i);
  EXPECT_EQ(users_of(reader, dialect, head, memory, 1).users.at(0).run, 7U);
}

}  // namespace bytescope::trace
