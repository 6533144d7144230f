#include <algorithm>
#include <filesystem>
#include <limits>
#include <string>

#include <gtest/gtest.h>
#include <simdjson.h>

#include "core/trace/loader.h"
#include "tests/core/truth_numbers.h"
#include "tests/support/trace_files.h"

namespace bytescope::trace {
namespace {

namespace fs = std::filesystem;
using bytepack::TrackKind;
using simdjson::dom::element;

double real(const element& truth, const char* key) {
  double value = 0;
  EXPECT_FALSE(truth[key].get(value)) << key;
  return value;
}

std::string_view string(const element& truth, const char* key) {
  std::string_view value;
  EXPECT_FALSE(truth[key].get(value)) << key;
  return value;
}

std::optional<std::uint32_t> optional_number(const element& truth, const char* key) {
  std::uint64_t value = 0;
  // Fields that the dialect lacks are missing, others may be null.
  if (truth[key].get(value)) return std::nullopt;
  return static_cast<std::uint32_t>(value);
}

/// One span track against its truth.
class SpanTrackCheck {
public:
  SpanTrackCheck(const Trace& trace, std::uint32_t track, const element& truth)
      : trace_(trace), track_(track), truth_(truth), reader_(trace.file) {}

  void run() {
    ASSERT_NE(trace_.tracks[track_].spans, nullptr);
    check_sums();
    check_index();
    check_records("first", 0);
    const simdjson::dom::array last = truth_["last"];
    check_records("last",
                  trace_.tracks[track_].head.count - static_cast<std::uint32_t>(last.size()));
  }

private:
  void check_sums() {
    std::uint64_t starts = 0;
    std::uint64_t lanes = 0;
    std::uint64_t refs = 0;
    std::uint64_t keys = 0;
    double durations = 0;
    for (std::uint32_t i = 0; i < trace_.tracks[track_].head.count; ++i) {
      const bytepack::SpanRecord span = trace_.span(reader_, track_, i);
      starts += span.start;
      durations += static_cast<double>(span.duration);
      lanes += trace_.tracks[track_].spans->lane(i);
      refs += span.ref ? 1 : 0;
      keys += span.key ? 1 : 0;
    }
    EXPECT_EQ(starts, tests::number(truth_, "sum_st"));
    EXPECT_NEAR(durations, real(truth_, "sum_dur"), durations * 1e-9);
    EXPECT_EQ(lanes, tests::number(truth_, "js_depth_sum"));
    EXPECT_EQ(refs, tests::number(truth_, "refs"));
    EXPECT_EQ(keys, optional_number(truth_, "keys").value_or(0));
  }

  void check_index() {
    const SpanIndex& index = *trace_.tracks[track_].spans;
    EXPECT_EQ(index.names.size(), tests::number(truth_, "distinct_names"));
    EXPECT_EQ(index.lane_count, tests::number(truth_, "js_levels"));
    double total = 0;
    std::uint64_t count = 0;
    float shortest = std::numeric_limits<float>::infinity();
    float longest = 0;
    for (const NameTotal& name : index.names) {
      total += name.total;
      count += name.count;
      shortest = std::min(shortest, name.shortest);
      longest = std::max(longest, name.longest);
    }
    EXPECT_NEAR(total, real(truth_, "sum_dur"), total * 1e-9);
    EXPECT_EQ(count, trace_.tracks[track_].head.count);
    EXPECT_EQ(static_cast<double>(shortest), real(truth_, "dur_min"));
    EXPECT_EQ(static_cast<double>(longest), real(truth_, "dur_max"));
    std::uint64_t in_lanes = 0;
    for (const LaneIndex& lane : index.lanes) in_lanes += lane.span_count;
    EXPECT_EQ(in_lanes, trace_.tracks[track_].head.count);
  }

  void check_records(const char* key, std::uint32_t record) {
    for (const element expected : simdjson::dom::array(truth_[key])) {
      SCOPED_TRACE("record " + std::to_string(record));
      const bytepack::SpanRecord span = trace_.span(reader_, track_, record);
      EXPECT_EQ(trace_.text(reader_, span.name), string(expected, "name"));
      EXPECT_EQ(trace_.text(reader_, span.info), string(expected, "info"));
      EXPECT_EQ(span.start, tests::number(expected, "st"));
      EXPECT_EQ(static_cast<double>(span.duration), real(expected, "dur"));
      EXPECT_EQ(span.ref, optional_number(expected, "ref"));
      EXPECT_EQ(span.key, optional_number(expected, "key"));
      EXPECT_EQ(trace_.tracks[track_].spans->lane(record), tests::number(expected, "js_depth"));
      ++record;
    }
  }

  const Trace& trace_;
  std::uint32_t track_;
  const element& truth_;
  io::PageReader reader_;
};

void check_memory(const Trace& trace, const Track& track, const element& truth) {
  ASSERT_NE(track.memory, nullptr);
  const MemoryIndex& memory = *track.memory;
  EXPECT_EQ(memory.peak_bytes, tests::number(truth, "peak"));
  EXPECT_EQ(track.head.peak, tests::number(truth, "peak"));
  EXPECT_EQ(memory.buffers.size(), tests::number(truth, "allocs"));
  EXPECT_EQ(memory.frees, tests::number(truth, "frees"));
  const bool polygons = trace.dialect->memory == bytepack::MemoryForm::polygons;
  std::uint64_t never = tests::number(truth, polygons ? "never_freed" : "never_freed_in_file");
  if (!polygons && trace.dialect->frees_at_end_mean_alive)
    never += tests::number(truth, "frees_at_trace_end");
  EXPECT_EQ(memory.never_freed, never);
}

void check_line(const Track& track, const element& truth) {
  ASSERT_NE(track.line, nullptr);
  EXPECT_EQ(track.line->peak, tests::number(truth, "peak"));
  std::uint64_t values = 0;
  std::uint64_t times = 0;
  for (const std::uint64_t value : track.line->values) values += value;
  for (const std::uint32_t time : track.line->times) times += time;
  EXPECT_EQ(values, tests::number(truth, "sum_value"));
  EXPECT_EQ(times, tests::number(truth, "sum_ts"));
}

void check_track(const Trace& trace, std::uint32_t number_of_track, const element& truth) {
  const Track& track = trace.tracks[number_of_track];
  SCOPED_TRACE(track.head.name);
  EXPECT_EQ(track.head.name, string(truth, "name"));
  EXPECT_EQ(track.head.count, tests::number(truth, "count"));
  const std::string_view type = string(truth, "type");
  if (type == "spans") {
    ASSERT_EQ(track.head.kind, TrackKind::spans);
    SpanTrackCheck(trace, number_of_track, truth).run();
  } else if (type == "memory") {
    ASSERT_EQ(track.head.kind, TrackKind::memory);
    check_memory(trace, track, truth);
  } else {
    ASSERT_EQ(type, "line");
    ASSERT_EQ(track.head.kind, TrackKind::line);
    check_line(track, truth);
  }
}

void check_trace(const Trace& trace, const element& truth) {
  EXPECT_EQ(trace.frame.duration_us, tests::number(truth, "dur"));
  EXPECT_EQ(trace.frame.peak_bytes, tests::number(truth, "peak"));
  EXPECT_EQ(trace.frame.index_bytes, tests::number(truth, "index_len"));
  EXPECT_EQ(trace.frame.track_count, tests::number(truth, "track_count"));
  EXPECT_EQ(trace.index->strings.size(), tests::number(truth, "strings"));
  const std::vector<char>& letters = trace.fitting_dialects;
  EXPECT_NE(std::find(letters.begin(), letters.end(), string(truth, "dialect")[0]), letters.end());
  EXPECT_EQ(trace.dialect->letter, letters.front());
  EXPECT_TRUE(trace.complete);
  for (const Warning& warning : trace.warnings.list()) ADD_FAILURE() << text(warning);
  const simdjson::dom::array tracks = truth["tracks"];
  ASSERT_EQ(trace.tracks.size(), tracks.size());
  std::uint32_t number_of_track = 0;
  for (const element track : tracks) check_track(trace, number_of_track++, track);
}

std::vector<std::string> traces_or_none() {
  std::vector<std::string> paths = tests::real_traces();
  if (paths.empty()) paths.emplace_back();
  return paths;
}

class RealTrace : public testing::TestWithParam<std::string> {};

}  // namespace

TEST_P(RealTrace, EqualsWhatItsProducerDecodes) {
  if (GetParam().empty())
    GTEST_SKIP() << "The folder of real traces is missing (set BYTESCOPE_TRACES)";
  const auto trace = load_trace(GetParam(), {}, Cancel());
  ASSERT_TRUE(trace) << text(trace.error());
  simdjson::dom::parser parser;
  element truth;
  ASSERT_FALSE(parser.load(fs::path(GetParam()).replace_extension("truth.json")).get(truth));
  check_trace(**trace, truth);
}

INSTANTIATE_TEST_SUITE_P(All, RealTrace, testing::ValuesIn(traces_or_none()), [](const auto& path) {
  std::string name = fs::path(path.param).stem();
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name.empty() ? "missing" : name;
});

TEST(BigTrace, OpensWithEveryRecord) {
  const fs::path folder = fs::path(tests::real_trace_folder()).parent_path() / "big";
  const fs::path path = folder / "2026-08-22-a9069c177a-train8-nokeys.bin";
  std::error_code error;
  if (!fs::exists(path, error)) GTEST_SKIP() << "The big trace is missing: " << path;
  const auto trace = load_trace(path.string(), {}, Cancel());
  ASSERT_TRUE(trace) << text(trace.error());
  EXPECT_EQ((*trace)->dialect->letter, 'L');
  EXPECT_EQ((*trace)->event_count, 2'137'464U);
  ASSERT_EQ((*trace)->tracks.size(), 28U);
  const auto is_memory = [](const Track& track) { return track.memory != nullptr; };
  EXPECT_EQ(std::count_if((*trace)->tracks.begin(), (*trace)->tracks.end(), is_memory), 9);
  for (const Warning& warning : (*trace)->warnings.list()) ADD_FAILURE() << text(warning);
}

}  // namespace bytescope::trace
