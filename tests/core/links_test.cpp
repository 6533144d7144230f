#include "core/query/links.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/trace/ansi.h"
#include "core/trace/loader.h"
#include "tests/support/decoded_trace.h"
#include "tests/support/opened.h"
#include "tests/support/trace_files.h"
#include "tests/support/trace_maker.h"

namespace bytescope::query {
namespace {

using bytepack::MemoryDescription;
using bytepack::SpanDescription;
using bytepack::TrackDescription;
using bytepack::UserRecord;

using tests::Opened;
using tests::span;

/// Two batches on a device, of which the first runs twice; a kernel with the stale key of a batch;
/// a copy with the key and name of a user.
bytepack::TraceDescription batch_trace(bool with_graph = true) {
  bytepack::TraceDescription trace;
  trace.dtype_bytes = {{"float", 4}};
  trace.duration_us = 1000;
  TrackDescription device;
  device.name = "AMD";
  device.spans = {span("r_\x1b[34m8\x1b[0m", 10, 1),
                  span("E_4", 20, 2),
                  span("copy 4096", 25, 7),
                  span("r_8", 100, 50),
                  span("E_4", 104, 50),
                  span("E_4", 130, 50),
                  span("r_8", 200, 50),
                  span("r_8", 300, 3)};
  TrackDescription graph;
  graph.name = "AMD Graph";
  graph.spans = {span("<batched 9>", 90, {}, 5), span("batched 2", 100, {}, 10),
                 span("batched 3", 128, {}, 10), span("batched 2", 200, {}, 10)};
  TrackDescription memory;
  memory.name = "AMD Memory";
  memory.kind = bytepack::TrackKind::memory;
  memory.memory = {
      MemoryDescription{true, 0, 1, "float", 100},
      MemoryDescription{true, 1, 2, "float", 10},
      MemoryDescription{true, 2, 3, "float", 1},
      MemoryDescription{false,
                        500,
                        1,
                        "",
                        0,
                        {{1, "r_8", 0, 1},
                         {2, "E_4", 1, 0},
                         {50, "batched 2", 0, 0},
                         {3, "r_8", 2, 2},
                         {9, "r_8", 0, 0},
                         {1, "E_4", 0, 0}}},
      MemoryDescription{
          false, 600, 2, "", 0, {{2, "E_4", 0, 1}, {7, "copy 4096", 0, 0}, {3, "r_8", 1, 0}}},
      MemoryDescription{false, 1000, 3, "", 0, {}}};
  trace.tracks = {device, memory};
  if (with_graph) trace.tracks.push_back(graph);
  return trace;
}

std::string text_of(const std::vector<UserSpan>& spans) {
  std::string text;
  for (const UserSpan& one : spans)
    text +=
        one.span ? fmt::format("{}:{}x{} ", one.span->track, one.span->record, one.count) : "none ";
  return text;
}

std::string text_of(const UsedBuffers& used) {
  std::string text;
  for (const UsedBuffer& one : used.buffers)
    text += fmt::format("{}{}:{} {} ", one.by_batch ? "batch " : "", one.ordinal, one.bytes,
                        one.user.mode.value_or(9));
  return text;
}

TEST(Links, AUserIsASpanOfItsKeyAndItsPlainName) {
  const Opened opened(tests::load_description(batch_trace()));
  const BufferLinks first = links_of_buffer(*opened.trace, opened.reader, 1, 0, never);
  EXPECT_EQ(first.total, 6U);
  // The batch: its two runs and the three spans with its key under them.
  EXPECT_EQ(text_of(first.spans.spans), "0:0x1 0:1x1 2:1x5 0:7x1 none none ");
  const BufferLinks second = links_of_buffer(*opened.trace, opened.reader, 1, 1, never);
  EXPECT_EQ(text_of(second.spans.spans), "0:1x1 none 0:7x1 ");
  EXPECT_EQ(links_of_buffer(*opened.trace, opened.reader, 1, 2, never).total, 0U);
}

TEST(Links, WithoutAGraphTrackABatchIsAllSpansOfItsKey) {
  const Opened opened(tests::load_description(batch_trace(false)));
  const BufferLinks first = links_of_buffer(*opened.trace, opened.reader, 1, 0, never);
  EXPECT_EQ(text_of(first.spans.spans), "0:0x1 0:1x1 0:3x4 0:7x1 none none ");
}

TEST(Links, AKernelHasTheBuffersOfItsRun) {
  const Opened opened(tests::load_description(batch_trace()));
  const auto used = [&](std::uint32_t track, std::uint32_t record) {
    return buffers_of_span(*opened.trace, opened.reader, track, record, {}, never);
  };
  EXPECT_EQ(text_of(used(0, 0)), "0:400 1 ");
  EXPECT_EQ(text_of(used(0, 1)), "1:40 1 0:400 0 ");
  EXPECT_EQ(text_of(used(0, 2)), "");
  EXPECT_FALSE(used(0, 2).can_be_known);
  EXPECT_EQ(text_of(used(0, 3)), "batch 0:400 0 ");
  EXPECT_EQ(text_of(used(0, 5)), "") << "its key is that of a batch it did not run in";
  EXPECT_TRUE(used(0, 5).can_be_known);
  EXPECT_EQ(text_of(used(2, 1)), "0:400 0 ") << "the run of a batch is that of its kernels";
  EXPECT_EQ(text_of(used(2, 2)), "");
}

TEST(Links, OfReplaysTheFirstThatCanHaveUsedTheBufferIsMeant) {
  bytepack::TraceDescription trace = tests::one_track(
      {span("E_4", 10, 1), span("r_8", 20, 2), span("E_4", 98, 1), span("E_4", 120, 1)});
  trace.dtype_bytes = {{"float", 4}};
  TrackDescription memory;
  memory.name = "AMD Memory";
  memory.kind = bytepack::TrackKind::memory;
  memory.memory = {MemoryDescription{true, 101, 1, "float", 100},
                   MemoryDescription{false, 500, 1, "", 0, {{1, "E_4", 0, 1}, {2, "r_8", 0, 0}}}};
  trace.tracks.push_back(memory);
  const Opened opened(tests::load_description(trace));
  // The second one may end as late as 101; what agrees alone is linked whenever it ran.
  EXPECT_EQ(text_of(links_of_buffer(*opened.trace, opened.reader, 1, 0, never).spans.spans),
            "0:2x3 0:1x1 ");
}

TEST(Links, OldDialectsJoinNothing) {
  for (const char letter : {'C', 'E', 'F', 'G'}) {
    bytepack::TraceDescription description = batch_trace();
    for (TrackDescription& track : description.tracks)
      for (SpanDescription& one : track.spans) one.info = "";
    const Opened opened(tests::load_description(description, letter));
    EXPECT_FALSE(buffers_of_span(*opened.trace, opened.reader, 0, 0, {}, never).can_be_known);
    for (const UserSpan& user :
         links_of_buffer(*opened.trace, opened.reader, 1, 0, never).spans.spans)
      EXPECT_FALSE(user.span) << letter;
  }
}

TEST(Links, ProducersWroteLastAndConsumersReadNext) {
  const Opened opened(tests::load_description(batch_trace()));
  const auto place = [](std::uint32_t track, std::uint32_t record) {
    return std::optional(TrackRecord{track, record});
  };
  const trace::Trace& trace = *opened.trace;
  io::PageReader& reader = opened.reader;
  EXPECT_EQ(producer_of_buffer(trace, reader, 1, 0, never), place(0, 7));
  EXPECT_EQ(producer_of_buffer(trace, reader, 1, 0, never, 250'000), place(0, 0));
  EXPECT_EQ(producer_of_buffer(trace, reader, 1, 0, never, 0), place(0, 0));
  EXPECT_EQ(producer_of_buffer(trace, reader, 1, 2, never), std::nullopt);
  EXPECT_EQ(consumer_of_buffer(trace, reader, 1, 0, never), place(0, 1));
  EXPECT_EQ(consumer_of_buffer(trace, reader, 1, 0, never, 50'000), place(2, 1));
  EXPECT_EQ(consumer_of_buffer(trace, reader, 1, 0, never, 150'000), place(2, 3));
  EXPECT_EQ(consumer_of_buffer(trace, reader, 1, 0, never, 400'000), std::nullopt);
  EXPECT_EQ(producer_of_span(trace, reader, 0, 1, never), place(0, 0));
  EXPECT_EQ(producer_of_span(trace, reader, 0, 0, never), std::nullopt);
  EXPECT_EQ(producer_of_span(trace, reader, 0, 7, never), place(0, 1));
  EXPECT_EQ(consumer_of_span(trace, reader, 0, 0, never), place(0, 1));
  EXPECT_EQ(consumer_of_span(trace, reader, 0, 1, never), place(0, 7));
  EXPECT_EQ(producer_of_span(trace, reader, 2, 3, never), place(0, 0));
}

/// Kernels of one key each, in the order of time, and buffers with users among them, by hand.
struct RandomUses {
  bytepack::TraceDescription description;
  std::vector<std::vector<tests::DecodedUser>> users;  ///< Of each buffer, in its order.

  explicit RandomUses(std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto below = [&random](std::uint32_t limit) {
      return static_cast<std::uint32_t>(random() % limit);
    };
    description = tests::one_track({});
    description.dtype_bytes = {{"float", 4}};
    description.duration_us = 1000;
    constexpr std::uint32_t kernels = 30;
    for (std::uint32_t i = 0; i < kernels; ++i)
      description.tracks[0].spans.push_back(span(fmt::format("E_{}", i % 4), 10 + i * 10, i));
    TrackDescription memory;
    memory.name = "AMD Memory";
    memory.kind = bytepack::TrackKind::memory;
    for (std::uint32_t i = 0; i < 8; ++i) memory.memory.push_back({true, i, i, "float", 10});
    for (std::uint32_t i = 0; i < 8; ++i) {
      bytepack::MemoryDescription free{false, 900 + i, i, "", 0, {}};
      users.emplace_back();
      for (std::uint32_t kernel = 0; kernel < kernels; ++kernel) {
        if (below(5) != 0) continue;
        // Some agree with no span: the name is another one's.
        const std::string name = fmt::format("E_{}", below(6) == 0 ? 9 : kernel % 4);
        const auto mode = static_cast<std::uint8_t>(below(3));
        free.users.push_back({kernel, name, below(4), mode});
        users.back().push_back({kernel, name, 0, mode});
      }
      memory.memory.push_back(free);
    }
    description.tracks.push_back(memory);
  }

  /// The kernel of a user; none where the names disagree.
  static std::optional<std::uint32_t> kernel_of(const tests::DecodedUser& user) {
    if (user.name != fmt::format("E_{}", user.run % 4)) return std::nullopt;
    return user.run;
  }
  static bool reads(const tests::DecodedUser& user) { return user.mode != 1; }
  static bool writes(const tests::DecodedUser& user) { return user.mode != 0; }

  /// The last kernel before `before` that wrote the buffer (`step` −1), or the first from `from` on
  /// that read it.
  std::optional<std::uint32_t> neighbour(std::size_t buffer, std::uint32_t time, int step) const {
    std::optional<std::uint32_t> found;
    for (const tests::DecodedUser& user : users[buffer]) {
      const auto kernel = kernel_of(user);
      if (!kernel || !(step < 0 ? writes(user) : reads(user))) continue;
      const std::uint32_t start = 10 + *kernel * 10;
      if (step < 0 && start < time) found = kernel;
      if (step > 0 && start >= time && !found) found = kernel;
    }
    return found;
  }

  /// Of the buffers that a kernel reads the latest that wrote one before it; of those that it
  /// writes the earliest that reads one behind it.
  std::optional<std::uint32_t> neighbour_of_kernel(std::uint32_t kernel, int step) const {
    std::optional<std::uint32_t> best;
    for (std::size_t buffer = 0; buffer < users.size(); ++buffer) {
      const bool is_wanted =
          std::any_of(users[buffer].begin(), users[buffer].end(), [&](const auto& user) {
            return kernel_of(user) == kernel && (step < 0 ? reads(user) : writes(user));
          });
      if (!is_wanted) continue;
      const auto other = neighbour(buffer, 10 + kernel * 10 + (step > 0 ? 1 : 0), step);
      if (!other) continue;
      if (!best || (step < 0 ? *other > *best : *other < *best)) best = other;
    }
    return best;
  }
};

TEST(Links, ProducersAndConsumersAreThoseOfTheSlowTwin) {
  const auto place = [](const std::optional<std::uint32_t>& kernel) {
    return kernel ? std::optional(TrackRecord{0, *kernel}) : std::nullopt;
  };
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    const RandomUses uses(seed);
    const Opened opened(tests::load_description(uses.description));
    const trace::Trace& trace = *opened.trace;
    for (std::uint32_t kernel = 0; kernel < 30; ++kernel) {
      EXPECT_EQ(producer_of_span(trace, opened.reader, 0, kernel, never),
                place(uses.neighbour_of_kernel(kernel, -1)));
      EXPECT_EQ(consumer_of_span(trace, opened.reader, 0, kernel, never),
                place(uses.neighbour_of_kernel(kernel, 1)));
    }
    for (std::uint32_t buffer = 0; buffer < uses.users.size(); ++buffer) {
      for (const std::uint32_t time : {0U, 55U, 160U, 305U, 1000U}) {
        const std::int64_t ns = trace::ns_from_unit(time);
        // Where all begin later the first writer is told of.
        auto producer = uses.neighbour(buffer, time, -1);
        for (std::uint32_t later = time; !producer && later < 400; ++later)
          producer = uses.neighbour(buffer, later, -1);
        EXPECT_EQ(producer_of_buffer(trace, opened.reader, 1, buffer, never, ns), place(producer));
        EXPECT_EQ(consumer_of_buffer(trace, opened.reader, 1, buffer, never, ns),
                  place(uses.neighbour(buffer, time, 1)));
      }
    }
  }
}

std::string plain_name(const Opened& opened, const UserRecord& user) {
  return user.name ? trace::plain_text(opened.trace->text(opened.reader, *user.name)) : "";
}

/// The slow twin of the join: every span against every user.
TEST(Links, AreThoseOfTheSlowTwinInRealTraces) {
  std::size_t links = 0;
  for (const std::string& path : tests::real_traces()) {
    const bool is_looked_at =
        path.find("dpviz") != std::string::npos || path.find("marksnull") != std::string::npos;
    if (!is_looked_at) continue;
    const Opened opened(*trace::load_trace(path, {}, never));
    const trace::Trace& trace = *opened.trace;
    for (std::uint32_t track = 0; track < trace.tracks.size(); ++track) {
      if (!trace.tracks[track].memory) continue;
      const std::string& name = trace.tracks[track].head.name;
      const std::string device_name = name.substr(0, name.size() - 7);
      const std::size_t count = trace.tracks[track].memory->buffers.size();
      for (std::uint32_t ordinal = 0; ordinal < count; ordinal += 9) {
        const BufferLinks found = links_of_buffer(trace, opened.reader, track, ordinal, never);
        for (std::size_t u = 0; u < found.users.size(); ++u) {
          if (names_batch(plain_name(opened, found.users[u]))) {
            const auto batch = found.spans.spans[u].span;
            ASSERT_TRUE(batch);
            EXPECT_EQ(trace.tracks[batch->track].role, trace::TrackRole::graph);
            EXPECT_EQ(found.spans.spans[u].count, 33U) << "the batch and its kernels";
            continue;
          }
          std::vector<std::uint32_t> expected;
          for (std::uint32_t t = 0; t < trace.tracks.size(); ++t) {
            if (trace.tracks[t].head.name != device_name) continue;
            for (std::uint32_t i = 0; i < trace.tracks[t].head.count; ++i) {
              const bytepack::SpanRecord one = trace.span(opened.reader, t, i);
              if (!one.key || one.key != found.users[u].run || !found.users[u].name) continue;
              const std::string a = trace::plain_text(trace.text(opened.reader, one.name));
              if (a == plain_name(opened, found.users[u])) expected.push_back(i);
            }
          }
          EXPECT_EQ(found.spans.spans[u].count, expected.size());
          ASSERT_EQ(found.spans.spans[u].span.has_value(), !expected.empty());
          if (expected.empty()) continue;
          ++links;
          EXPECT_EQ(found.spans.spans[u].span->record, expected.front());
          if (links % 40 != 1) continue;
          const UsedBuffers back = buffers_of_span(
              trace, opened.reader, found.spans.spans[u].span->track, expected.back(), {}, never);
          EXPECT_TRUE(
              std::any_of(back.buffers.begin(), back.buffers.end(), [&](const UsedBuffer& used) {
                return used.track == track && used.ordinal == ordinal;
              }));
        }
      }
    }
  }
  if (!tests::real_traces().empty()) {
    EXPECT_GT(links, 100U);
  }
}

TEST(Links, LimitsAndCancellingEndALook) {
  const Opened opened(tests::load_description(batch_trace()));
  LinkLimits limits;
  limits.most_records = 5;
  EXPECT_FALSE(buffers_of_span(*opened.trace, opened.reader, 0, 1, limits, never).complete);
  limits = {};
  limits.most_buffers = 1;
  EXPECT_EQ(buffers_of_span(*opened.trace, opened.reader, 0, 1, limits, never).more, 1U);
  Cancel cancel;
  cancel.request();
  EXPECT_FALSE(buffers_of_span(*opened.trace, opened.reader, 0, 1, {}, cancel).complete);
  EXPECT_FALSE(links_of_buffer(*opened.trace, opened.reader, 1, 0, cancel).spans.complete);
  EXPECT_FALSE(namesake_rank(*opened.trace, 0, 0, cancel));
  EXPECT_FALSE(neighbour_namesake(*opened.trace, 0, 0, 1, cancel));
  EXPECT_FALSE(program_links(*opened.trace, 1, cancel).complete);
}

TEST(Links, FollowAFileThatChanges) {
  const tests::TemporaryFile file(bytepack::encode(batch_trace(), *bytepack::dialect_of('L')));
  const Opened opened(*trace::load_trace(file.path(), {}, never));
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::byte> garbage(opened.trace->file->size_bytes());
    for (std::byte& byte : garbage) byte = static_cast<std::byte>(random() % 4);
    file.write(garbage);
    const Opened again(opened.trace);
    for (std::uint32_t record = 0; record < 4; ++record) {
      for (const std::uint32_t track : {0U, 2U}) {
        producer_of_span(*again.trace, again.reader, track, record, never);
        neighbour_namesake(*again.trace, track, record, -1, never);
        cause_of_span(*again.trace, again.reader, track, record);
      }
      if (record < 3) consumer_of_buffer(*again.trace, again.reader, 1, record, never);
    }
  }
}

}  // namespace
}  // namespace bytescope::query
