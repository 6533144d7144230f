#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/bytepack/dialect.h"
#include "core/bytepack/writer.h"
#include "tests/support/random_memory.h"
#include "tests/support/trace_maker.h"

// A file that is broken beyond use is refused in the name of the dialect that it was written in.

namespace bytescope::trace {
namespace {

using bytepack::Dialect;

/// A file of nothing but one memory track, whose frees have up to three users.
std::vector<std::byte> memory_alone(char dialect) {
  tests::RandomMemory wish;
  wish.events = 60;
  wish.live = 8;
  wish.duration = 90'000'000;
  bytepack::TrackDescription track;
  track.name = "AMD Memory";
  track.kind = bytepack::TrackKind::memory;
  for (const tests::MemoryEvent& event : tests::random_events(wish)) {
    track.memory.push_back({event.is_alloc, event.time, event.key, "unsigned char", event.bytes});
    if (!event.is_alloc)
      track.memory.back().users.assign(event.key % 4, {event.time / 3, "r_64_4", 2, 1});
  }
  bytepack::TraceDescription trace;
  trace.dtype_bytes = {{"unsigned char", 1}};
  trace.tracks = {track};
  return bytepack::encode(trace, *bytepack::dialect_of(dialect));
}

/// Whether the two walk over memory records alike.
bool walk_alike(const Dialect& a, const Dialect& b) {
  return a.memory == b.memory && a.user.stride == b.user.stride;
}

/// Expects that the bytes open, or are refused in the name of a dialect like that one.
void expect_closest(std::span<const std::byte> bytes, char dialect) {
  const auto loaded = tests::load_bytes(bytes);
  if (loaded) return;
  const std::string message = text(loaded.error());
  const std::string before = "closest to dialect ";
  const std::size_t at = message.find(before);
  ASSERT_NE(at, std::string::npos) << message;
  const Dialect* named = bytepack::dialect_of(message[at + before.size()]);
  ASSERT_NE(named, nullptr) << message;
  EXPECT_TRUE(walk_alike(*named, *bytepack::dialect_of(dialect))) << message;
}

class ClosestDialect : public testing::TestWithParam<char> {};

TEST_P(ClosestDialect, IsNamedWhereverAByteOfMemoryAloneIsWrong) {
  const std::vector<std::byte> whole = memory_alone(GetParam());
  ASSERT_TRUE(tests::load_bytes(whole));
  std::vector<std::byte> damaged = whole;
  for (std::size_t at = whole.size() / 2; at < damaged.size(); ++at) {
    for (const unsigned flip : {0x01U, 0x80U, 0xFFU}) {
      damaged[at] = whole[at] ^ static_cast<std::byte>(flip);
      expect_closest(damaged, GetParam());
    }
    damaged[at] = whole[at];
  }
}

TEST_P(ClosestDialect, IsNamedWhereverMemoryAloneIsCutShort) {
  const std::vector<std::byte> whole = memory_alone(GetParam());
  for (std::size_t size = whole.size() / 2; size < whole.size(); ++size)
    expect_closest(std::span(whole).first(size), GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, ClosestDialect,
                         testing::Values('A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K',
                                         'L'),
                         [](const auto& letter) { return std::string(1, letter.param); });

}  // namespace
}  // namespace bytescope::trace
