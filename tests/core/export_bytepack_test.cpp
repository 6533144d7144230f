#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/export/export.h"
#include "core/export/info_json.h"
#include "core/generate/generate.h"
#include "core/trace/info_facts.h"
#include "core/trace/loader.h"
#include "tests/support/decoded_trace.h"
#include "tests/support/modernised.h"
#include "tests/support/random_spans.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_files.h"
#include "tests/support/trace_maker.h"

namespace bytescope::exporting {
namespace {

using bytepack::TrackKind;
using query::TimeRange;
using testing::HasSubstr;
using tests::DecodedEvent;
using tests::DecodedTrack;
using tests::opened;
using tests::TemporaryFolder;

/// Writes a trace as bytepack and opens that.
struct Copied {
  explicit Copied(const trace::Trace& source, const std::optional<TimeRange>& range = {}) {
    Request request;
    request.format = Format::bytepack;
    request.range = range;
    const TemporaryFolder folder;
    const auto written = export_trace(source, folder / "copy.bin", request, never);
    if (!written) {
      ADD_FAILURE() << text(written.error());
      return;
    }
    outcome = *written;
    trace = opened(folder / "copy.bin");
  }
  Outcome outcome;
  std::shared_ptr<const trace::Trace> trace;
};

void expect_same_events(const trace::Trace& source, const trace::Trace& copy) {
  EXPECT_EQ(copy.dialect->letter, 'L');
  EXPECT_EQ(copy.frame.duration_us, source.frame.duration_us);
  EXPECT_EQ(copy.frame.peak_bytes, source.frame.peak_bytes);
  EXPECT_EQ(copy.unit, source.unit);
  const std::vector<DecodedTrack> before = tests::decoded_tracks(source);
  const std::vector<DecodedTrack> after = tests::decoded_tracks(copy);
  ASSERT_EQ(before.size(), after.size());
  const bool has_lengths = source.dialect->memory != bytepack::MemoryForm::polygons;
  for (std::size_t i = 0; i < before.size(); ++i) {
    SCOPED_TRACE(before[i].name);
    EXPECT_EQ(after[i].name, before[i].name);
    EXPECT_EQ(after[i].kind, before[i].kind);
    EXPECT_EQ(copy.tracks[i].head.peak, source.tracks[i].head.peak);
    ASSERT_EQ(after[i].events.size(), before[i].events.size());
    for (std::size_t j = 0; j < before[i].events.size(); ++j) {
      DecodedEvent is = tests::modernised(after[i].events[j], source, before[i].kind);
      if (!has_lengths) is.length = 0;
      ASSERT_EQ(is, tests::modernised(before[i].events[j], source, before[i].kind)) << j;
      if (source.dialect->letter == 'L') {
        ASSERT_EQ(after[i].events[j].info, before[i].events[j].info);
      }
    }
  }
}

void expect_same_index(const trace::Trace& source, const trace::Trace& copy) {
  EXPECT_EQ(copy.index->dtype_bytes, source.index->dtype_bytes);
  EXPECT_EQ(copy.index->wave_colors, source.index->wave_colors);
  EXPECT_EQ(copy.index->pc_map, source.index->pc_map);
  ASSERT_EQ(copy.index->markers.size(), source.index->markers.size());
  for (std::size_t i = 0; i < source.index->markers.size(); ++i) {
    EXPECT_EQ(copy.index->markers[i].time_us, source.index->markers[i].time_us);
    EXPECT_EQ(copy.index->markers[i].name, source.index->markers[i].name);
    EXPECT_EQ(copy.index->markers[i].color, source.index->markers[i].color);
  }
}

void expect_round_trip(const trace::Trace& source) {
  const Copied copy(source);
  ASSERT_TRUE(copy.trace);
  EXPECT_EQ(copy.trace->warnings.list().size() <= source.warnings.list().size(), true);
  expect_same_events(source, *copy.trace);
  expect_same_index(source, *copy.trace);
}

/// The events of a track that touch a range, told from their definition.
std::vector<DecodedEvent> touching(const DecodedTrack& track, const TimeRange& range) {
  std::vector<DecodedEvent> kept;
  const DecodedEvent* before = nullptr;
  for (const DecodedEvent& event : track.events) {
    const std::int64_t time_ns = std::int64_t{event.time} * 1000;
    bool is_kept = false;
    if (track.kind == TrackKind::spans) {
      const double end = event.time + static_cast<double>(event.duration);
      is_kept = range.contains(time_ns) ||
                (time_ns < range.end_ns && end * 1000 > static_cast<double>(range.begin_ns));
    } else if (track.kind == TrackKind::memory) {
      const std::int64_t born_ns = std::int64_t{event.allocated} * 1000;
      const bool lives_on =
          event.freed == trace::Buffer::never || std::int64_t{event.freed} * 1000 > range.begin_ns;
      is_kept = range.contains(born_ns) || (born_ns < range.end_ns && lives_on);
    } else {
      is_kept = range.contains(time_ns);
      if (time_ns < range.begin_ns) before = &event;
      if (is_kept && time_ns == range.begin_ns) before = nullptr;
    }
    if (is_kept) kept.push_back(event);
  }
  if (before != nullptr) kept.insert(kept.begin(), *before);
  return kept;
}

void expect_cut(const trace::Trace& source, const TimeRange& range) {
  SCOPED_TRACE(fmt::format("{} to {} ns", range.begin_ns, range.end_ns));
  const Copied copy(source, range);
  ASSERT_TRUE(copy.trace);
  const std::vector<DecodedTrack> after = tests::decoded_tracks(*copy.trace);
  std::size_t at = 0;
  for (const DecodedTrack& track : tests::decoded_tracks(source)) {
    std::vector<DecodedEvent> kept = touching(track, range);
    if (kept.empty()) continue;
    SCOPED_TRACE(track.name);
    ASSERT_LT(at, after.size());
    EXPECT_EQ(after[at].name, track.name);
    ASSERT_EQ(after[at].events.size(), kept.size());
    for (std::size_t i = 0; i < kept.size(); ++i) {
      DecodedEvent is = after[at].events[i];
      for (DecodedEvent* event : {&kept[i], &is}) {
        event->record = 0;
        event->lane = 0;
        if (event->info.find("link") != std::string::npos) event->info = "linked";
      }
      ASSERT_EQ(is, kept[i]) << i;
    }
    ++at;
  }
  EXPECT_EQ(at, after.size());
}

TEST(ExportBytepack, EveryDialectIsReadBackEqualEventForEvent) {
  for (char dialect = 'A'; dialect <= 'L'; ++dialect) {
    SCOPED_TRACE(dialect);
    const auto source = tests::load_description(tests::varied_trace(dialect), dialect);
    ASSERT_TRUE(source);
    expect_round_trip(*source);
  }
}

TEST(ExportBytepack, RealTracesAreReadBackEqualEventForEvent) {
  for (const std::string& path : tests::real_traces()) {
    SCOPED_TRACE(path);
    expect_round_trip(*opened(path));
  }
}

TEST(ExportBytepack, GeneratedTracesOfAllDialectsAreReadBackEqualEventForEvent) {
  const TemporaryFolder folder;
  for (char dialect = 'A'; dialect <= 'L'; ++dialect) {
    SCOPED_TRACE(dialect);
    generate::Options options;
    options.events = 3000;
    options.devices = 2;
    options.dialect = dialect;
    options.distinct_infos = dialect % 2 == 0;
    ASSERT_TRUE(generate::write_trace(folder / "made.bin", options, never));
    expect_round_trip(*opened(folder / "made.bin"));
  }
}

TEST(ExportBytepack, ARangeKeepsWhatTouchesItWholeAndNothingElse) {
  const TemporaryFolder folder;
  generate::Options options;
  options.events = 3000;
  options.devices = 2;
  ASSERT_TRUE(generate::write_trace(folder / "made.bin", options, never));
  const auto made = opened(folder / "made.bin");
  const std::int64_t end = std::int64_t{made->frame.duration_us} * 1000;
  for (const TimeRange range :
       {TimeRange{0, end + 1}, TimeRange{end / 3, end / 2}, TimeRange{end / 3, end / 3 + 1},
        TimeRange{end, end + 5000}, TimeRange{end + 9000, end + 9001}})
    expect_cut(*made, range);
  const auto varied = tests::load_description(tests::varied_trace('L'));
  for (std::int64_t begin = 0; begin < 14'000; begin += 500)
    for (const std::int64_t length : {1, 500, 1000, 3500})
      expect_cut(*varied, {begin, begin + length});
}

TEST(ExportBytepack, ARangeOfRealTracesKeepsWhatTouchesIt) {
  for (const std::string& path : tests::real_traces()) {
    const auto source = opened(path);
    const std::int64_t end = std::int64_t{source->frame.duration_us} * 1000;
    if (source->dialect->letter < 'L' || end == 0) continue;
    SCOPED_TRACE(path);
    expect_cut(*source, {end / 4, end / 2});
  }
}

TEST(ExportBytepack, OfARangeOnlyTheStringsThatItNeedsAreWritten) {
  const auto source = tests::load_description(tests::varied_trace('L'));
  const Copied copy(*source, TimeRange{9000, 10'000});
  // JIT, its info, the type and the user's name of one buffer each, and the empty one.
  EXPECT_LT(copy.trace->index->strings.size(), source->index->strings.size());
  EXPECT_EQ(copy.trace->index->markers.size(), 0U);
  EXPECT_EQ(Copied(*source, TimeRange{12'000, 13'000}).trace->index->markers.size(), 1U);
}

bytepack::TraceDescription linked_trace() {
  bytepack::TraceDescription trace;
  bytepack::TrackDescription cause;
  cause.name = "WAVE-0:1";
  for (std::uint32_t i = 0; i < 10; ++i) cause.spans.push_back({"issue", i * 10, 2.0F, "{}"});
  bytepack::TrackDescription effect;
  effect.name = "ALUEXEC:0";
  for (std::uint32_t i = 0; i < 10; ++i) {
    effect.spans.push_back(
        {"run", i * 10 + 3, 2.0F,
         fmt::format(R"({{"pc": {}, "link": "WAVE-0:1-{}", "odd": [1]}})", i, i)});
  }
  effect.spans.push_back({"run", 100, 2.0F, R"({"link": "NOWHERE-3"})"});
  trace.tracks = {cause, effect};
  return trace;
}

TEST(ExportBytepack, LinksOfARangeLeadToTheSameSpans) {
  const auto source = tests::load_description(linked_trace());
  const Copied copy(*source, TimeRange{33'000, 200'000});
  const std::vector<DecodedTrack> tracks = tests::decoded_tracks(*copy.trace);
  // The span at 30 has ended, that at 33 runs: its cause is gone.
  ASSERT_EQ(tracks[0].events.size(), 6U);
  ASSERT_EQ(tracks[1].events.size(), 8U);
  EXPECT_EQ(tracks[1].events[0].info, R"({"pc": 3, "odd": [1]})");
  EXPECT_EQ(tracks[1].events[1].info, R"({"pc": 4, "odd": [1], "link": "WAVE-0:1-0"})");
  EXPECT_EQ(tracks[1].events[6].info, R"({"pc": 9, "odd": [1], "link": "WAVE-0:1-5"})");
  EXPECT_EQ(tracks[1].events[7].info, "{}");
  expect_round_trip(*source);
}

TEST(ExportBytepack, UnknownKeysAndNamesOfAnyKindSurvive) {
  bytepack::TraceDescription odd = tests::one_track(
      {{std::string("\0\x1b[31m\"\\\xed\xb8\x80", 10), 0, 1.0F, "{\"a\": \"\xed\xa0\x80\"}"}});
  odd.more_json = R"("pcMap": {"12": "s_nop"}, "new \"key": [1, {"x": null}])";
  odd.tracks[0].name = "\xff\"\n";
  const auto source = tests::load_description(odd);
  ASSERT_TRUE(source);
  expect_round_trip(*source);
  const Copied copy(*source);
  EXPECT_THAT(copy.trace->index->keys, testing::Contains("new \"key"));
}

TEST(ExportBytepack, WhatTheNewestDialectLacksIsWarnedOf) {
  const auto warnings = [](char dialect) {
    const auto source = tests::load_description(tests::varied_trace(dialect), dialect);
    std::string all;
    const Outcome outcome = Copied(*source).outcome;
    for (const Warning& warning : outcome.warnings.list()) all += warning.message + "\n";
    return all;
  };
  EXPECT_THAT(warnings('A'), HasSubstr("categories"));
  EXPECT_THAT(warnings('E'), HasSubstr("run 0"));
  EXPECT_THAT(warnings('E'), HasSubstr("readers"));
  EXPECT_THAT(warnings('G'), HasSubstr("empty one"));
  EXPECT_EQ(warnings('H'), "");
  EXPECT_EQ(warnings('L'), "");
  const auto crowded = *tests::load_bytes(
      tests::encode_in_one_lane(tests::random_spans(tests::SpanShape::many_lanes, 100, 1, "")));
  EXPECT_THAT(Copied(*crowded).outcome.warnings.list().back().message, HasSubstr("another lane"));
}

TEST(ExportBytepack, TheFileItselfCanBeReplaced) {
  const tests::TemporaryFile file(tests::varied_bytes('C'));
  const auto source = opened(file.path());
  Request request;
  request.format = Format::bytepack;
  ASSERT_TRUE(export_trace(*source, file.path(), request, never));
  const auto copy = opened(file.path());
  expect_same_events(*source, *copy);
}

TEST(ExportBytepack, ACancelledExportLeavesNothing) {
  const auto source = tests::load_description(tests::varied_trace('L'));
  const TemporaryFolder folder;
  Cancel cancel;
  cancel.request();
  for (const Format format : {Format::bytepack, Format::csv, Format::chrome_json}) {
    Request request;
    request.format = format;
    const auto written = export_trace(*source, folder / "out", request, cancel);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().kind, ErrorKind::cancelled);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  }
}

TEST(ExportBytepack, AFileThatChangedMeanwhileIsNotExported) {
  const tests::TemporaryFile file(tests::varied_bytes('L'));
  const auto source = opened(file.path());
  file.write({});
  const TemporaryFolder folder;
  for (const Format format : {Format::bytepack, Format::csv, Format::chrome_json}) {
    Request request;
    request.format = format;
    const auto written = export_trace(*source, folder / "out", request, never);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().kind, ErrorKind::bad_input);
    EXPECT_THAT(written.error().message, HasSubstr("changed"));
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  }
}

TEST(InfoJson, LinesBecomeMembersAndObjectsStay) {
  EXPECT_EQ(json_info(R"( {"a": 1} )"), R"( {"a": 1} )");
  EXPECT_EQ(json_info(""), "{}");
  EXPECT_EQ(json_info("1.5 GFLOPS\nsum"), R"({"FLOPS":1.5e+09,"metadata":"sum"})");
  EXPECT_EQ(json_info("{not json}"), R"({"metadata":"{not json}"})");
  EXPECT_EQ(json_info("TB:[[\"a.py\", 3, \"f\", \"g()\"]]"),
            R"json({"tb":[["a.py",3,"f","g()"]]})json");
  EXPECT_EQ(json_info("LINK:WAVE:0-12"), R"({"link":"WAVE:0-12"})");
}

}  // namespace
}  // namespace bytescope::exporting
