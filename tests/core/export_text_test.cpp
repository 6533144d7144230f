#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include "core/export/export.h"
#include "core/generate/generate.h"
#include "core/io/json_reader.h"
#include "core/io/utf8.h"
#include "core/trace/ansi.h"
#include "core/trace/loader.h"
#include "tests/support/chrome_events.h"
#include "tests/support/decoded_trace.h"
#include "tests/support/random_spans.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_files.h"
#include "tests/support/trace_maker.h"

// What is written for other programs, against the records read one by one.

namespace bytescope::exporting {
namespace {

using bytepack::TrackKind;
using query::TimeRange;
using simdjson::dom::element;
using tests::ChromeEvents;
using tests::DecodedEvent;
using tests::DecodedTrack;
using tests::exported;
using tests::opened;
using tests::TemporaryFolder;
using tests::text_of;
using tests::thread_names;

/// Whether a record touches a range, told from its definition.
bool touches(const DecodedEvent& event, TrackKind kind, const std::optional<TimeRange>& range) {
  if (!range) return true;
  const std::int64_t time_ns =
      std::int64_t{kind == TrackKind::memory ? event.allocated : event.time} * 1000;
  if (range->contains(time_ns)) return true;
  if (time_ns >= range->end_ns) return false;
  if (kind == TrackKind::spans) {
    return (static_cast<double>(event.time) + static_cast<double>(event.duration)) * 1000 >
           static_cast<double>(range->begin_ns);
  }
  return kind == TrackKind::memory && (event.freed == trace::Buffer::never ||
                                       std::int64_t{event.freed} * 1000 > range->begin_ns);
}

void expect_spans(const ChromeEvents& events, const std::vector<DecodedTrack>& tracks,
                  const std::optional<TimeRange>& range) {
  auto spans = events.of.find("X") == events.of.end() ? std::vector<element>() : events.of.at("X");
  std::size_t at = 0;
  for (const DecodedTrack& track : tracks) {
    if (track.kind != TrackKind::spans) continue;
    for (const DecodedEvent& event : track.events) {
      if (!touches(event, track.kind, range)) continue;
      ASSERT_LT(at, spans.size());
      const element is = spans[at++];
      EXPECT_EQ(text_of(is, "name"), tests::shown_text(event.name));
      EXPECT_EQ(std::uint64_t{is["ts"]}, event.time);
      EXPECT_EQ(static_cast<float>(double{is["dur"]}), event.duration);
      EXPECT_EQ(std::uint64_t{is["args"]["index"]}, event.record);
      std::uint64_t number = 0;
      EXPECT_EQ(is["args"]["key"].get(number) == simdjson::SUCCESS, event.key.has_value());
      if (event.key) EXPECT_EQ(number, *event.key);
      EXPECT_EQ(is["args"]["ref"].get(number) == simdjson::SUCCESS, event.ref.has_value());
      if (event.ref) EXPECT_EQ(number, *event.ref);
    }
  }
  EXPECT_EQ(at, spans.size());
}

/// Spans of a thread follow each other without touching.
void expect_no_overlap(const ChromeEvents& events) {
  if (events.of.find("X") == events.of.end()) return;
  std::map<std::uint64_t, double> ends;
  for (const element span : events.of.at("X")) {
    const auto start = static_cast<double>(std::uint64_t{span["ts"]});
    double& end = ends[span["tid"]];
    ASSERT_LE(end, start);
    end = start + double{span["dur"]};
  }
}

void expect_counters(const ChromeEvents& events, const std::vector<DecodedTrack>& tracks,
                     const std::optional<TimeRange>& range) {
  std::vector<std::pair<double, std::uint64_t>> expected;
  for (const DecodedTrack& track : tracks) {
    std::uint64_t live = 0;
    bool is_begun = !range;
    const auto begin = [&] {
      if (!is_begun)
        expected.emplace_back(
            static_cast<double>(std::max<std::int64_t>(range->begin_ns, 0)) / 1000, live);
      is_begun = true;
    };
    for (std::size_t i = 0; i < track.events.size(); ++i) {
      const DecodedEvent& event = track.events[i];
      const std::int64_t time_ns = std::int64_t{event.time} * 1000;
      const bool is_inside = !range || range->contains(time_ns);
      if (track.kind == TrackKind::line) {
        const bool is_last_before =
            range && time_ns < range->begin_ns &&
            (i + 1 == track.events.size() ||
             std::int64_t{track.events[i + 1].time} * 1000 > range->begin_ns);
        if (is_inside || is_last_before) expected.emplace_back(event.time, event.value);
      } else if (track.kind == TrackKind::memory && (!range || time_ns < range->end_ns)) {
        if (is_inside) begin();
        live += event.is_free ? std::uint64_t{0} - event.bytes : event.bytes;
        if (is_inside) expected.emplace_back(event.time, live);
      }
    }
    if (track.kind == TrackKind::memory) begin();
  }
  std::vector<std::pair<double, std::uint64_t>> actual;
  if (events.of.find("C") != events.of.end()) {
    for (const element event : events.of.at("C")) {
      std::uint64_t value = 0;
      if (event["args"]["bytes"].get(value) != simdjson::SUCCESS)
        ASSERT_EQ(event["args"]["value"].get(value), simdjson::SUCCESS);
      actual.emplace_back(double{event["ts"]}, value);
    }
  }
  EXPECT_EQ(actual, expected);
}

void expect_chrome(const trace::Trace& trace, const std::optional<TimeRange>& range = {}) {
  const std::vector<DecodedTrack> tracks = tests::decoded_tracks(trace);
  const ChromeEvents events(exported(trace, Format::chrome_json, range));
  expect_spans(events, tracks, range);
  expect_no_overlap(events);
  expect_counters(events, tracks, range);
}

/// Cells of a CSV text by RFC 4180 with LF.
std::vector<std::vector<std::string>> csv_rows(std::string_view text) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> row(1);
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_quoted) {
      if (c != '"') {
        row.back() += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        row.back() += text[++i];
      } else {
        is_quoted = false;
      }
    } else if (c == '"') {
      is_quoted = true;
    } else if (c == ',') {
      row.emplace_back();
    } else if (c == '\n') {
      rows.push_back(std::exchange(row, std::vector<std::string>(1)));
    } else {
      row.back() += c;
    }
  }
  return rows;
}

std::string number_text(const std::optional<std::uint32_t>& number) {
  return number ? std::to_string(*number) : std::string();
}

std::vector<std::string> csv_row(const DecodedTrack& track, const DecodedEvent& event) {
  const std::string name = io::printable_utf8(track.name);
  const std::string index = std::to_string(event.record);
  const std::string time = std::to_string(event.time);
  if (track.kind == TrackKind::spans) {
    return {name,
            "spans",
            index,
            "",
            time,
            fmt::format("{}", event.duration),
            std::to_string(event.lane),
            tests::shown_text(event.name),
            number_text(event.key),
            "",
            "",
            io::printable_utf8(event.info)};
  }
  if (track.kind == TrackKind::memory) {
    return {name,
            "memory",
            index,
            event.is_free ? "free" : "alloc",
            time,
            "",
            "",
            tests::shown_text(event.name),
            number_text(event.key),
            std::to_string(event.bytes),
            "",
            ""};
  }
  return {name, "line", index, "", time, "", "", "", "", "", std::to_string(event.value), ""};
}

void expect_csv(const trace::Trace& trace) {
  const auto rows = csv_rows(exported(trace, Format::csv));
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(fmt::format("{}", fmt::join(rows[0], ",")),
            "track,kind,index,event,time_us,duration_us,lane,name,key,bytes,value,info");
  const bool has_outlines = trace.dialect->memory == bytepack::MemoryForm::polygons;
  std::size_t at = 1;
  for (const DecodedTrack& track : tests::decoded_tracks(trace)) {
    for (const DecodedEvent& event : track.events) {
      if (has_outlines && track.kind == TrackKind::memory) continue;
      ASSERT_LT(at, rows.size());
      ASSERT_EQ(rows[at++], csv_row(track, event));
    }
    if (!has_outlines || track.kind != TrackKind::memory) continue;
    // A row for each buffer, in the order of the file.
    for (const DecodedEvent& event : track.events) {
      if (event.is_free) continue;
      const bool is_freed = event.freed != trace::Buffer::never;
      ASSERT_EQ(
          rows[at + *event.key],
          (std::vector<std::string>{
              io::printable_utf8(track.name), "memory", std::to_string(*event.key), "buffer",
              std::to_string(event.time), is_freed ? std::to_string(event.freed - event.time) : "",
              "", tests::shown_text(event.name), "", std::to_string(event.bytes), "", ""}));
    }
    at += static_cast<std::size_t>(std::count_if(track.events.begin(), track.events.end(),
                                                 [](const auto& event) { return !event.is_free; }));
  }
  EXPECT_EQ(at, rows.size());
}

TEST(ExportText, EveryRecordOfEveryDialectIsThere) {
  for (char dialect = 'A'; dialect <= 'L'; ++dialect) {
    SCOPED_TRACE(dialect);
    const auto trace = tests::load_description(tests::varied_trace(dialect), dialect);
    expect_chrome(*trace);
    expect_csv(*trace);
  }
}

TEST(ExportText, EveryRecordOfRealTracesIsThere) {
  for (const std::string& path : tests::real_traces()) {
    SCOPED_TRACE(path);
    const auto trace = opened(path);
    if (trace->dialect->letter % 3 != 0 && trace->unit == trace::Unit::microseconds) continue;
    expect_chrome(*trace);
    expect_csv(*trace);
  }
}

TEST(ExportText, ARangeHasWhatTouchesIt) {
  const auto trace = tests::load_description(tests::varied_trace('L'));
  for (std::int64_t begin = -1000; begin < 14'000; begin += 500)
    for (const std::int64_t length : {1, 500, 1000, 3500})
      expect_chrome(*trace, TimeRange{begin, begin + length});
  const TemporaryFolder folder;
  generate::Options options;
  options.events = 2000;
  options.devices = 2;
  ASSERT_TRUE(generate::write_trace(folder / "made.bin", options, never));
  const auto made = opened(folder / "made.bin");
  const std::int64_t end = std::int64_t{made->frame.duration_us} * 1000;
  expect_chrome(*made, TimeRange{end / 3, end / 2});
  expect_chrome(*made, TimeRange{end + 1000, end + 2000});
}

TEST(ExportText, SpansThatOverlapByLessThanAMicrosecondAreInDifferentThreads) {
  for (const tests::SpanShape shape : tests::span_shapes()) {
    SCOPED_TRACE(tests::name_of(shape));
    const auto trace =
        tests::load_description(tests::one_track(tests::random_spans(shape, 800, 3)));
    expect_chrome(*trace);
  }
}

TEST(ExportText, OddTextsAreValidUtf8AndJson) {
  const std::string odd("\0\x1b[31m\"\\\xed\xb8\x80\xc3\n,x", 15);
  bytepack::TraceDescription described = tests::one_track({{odd, 0, 1.0F, "{}"}});
  described.tracks[0].name = "\xff,\"\n";
  described.markers = {{1.5, odd, odd}, {std::nullopt, "nowhere", "red"}};
  const auto trace = tests::load_description(described);
  expect_csv(*trace);
  const std::string text = exported(*trace, Format::chrome_json);
  io::JsonReader reader(text);
  reader.skip_value();
  reader.finish();
  EXPECT_TRUE(reader.ok());
  EXPECT_THAT(text, testing::HasSubstr(R"("name":"\u0000\"\\\ude00)"
                                       "\xEF\xBF\xBD"));
  EXPECT_THAT(text, testing::HasSubstr(R"("ts":1.5)"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("nowhere")));
}

TEST(ExportText, ATraceOfNothingIsValid) {
  const auto trace = tests::load_description({});
  ASSERT_TRUE(trace);
  const ChromeEvents events(exported(*trace, Format::chrome_json));
  EXPECT_TRUE(events.of.empty());
  EXPECT_EQ(csv_rows(exported(*trace, Format::csv)).size(), 1U);
}

TEST(ExportChrome, ProcessesAndThreadsAreNamedAndOrdered) {
  const auto trace = tests::load_description(tests::varied_trace('L'));
  const ChromeEvents events(
      exported(*trace, Format::chrome_json, {},
               {{"host", {{1, "compiler"}}}, {"card", {{0, "AMD"}, {2, "memory"}}}}));
  std::map<std::uint64_t, std::string> processes;
  std::set<std::uint64_t> numbers;
  for (const element event : events.of.at("M")) {
    if (text_of(event, "name") == "process_name")
      processes[event["pid"]] = std::string(std::string_view(event["args"]["name"]));
    if (text_of(event, "name") == "thread_name") {
      EXPECT_TRUE(numbers.insert(event["tid"]).second);
      EXPECT_GT(std::uint64_t{event["tid"]}, 3U);  // Unlike all processes.
    }
  }
  EXPECT_EQ(processes,
            (std::map<std::uint64_t, std::string>{{1, "host"}, {2, "card"}, {3, "Shader Clock"}}));
  std::vector<std::string> names;
  for (const auto& [tid, name] : thread_names(events)) names.push_back(name);
  EXPECT_THAT(names, testing::UnorderedElementsAre("compiler", "compiler (2)", "compiler (3)",
                                                   "AMD", "AMD (2)"));
  EXPECT_EQ(text_of(events.of.at("C")[0], "name"), "memory");
  EXPECT_EQ(std::uint64_t{events.of.at("C")[0]["pid"]}, 2U);
  EXPECT_EQ(text_of(events.other, "unit"), "us");
}

TEST(ExportChrome, InfosAreArguments) {
  const auto trace = tests::load_description(tests::one_track(
      {{"r_8", 0, 1.0F,
        R"({"FLOPS": 1.5e9, "B/s mem": "ERR", "B": 12, "metadata": "sum\nadd", "pc": 7, "tb": [["a.py", 3, "f", "g"]], "new": 1})"}}));
  const ChromeEvents events(exported(*trace, Format::chrome_json));
  EXPECT_EQ(
      simdjson::minify(events.of.at("X")[0]["args"]),
      R"({"index":0,"FLOPS":1500000000.0,"B/s mem":"ERR","B":12,"metadata":"sum\nadd","pc":7,)"
      R"("tb":["a.py:3 f: g"],"info":"new: 1"})");
}

TEST(ExportFormat, TheEndOfThePathDecides) {
  EXPECT_EQ(format_of_path("a/b.json"), Format::chrome_json);
  EXPECT_EQ(format_of_path(".csv"), Format::csv);
  EXPECT_EQ(format_of_path("x.bin"), Format::bytepack);
  for (const char* path : {"", "json", "x.txt", "x.json.gz", "x.bin/y"})
    EXPECT_EQ(format_of_path(path), std::nullopt) << path;
}

}  // namespace
}  // namespace bytescope::exporting
