#pragma once

#include <cstdint>

#include <gtest/gtest.h>
#include <simdjson.h>

namespace bytescope::tests {

/// A number of a truth file; a test failure when it has none of that name.
inline std::uint64_t number(const simdjson::dom::element& truth, const char* key) {
  std::uint64_t value = 0;
  EXPECT_FALSE(truth[key].get(value)) << key;
  return value;
}

}  // namespace bytescope::tests
