#include "render/hit_paint.h"

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/query/summary.h"
#include "render/theme.h"
#include "render/timeline_model.h"
#include "tests/support/trace_maker.h"

namespace bytescope::render {
namespace {

using bytepack::SpanDescription;
using bytepack::TraceDescription;

class PlainMetrics final : public TextMetrics {
public:
  float advance_px(Face, char32_t) const override { return 6; }
};

/// Places of a window whose tracks are `tracks`.
WindowAreas areas_of(const Box& tracks) {
  WindowAreas areas;
  areas.tracks = tracks;
  areas.flags = {tracks.x0, tracks.y0 - 18, tracks.x1, tracks.y0};
  return areas;
}

/// A trace of 10 ms, 100 us a pixel, with hits painted over it.
class Painted {
public:
  Painted(const TraceDescription& description, const std::string& line, double scroll_px = 0,
          float scale = 1)
      : trace_(tests::load_description(description)),
        model_(timeline_model(*trace_, query::summarize(*trace_, Cancel()))),
        layout_(layout_tracks(model_.layout_tracks, {}, 200)),
        viewport_({0, 10'000'000}, 100) {
    query::SearchRequest request;
    request.trace = trace_;
    request.terms = *query::parse_search_line(line);
    const auto result = query::run_search(request, Cancel(), [](const auto&) {});
    TimelineInput input{*trace_,      model_,    layout_, areas_, viewport_,
                        dark_theme(), metrics_,  nullptr, {},     {},
                        {},           scroll_px, scale,   {},     {}};
    DetailRequest wanted = detail_request(input, trace_);
    wanted.search = result;
    const auto detail = DetailMaker().timeline(wanted, Cancel());
    input.detail = detail.get();
    paint_hits(input, view_columns(viewport_, scale), scene_);
    paint_marker_hits(input, view_columns(viewport_, scale), scene_);
  }

  const std::vector<RectMark>& marks() const { return scene_.above; }
  const TrackRow& row(std::uint32_t track) const {
    return layout_.rows[layout_.row_of_track[track]];
  }
  const WindowAreas& areas() const { return areas_; }

private:
  std::shared_ptr<const trace::Trace> trace_;
  TimelineModel model_;
  TrackLayout layout_;
  Viewport viewport_;
  PlainMetrics metrics_;
  WindowAreas areas_ = areas_of({200, 80, 300, 280});
  Scene scene_;
};

/// Spans named `hit` that begin there, in 10 ms.
TraceDescription hits_at(const std::vector<std::uint32_t>& starts_us) {
  std::vector<SpanDescription> spans;
  spans.reserve(starts_us.size());
  for (const std::uint32_t start : starts_us) spans.push_back({"hit", start, 1.0F, "{}"});
  TraceDescription trace = tests::one_track(std::move(spans));
  trace.duration_us = 10'000;
  return trace;
}

TEST(PaintHits, MarksWhereHitsBeginOnTheGroundOfTheirRow) {
  const Painted painted(hits_at({0, 1000, 1001, 5050}), "hit");
  ASSERT_EQ(painted.marks().size(), 3U);
  const auto bottom = painted.areas().tracks.y0 + static_cast<float>(painted.row(0).bottom_px());
  const std::vector<float> begins = {200, 210, 250};
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const RectMark& mark = painted.marks()[i];
    EXPECT_EQ(mark.box.x0, begins[i]);
    EXPECT_EQ(mark.box.x1, begins[i] + 2) << "one column is widened to be seen";
    EXPECT_FLOAT_EQ(mark.box.y1, bottom);
    EXPECT_FLOAT_EQ(mark.box.y0, bottom - 3);
  }
}

TEST(PaintHits, NeighbouringColumnsAreOneMark) {
  const Painted painted(hits_at({1000, 1100, 1200, 1300, 2000}), "hit");
  ASSERT_EQ(painted.marks().size(), 2U);
  EXPECT_EQ(painted.marks()[0].box.x0, 210);
  EXPECT_EQ(painted.marks()[0].box.x1, 214);
}

TEST(PaintHits, AMarkAtTheRightEdgeStaysInside) {
  const Painted painted(hits_at({9950}), "hit");
  ASSERT_EQ(painted.marks().size(), 1U);
  EXPECT_EQ(painted.marks()[0].box.x0, 299);
  EXPECT_EQ(painted.marks()[0].box.x1, 300);
}

TEST(PaintHits, ADenseScreenHasColumnsOfHalfAPixel) {
  const Painted painted(hits_at({1000, 1050, 1100, 1150, 1200}), "hit", 0, 2);
  ASSERT_EQ(painted.marks().size(), 1U);
  EXPECT_EQ(painted.marks()[0].box.x0, 210);
  EXPECT_EQ(painted.marks()[0].box.x1, 212.5F);
}

TEST(PaintHits, WhatDoesNotHitHasNoMark) {
  TraceDescription trace = hits_at({1000});
  trace.tracks[0].spans.push_back({"other", 5000, 100.0F, "{}"});
  EXPECT_EQ(Painted(trace, "hit").marks().size(), 1U);
  EXPECT_TRUE(Painted(trace, "nothing").marks().empty());
}

TEST(PaintHits, RowsOutOfSightHaveNone) {
  TraceDescription trace = hits_at({1000});
  trace.tracks.push_back(trace.tracks[0]);
  trace.tracks[1].name = "NV";
  const Painted whole(trace, "hit");
  EXPECT_EQ(whole.marks().size(), 2U);
  const auto scroll = std::max(whole.row(0).bottom_px(), 1.0);
  ASSERT_LT(scroll, whole.row(1).bottom_px());
  EXPECT_EQ(Painted(trace, "hit", scroll).marks().size(), 1U);
  EXPECT_TRUE(Painted(trace, "hit", whole.row(1).bottom_px() + 1).marks().empty());
  // A row of which one pixel is in sight keeps inside the tracks.
  const Painted cut(trace, "hit", whole.row(1).bottom_px() - 1);
  ASSERT_EQ(cut.marks().size(), 1U);
  EXPECT_GE(cut.marks()[0].box.y0, cut.areas().tracks.y0);
}

TEST(PaintHits, MarkersThatHitAreMarkedAmongTheFlags) {
  TraceDescription trace = hits_at({1000});
  trace.markers = {{2000.0, "step hit", "gray"}, {3000.0, "no", "gray"}};
  const Painted painted(trace, "hit");
  ASSERT_EQ(painted.marks().size(), 2U);
  EXPECT_EQ(painted.marks()[1].box.x0, 220);
  EXPECT_EQ(painted.marks()[1].box.y1, painted.areas().flags.y1);
}

TEST(PaintHits, EveryHitLiesUnderAMarkAndEveryMarkOverAHit) {
  std::mt19937 random(3);
  for (const std::uint32_t count : {1U, 5U, 40U, 400U}) {
    std::vector<std::uint32_t> starts;
    for (std::uint32_t i = 0; i < count; ++i)
      starts.push_back(static_cast<std::uint32_t>(random() % 9999));
    std::sort(starts.begin(), starts.end());
    const Painted painted(hits_at(starts), "hit");
    std::vector<bool> has_hit(100);
    for (const std::uint32_t start : starts) has_hit[start / 100] = true;
    std::vector<bool> is_marked(101);
    for (const RectMark& mark : painted.marks()) {
      EXPECT_TRUE(has_hit[static_cast<std::size_t>(mark.box.x0 - 200)]);
      for (float x = mark.box.x0; x < mark.box.x1; ++x)
        is_marked[static_cast<std::size_t>(x - 200)] = true;
    }
    for (std::size_t column = 0; column < 100; ++column) {
      if (has_hit[column]) {
        EXPECT_TRUE(is_marked[column]) << column;
      }
      // One column more is marked only to be seen.
      if (is_marked[column] && !has_hit[column]) {
        EXPECT_TRUE(has_hit[column - 1]) << column;
      }
    }
  }
}

}  // namespace
}  // namespace bytescope::render
