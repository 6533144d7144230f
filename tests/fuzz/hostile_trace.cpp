#include "tests/fuzz/hostile_trace.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "core/bytepack/dialect.h"
#include "core/bytepack/writer.h"

namespace bytescope::fuzz {
namespace {

using bytepack::MemoryDescription;
using bytepack::SpanDescription;
using bytepack::TraceDescription;
using bytepack::TrackDescription;
using bytepack::TrackKind;

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint32_t last_time = std::numeric_limits<std::uint32_t>::max();

const std::array<std::string, 8> kernel_names = {"r_\x1b[34m64\x1b[0m_\x1b[31m4\x1b[0m",
                                                 "E_\x1b[36m8\x1b[0mn3",
                                                 "batched 3",
                                                 "copy 4 kB",
                                                 "Schedule 2",
                                                 "do_to_program for r_64",
                                                 "JIT",
                                                 "WAVE:0"};
const std::array<std::string, 12> track_names = {
    "AMD",       "AMD:1", "AMD:10:COPY", "AMD Graph", "AMD Memory", "TINY",
    "NV:1 SDMA", "USER",  "WAVE:3",      "SE:0 CU:1", "DISK:/a",    "GPC:0 SM:1 WAVE:2"};
const std::array<std::string, 14> odd_texts = {"",
                                               std::string(255, '\0'),
                                               std::string(255, '\xff'),
                                               "\xed\xa0\x80",
                                               "\xc3",
                                               "a\xf0\x9f\x98\x80"
                                               "b",
                                               "\x1b[38;5;300m\x1b[",
                                               "\x1b[31",
                                               "line\nline\r\x01\x7f",
                                               R"(\u0000"\)",
                                               "%s%n{}{0}",
                                               "dur>1us",
                                               std::string(4000, 'x'),
                                               "marker:#0"};
const std::array<std::string, 14> infos = {
    "{}",
    "",
    R"({"FLOPS": 1.5e9, "B/s mem": "ERR", "B": 5, "metadata": "sum"})",
    R"({"link": "AMD-0", "pc": 18446744073709551615})",
    R"({"link": "AMD-99999999999", "tb": [["a", 1, "f", "c"], ["b"]]})",
    R"({"link": "AMD--1", "FLOPS": 1e999, "B": -1})",
    R"({"tb": [[[[[]]]], 7], "pc": "x"})",
    "12.3 GFLOPS 4.5|6.7 GB/s\nsum",
    "TB:[[\"a\", 1, \"f\", \"c\"]]\nPC:7\nLINK:AMD-1",
    "TB:[[\nPC:-\nLINK:",
    "LINK:TINY-4294967296",
    "999999999999999999999999 GFLOPS 1e400|nan GB/s",
    "[1]",
    "{\"a\": {"};
constexpr std::array<float, 10> odd_durations = {std::numeric_limits<float>::quiet_NaN(),
                                                 std::numeric_limits<float>::infinity(),
                                                 -std::numeric_limits<float>::infinity(),
                                                 -1.0F,
                                                 -0.0F,
                                                 std::numeric_limits<float>::denorm_min(),
                                                 std::numeric_limits<float>::max(),
                                                 1e12F,
                                                 4294967296.0F,
                                                 2147483648.0F};
constexpr std::array<std::uint64_t, 7> odd_sizes = {
    0, 1, 1'000'000'000'000, 1ULL << 32U, 1ULL << 61U, 1ULL << 63U, largest};

TrackDescription& any_track(TraceDescription& trace, Choices& choices) {
  return choices.of(trace.tracks);
}

/// A span of the trace, or null when there is none where it was looked for.
SpanDescription* any_span(TraceDescription& trace, Choices& choices) {
  TrackDescription& track = any_track(trace, choices);
  return track.spans.empty() ? nullptr : &choices.of(track.spans);
}

MemoryDescription* any_event(TraceDescription& trace, Choices& choices) {
  TrackDescription& track = any_track(trace, choices);
  return track.memory.empty() ? nullptr : &choices.of(track.memory);
}

void odd_duration(TraceDescription& trace, Choices& choices) {
  if (SpanDescription* span = any_span(trace, choices)) span->duration = choices.of(odd_durations);
}

void odd_start(TraceDescription& trace, Choices& choices) {
  if (SpanDescription* span = any_span(trace, choices))
    span->start = choices.one_in(2) ? last_time : static_cast<std::uint32_t>(choices.below(5));
}

void odd_links(TraceDescription& trace, Choices& choices) {
  if (SpanDescription* span = any_span(trace, choices)) {
    span->key = last_time - 1;
    span->ref = last_time - 1;
    span->category = std::uint8_t{254};
    span->info = choices.of(infos);
  }
}

void odd_span_text(TraceDescription& trace, Choices& choices) {
  if (SpanDescription* span = any_span(trace, choices))
    (choices.one_in(2) ? span->name : span->info) = choices.of(odd_texts);
}

/// Hundreds of spans at once: more lanes than a byte can count.
void crowd(TraceDescription& trace, Choices& choices) {
  TrackDescription& track = any_track(trace, choices);
  if (track.spans.empty()) return;
  const SpanDescription last = track.spans.back();
  track.spans.insert(track.spans.end(), 250 + choices.below(20), last);
}

void odd_event_time(TraceDescription& trace, Choices& choices) {
  if (MemoryDescription* event = any_event(trace, choices))
    event->time = choices.one_in(2) ? last_time : 0;
}

void odd_key(TraceDescription& trace, Choices& choices) {
  if (MemoryDescription* event = any_event(trace, choices))
    event->key = choices.one_in(2) ? last_time : static_cast<std::uint32_t>(choices.below(4));
}

/// Frees what is free, or allocates what is live.
void same_event_twice(TraceDescription& trace, Choices& choices) {
  TrackDescription& track = any_track(trace, choices);
  if (track.memory.empty()) return;
  const auto place =
      track.memory.begin() + static_cast<std::ptrdiff_t>(choices.below(track.memory.size()));
  const MemoryDescription event = *place;
  track.memory.insert(place, event);
}

void odd_length(TraceDescription& trace, Choices& choices) {
  if (MemoryDescription* event = any_event(trace, choices)) event->length = choices.of(odd_sizes);
}

void odd_type(TraceDescription& trace, Choices& choices) {
  if (choices.one_in(2)) {
    choices.of(trace.dtype_bytes).second = choices.of(odd_sizes);
  } else if (MemoryDescription* event = any_event(trace, choices)) {
    event->dtype = choices.of(odd_texts);
  }
}

void odd_users(TraceDescription& trace, Choices& choices) {
  MemoryDescription* event = any_event(trace, choices);
  if (event == nullptr) return;
  const auto mode = static_cast<std::uint8_t>(choices.below(4));
  event->users.assign(1 + choices.below(300), {choices.number(), "batched 3", last_time, mode});
}

void odd_peak(TraceDescription& trace, Choices& choices) {
  if (choices.one_in(2)) {
    trace.peak_bytes = choices.of(odd_sizes);
  } else {
    any_track(trace, choices).peak = choices.of(odd_sizes);
  }
}

void odd_trace_end(TraceDescription& trace, Choices& choices) {
  trace.duration_us = choices.one_in(3) ? last_time : static_cast<std::uint32_t>(choices.below(20));
}

void odd_track_name(TraceDescription& trace, Choices& choices) {
  TrackDescription& track = any_track(trace, choices);
  track.name = choices.of(odd_texts).substr(0, 255);
  if (choices.one_in(2)) track.name_length = static_cast<std::uint8_t>(choices.below(256));
}

/// Names whose lengths count characters, as the producer writes them.
void counted_in_characters(TraceDescription& trace, Choices& choices) {
  TrackDescription& track = any_track(trace, choices);
  track.name = "K\xc3\xb6ln \xf0\x9f\x98\x80";
  track.name_length = std::uint8_t{6};
}

void same_name(TraceDescription& trace, Choices& choices) {
  any_track(trace, choices).name = any_track(trace, choices).name;
}

void track_again(TraceDescription& trace, Choices& choices) {
  trace.tracks.push_back(TrackDescription(any_track(trace, choices)));
}

void empty_track(TraceDescription& trace, Choices& choices) {
  TrackDescription& track = any_track(trace, choices);
  track.spans.clear();
  track.memory.clear();
  track.line.clear();
}

void odd_line(TraceDescription& trace, Choices& choices) {
  TrackDescription& track = any_track(trace, choices);
  if (track.line.empty()) return;
  choices.of(track.line) = {choices.one_in(2) ? last_time : 0, choices.of(odd_sizes)};
}

void odd_marker(TraceDescription& trace, Choices& choices) {
  constexpr std::array<double, 5> times = {-1, 1e308, -1e308, 4294967296.5, 0};
  bytepack::FileMarker marker{choices.of(times), choices.of(odd_texts), choices.of(odd_texts)};
  if (choices.one_in(3)) marker.time_us.reset();
  if (choices.one_in(3)) marker.name.reset();
  trace.markers.push_back(std::move(marker));
}

void odd_index(TraceDescription& trace, Choices& choices) {
  const std::array<std::string, 14> members = {
      R"("strings": [])",
      R"("strings": ["a", "b"])",
      R"("strings": null)",
      R"("dtypeSize": {"float": 18446744073709551615})",
      R"("dtypes": {"float": 1, "float": -1, "half": 1e3})",
      R"("dtypeSize": [])",
      R"("markers": [{"ts": "x", "name": {}, "color": [[]]}, 5, null, {}])",
      R"("pcMap": {"1": "a", "x": 5, "18446744073709551616": "b"})",
      R"("waveColors": [["a", "#12345"], ["b", "#123456"], [], {}])",
      R"("": {"": ""}, "\ud800": 1)",
      "\"deep\": " + std::string(10'000, '[') + std::string(10'000, ']'),
      R"("merged": [{"name": "AMD", "tracks": 4294967295, "end_us": 4294967295}, {"name": 7}, []])",
      R"("merged": [{"name": "a", "tracks": 1, "begin_us": 3, "end_us": 4, "first_ref": 4294967295}])",
      R"("not json)"};
  if (!trace.more_json.empty()) trace.more_json += ", ";
  trace.more_json += choices.of(members);
}

using Spoil = void (*)(TraceDescription&, Choices&);
constexpr std::array<Spoil, 21> spoilers = {
    odd_duration,   odd_start,   odd_links,        odd_span_text,  crowd,
    odd_event_time, odd_key,     same_event_twice, odd_length,     odd_type,
    odd_users,      odd_peak,    odd_trace_end,    odd_track_name, counted_in_characters,
    same_name,      track_again, empty_track,      odd_line,       odd_marker,
    odd_index};

TrackDescription span_track(char dialect, Choices& choices) {
  TrackDescription track;
  track.name = choices.of(track_names);
  std::uint32_t start = 0;
  const bool is_json = dialect == 'L';
  for (std::size_t count = 1 + choices.below(40); count-- > 0;) {
    start += static_cast<std::uint32_t>(choices.below(4));
    SpanDescription span;
    span.name = choices.of(kernel_names);
    span.start = start;
    span.duration = static_cast<float>(choices.below(4000)) / 256.0F;
    span.info = is_json ? infos[choices.below(7)] : infos[1];
    if (is_json && span.info.empty()) span.info = "{}";
    if (!is_json && choices.one_in(2)) span.info = infos[7 + choices.below(5)];
    if (choices.one_in(2)) span.ref = static_cast<std::uint32_t>(choices.below(4));
    if (choices.one_in(2)) span.key = static_cast<std::uint32_t>(choices.below(6));
    track.spans.push_back(std::move(span));
  }
  return track;
}

TrackDescription memory_track(Choices& choices) {
  TrackDescription track;
  track.name = choices.of(track_names) + " Memory";
  track.kind = TrackKind::memory;
  std::vector<std::uint32_t> live;
  std::uint32_t time = 0;
  std::uint32_t next_key = 1;
  for (std::size_t count = 1 + choices.below(40); count-- > 0;) {
    time += static_cast<std::uint32_t>(choices.below(3));
    if (!live.empty() && choices.one_in(2)) {
      const std::size_t at = choices.below(live.size());
      MemoryDescription freed{false, time, live[at], "", 0};
      for (std::size_t users = choices.below(3); users-- > 0;) {
        freed.users.push_back({static_cast<std::uint32_t>(choices.below(6)),
                               choices.of(kernel_names), 1, std::uint8_t{1}});
      }
      track.memory.push_back(std::move(freed));
      if (choices.one_in(3)) next_key = live[at];  // a key that comes again
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(at));
    } else {
      while (std::find(live.begin(), live.end(), next_key) != live.end()) ++next_key;
      track.memory.push_back(
          {true, time, next_key, choices.one_in(2) ? "float" : "half", choices.below(1000)});
      live.push_back(next_key++);
    }
  }
  return track;
}

TrackDescription line_track(Choices& choices) {
  TrackDescription track;
  track.name = "Shader Clock";
  track.kind = TrackKind::line;
  std::uint32_t time = 0;
  for (std::size_t count = 1 + choices.below(20); count-- > 0;) {
    time += static_cast<std::uint32_t>(choices.below(3));
    track.line.push_back({time, choices.number()});
  }
  return track;
}

TraceDescription sound_trace(const bytepack::Dialect& dialect, Choices& choices) {
  TraceDescription trace;
  trace.dtype_bytes = {{"float", 4}, {"half", 2}};
  trace.markers = {{12.5, "step 1", "gray"}};
  for (std::size_t count = 1 + choices.below(4); count-- > 0;) {
    const std::size_t kind = choices.below(5);
    if (kind == 0 && dialect.memory == bytepack::MemoryForm::events_or_line) {
      trace.tracks.push_back(line_track(choices));
    } else if (kind <= 2) {
      trace.tracks.push_back(memory_track(choices));
    } else {
      trace.tracks.push_back(span_track(dialect.letter, choices));
    }
  }
  return trace;
}

}  // namespace

std::vector<std::byte> hostile_trace(Choices& choices) {
  const bytepack::Dialect& dialect = choices.of(bytepack::dialects);
  TraceDescription trace = sound_trace(dialect, choices);
  for (std::size_t count = choices.below(5); count-- > 0;) choices.of(spoilers)(trace, choices);
  return bytepack::encode(trace, dialect);
}

}  // namespace bytescope::fuzz
