#include "core/bytepack/writer.h"

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "core/io/output_file.h"
#include "tests/support/temporary_folder.h"

namespace bytescope::bytepack {
namespace {

using namespace std::string_literals;

/// Bytes written down by hand: little-endian numbers and text, one after another.
struct Bytes {
  std::string data;
  template <class T>
  Bytes& put(T value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    data.append(raw, sizeof value);
    return *this;
  }
  Bytes& u8(unsigned value) { return put(static_cast<std::uint8_t>(value)); }
  Bytes& u32(std::uint32_t value) { return put(value); }
  Bytes& u64(std::uint64_t value) { return put(value); }
  Bytes& f32(float value) { return put(value); }
  Bytes& text(const std::string& value) {
    data += value;
    return *this;
  }
};

/// Frame and index in front of `tracks`.
std::string file(std::uint32_t duration, std::uint64_t peak, const std::string& index,
                 std::uint32_t track_count, const std::string& tracks) {
  Bytes out;
  out.u32(duration).u64(peak).u32(static_cast<std::uint32_t>(index.size())).u32(track_count);
  return out.data + index + tracks;
}

std::string encoded(const TraceDescription& trace, char letter) {
  const std::vector<std::byte> bytes = encode(trace, *dialect_of(letter));
  std::string text(bytes.size(), '\0');
  std::memcpy(text.data(), bytes.data(), bytes.size());
  return text;
}

/// Two spans that overlap, then two buffers of which one is freed.
TraceDescription small_trace() {
  SpanDescription first;
  first.name = "E_4";
  first.start = 10;
  first.duration = 2.5F;
  first.info = "hi";
  first.ref = 6;
  first.key = 41;
  SpanDescription second;
  second.name = "r\x1b[34m4";
  second.start = 11;
  second.duration = 2;
  second.info = "E_4";
  second.category = std::uint8_t{2};
  TrackDescription spans;
  spans.name = "AMD";
  spans.spans = {first, second};
  TrackDescription memory;
  memory.name = "M";
  memory.kind = TrackKind::memory;
  memory.memory = {{true, 1, 0, "float", 10},
                   {true, 2, 1, "half", 5},
                   {false, 3, 0, "", 0, {{41, "E_4", 300, 2}, {7, "batched 2", 1, 0}}}};
  TraceDescription trace;
  trace.tracks = {spans, memory};
  trace.dtype_bytes = {{"float", 4}, {"half", 2}};
  trace.markers = {{1.5, "a\"\n", "gray"}, {}};
  return trace;
}

constexpr const char* markers_json =
    R"(, "markers": [{"name": "a\"\n", "ts": 1.5, "color": "gray"}, {}])";

}  // namespace

TEST(Encode, WritesDialectAWithLanesCategoriesAndPolygons) {
  Bytes tracks;
  tracks.u8(3).text("AMD").u8(0).u32(2).u8(2);  // two lanes
  tracks.u32(0).u32(7).u32(10).f32(2.5F).u8(0).u8(0).u32(1);
  tracks.u32(2).u32(0).u32(11).f32(2).u8(1).u8(3).u32(0);
  tracks.u8(1).text("M").u8(1).u32(2).u64(50).u32(4).u32(1).u32(2).u32(3).u32(13);
  tracks.u32(2).u32(0).u32(3).u64(0).u64(0).u32(3).u64(10);
  tracks.u32(4).u32(1).u32(3).u32(3).u32(3).u64(40).u64(40).u64(0).u64(0).u32(4).u64(5);
  const std::string index =
      R"({"strings": ["E_4", "hi", "r\u001b[34m4", "float", "half"], "dtypes": {"float": 4, "half": 2}})";
  EXPECT_EQ(encoded(small_trace(), 'A'), file(13, 50, index, 2, tracks.data));
}

TEST(Encode, WritesDialectCWithFreesWithoutUsers) {
  Bytes tracks;
  tracks.u8(3).text("AMD").u8(0).u32(2);
  tracks.u32(0).u32(7).u32(10).f32(2.5F).u8(0).u32(1);
  tracks.u32(2).u32(0).u32(11).f32(2).u8(3).u32(0);
  tracks.u8(1).text("M").u8(1).u32(3).u64(50);
  tracks.u8(1).u32(1).u32(0).u32(3).u64(10);
  tracks.u8(1).u32(2).u32(1).u32(4).u64(5);
  tracks.u8(0).u32(3).u32(0);
  const std::string index =
      R"({"strings": ["E_4", "hi", "r\u001b[34m4", "float", "half"], "dtypeSize": {"float": 4, "half": 2}})";
  EXPECT_EQ(encoded(small_trace(), 'C'), file(13, 50, index, 2, tracks.data));
}

TEST(Encode, WritesDialectGWithKeysRunsAndMarkers) {
  Bytes tracks;
  tracks.u8(3).text("AMD").u8(0).u32(2);
  tracks.u32(0).u32(7).u32(42).u32(10).f32(2.5F).u32(1);
  tracks.u32(2).u32(0).u32(0).u32(11).f32(2).u32(0);
  tracks.u8(1).text("M").u8(1).u32(3).u64(50);
  tracks.u8(1).u32(1).u32(0).u32(3).u64(10);
  tracks.u8(1).u32(2).u32(1).u32(4).u64(5);
  // 300 does not fit the byte that G has for an argument's number.
  tracks.u8(0).u32(3).u32(0).u32(2).u32(41).u8(300 - 256).u8(2).u32(7).u8(1).u8(0);
  const std::string index =
      R"({"strings": ["E_4", "hi", "r\u001b[34m4", "float", "half"], "dtypeSize": {"float": 4, "half": 2})"s +
      markers_json + "}";
  EXPECT_EQ(encoded(small_trace(), 'G'), file(13, 50, index, 2, tracks.data));
}

TEST(Encode, WritesDialectLWithLineTracks) {
  TraceDescription trace = small_trace();
  TrackDescription line;
  line.name = "Clock";
  line.kind = TrackKind::line;
  line.line = {{2, 60}, {99, 7}};
  trace.tracks.push_back(line);
  trace.more_json = R"("pcMap": {"4": "s_nop"})";
  Bytes tracks;
  tracks.u8(3).text("AMD").u8(0).u32(2);
  tracks.u32(0).u32(7).u32(42).u32(10).f32(2.5F).u32(1);
  tracks.u32(2).u32(0).u32(0).u32(11).f32(2).u32(0);
  tracks.u8(1).text("M").u8(1).u32(3).u8(0).u64(50);
  tracks.u8(1).u32(1).u32(0).u32(3).u64(10);
  tracks.u8(1).u32(2).u32(1).u32(4).u64(5);
  tracks.u8(0).u32(3).u32(0).u32(2);
  tracks.u32(41).u32(0).u32(300).u8(2).u32(7).u32(5).u32(1).u8(0);
  tracks.u8(5).text("Clock").u8(1).u32(2).u8(1).u64(60).u32(2).u64(60).u32(99).u64(7);
  const std::string index =
      R"({"strings": ["E_4", "hi", "r\u001b[34m4", "float", "half", "batched 2"], "dtypeSize": {"float": 4, "half": 2})"s +
      markers_json + R"(, "pcMap": {"4": "s_nop"}})";
  EXPECT_EQ(encoded(trace, 'L'), file(99, 60, index, 3, tracks.data));
}

TEST(Encode, WritesUsersAsEveryDialectHasThem) {
  const auto free_record = [](char letter) {
    const std::string bytes = encoded(small_trace(), letter);
    return bytes.substr(bytes.rfind("\0\3\0\0\0\0\0\0\0\2\0\0\0"s) + 13);
  };
  EXPECT_EQ(free_record('E'), Bytes().u32(0).u32(5).data);
  EXPECT_EQ(free_record('F'), Bytes().u32(0).u8(44).u8(2).u32(5).u8(1).u8(0).data);
  const std::string wide = Bytes().u32(41).u32(0).u8(44).u8(2).u32(7).u32(5).u8(1).u8(0).data;
  EXPECT_EQ(free_record('H'), wide);
  EXPECT_EQ(free_record('I'), wide);
  EXPECT_EQ(free_record('J'),
            Bytes().u32(41).u32(0).u32(300).u8(2).u32(7).u32(5).u32(1).u8(0).data);
}

TEST(Encode, TakesWhatTheDescriptionSaysInsteadOfComputing) {
  TraceDescription trace = small_trace();
  trace.duration_us = 5;
  trace.peak_bytes = 6;
  trace.tracks[1].peak = 7;
  trace.tracks[0].name = "λ";
  trace.tracks[0].name_length = std::uint8_t{1};
  const std::string bytes = encoded(trace, 'L');
  EXPECT_EQ(bytes.substr(0, 12), Bytes().u32(5).u64(6).data);
  EXPECT_NE(bytes.find(Bytes().u8(1).text("λ").u8(0).u32(2).data), std::string::npos);
  EXPECT_NE(bytes.find(Bytes().text("M").u8(1).u32(3).u8(0).u64(7).data), std::string::npos);
}

TEST(Encode, WritesATraceOfNothing) {
  const std::string index = R"({"strings": [], "dtypeSize": {}, "markers": []})";
  EXPECT_EQ(encoded({}, 'L'), file(0, 0, index, 0, ""));
}

TEST(Encode, SurvivesDurationsThatAreNoNumbers) {
  TraceDescription trace = small_trace();
  trace.tracks[0].spans[0].duration = NAN;
  trace.tracks[0].spans[1].duration = INFINITY;
  trace.markers = {{NAN, std::nullopt, std::nullopt}};
  for (const Dialect& dialect : dialects) EXPECT_FALSE(encode(trace, dialect).empty());
  EXPECT_NE(encoded(trace, 'L').find(R"("markers": [{"ts": 0}])"), std::string::npos);
}

TEST(PolygonBuilder, LowersWhatLiesAboveAFreedBufferOneStepLater) {
  PolygonBuilder builder;
  builder.allocate(1, 0, 0, 100, 100);
  builder.allocate(2, 1, 0, 10, 10);
  builder.allocate(4, 2, 0, 1, 1);
  builder.free(5, 1);
  builder.free(7, 0);
  builder.free(7, 9);  // not live
  const Polygons polygons = builder.finish(20);
  EXPECT_EQ(polygons.peak_bytes, 111U);
  EXPECT_EQ(polygons.times, (std::vector<std::uint32_t>{1, 2, 4, 5, 7, 20}));
  ASSERT_EQ(polygons.buffers.size(), 3U);
  EXPECT_EQ(polygons.buffers[0].x, (std::vector<std::uint32_t>{0, 5}));
  EXPECT_EQ(polygons.buffers[1].x, (std::vector<std::uint32_t>{1, 4}));
  EXPECT_EQ(polygons.buffers[1].y, (std::vector<std::uint64_t>{100, 100}));
  EXPECT_EQ(polygons.buffers[2].x, (std::vector<std::uint32_t>{2, 4, 4, 5, 5, 5}));
  EXPECT_EQ(polygons.buffers[2].y, (std::vector<std::uint64_t>{110, 110, 100, 100, 0, 0}));
}

TEST(PolygonBuilder, RaisesWhatLiesAboveANewBufferOfASmallerKey) {
  PolygonBuilder builder;
  builder.allocate(1, 5, 0, 8, 8);
  builder.allocate(2, 3, 0, 2, 2);
  const Polygons polygons = builder.finish(3);
  EXPECT_EQ(polygons.buffers[0].x, (std::vector<std::uint32_t>{0, 1, 1, 2}));
  EXPECT_EQ(polygons.buffers[0].y, (std::vector<std::uint64_t>{0, 0, 2, 2}));
  EXPECT_EQ(polygons.buffers[1].y, (std::vector<std::uint64_t>{0, 0}));
}

TEST(TraceWriter, StreamsTextsLongerThanItsBufferIntoAFile) {
  const tests::TemporaryFolder folder;
  const std::string path = folder / "a.bin";
  const std::string long_text(200'000, 'x');
  {
    auto output = io::OutputFile::create(path);
    ASSERT_TRUE(output);
    FileSink sink(*output);
    TraceWriter writer(sink, *dialect_of('L'));
    writer.begin_index();
    writer.string(long_text);
    writer.string("b");
    writer.end_index({});
    writer.flush();
    ASSERT_TRUE(output->commit());
  }
  std::ifstream stream(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_EQ(bytes, R"({"strings": [")" + long_text + R"(", "b"], "dtypeSize": {}, "markers": []})");
}

}  // namespace bytescope::bytepack
