#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/trace/category.h"
#include "core/trace/css_color.h"
#include "core/trace/kernel_name.h"
#include "core/trace/units.h"

namespace bytescope::trace {

TEST(KernelName, ColoursTellItsDimensions) {
  std::vector<std::pair<std::string_view, std::string>> found;
  for (const Dimension& dimension : dimensions(
           "r_\033[34m64\033[0m\033[90m_\033[0m\033[36m4\033[0m\033[90m_\033[0m\033[91m16\033[0m"
           "\033[90m_\033[0m\033[31m8\033[0m\033[90m_\033[0m\033[33m3\033[0m\033[35m_2\033[0m"
           "\033[97m_5\033[0m\033[32m_6\033[0m\033[90mn1\033[0m")) {
    found.emplace_back(text(dimension.kind), dimension.size);
  }
  EXPECT_THAT(
      found, testing::ElementsAre(testing::Pair("global", "64"), testing::Pair("local", "4"),
                                  testing::Pair("group reduce", "16"), testing::Pair("reduce", "8"),
                                  testing::Pair("upcast", "3"), testing::Pair("unroll", "2"),
                                  testing::Pair("loop", "5"), testing::Pair("device", "6")));
  EXPECT_TRUE(dimensions("").empty());
  EXPECT_TRUE(dimensions("E_4_4n1").empty());
  EXPECT_TRUE(dimensions("\033[31mred\033[0m").empty());
  EXPECT_TRUE(dimensions("copy \033[33m4\033[0m").empty());
}

TEST(KernelName, VariantsAreStrippedSizesAreNot) {
  EXPECT_EQ(without_variant("E_4_4n12"), "E_4_4");
  EXPECT_EQ(without_variant("r_64n1"), "r_64");
  EXPECT_EQ(without_variant("En3"), "E");
  EXPECT_EQ(without_variant("E_4"), "E_4");
  EXPECT_EQ(without_variant("E_n"), "E_n");
  EXPECT_EQ(without_variant("train1"), "train1");
  EXPECT_EQ(without_variant("run1"), "run1");
  EXPECT_EQ(without_variant("En"), "En");
  EXPECT_EQ(without_variant(""), "");
}

TEST(CssColor, TakesWhatAWebPageTakes) {
  EXPECT_EQ(parse_css_color("gray"), 0x808080FFU);
  EXPECT_EQ(parse_css_color(" RebeccaPurple\n"), 0x663399FFU);
  EXPECT_EQ(parse_css_color("aliceblue"), 0xF0F8FFFFU);
  EXPECT_EQ(parse_css_color("yellowgreen"), 0x9ACD32FFU);
  EXPECT_EQ(parse_css_color("transparent"), 0U);
  EXPECT_EQ(parse_css_color("#1aF"), 0x11AAFFFFU);
  EXPECT_EQ(parse_css_color("#1af8"), 0x11AAFF88U);
  EXPECT_EQ(parse_css_color("#12345678"), 0x12345678U);
  EXPECT_EQ(parse_css_color("#1F7857"), 0x1F7857FFU);
  EXPECT_EQ(parse_css_color("rgb(1,2,3)"), 0x010203FFU);
  EXPECT_EQ(parse_css_color("rgba( 1 , 2 , 300 , 0.5 )"), 0x0102FF80U);
  EXPECT_EQ(parse_css_color("rgb(100% 0% 50% / 50%)"), 0xFF008080U);
}

TEST(CssColor, NonsenseIsNone) {
  for (const std::string_view text :
       {"", " ", "#", "#12", "#12345", "#1234567", "#ggg", "nonsense", "rgb", "rgb(", "rgb()",
        "rgb(1,2)", "rgb(1,2,3", "rgb(1,2,3,4,5)", "rgb(a,b,c)", "rgb(1,2,nan)", "rgb(1,2,3,)",
        "rgb(1;2;3)", "rgb(12)"}) {
    EXPECT_EQ(parse_css_color(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_css_color(std::string(1'000'000, '#')), std::nullopt);
}

TEST(TrackRole, FollowsTheName) {
  const auto role = [](std::string_view name) { return role_of(name, false); };
  for (const auto* const name :
       {"AMD", "AMD:10", "NULL:3", "CPU", "CPU:1", "NV", "QCOM", "METAL"}) {
    EXPECT_EQ(role(name), TrackRole::device) << name;
  }
  for (const auto* const name :
       {"AMD:1:SDMA:0", "NULL:SDMA:0", "NULL:COPY", "NULL:1:COPY", "NV:1:PCIE"}) {
    EXPECT_EQ(role(name), TrackRole::copy_engine) << name;
  }
  for (const auto* const name :
       {"AMD Memory", "CPU:2 Memory", "PYTHON Memory", "DISK:/a b Memory"}) {
    EXPECT_EQ(role(name), TrackRole::memory) << name;
  }
  for (const auto* const name : {"PYTHON", "GC", "DISK", "DISK:/path", "DISK:1", "CUSTOM",
                                 "ALLDEVS", "", "日本語", "AMD:", "AMD:x", "amd"}) {
    EXPECT_EQ(role(name), TrackRole::host) << name;
  }
  EXPECT_EQ(role("AMD Graph"), TrackRole::graph);
  EXPECT_EQ(role("TINY"), TrackRole::tiny);
  EXPECT_EQ(role("USER"), TrackRole::user);
  EXPECT_EQ(role_of("WAVE:0", true), TrackRole::shader);
}

TEST(Category, FollowsRoleAndName) {
  const auto kernel = [](std::string_view name) { return category_of(TrackRole::device, name); };
  for (const auto* const name : {"E_4_4", "E", "En12", "E_n1", "E_"}) {
    EXPECT_EQ(kernel(name), Category::elementwise) << name;
  }
  for (const auto* const name : {"r_64_4n1", "r", "rn1"}) EXPECT_EQ(kernel(name), Category::reduce);
  for (const auto* const name : {"TINY -> CPU", "NULL:1 -> NULL", "copy   4 B,  NULL <- NULL:1 "}) {
    EXPECT_EQ(kernel(name), Category::copy) << name;
  }
  for (const auto* const name : {"gemm", "Event", "rand", "Enx", ""}) {
    EXPECT_EQ(kernel(name), Category::other_kernel) << name;
  }
  EXPECT_EQ(kernel("batched 12"), Category::batch);
  EXPECT_EQ(kernel("<batched 12>"), Category::batch);
  EXPECT_EQ(category_of(TrackRole::graph, "batched 3"), Category::batch);
  EXPECT_EQ(category_of(TrackRole::copy_engine, "E_4"), Category::copy);
  EXPECT_EQ(category_of(TrackRole::user, "step"), Category::user);
  EXPECT_EQ(category_of(TrackRole::shader, "VALU"), Category::wave);
}

TEST(Category, CompilerPhasesFollowHowTheNameBegins) {
  const auto phase = [](std::string_view name) { return category_of(TrackRole::tiny, name); };
  EXPECT_EQ(phase("Schedule 7 Kernels n1"), Category::tiny_schedule);
  EXPECT_EQ(phase("Apply Kernelize Map"), Category::tiny_schedule);
  EXPECT_EQ(phase("do_to_program for E_4"), Category::tiny_codegen);
  EXPECT_EQ(phase("get_program for E_4"), Category::tiny_codegen);
  EXPECT_EQ(phase("Callify 2 Buffers n1"), Category::tiny_callify);
  EXPECT_EQ(phase("JIT 3 calls n1"), Category::tiny_jit);
  EXPECT_EQ(phase("graph_rewrite"), Category::tiny_other);
}

TEST(Style, IsTheSameForTheSameNameAndSpreadsOverNineVariants) {
  std::set<int> variants;
  for (int i = 0; i < 200; ++i) {
    const std::string name = "E_" + std::to_string(i);
    const Style style = style_of(TrackRole::device, name);
    EXPECT_EQ(style, style_of(TrackRole::device, name));
    EXPECT_LT(style.variant(), Style::variants);
    EXPECT_EQ(style.variant(), style_of(TrackRole::tiny, name).variant());
    variants.insert(style.variant());
  }
  EXPECT_EQ(variants.size(), std::size_t{Style::variants});
  EXPECT_EQ(style_of(TrackRole::device, "E_4_4").variant(), 1);  // For all time.
}

TEST(Units, CountsAndBytes) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(24'118'204), "24,118,204");
  EXPECT_EQ(count_text(UINT64_MAX), "18,446,744,073,709,551,615");
  EXPECT_EQ(exact_bytes_text(1234), "1,234 B");
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(850), "850 B");
  EXPECT_EQ(bytes_text(1000), "1.00 kB");
  EXPECT_EQ(bytes_text(142'720), "142.7 kB");
  EXPECT_EQ(bytes_text(999'949), "999.9 kB");
  EXPECT_EQ(bytes_text(999'950), "1.00 MB");
  EXPECT_EQ(bytes_text(17'179'869'184), "17.2 GB");
  EXPECT_EQ(bytes_text(UINT64_MAX), "18.4 EB");
}

TEST(Units, RatesAndShares) {
  EXPECT_EQ(si_text(1.29e12, "FLOPS"), "1.29 TFLOPS");
  EXPECT_EQ(si_text(9.995e9, "B/s"), "10.0 GB/s");
  EXPECT_EQ(si_text(0.5, "B/s"), "0.50 B/s");
  EXPECT_EQ(si_text(-2000, "B"), "-2.00 kB");
  EXPECT_EQ(si_text(1e30, "B"), "1000000000000.0 EB");
  EXPECT_EQ(si_text(std::numeric_limits<double>::quiet_NaN(), "B"), "");
  EXPECT_EQ(percent_text(0), "0%");
  EXPECT_EQ(percent_text(0.0001), "<0.1%");
  EXPECT_EQ(percent_text(0.061), "6.1%");
  EXPECT_EQ(percent_text(0.934), "93%");
  EXPECT_EQ(percent_text(0.997), "99.7%");
  EXPECT_EQ(percent_text(0.99999), "99.9%");
  EXPECT_EQ(percent_text(1), "100%");
}

}  // namespace bytescope::trace
