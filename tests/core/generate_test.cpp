#include "core/generate/generate.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/generate/plan.h"
#include "tests/core/checked_file.h"
#include "tests/support/temporary_folder.h"

namespace bytescope::generate {
namespace {

using tests::Checked;

Options options(std::uint64_t events, char dialect, std::uint32_t devices = 8) {
  Options result;
  result.events = events;
  result.dialect = dialect;
  result.devices = devices;
  return result;
}

std::string generated(const Options& options) {
  const tests::TemporaryFolder folder;
  const std::string path = folder / "a.bin";
  const Cancel cancel;
  const Expected<void> written = write_trace(path, options, cancel);
  EXPECT_TRUE(written) << (written ? "" : bytescope::text(written.error()));
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string plain(std::string text) {
  for (std::size_t at = text.find('\x1b'); at != std::string::npos; at = text.find('\x1b')) {
    text.erase(at, text.find('m', at) + 1 - at);
  }
  return text;
}

}  // namespace

class GenerateInDialect : public testing::TestWithParam<char> {};

TEST_P(GenerateInDialect, WritesValidTracesOfExactlySoManyEvents) {
  const char letter = GetParam();
  for (const std::uint64_t events : {0U, 1U, 2U, 5U, 39U, 100U, 1'234U, 12'000U}) {
    const Checked trace(generated(options(events, letter)), letter);
    EXPECT_EQ(trace.faults(), std::vector<std::string>{}) << events;
    EXPECT_EQ(trace.events(), events);
    EXPECT_EQ(trace.strings(), trace.distinct_strings()) << events;
  }
}

INSTANTIATE_TEST_SUITE_P(All, GenerateInDialect, testing::Range('A', 'M'),
                         [](const auto& letter) { return std::string(1, letter.param); });

TEST(Generate, TakesAnyNumberOfDevices) {
  for (const std::uint32_t devices : {1U, 2U, 3U, 40U}) {
    const Checked trace(generated(options(8'000, 'L', devices)), 'L');
    EXPECT_EQ(trace.faults(), std::vector<std::string>{}) << devices;
    EXPECT_EQ(trace.events(), 8'000U);
    EXPECT_EQ(trace.tracks().size(), 3 + 3 * devices);
  }
}

TEST(Generate, GivesTheSameBytesForTheSameOptionsAndOthersForAnotherSeed) {
  Options wanted = options(5'000, 'L');
  const std::string first = generated(wanted);
  EXPECT_EQ(first, generated(wanted));
  wanted.seed = 2;
  EXPECT_NE(first, generated(wanted));
}

TEST(Generate, LooksLikeATrainingRun) {
  const Checked trace(generated(options(60'000, 'L')), 'L');
  ASSERT_EQ(trace.faults(), std::vector<std::string>{});
  EXPECT_EQ(trace.lanes("TINY"), 6U);
  EXPECT_EQ(trace.lanes("USER"), 4U);
  for (const char* track : {"AMD Graph", "AMD", "AMD:7", "AMD:7:SDMA:0"}) {
    EXPECT_EQ(trace.lanes(track), 1U) << track;
  }
  EXPECT_LT(trace.count("AMD:4"), trace.count("AMD:3") * 8 / 10);  // less to do
  EXPECT_GT(trace.markers(), 5U);
  EXPECT_GT(trace.names().size(), 200U);
  EXPECT_TRUE(trace.names().count("fa_fwd"));
  EXPECT_NEAR(static_cast<double>(trace.largest_peak()), 17e9, 6e9);
  EXPECT_GT(trace.reused_keys(), 0U);
  EXPECT_GT(trace.most_users(), 20U);
  EXPECT_GT(trace.most_live(), 100U);
}

TEST(Generate, KernelsShareTheirRefWithTheSpanThatCompiledThem) {
  const Checked trace(generated(options(60'000, 'L')), 'L');
  std::size_t shared = 0;
  for (const auto& [ref, names] : trace.names_of_ref()) {
    for (const std::string& name : names) shared += names.count("do_to_program for " + name);
    EXPECT_LE(names.size(), 2U);
  }
  EXPECT_GT(shared, 50U);
}

TEST(Generate, KernelsCarryOwnStaleBatchAndUnknownKeysAsInARealTrace) {
  const Checked trace(generated(options(60'000, 'L')), 'L');
  double own = 0, batch = 0, stale = 0, unknown = 0;
  for (const auto& [key, name] : trace.keyed_kernels()) {
    const auto users = trace.users().find(key);
    if (users == trace.users().end()) {
      ++unknown;
    } else if (users->second.contains(name)) {
      ++own;
    } else if (plain(*users->second.begin()).rfind("batched ", 0) == 0) {
      ++batch;
    } else {
      ++stale;
    }
  }
  const auto all = static_cast<double>(trace.keyed_kernels().size());
  ASSERT_GT(all, 40'000);
  EXPECT_NEAR(own / all, 0.15, 0.03);
  EXPECT_NEAR(batch / all, 0.12, 0.03);
  EXPECT_NEAR(stale / all, 0.54, 0.04);
  EXPECT_NEAR(unknown / all, 0.20, 0.04);
}

TEST(Generate, HalfAsManyInfosAsEventsBelongToOneKernelEach) {
  for (const char letter : {'H', 'J', 'L'}) {
    Options wanted = options(6'000, letter);
    wanted.distinct_infos = true;
    const Checked trace(generated(wanted), letter);
    EXPECT_EQ(trace.faults(), std::vector<std::string>{});
    EXPECT_EQ(trace.strings(), trace.distinct_strings());
    std::size_t own = 0;
    for (const auto& [info, count] : trace.kernel_infos()) own += count == 1 ? 1 : 0;
    EXPECT_GE(own, 3'000U);
  }
}

TEST(Generate, RefusesWhatItCannotMake) {
  const Cancel cancel;
  const tests::TemporaryFolder folder;
  const std::string path = folder / "refused.bin";
  for (const Options& wrong : {options(10, 'M'), options(10, 'a'), options(10, 'L', 0),
                               options(10, 'L', 5000), options(2'000'000'000, 'L')}) {
    const Expected<void> written = write_trace(path, wrong, cancel);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().kind, ErrorKind::usage);
  }
  const Expected<void> nowhere = write_trace("/nowhere/at/all.bin", options(10, 'L'), cancel);
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().kind, ErrorKind::machine);
}

TEST(Generate, StopsWhenAskedAndLeavesNothing) {
  Cancel cancel;
  cancel.request();
  const tests::TemporaryFolder folder;
  const std::string path = folder / "stopped.bin";
  const Expected<void> written = write_trace(path, options(1'000, 'L'), cancel);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::cancelled);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Generate, TellsItsProgress) {
  const Cancel cancel;
  Progress progress;
  const tests::TemporaryFolder folder;
  const std::string path = folder / "progress.bin";
  ASSERT_TRUE(write_trace(path, options(3'000, 'L'), cancel, &progress));
  EXPECT_EQ(progress.events_done, 3'000U);
  EXPECT_EQ(progress.events_total, 3'000U);
  EXPECT_EQ(progress.bytes_done, std::filesystem::file_size(path));
}

TEST(Plan, EndsWithin32BitsOfMicrosecondsHoweverManyEvents) {
  for (const std::uint32_t devices : {1U, 8U}) {
    Expected<Plan> plan = Plan::make(options(Plan::most_events, 'L', devices));
    ASSERT_TRUE(plan);
    plan->set_times([](std::uint64_t first, std::uint64_t last) {
      return static_cast<std::int64_t>(last - first) * 60'000;
    });
    const Window last = plan->step(plan->steps() - 1);
    EXPECT_LT(last.end_ns() / 1000, std::int64_t{1} << 32U);
    EXPECT_GT(last.end_ns() / 1000, std::int64_t{1} << 31U);
  }
}

}  // namespace bytescope::generate
