#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/trace/memory_load.h"
#include "tests/support/memory_bytes.h"
#include "tests/support/memory_tracks.h"

namespace bytescope::trace {

using bytepack::TrackKind;
using testing::HasSubstr;
using tests::Bytes;
using tests::load_context;
using tests::RecordFile;

TEST(LineLoad, ReadsTimesAndValues) {
  Bytes records;
  for (std::uint32_t i = 0; i < 100'000; ++i) records.u32(i / 100).u64(i % 7919);
  const RecordFile file(records);
  Warnings warnings;
  const auto line = load_line(*file.file(), file.head(TrackKind::line, 100'000, 7918),
                              load_context(), warnings, Cancel());
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
    const auto line = load_line(*file.file(), file.head(TrackKind::line, fault.count, 2),
                                load_context(), warnings, Cancel());
    ASSERT_FALSE(line);
    EXPECT_THAT(line.error().message, HasSubstr(fault.what));
  }
}

}  // namespace bytescope::trace
