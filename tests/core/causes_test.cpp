// Links between spans of shader traces, there and back.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/query/links.h"
#include "core/trace/loader.h"
#include "tests/support/opened.h"
#include "tests/support/trace_files.h"
#include "tests/support/trace_maker.h"

namespace bytescope::query {
namespace {

using bytepack::TrackDescription;
using tests::Opened;

TEST(Causes, ASpansLinkLeadsToItsCauseAndBack) {
  bytepack::TraceDescription description = tests::one_track({{"a", 0, 1, "{}"}, {"b", 5, 1, "{}"}});
  description.tracks[0].name = "WAVE:0";
  TrackDescription row;
  row.name = "ALUEXEC:0";
  row.spans = {{"x", 1, 1, R"({"link": "WAVE:0-1"})"},
               {"y", 2, 1, R"({"link": "WAVE:0-12"})"},
               {"z", 3, 1, R"({"link": "WAVE:0-1"})"},
               {"w", 4, 1, R"({"metadata": "WAVE:0-1"})"},
               {"v", 5, 1, R"({"link": "NONE-0"})"}};
  description.tracks.push_back(row);
  description.more_json = R"("pcMap": {})";
  const Opened opened(tests::load_description(description));
  const auto cause = [&](std::uint32_t record) {
    return cause_of_span(*opened.trace, opened.reader, 1, record);
  };
  EXPECT_EQ(cause(0), std::optional(TrackRecord{0, 1}));
  EXPECT_EQ(cause(1), std::nullopt);
  EXPECT_EQ(cause(3), std::nullopt);
  EXPECT_EQ(cause(4), std::nullopt);
  EXPECT_EQ(effects_of_span(*opened.trace, 0, 1, never),
            (std::vector<TrackRecord>{{1, 0}, {1, 2}}));
  EXPECT_EQ(effects_of_span(*opened.trace, 0, 1, never, 1).size(), 1U);
  EXPECT_TRUE(effects_of_span(*opened.trace, 0, 0, never).empty());
}

TEST(Causes, EffectsAndCausesAgreeInRealShaderTraces) {
  std::size_t linked = 0;
  for (const std::string& path : tests::real_traces()) {
    if (path.find("sqtt-gfx1200-handwritten") == std::string::npos) continue;
    const Opened opened(*trace::load_trace(path, {}, never));
    for (std::uint32_t track = 0; track < opened.trace->tracks.size(); ++track) {
      if (!opened.trace->tracks[track].spans) continue;
      for (std::uint32_t i = 0; i < opened.trace->tracks[track].head.count; i += 50) {
        const auto cause = cause_of_span(*opened.trace, opened.reader, track, i);
        if (!cause) continue;
        ++linked;
        const auto back = effects_of_span(*opened.trace, cause->track, cause->record, never);
        EXPECT_NE(std::find(back.begin(), back.end(), TrackRecord{track, i}), back.end());
      }
    }
  }
  if (!tests::real_traces().empty()) {
    EXPECT_GT(linked, 0U);
  }
}

}  // namespace
}  // namespace bytescope::query
