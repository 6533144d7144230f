#include <cstdio>

#include <gtest/gtest.h>

#include "tests/window/child.h"

/// Answers 77, which ctest takes for "skipped", where a tool is missing.
int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (const char* tool : {"Xvfb", "xdotool"}) {
    if (bytescope::tests::is_installed(tool)) continue;
    std::fprintf(stderr, "Skipped: %s is not installed\n", tool);
    return 77;
  }
  return RUN_ALL_TESTS();
}
