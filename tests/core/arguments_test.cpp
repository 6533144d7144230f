#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/query/closest_names.h"
#include "core/query/time_argument.h"
#include "core/query/track_argument.h"
#include "tests/support/trace_maker.h"

namespace bytescope::query {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Two markers of one name, not in the order of time, and names that look like something else.
std::shared_ptr<const trace::Trace> marked_trace() {
  bytepack::TraceDescription trace = tests::one_track({{"kernel", 0, 100.0F, "{}"}});
  trace.markers = {{30.0, "step", "gray"},        {10.5, "\x1b[31mstep\x1b[0m", std::nullopt},
                   {20.0, "a..b", "gray"},        {25.0, "5ms", "gray"},
                   {26.0, "nan", "gray"},         {27.0, "tag#2", "gray"},
                   {28.0, "tag", "gray"},         {29.0, "tag", "gray"},
                   {std::nullopt, "lost", "gray"}};
  trace.duration_us = 100;
  return tests::load_description(trace);
}

TEST(ClosestNames, PartsAndFewEditsComeFirstWhateverTheCase) {
  const std::vector<std::string> names = {"USER", "AMD", "AMD:1", "AMD Memory", "TINY", "AMD"};
  EXPECT_THAT(closest_names("amd", names), ElementsAre("AMD", "AMD:1", "AMD Memory"));
  EXPECT_THAT(closest_names("TYNY", names, 1), ElementsAre("TINY"));
  EXPECT_THAT(closest_names("memory", names, 1), ElementsAre("AMD Memory"));
  EXPECT_THAT(closest_names("x", {}), ElementsAre());
  EXPECT_EQ(closest_names_text("usr", {"USER"}), "; the closest is \"USER\"");
  EXPECT_EQ(closest_names_text("usr", {}), "");
}

TEST(TimeArgument, NumbersAreExactInEveryUnit) {
  EXPECT_EQ(ns_from_number_text("12"), 12'000);
  EXPECT_EQ(ns_from_number_text("12us"), 12'000);
  EXPECT_EQ(ns_from_number_text("12\u00B5s"), 12'000);
  EXPECT_EQ(ns_from_number_text("12\u03BCs"), 12'000);
  EXPECT_EQ(ns_from_number_text("12clk"), 12'000);
  EXPECT_EQ(ns_from_number_text("7ns"), 7);
  EXPECT_EQ(ns_from_number_text("1.5ms"), 1'500'000);
  EXPECT_EQ(ns_from_number_text("4294.967295001s"), 4'294'967'295'001);
  EXPECT_EQ(ns_from_number_text("1e3"), 1'000'000);
  EXPECT_EQ(ns_from_number_text(".5us"), 500);
  EXPECT_EQ(ns_from_number_text("-2us"), -2000);
  EXPECT_EQ(ns_from_number_text("1e300s"), 100'000'000'000'000'000);
  for (const char* text :
       {"", "us", "-", "inf", "nan", "-inf", "5 ms", "5m", "0x10", "1e999", "5s "})
    EXPECT_EQ(ns_from_number_text(text), std::nullopt) << text;
}

TEST(TimeArgument, TimesAreTakenAsTheyAreShown) {
  EXPECT_EQ(ns_from_shown_time("12.424 644 s"), 12'424'644'000);
  EXPECT_EQ(ns_from_shown_time("0.5 s"), 500'000'000);
  EXPECT_EQ(ns_from_shown_time("12.424 6 s"), 12'424'600'000);
  EXPECT_EQ(ns_from_shown_time("2:11.318 126 s"), 131'318'126'000);
  EXPECT_EQ(ns_from_shown_time("2:11"), 131'000'000'000);
  EXPECT_EQ(ns_from_shown_time("1:02:11.5 s"), 3'731'500'000'000);
  EXPECT_EQ(ns_from_shown_time("1 250 clk"), 1'250'000);
  EXPECT_EQ(ns_from_shown_time("966 600 clk"), 966'600'000);
  EXPECT_EQ(ns_from_shown_time("1.5ms"), 1'500'000);
  for (const char* text : {"", "12", "1 250", "12 34 us", "1 2500 clk", "1  250 clk", ":5", "a:5",
                           "1:a", "5 m", "-2us", "1:-2 s", "12 us x", " 5 us", "99999999999:1"})
    EXPECT_EQ(ns_from_shown_time(text), std::nullopt) << text;
  EXPECT_EQ(time_from_argument(*marked_trace(), "0.000 05 s"), 50'000);
}

TEST(TimeArgument, MarkersAreFoundByPlainNameInTheOrderOfTime) {
  const auto trace = marked_trace();
  EXPECT_EQ(time_from_argument(*trace, "step"), 10'500);
  EXPECT_EQ(time_from_argument(*trace, "step#1"), 10'500);
  EXPECT_EQ(time_from_argument(*trace, "step#2"), 30'000);
  EXPECT_EQ(time_from_argument(*trace, "marker:step#2"), 30'000);
  EXPECT_EQ(time_from_argument(*trace, "5ms"), 5'000'000);
  EXPECT_EQ(time_from_argument(*trace, "marker:5ms"), 25'000);
  EXPECT_EQ(time_from_argument(*trace, "nan"), 26'000);
  // A marker of that very name goes before the second of another.
  EXPECT_EQ(time_from_argument(*trace, "tag#2"), 27'000);
}

TEST(TimeArgument, AnUnknownMarkerIsWrongUsageAndTellsTheClosest) {
  const auto trace = marked_trace();
  for (const char* text : {"stap", "step#3", "step#0", "step#", "lost", ""}) {
    const auto time = time_from_argument(*trace, text);
    ASSERT_FALSE(time) << text;
    EXPECT_EQ(time.error().kind, ErrorKind::usage);
    EXPECT_EQ(time.error().path, trace->file->path());
  }
  EXPECT_THAT(time_from_argument(*trace, "stap").error().message, HasSubstr("\"step\""));
}

TEST(TimeArgument, RangesMayBeOpenAndMarkersMayHoldDots) {
  const auto trace = marked_trace();
  const auto range = [&](const char* text) { return *range_from_argument(*trace, text); };
  EXPECT_EQ(range("1..2"), (TimeRange{1000, 2000}));
  EXPECT_EQ(range("1...5ms"), (TimeRange{1000, 500'000}));
  EXPECT_EQ(range("40.."), (TimeRange{40'000, 100'000}));
  EXPECT_EQ(range("..40"), (TimeRange{0, 40'000}));
  EXPECT_EQ(range(".."), (TimeRange{0, 100'000}));
  EXPECT_EQ(range("step..step#2"), (TimeRange{10'500, 30'000}));
  EXPECT_EQ(range("a..b..90"), (TimeRange{20'000, 90'000}));
  EXPECT_EQ(range("1..a..b"), (TimeRange{1000, 20'000}));
}

TEST(TimeArgument, EmptyAndBrokenRangesAreWrongUsage) {
  const auto trace = marked_trace();
  for (const char* text : {"2..2", "3..2", "100..", "..0", "5", "", "1..stap", "stap..1"}) {
    const auto range = range_from_argument(*trace, text);
    ASSERT_FALSE(range) << text;
    EXPECT_EQ(range.error().kind, ErrorKind::usage) << text;
  }
}

TEST(TrackArgument, TheExactNameGoesBeforeTheNumberAndTheFirstOfEqualsWins) {
  bytepack::TraceDescription description;
  for (const char* name : {"AMD", "#0", "AMD", ""}) {
    description.tracks.push_back(tests::one_track({{"kernel", 0, 1.0F, "{}"}}).tracks[0]);
    description.tracks.back().name = name;
  }
  const auto trace = tests::load_description(description);
  Warnings warnings;
  EXPECT_EQ(track_from_argument(*trace, "#0", warnings), 1U);
  EXPECT_EQ(track_from_argument(*trace, "#2", warnings), 2U);
  EXPECT_EQ(track_from_argument(*trace, "", warnings), 3U);
  EXPECT_TRUE(warnings.list().empty());
  EXPECT_EQ(track_from_argument(*trace, "AMD", warnings), 0U);
  EXPECT_EQ(warnings.list().size(), 1U);
  for (const char* text : {"#4", "#", "#-1", "#1x", "amd", "#99999999999"})
    EXPECT_EQ(track_from_argument(*trace, text, warnings).error().kind, ErrorKind::usage) << text;
  EXPECT_EQ(track_from_argument(*trace, "#4", warnings).error().message,
            "There is no track #4; the last is #3");
  const auto empty = tests::load_description({});
  EXPECT_EQ(track_from_argument(*empty, "#0", warnings).error().message, "The trace has no tracks");
}

TEST(TrackArgument, RecordsAreSplitAtTheLastColon) {
  bytepack::TraceDescription description = tests::one_track({{"kernel", 0, 1.0F, "{}"}});
  description.tracks[0].name = "AMD:1";
  const auto trace = tests::load_description(description);
  Warnings warnings;
  const auto record = record_from_argument(*trace, "AMD:1:0", warnings);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->track, 0U);
  EXPECT_EQ(record->record, 0U);
  EXPECT_EQ(record_from_argument(*trace, "#0:0", warnings)->record, 0U);
  for (const char* text : {"AMD:1", "AMD:1:1", "AMD:1:", "AMD:1:-1", "AMD", ":0", ""})
    EXPECT_EQ(record_from_argument(*trace, text, warnings).error().kind, ErrorKind::usage) << text;
}

}  // namespace
}  // namespace bytescope::query
