// What a load shows on its way, and how it ends early.

#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/bytepack/dialect.h"
#include "core/query/visible.h"
#include "core/trace/loader.h"
#include "tests/support/random_spans.h"
#include "tests/support/trace_maker.h"

namespace bytescope::trace {
namespace {

using bytepack::TraceDescription;
using bytepack::TrackKind;

std::vector<std::byte> encode(const TraceDescription& trace) {
  return bytepack::encode(trace, *bytepack::dialect_of('L'));
}

}  // namespace

TEST(Loader, ShowsPreviewsFirstAndReportsProgress) {
  TraceDescription trace = tests::varied_trace('L');
  trace.tracks[0].spans = tests::random_spans(tests::SpanShape::bursts, 5'000, 1);
  const tests::TemporaryFile file(encode(trace));
  std::vector<std::shared_ptr<const Trace>> stages;
  LoadOptions options;
  options.previews = true;
  options.on_stage = [&](std::shared_ptr<const Trace> stage) {
    stages.push_back(std::move(stage));
  };
  Progress progress;
  const auto loaded = load_trace(file.path(), options, Cancel(), &progress);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(progress.bytes_done, progress.bytes_total);
  EXPECT_EQ(progress.events_done, progress.events_total);
  EXPECT_EQ(progress.events_total, (*loaded)->event_count);
  ASSERT_FALSE(stages.empty());
  EXPECT_FALSE(stages[0]->complete);
  ASSERT_EQ(stages[0]->tracks.size(), 4U);
  EXPECT_TRUE(stages[0]->tracks[0].spans->sampled);
  EXPECT_EQ(stages[0]->tracks[2].memory, nullptr);
  std::vector<query::VisibleRun> runs;
  const double column = static_cast<double>((*loaded)->frame.duration_us) * 10;
  query::append_visible(*stages[0], 0, 0, {0, column, 100}, nullptr, runs);
  EXPECT_FALSE(runs.empty());
}

TEST(Loader, StopsWhenCancelled) {
  const tests::TemporaryFile file(encode(tests::varied_trace('L')));
  Cancel cancel;
  cancel.request();
  const auto loaded = load_trace(file.path(), {}, cancel);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().kind, ErrorKind::cancelled);
  EXPECT_EQ(text(loaded.error()), "Cancelled: " + file.path());
}

TEST(Loader, NeverPublishesATrackWithoutAnIndexWhenCancelledInThePreview) {
  const tests::TemporaryFile file(encode(tests::varied_trace('L')));
  Cancel cancel;
  LoadOptions options;
  options.previews = true;
  options.on_stage = [&](const std::shared_ptr<const Trace>& stage) {
    for (const Track& track : stage->tracks)
      EXPECT_TRUE(track.head.kind != TrackKind::spans || track.spans != nullptr);
    cancel.request();
  };
  EXPECT_FALSE(load_trace(file.path(), options, cancel));
}

}  // namespace bytescope::trace
