#include "core/query/namesake_columns.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "core/trace/units.h"
#include "tests/support/random_spans.h"
#include "tests/support/trace_maker.h"

namespace bytescope::query {
namespace {

using tests::SpanShape;

/// By looking at every span of the track.
std::vector<TouchedColumns> brute_force(const trace::Trace& trace, io::PageReader& reader,
                                        const std::string& name, const Columns& columns) {
  std::vector<TouchedColumns> lanes(trace.tracks[0].spans->lane_count);
  for (std::uint32_t record = 0; record < trace.tracks[0].head.count; ++record) {
    const bytepack::SpanRecord span = trace.span(reader, 0, record);
    if (trace.text(reader, span.name) != name) continue;
    const double start = columns.at(trace::ns_from_unit(span.start));
    const double end = start + static_cast<double>(span.duration) * 1000 / columns.ns_per_column;
    for (std::uint32_t c = 0; c < columns.count; ++c) {
      const bool touches = (start < c + 1 && end > c) || std::floor(start) == c;
      if (!touches) continue;
      TouchedColumns& lane = lanes[trace.tracks[0].spans->lane(record)];
      if (lane.empty()) lane.assign(columns.count, 0);
      lane[c] = 1;
    }
  }
  return lanes;
}

class NamesakeColumnsOfShape : public testing::TestWithParam<SpanShape> {};

TEST_P(NamesakeColumnsOfShape, AreThoseOfBruteForceInAnyWindow) {
  const auto trace =
      tests::load_description(tests::one_track(tests::random_spans(GetParam(), 3000, 11)));
  io::PageReader reader(trace->file);
  const std::uint32_t name = trace->span(reader, 0, 1500).name;
  const Namesakes names = namesakes_of(*trace, name, Cancel());
  ASSERT_TRUE(names.complete);
  const std::int64_t middle = trace::ns_from_unit(trace->span(reader, 0, 1500).start);
  const std::int64_t whole = trace::ns_from_unit(trace->frame.duration_us);
  for (const Columns columns : {Columns{0, std::max(static_cast<double>(whole) / 100, 1.0), 101},
                                Columns{middle - 20'000, 700, 64}, Columns{middle - 400, 10, 100},
                                Columns{whole + 5000, 100, 10}})
    EXPECT_EQ(namesake_columns(*trace, reader, 0, names, columns, Cancel()),
              brute_force(*trace, reader, trace->text(reader, name), columns));
}

INSTANTIATE_TEST_SUITE_P(All, NamesakeColumnsOfShape, testing::ValuesIn(tests::span_shapes()),
                         [](const auto& shape) { return tests::name_of(shape.param); });

TEST(NamesakeColumns, CountNamesThatDifferInColourAndNoOthers) {
  const auto trace = tests::load_description(tests::one_track(
      {{"\x1b[34mE_4\x1b[0m", 0, 5, "{}"}, {"E_4", 20, 5, "{}"}, {"E_40", 40, 5, "{}"}}));
  io::PageReader reader(trace->file);
  const Namesakes names = namesakes_of(*trace, trace->span(reader, 0, 0).name, Cancel());
  const auto lanes = namesake_columns(*trace, reader, 0, names, {0, 10'000, 5}, Cancel());
  EXPECT_EQ(lanes.at(0), (TouchedColumns{1, 0, 1, 0, 0}));
}

TEST(NamesakeColumns, AreNoneWhenCancelled) {
  const auto trace = tests::load_description(tests::one_track({{"a", 0, 5, "{}"}}));
  io::PageReader reader(trace->file);
  const Namesakes names = namesakes_of(*trace, trace->span(reader, 0, 0).name, Cancel());
  Cancel cancel;
  cancel.request();
  EXPECT_TRUE(namesake_columns(*trace, reader, 0, names, {0, 1000, 5}, cancel).empty());
}

}  // namespace
}  // namespace bytescope::query
