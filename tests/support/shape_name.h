#pragma once

#include <string>

#include <gtest/gtest.h>

#include "tests/support/random_spans.h"

namespace bytescope::tests {

/// Names a test that is done once for each shape.
inline std::string shape_name(const testing::TestParamInfo<SpanShape>& shape) {
  return name_of(shape.param);
}

}  // namespace bytescope::tests
