#include "core/trace/units.h"

#include <gtest/gtest.h>

namespace bytescope::trace {
namespace {

TEST(AmountFromText, ReadsWhatPeopleType) {
  EXPECT_DOUBLE_EQ(amount_from_text("61.4 TFLOPS", "FLOPS").value_or(0), 61.4e12);
  EXPECT_DOUBLE_EQ(amount_from_text("61.4tflops", "FLOPS").value_or(0), 61.4e12);
  EXPECT_DOUBLE_EQ(amount_from_text(" 960 GB/s ", "B/s").value_or(0), 960e9);
  EXPECT_DOUBLE_EQ(amount_from_text("24 GB", "B").value_or(0), 24e9);
  EXPECT_DOUBLE_EQ(amount_from_text("24 GiB", "B").value_or(0), 24.0 * 1024 * 1024 * 1024);
  EXPECT_DOUBLE_EQ(amount_from_text("1.3e12", "FLOPS").value_or(0), 1.3e12);
  EXPECT_DOUBLE_EQ(amount_from_text("5k", "B").value_or(0), 5000);
  EXPECT_DOUBLE_EQ(amount_from_text("0", "B").value_or(1), 0);
}

TEST(AmountFromText, RefusesEverythingElse) {
  for (const char* text :
       {"", "x", "-5", "5 GB/s", "5 GiX", "nan", "inf", "1e999", "5 5", "GB", "1e308E"})
    EXPECT_FALSE(amount_from_text(text, "B")) << text;
}

TEST(AmountFromText, ReadsBackWhatIsShown) {
  for (const double amount : {1.0, 950.0, 1.55e12, 17.2e9, 999.9e6}) {
    EXPECT_NEAR(amount_from_text(si_text(amount, "B"), "B").value_or(0) / amount, 1, 0.01);
  }
}

}  // namespace
}  // namespace bytescope::trace
