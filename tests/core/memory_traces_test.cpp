#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>

#include <gtest/gtest.h>
#include <simdjson.h>

#include "core/bytepack/detect.h"
#include "core/bytepack/track_walk.h"
#include "core/query/memory_curve.h"
#include "core/query/memory_stack.h"
#include "core/trace/memory_load.h"
#include "core/trace/memory_records.h"
#include "tests/core/truth_numbers.h"
#include "tests/support/trace_files.h"

namespace bytescope::trace {
namespace {

using simdjson::dom::element;

/// A memory or line track of a real trace, read in the dialect that its truth names.
struct RealTrack {
  std::shared_ptr<const io::InputFile> file;
  const bytepack::Dialect* dialect = nullptr;
  bytepack::TrackHead head;
  MemoryLoadContext context;
  element truth;
};

/// Calls `visit` for each memory and line track of all real traces. Answers how many there were.
template <class Visit>
int for_each_track(Visit visit) {
  int tracks = 0;
  for (const std::string& path : tests::real_traces()) {
    SCOPED_TRACE(std::filesystem::path(path).filename().string());
    simdjson::dom::parser parser;
    element truth;
    EXPECT_FALSE(parser.load(path.substr(0, path.size() - 4) + ".truth.json").get(truth));
    RealTrack track;
    track.file = *io::InputFile::open(path);
    track.dialect = bytepack::dialect_of(std::string_view(truth["dialect"])[0]);
    const bytepack::Frame frame = *bytepack::read_frame(*track.file);
    Warnings warnings;
    const Cancel cancel;
    const bytepack::JsonIndex index = *bytepack::read_json_index(
        *track.file, bytepack::Frame::head_bytes, frame.index_bytes, warnings, cancel);
    bytepack::TypeTable types(*track.file, index);
    const std::uint32_t string_count = index.strings.size();
    track.context.duration = frame.duration_us;
    track.context.string_count = string_count;
    track.context.dtype_bytes = [&types](std::uint32_t dtype) {
      return types.bytes_per_element(dtype);
    };
    io::PageReader pages(track.file);
    io::PieceBuffer buffer;
    const bytepack::WalkLimits limits{track.file->size_bytes(), frame.duration_us, string_count,
                                      false};
    std::uint64_t byte = frame.tracks_begin();
    for (const element one : simdjson::dom::array(truth["tracks"])) {
      bytepack::TrackHead head;
      const auto fault =
          walk_track({pages, buffer, types, limits, cancel}, *track.dialect, byte, head);
      EXPECT_FALSE(fault) << fault->message;
      byte = head.end_byte;
      if (head.kind == bytepack::TrackKind::spans) continue;
      SCOPED_TRACE(head.name);
      track.head = head;
      track.truth = one;
      visit(track);
      ++tracks;
    }
  }
  return tracks;
}

#define SKIP_WITHOUT_TRACES()       \
  if (tests::real_traces().empty()) \
  GTEST_SKIP() << "The folder of real traces is missing (set BYTESCOPE_TRACES)"

MemoryIndex load(const RealTrack& track) {
  Warnings warnings;
  auto memory =
      load_memory(*track.file, *track.dialect, track.head, track.context, warnings, Cancel());
  EXPECT_TRUE(memory) << memory.error().message;
  EXPECT_TRUE(warnings.list().empty()) << text(warnings.list().front());
  return memory ? std::move(*memory) : MemoryIndex{};
}

std::uint64_t total(const LifetimeBytes& bytes) { return bytes[0] + bytes[1] + bytes[2]; }

std::uint64_t live_after(const MemoryIndex& memory, std::size_t events) {
  std::uint64_t live = 0;
  for (std::size_t i = 0; i < events; ++i) {
    const std::uint64_t bytes = memory.buffers[MemoryIndex::ordinal(memory.events[i])].bytes;
    live += MemoryIndex::is_free(memory.events[i]) ? std::uint64_t{0} - bytes : bytes;
  }
  return live;
}

void check_curve(const MemoryIndex& memory, const element& truth, bool polygons) {
  for (const element point : simdjson::dom::array(truth["live_curve"])) {
    const std::uint64_t event = tests::number(point, polygons ? "step" : "event");
    ASSERT_LT(event, memory.events.size());
    // The truth guesses which buffer the last step of polygons freed; check_outlines knows better.
    if (polygons && event + 1 == memory.events.size()) continue;
    EXPECT_EQ(memory.event_time(static_cast<std::uint32_t>(event)), tests::number(point, "ts"));
    EXPECT_EQ(live_after(memory, event + 1), tests::number(point, "live_bytes_after"));
  }
}

std::size_t most_live(const MemoryIndex& memory) {
  std::size_t live = 0;
  std::size_t most = 0;
  for (const std::uint32_t event : memory.events) {
    live += MemoryIndex::is_free(event) ? std::size_t{0} - 1 : 1;
    most = std::max(most, live);
  }
  return most;
}

void check_users(const RealTrack& track, const MemoryIndex& memory) {
  io::PageReader pages(track.file);
  std::uint64_t users_total = 0;
  std::uint64_t users_max = 0;
  std::map<std::string, std::uint64_t> modes{{"0", 0}, {"1", 0}, {"2", 0}};
  for (std::uint32_t i = 0; i < memory.buffers.size(); ++i) {
    const BufferUsers users = users_of(pages, *track.dialect, track.head, memory, i, UINT32_MAX);
    ASSERT_EQ(users.users.size(), users.total);
    users_total += users.total;
    users_max = std::max<std::uint64_t>(users_max, users.total);
    for (const bytepack::UserRecord& user : users.users) {
      if (user.mode) ++modes[std::to_string(*user.mode)];
    }
  }
  EXPECT_EQ(users_total, tests::number(track.truth, "users_total"));
  EXPECT_EQ(users_max, tests::number(track.truth, "users_max"));
  simdjson::dom::object expected;
  if (track.truth["user_modes"].get(expected)) return;
  for (const auto& [mode, count] : expected) {
    EXPECT_EQ(modes[std::string(mode)], std::uint64_t(count)) << "mode " << mode;
  }
}

void check_events(const RealTrack& track, const MemoryIndex& memory) {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < memory.events.size(); ++i) sum += memory.event_time(i);
  EXPECT_EQ(sum, tests::number(track.truth, "sum_ts"));
  std::set<std::uint32_t> keys;
  for (const Buffer& buffer : memory.buffers) keys.insert(buffer.key);
  EXPECT_EQ(memory.buffers.size() - keys.size(), tests::number(track.truth, "keys_reused"));
  EXPECT_EQ(*keys.rbegin(), tests::number(track.truth, "max_key"));
  EXPECT_EQ(most_live(memory), tests::number(track.truth, "max_live_buffers"));
  const auto without_free =
      std::count_if(memory.buffers.begin(), memory.buffers.end(),
                    [](const Buffer& buffer) { return buffer.freed == Buffer::never; });
  EXPECT_EQ(static_cast<std::uint64_t>(without_free),
            tests::number(track.truth, "never_freed_in_file"));
  const std::uint64_t alive =
      tests::number(track.truth, "never_freed_in_file") +
      (track.dialect->frees_at_end_mean_alive ? tests::number(track.truth, "frees_at_trace_end")
                                              : 0);
  EXPECT_EQ(memory.never_freed, alive);
  EXPECT_EQ(track.head.alloc_count, memory.buffers.size());
  std::uint64_t alive_bytes = 0;
  for (const Buffer& buffer : memory.buffers)
    alive_bytes += memory.alive_at_end(buffer) ? buffer.bytes : 0;
  EXPECT_EQ(memory.never_freed_bytes, alive_bytes);
  check_curve(memory, track.truth, false);
  if (track.dialect->user.stride != 0) check_users(track, memory);
}

/// The first records as dump would show them.
void check_first_records(const RealTrack& track, const MemoryIndex& memory) {
  io::PageReader pages(track.file);
  MemoryCursor cursor(pages, *track.dialect, track.head, &memory);
  for (const element record : simdjson::dom::array(track.truth["first"])) {
    ASSERT_TRUE(cursor.next());
    const std::string_view kind = record["event"];
    ASSERT_EQ(cursor.event().is_alloc, kind == "alloc");
    ASSERT_EQ(cursor.event().time, tests::number(record, "ts"));
    ASSERT_EQ(cursor.event().key, tests::number(record, "key"));
    if (cursor.event().is_alloc) {
      ASSERT_EQ(cursor.event().length, tests::number(record, "len"));
    }
  }
}

/// All points of a polygon track by buffer.
std::vector<std::vector<OutlinePoint>> outlines_of(const RealTrack& track) {
  std::vector<std::vector<OutlinePoint>> outlines;
  io::PageReader pages(track.file);
  MemoryCursor cursor(pages, *track.dialect, track.head);
  while (cursor.next()) cursor.append_points(0, UINT32_MAX, outlines.emplace_back());
  return outlines;
}

void check_outlines(const RealTrack& track, const MemoryIndex& memory) {
  const auto outlines = outlines_of(track);
  ASSERT_EQ(outlines.size(), memory.buffers.size());
  std::uint64_t points = 0;
  std::uint64_t sum_x = 0;
  std::uint64_t sum_y = 0;
  for (const std::vector<OutlinePoint>& outline : outlines) {
    points += outline.size();
    for (const OutlinePoint& point : outline) {
      sum_x += point.step;
      sum_y += point.y_bytes;
    }
  }
  EXPECT_EQ(points, tests::number(track.truth, "points"));
  EXPECT_EQ(sum_x, tests::number(track.truth, "sum_x"));
  EXPECT_EQ(sum_y, tests::number(track.truth, "sum_y"));
  EXPECT_EQ(memory.events.size() + 1, tests::number(track.truth, "timestamps"));
  // A buffer's edge after event number s is that of its last point up to step s + 1.
  for (std::uint32_t happened = 1; happened <= memory.events.size(); ++happened) {
    for (const query::LiveBuffer& live : query::live_buffers(memory, happened)) {
      const std::vector<OutlinePoint>& outline = outlines[live.ordinal];
      const auto behind =
          std::find_if(outline.begin(), outline.end(),
                       [happened](const OutlinePoint& point) { return point.step > happened; });
      ASSERT_NE(behind, outline.begin());
      ASSERT_EQ(live.begin_bytes, std::prev(behind)->y_bytes)
          << "buffer " << live.ordinal << " after " << happened;
    }
  }
}

void check_line(const RealTrack& track) {
  Warnings warnings;
  const auto line = load_line(*track.file, track.head, track.context, warnings, Cancel());
  ASSERT_TRUE(line) << line.error().message;
  EXPECT_TRUE(warnings.list().empty());
  EXPECT_EQ(line->times.size(), tests::number(track.truth, "count"));
  EXPECT_EQ(line->peak, tests::number(track.truth, "peak"));
  EXPECT_EQ(std::accumulate(line->times.begin(), line->times.end(), std::uint64_t{0}),
            tests::number(track.truth, "sum_ts"));
  EXPECT_EQ(std::accumulate(line->values.begin(), line->values.end(), std::uint64_t{0}),
            tests::number(track.truth, "sum_value"));
}

}  // namespace

TEST(MemoryTraces, EqualTheProducersOwnDecoder) {
  SKIP_WITHOUT_TRACES();
  const int tracks = for_each_track([](const RealTrack& track) {
    if (track.head.kind == bytepack::TrackKind::line) return check_line(track);
    const MemoryIndex memory = load(track);
    EXPECT_EQ(track.head.count, tests::number(track.truth, "count"));
    EXPECT_EQ(memory.buffers.size(), tests::number(track.truth, "allocs"));
    EXPECT_EQ(memory.frees, tests::number(track.truth, "frees"));
    EXPECT_EQ(memory.peak_bytes, tests::number(track.truth, "peak"));
    if (track.dialect->memory == bytepack::MemoryForm::polygons) {
      EXPECT_EQ(memory.never_freed, tests::number(track.truth, "never_freed"));
      check_curve(memory, track.truth, true);
      check_outlines(track, memory);
    } else {
      check_events(track, memory);
      check_first_records(track, memory);
    }
  });
  EXPECT_GT(tracks, 0);
}

TEST(MemoryTraces, CurveAndStackAgreeAndReachThePeak) {
  SKIP_WITHOUT_TRACES();
  for_each_track([](const RealTrack& track) {
    if (track.head.kind == bytepack::TrackKind::line) return;
    const MemoryIndex memory = load(track);
    const query::Columns columns{0, (track.context.duration + 2.0) * 1000 / 300, 300};
    const auto curve = query::memory_curve(memory, columns);
    const auto stack = query::memory_stack(memory, columns, memory.peak_bytes / 320, Cancel());
    std::uint64_t most = 0;
    for (std::uint32_t c = 0; c < columns.count; ++c) {
      const bool empty = stack.first_cell[c] == stack.first_cell[c + 1];
      const std::uint64_t top = empty ? 0 : stack.cells[stack.first_cell[c + 1] - 1].end_bytes;
      ASSERT_EQ(curve[c].total(), top) << "column " << c;
      most = std::max(most, top);
    }
    EXPECT_EQ(most, memory.peak_bytes);
    EXPECT_EQ(total(query::live_bytes_at(memory, UINT32_MAX)),
              live_after(memory, memory.events.size()));
  });
}

}  // namespace bytescope::trace
