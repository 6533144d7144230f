#include "core/trace/loader.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "core/bytepack/dialect.h"
#include "core/generate/generate.h"
#include "core/query/span_pick.h"
#include "core/query/visible.h"
#include "tests/support/random_spans.h"
#include "tests/support/trace_maker.h"

namespace bytescope::trace {
namespace {

using bytepack::TraceDescription;
using bytepack::TrackDescription;
using bytepack::TrackKind;
std::vector<std::byte> encode(const TraceDescription& trace, char dialect) {
  return bytepack::encode(trace, *bytepack::dialect_of(dialect));
}

std::string fitting(const TraceDescription& trace, char dialect) {
  const auto loaded = tests::load_description(trace, dialect);
  if (loaded == nullptr) return "";
  EXPECT_EQ(loaded->dialect->letter, loaded->fitting_dialects.front());
  EXPECT_TRUE(loaded->warnings.list().empty()) << text(loaded->warnings.list().front());
  return {loaded->fitting_dialects.begin(), loaded->fitting_dialects.end()};
}

TraceDescription with_infos(std::vector<std::string> infos) {
  std::vector<bytepack::SpanDescription> spans;
  for (std::uint32_t i = 0; i < infos.size(); ++i) spans.push_back({"r_4", i * 2, 1, infos[i]});
  return tests::one_track(spans);
}

/// Reads everything that a trace offers, as the window would.
void use(const Trace& trace) {
  io::PageReader reader(trace.file);
  std::vector<query::VisibleRun> runs;
  for (std::uint32_t t = 0; t < trace.tracks.size(); ++t) {
    const Track& track = trace.tracks[t];
    if (track.head.kind != TrackKind::spans) {
      ASSERT_TRUE(track.memory != nullptr || track.line != nullptr);
      continue;
    }
    ASSERT_NE(track.spans, nullptr);
    for (std::uint32_t i = 0; i < track.head.count; ++i) {
      const bytepack::SpanRecord span = trace.span(reader, t, i);
      trace.text(reader, span.info);
      trace.style(reader, t, i);
      query::neighbour_in_lane(trace, t, i, 1);
    }
    for (std::uint32_t lane = 0; lane < track.spans->lane_count; ++lane) {
      query::append_visible(trace, t, lane, {0, 100, 50}, &reader, runs);
      query::span_at(trace, reader, t, lane, 3'000, 1e6);
    }
  }
}

/// A load of bytes that may be bad: it answers, and what it answers is usable.
void expect_sound_answer(const Expected<std::shared_ptr<const Trace>>& loaded) {
  if (loaded) {
    use(**loaded);
    return;
  }
  EXPECT_EQ(loaded.error().kind, ErrorKind::bad_input);
  EXPECT_TRUE(loaded.error().where.byte) << text(loaded.error());
}

std::int64_t peak_rss_kb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

class LoaderOfDialect : public testing::TestWithParam<char> {
protected:
  std::vector<std::byte> bytes() const {
    return encode(tests::varied_trace(GetParam()), GetParam());
  }
};

}  // namespace

TEST_P(LoaderOfDialect, ReadsBackWhatWasWritten) {
  const char letter = GetParam();
  const TraceDescription written = tests::varied_trace(letter);
  const auto trace = tests::load_description(written, letter);
  ASSERT_NE(trace, nullptr);
  EXPECT_TRUE(trace->warnings.list().empty()) << text(trace->warnings.list().front());
  EXPECT_TRUE(trace->complete);
  ASSERT_EQ(trace->tracks.size(), written.tracks.size());
  io::PageReader reader(trace->file);
  for (std::uint32_t t = 0; t < written.tracks.size(); ++t) {
    const TrackDescription& track = written.tracks[t];
    EXPECT_EQ(trace->tracks[t].head.name, track.name);
    EXPECT_EQ(trace->tracks[t].head.kind, track.kind);
    for (std::uint32_t i = 0; i < track.spans.size(); ++i) {
      const bytepack::SpanRecord span = trace->span(reader, t, i);
      EXPECT_EQ(trace->text(reader, span.name), track.spans[i].name);
      EXPECT_EQ(trace->text(reader, span.info), track.spans[i].info);
      EXPECT_EQ(span.start, track.spans[i].start);
      EXPECT_EQ(span.duration, track.spans[i].duration);
      EXPECT_EQ(span.ref, track.spans[i].ref);
      if (letter >= 'G') {
        EXPECT_EQ(span.key, track.spans[i].key);
      }
    }
  }
  ASSERT_NE(trace->tracks[1].spans, nullptr);
  EXPECT_EQ(trace->tracks[1].spans->lane_count, 3U);
  ASSERT_NE(trace->tracks[2].memory, nullptr);
  EXPECT_EQ(trace->tracks[2].memory->buffers.size(), 3U);
  EXPECT_EQ(trace->tracks[2].memory->peak_bytes, 450U);
}

TEST_P(LoaderOfDialect, IsFoundOutFromTheBytes) {
  // H and I have the same layout, the newer one counts.
  const std::string expected =
      GetParam() == 'H' || GetParam() == 'I' ? "IH" : std::string(1, GetParam());
  EXPECT_EQ(fitting(tests::varied_trace(GetParam()), GetParam()), expected);
}

TEST_P(LoaderOfDialect, ReadsTrackNamesCountedInCharacters) {
  TraceDescription trace = tests::varied_trace(GetParam());
  trace.tracks[0].name = "Gerät:1 \u4e2d \U0001F600";
  trace.tracks[0].name_length = 11;
  trace.tracks[1].name = "\u00e9";
  trace.tracks[1].name_length = 1;
  const auto loaded = tests::load_description(trace, GetParam());
  ASSERT_NE(loaded, nullptr);
  EXPECT_EQ(loaded->tracks[0].head.name, trace.tracks[0].name);
  EXPECT_EQ(loaded->tracks[1].head.name, trace.tracks[1].name);
  EXPECT_EQ(loaded->tracks.size(), trace.tracks.size());
  ASSERT_EQ(loaded->warnings.list().size(), 1U);
  EXPECT_NE(loaded->warnings.list()[0].message.find("characters"), std::string::npos);
}

TEST_P(LoaderOfDialect, ReadsTracesOfTheGenerator) {
  const tests::TemporaryFile file({});
  generate::Options options;
  options.events = 3'000;
  options.devices = 2;
  options.dialect = GetParam();
  const Expected<void> written = generate::write_trace(file.path(), options, Cancel());
  ASSERT_TRUE(written) << text(written.error());
  const auto trace = load_trace(file.path(), {}, Cancel());
  ASSERT_TRUE(trace) << text(trace.error());
  EXPECT_EQ((*trace)->event_count, options.events);
  const std::vector<char>& letters = (*trace)->fitting_dialects;
  EXPECT_NE(std::find(letters.begin(), letters.end(), GetParam()), letters.end());
  for (const Warning& warning : (*trace)->warnings.list()) ADD_FAILURE() << text(warning);
  use(**trace);
}

TEST_P(LoaderOfDialect, NamesTheEndOfAFileThatWasCutShort) {
  const std::vector<std::byte> whole = bytes();
  const std::size_t tracks = tests::load_bytes(whole).value()->tracks.size();
  for (std::size_t size = 1; size < whole.size(); ++size) {
    const auto loaded = tests::load_bytes(std::span(whole).first(size));
    expect_sound_answer(loaded);
    if (!loaded) {
      EXPECT_EQ(loaded.error().where.byte, size) << text(loaded.error());
      continue;
    }
    EXPECT_LT((*loaded)->tracks.size(), tracks);
    ASSERT_FALSE((*loaded)->warnings.list().empty());
    const Warning& warning = (*loaded)->warnings.list().back();
    EXPECT_TRUE(warning.message.starts_with("Damaged: ")) << text(warning);
    EXPECT_EQ(warning.where.byte, size) << text(warning);
    EXPECT_EQ((*loaded)->dialect->span, bytepack::dialect_of(GetParam())->span) << size;
    if (GetParam() < 'L') {
      EXPECT_NE((*loaded)->dialect->letter, 'L') << size;
    }
  }
}

TEST_P(LoaderOfDialect, AnswersWhateverByteIsWrong) {
  std::vector<std::byte> damaged = bytes();
  for (std::byte& byte : damaged) {
    const std::byte right = byte;
    for (const unsigned flip : {0x01U, 0xFFU, std::to_integer<unsigned>(right)}) {
      byte = right ^ static_cast<std::byte>(flip);
      expect_sound_answer(tests::load_bytes(damaged));
    }
    byte = right;
  }
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool has_address_sanitizer = true;
#elif defined(__has_feature)
constexpr bool has_address_sanitizer = __has_feature(address_sanitizer);
#else
constexpr bool has_address_sanitizer = false;
#endif

TEST_P(LoaderOfDialect, SpendsNothingOnCountsThatTheFileCannotHold) {
  std::vector<std::byte> damaged = bytes();
  const std::int64_t before = peak_rss_kb();
  for (std::size_t at = 0; at + 4 <= damaged.size(); ++at) {
    const std::vector<std::byte> right(damaged.begin() + static_cast<std::ptrdiff_t>(at),
                                       damaged.begin() + static_cast<std::ptrdiff_t>(at + 4));
    for (const std::uint32_t huge : {0xFFFFFFFFU, 0x15555556U}) {
      std::memcpy(&damaged[at], &huge, sizeof huge);
      expect_sound_answer(tests::load_bytes(damaged));
    }
    std::copy(right.begin(), right.end(), damaged.begin() + static_cast<std::ptrdiff_t>(at));
  }
  // AddressSanitizer keeps freed memory for a while.
  EXPECT_LT(peak_rss_kb() - before, has_address_sanitizer ? INT64_MAX : 60'000);
}

INSTANTIATE_TEST_SUITE_P(All, LoaderOfDialect,
                         testing::Values('A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K',
                                         'L'),
                         [](const auto& letter) { return std::string(1, letter.param); });

TEST(Loader, TakesTheNewestDialectWhereSeveralFit) {
  EXPECT_EQ(fitting({}, 'A'), "LKJIHGFEDCBA");
  EXPECT_EQ(fitting(with_infos({"", "1 GFLOPS"}), 'G'), "KJIHG");
  EXPECT_EQ(fitting(with_infos({"", "1 GFLOPS"}), 'E'), "FED");
  EXPECT_EQ(fitting(with_infos({""}), 'B'), "CB");
  EXPECT_EQ(fitting(with_infos({""}), 'A'), "A");
  EXPECT_EQ(fitting(with_infos({"{}", "{\"B\": 5}"}), 'K'), "L");
  EXPECT_EQ(fitting(with_infos({"{}", ""}), 'L'), "KJIHG");
  EXPECT_EQ(fitting(with_infos({"{}", "[1]"}), 'L'), "KJIHG");
}

TEST(Loader, FindsFreesWithoutUsersAlikeInFourDialects) {
  TraceDescription trace = tests::varied_trace('H');
  for (auto& event : trace.tracks[2].memory) event.users.clear();
  EXPECT_EQ(fitting(trace, 'H'), "JIHG");
}

TEST(Loader, RefusesInfosThatNoDialectWritesAndNamesTheFirst) {
  const auto loaded = tests::load_bytes(encode(with_infos({"{}"}), 'D'));
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().where.record, 0U);
  EXPECT_EQ(loaded.error().where.track, 0U);
  EXPECT_TRUE(loaded.error().where.byte);
}

TEST(Loader, RefusesWhatIsNoTrace) {
  const auto bytes_of = [](std::string_view text) {
    const std::span<const char> chars(text.data(), text.size());
    const auto bytes = std::as_bytes(chars);
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  };
  for (const std::string_view text : {"x", "{\"traceEvents\": []}",
                                      "\x7f"
                                      "ELF and so on, quite long"}) {
    const auto loaded = tests::load_bytes(bytes_of(text));
    ASSERT_FALSE(loaded);
    EXPECT_EQ(exit_code(loaded.error().kind), 1);
    EXPECT_TRUE(loaded.error().where.byte);
    EXPECT_FALSE(loaded.error().path.empty());
  }
  EXPECT_FALSE(load_trace("/nowhere/at/all.bin", {}, Cancel()));
  EXPECT_FALSE(load_trace("/tmp", {}, Cancel()));
  EXPECT_FALSE(tests::load_bytes({}));
}

TEST(Loader, RefusesFourBillionTracksInAFewBytes) {
  std::vector<std::byte> bytes = encode({}, 'L');
  const std::uint32_t huge = UINT32_MAX;
  std::memcpy(&bytes[16], &huge, sizeof huge);
  const auto loaded = tests::load_bytes(bytes);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().where.byte, bytes.size());
}

TEST(Loader, OpensTheSoundTracksBeforeAFault) {
  TraceDescription trace = tests::varied_trace('L');
  std::swap(trace.tracks[1], trace.tracks[3]);  // AMD, line, memory, TINY
  trace.tracks[3].spans[2].start = 0;           // out of order
  const auto loaded = tests::load_description(trace);
  ASSERT_NE(loaded, nullptr);
  EXPECT_EQ(loaded->tracks.size(), 3U);
  EXPECT_TRUE(loaded->complete);
  ASSERT_EQ(loaded->warnings.list().size(), 1U);
  const Warning& warning = loaded->warnings.list()[0];
  EXPECT_EQ(warning.where.track, 3U);
  EXPECT_EQ(warning.where.track_name, "TINY");
  EXPECT_EQ(warning.where.record, 2U);
  EXPECT_NE(warning.message.find("3 of 4 tracks"), std::string::npos);
}

TEST(Loader, TakesADurationOfMinusZero) {
  const auto loaded =
      tests::load_description(tests::one_track({{"r_1", 5, -0.0F, "{}"}, {"r_2", 6, 1, "{}"}}));
  ASSERT_NE(loaded, nullptr);
  EXPECT_EQ(loaded->event_count, 2U);
  EXPECT_EQ(loaded->tracks[0].spans->busy, 1);
}

TEST(Loader, FindsTheEndsOfMemoryTracksOfManyPieces) {
  for (const char dialect : {'L', 'I', 'G', 'E', 'C'}) {
    TraceDescription trace = tests::varied_trace(dialect);
    auto& events = trace.tracks[2].memory;
    const auto of_kind = [&events](bool is_alloc) {
      return *std::find_if(events.begin(), events.end(),
                           [&](const auto& event) { return event.is_alloc == is_alloc; });
    };
    auto alloc = of_kind(true);
    auto free = of_kind(false);
    if (!free.users.empty()) free.users.resize(40, free.users.front());
    alloc.time = free.time = events.back().time;
    for (std::uint32_t key = 1000; key < 21'000; ++key) {
      alloc.key = free.key = key;
      events.push_back(alloc);
      events.push_back(free);
    }
    const auto loaded = tests::load_description(trace, dialect);
    ASSERT_NE(loaded, nullptr) << dialect;
    EXPECT_EQ(loaded->tracks[2].head.count, events.size()) << dialect;
  }
}

TEST(Loader, OpensTheSoundTracksBeforeAUserWithoutAMode) {
  TraceDescription trace = tests::varied_trace('L');
  for (auto& event : trace.tracks[2].memory) {
    for (auto& user : event.users) user.mode = 7;
  }
  const auto loaded = tests::load_description(trace);
  ASSERT_NE(loaded, nullptr);
  EXPECT_EQ(loaded->tracks.size(), 2U);
  ASSERT_EQ(loaded->warnings.list().size(), 1U);
  EXPECT_EQ(loaded->warnings.list()[0].where.track, 2U);
  EXPECT_NE(loaded->warnings.list()[0].message.find("mode"), std::string::npos);
}

TEST(Loader, SaysWhichDialectCameClosest) {
  TraceDescription trace = tests::one_track({{"r_1", 5, 1, "{}"}, {"r_2", 3, 1, "{}"}});
  const auto loaded = tests::load_bytes(encode(trace, 'L'));
  ASSERT_FALSE(loaded);
  const std::string message = text(loaded.error());
  EXPECT_NE(message.find("closest to dialect L, but spans are out of order"), std::string::npos)
      << message;
  EXPECT_NE(message.find("track 0 (\"AMD\"), record 1"), std::string::npos) << message;
}

TEST(Loader, WarnsOfBytesBehindTheLastTrackAndOfAWrongPeak) {
  std::vector<std::byte> bytes = encode(tests::varied_trace('K'), 'K');
  const std::size_t size = bytes.size();
  bytes.resize(size + 3);
  const auto longer = tests::load_bytes(bytes);
  ASSERT_TRUE(longer);
  EXPECT_EQ((*longer)->tracks.size(), 4U);
  ASSERT_EQ((*longer)->warnings.list().size(), 1U);
  EXPECT_EQ((*longer)->warnings.list()[0].where.byte, size);
  TraceDescription trace = tests::varied_trace('K');
  trace.peak_bytes = 7;
  const auto wrong = tests::load_description(trace, 'K');
  ASSERT_NE(wrong, nullptr);
  ASSERT_EQ(wrong->warnings.list().size(), 1U);
  EXPECT_EQ(wrong->warnings.list()[0].where.byte, 4U);
}

TEST(Loader, FindsOutShaderTraces) {
  TraceDescription trace = tests::one_track({{"VALU", 0, 1, "{}"}});
  EXPECT_EQ(tests::load_description(trace)->unit, Unit::microseconds);
  trace.tracks[0].name = "WAVE:0";
  EXPECT_EQ(tests::load_description(trace)->unit, Unit::cycles);
  trace.tracks[0].name = "AMD";
  trace.more_json = R"("pcMap": {"1": "s_nop"})";
  EXPECT_EQ(tests::load_description(trace)->unit, Unit::cycles);
}

}  // namespace bytescope::trace
