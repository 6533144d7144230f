#include "core/error.h"

#include <gtest/gtest.h>

namespace bytescope {

TEST(Error, SaysWhatWhereAndThePathLast) {
  const Error error{ErrorKind::bad_input,
                    "The file ends inside a record",
                    {4812, 3, "NV Memory", 17},
                    "broken.bin"};
  EXPECT_EQ(
      text(error),
      "The file ends inside a record at byte 4812, track 3 (\"NV Memory\"), record 17: broken.bin");
  EXPECT_EQ(text(Error{ErrorKind::machine, "No memory", {}, ""}), "No memory");
}

TEST(Warnings, AreBoundedAndCounted) {
  Warnings warnings;
  for (int i = 0; i < 150; ++i) warnings.add("w");
  EXPECT_EQ(warnings.list().size(), Warnings::capacity);
  EXPECT_EQ(warnings.dropped(), 50U);
}

}  // namespace bytescope
