#include "app/messages.h"

#include <new>
#include <stdexcept>
#include <system_error>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bytescope::tests {
namespace {

using testing::HasSubstr;

TEST(Messages, TellWhatTheMachineLacks) {
  EXPECT_THAT(app::machine_fault(std::bad_alloc()).message, HasSubstr("not enough memory"));
  const std::system_error no_thread(
      std::make_error_code(std::errc::resource_unavailable_try_again));
  EXPECT_THAT(app::machine_fault(no_thread).message, HasSubstr("no more threads"));
  const std::system_error other(std::make_error_code(std::errc::io_error));
  EXPECT_EQ(app::machine_fault(other).message, other.what());
  EXPECT_EQ(app::machine_fault(std::runtime_error("broken")).message, "broken");
  EXPECT_EQ(app::machine_fault(std::runtime_error("broken")).kind, ErrorKind::machine);
}

}  // namespace
}  // namespace bytescope::tests
