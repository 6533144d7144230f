#include "core/merge/merge.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/export/export.h"
#include "core/generate/generate.h"
#include "core/merge/file_set.h"
#include "core/query/links.h"
#include "core/session/load_source.h"
#include "tests/support/decoded_trace.h"
#include "tests/support/merged_traces.h"
#include "tests/support/modernised.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_files.h"
#include "tests/support/trace_maker.h"

namespace bytescope::merge {
namespace {

using bytepack::TrackKind;
using testing::HasSubstr;
using tests::DecodedEvent;
using tests::DecodedTrack;
using tests::TemporaryFolder;

using tests::merged;
using tests::one_program;
using tests::opened;
using tests::refusal_of;
using tests::TracePointer;

/// What an event of a source is in the merged trace, told from the definition: later, with links
/// and numbers of its file alone.
DecodedEvent moved(DecodedEvent event, const Source& source, TrackKind kind,
                   const bytepack::MergedFile& file) {
  event = tests::modernised(std::move(event), *source.trace, kind);
  event.time += file.begin_us;
  if (kind == TrackKind::memory) {
    event.allocated += file.begin_us;
    if (event.freed != trace::Buffer::never) event.freed += file.begin_us;
  }
  if (event.ref) *event.ref += file.first_ref;
  if (kind == TrackKind::spans && event.key) *event.key += file.first_key;
  for (tests::DecodedUser& user : event.users) user.run += file.first_key;
  const std::string cause = "Caused by=";
  if (const std::size_t at = event.info.find(cause); at != std::string::npos)
    event.info.insert(at + cause.size(), source.name + "/");
  return event;
}

/// A name of more than 255 bytes is cut in its middle.
void expect_name(const std::string& is, const std::string& whole) {
  if (whole.size() <= 255) {
    EXPECT_EQ(is, whole);
    return;
  }
  EXPECT_LE(is.size(), 255U);
  EXPECT_EQ(is.substr(0, 100), whole.substr(0, 100));
  EXPECT_EQ(is.substr(is.size() - 16), whole.substr(whole.size() - 16));
}

void expect_part(const DecodedTrack& before, const DecodedTrack& after, const Source& source,
                 const bytepack::MergedFile& file, const trace::Trace& all) {
  SCOPED_TRACE(after.name);
  expect_name(after.name, source.name + "/" + before.name);
  EXPECT_EQ(after.kind, before.kind);
  ASSERT_EQ(after.events.size(), before.events.size());
  const bool has_lengths = source.trace->dialect->memory != bytepack::MemoryForm::polygons;
  for (std::size_t i = 0; i < before.events.size(); ++i) {
    DecodedEvent is = tests::modernised(after.events[i], all, after.kind);
    if (!has_lengths) is.length = 0;
    ASSERT_EQ(is, moved(before.events[i], source, before.kind, file)) << i;
  }
}

void expect_merged(const std::vector<Source>& sources) {
  const auto all = merged(sources);
  ASSERT_TRUE(all) << text(all.error());
  EXPECT_EQ((*all)->dialect->letter, 'L');
  ASSERT_EQ((*all)->parts.size(), sources.size());
  std::int64_t origin_us = 0;
  for (const Source& source : sources) origin_us = std::min(origin_us, source.offset_us);
  const std::vector<DecodedTrack> tracks = tests::decoded_tracks(**all);
  std::size_t at = 0;
  std::uint32_t end_us = 0;
  std::size_t markers = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const bytepack::MergedFile& file = (*all)->parts[i].file;
    const trace::Trace& source = *sources[i].trace;
    EXPECT_EQ(file.name, sources[i].name);
    EXPECT_EQ(file.offset_us, sources[i].offset_us);
    EXPECT_EQ(file.begin_us, sources[i].offset_us - origin_us);
    EXPECT_EQ(file.end_us, file.begin_us + source.frame.duration_us);
    end_us = std::max(end_us, file.end_us);
    for (const DecodedTrack& track : tests::decoded_tracks(source)) {
      ASSERT_LT(at, tracks.size());
      EXPECT_EQ((*all)->part_of(static_cast<std::uint32_t>(at)), &(*all)->parts[i]);
      EXPECT_EQ((*all)->tracks[at].file_name(), file.name);
      EXPECT_EQ((*all)->tracks[at].role, source.tracks[at - (*all)->parts[i].first_track].role);
      expect_part(track, tracks[at++], sources[i], file, **all);
    }
    for (const bytepack::FileMarker& marker : source.index->markers) {
      const bytepack::FileMarker& is = (*all)->index->markers.at(markers++);
      EXPECT_EQ(is.name, marker.name ? file.name + "/" + *marker.name : file.name);
      EXPECT_EQ(is.color, marker.color);
      if (marker.time_us) {
        EXPECT_EQ(*is.time_us, *marker.time_us + file.begin_us);
      }
    }
  }
  EXPECT_EQ(at, tracks.size());
  EXPECT_EQ((*all)->frame.duration_us, end_us);
  EXPECT_EQ((*all)->index->markers.size(), markers);
}

TEST(Merge, EventsAreThoseOfTheFilesLaterPrefixedAndInOrderWhateverTheDialects) {
  for (char dialect = 'A'; dialect <= 'L'; ++dialect) {
    SCOPED_TRACE(dialect);
    const char other = static_cast<char>('A' + ('L' - dialect));
    const auto a = tests::load_description(tests::varied_trace(dialect), dialect);
    const auto b = tests::load_description(tests::varied_trace(other), other);
    ASSERT_TRUE(a && b);
    for (const auto& [first, second] :
         {std::pair<std::int64_t, std::int64_t>{0, 0}, {0, 7}, {-3, 0}, {-5, -9}, {100, 1}})
      expect_merged({{a, "a.bin", first}, {b, "b.bin", second}, {a, "x/a.bin", 2}});
  }
}

TEST(Merge, GeneratedTracesOfAllDialectsAreMergedEventForEvent) {
  const TemporaryFolder folder;
  std::vector<Source> sources;
  for (const char dialect : {'A', 'C', 'E', 'F', 'G', 'H', 'J', 'L'}) {
    generate::Options options;
    options.events = 1500;
    options.devices = 2;
    options.seed = static_cast<unsigned char>(dialect);
    options.dialect = dialect;
    const std::string name = fmt::format("{} of: many.bin", dialect);
    ASSERT_TRUE(generate::write_trace(folder / name, options, never));
    sources.push_back({opened(folder / name), name, std::int64_t{dialect - 'F'} * 1000});
  }
  expect_merged(sources);
}

TEST(Merge, RealTracesAreMergedEventForEvent) {
  TracePointer before;
  for (const std::string& path : tests::real_traces()) {
    const TracePointer trace = opened(path);
    ASSERT_TRUE(trace);
    if (trace->event_count > 20'000) continue;
    SCOPED_TRACE(path);
    if (trace->tracks.empty()) continue;  // would be no part of the whole
    // Programs of two runs may differ at an address; then they are refused.
    if (trace->unit == trace::Unit::cycles) {
      expect_merged({{trace, "before", -12}, {trace, "after", 34}});
      continue;
    }
    if (before) expect_merged({{before, "before", -12}, {trace, "after", 34}});
    before = trace;
  }
}

TEST(Merge, ATrackWithANameThatIsTooLongStaysWhatItIs) {
  bytepack::TraceDescription trace = one_program("r_1");
  trace.tracks[2].name = "AMD:" + std::string(240, '1') + " Memory";
  const auto source = tests::load_description(trace);
  const auto all = merged({{source, "a file.bin", 0}, {source, "b", 0}});
  ASSERT_TRUE(all);
  EXPECT_LE((*all)->tracks[2].head.name.size(), 255U);
  EXPECT_TRUE((*all)->tracks[2].own_name().ends_with(" Memory"));
  EXPECT_THAT((*all)->warnings.list().at(0).message, HasSubstr("cut to 255 bytes"));
}

TEST(Merge, OffsetsMayReachTheLastMomentOfATraceAndNotBeyond) {
  const auto trace = tests::load_description(tests::varied_trace('L'));
  const std::int64_t last = std::int64_t{UINT32_MAX} - 1 - trace->frame.duration_us;
  expect_merged({{trace, "a", 0}, {trace, "b", last}});
  expect_merged({{trace, "a", -last}, {trace, "b", 0}});
  EXPECT_THAT(refusal_of({{trace, "a", 0}, {trace, "b", last + 1}}), HasSubstr("b leaves"));
  EXPECT_THAT(refusal_of({{trace, "a", -last - 1}, {trace, "b", 0}}), HasSubstr("71.6 minutes"));
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_THAT(refusal_of({{trace, "a", most}}), HasSubstr("leaves"));
  EXPECT_THAT(refusal_of({{trace, "a", -most - 1}, {trace, "b", most}}), HasSubstr("leaves"));
}

TEST(Merge, WhatDoesNotGoTogetherIsRefused) {
  const auto plain = tests::load_description(one_program("r_1"));
  bytepack::TraceDescription shader = tests::one_track({{"wave", 1, 2.0F, "{}"}});
  shader.tracks[0].name = "WAVE:0";
  shader.more_json = R"("pcMap": {"8": "s_nop"})";
  const auto cycles = tests::load_description(shader);
  EXPECT_THAT(refusal_of({{plain, "a", 0}, {cycles, "b", 0}}),
              HasSubstr("b counts clock cycles and a microseconds"));
  shader.more_json = R"("pcMap": {"8": "s_endpgm"})";
  EXPECT_THAT(refusal_of({{cycles, "a", 0}, {tests::load_description(shader), "b", 0}}),
              HasSubstr("instruction at 8"));
  bytepack::TraceDescription wide = one_program("r_1");
  wide.dtype_bytes = {{"float", 8}};
  EXPECT_THAT(refusal_of({{plain, "a", 0}, {tests::load_description(wide), "b", 0}}),
              HasSubstr("size of float"));
  bytepack::TraceDescription huge = one_program("r_1");
  huge.tracks[0].spans[0].ref = UINT32_MAX - 1;
  const auto hostile = tests::load_description(huge);
  EXPECT_THAT(refusal_of({{plain, "a", 0}, {hostile, "b", 0}}), HasSubstr("side by side"));
}

TEST(Merge, WarningsAndUnknownKeysOfEachFileAreKept) {
  bytepack::TraceDescription odd = one_program("r_1");
  odd.peak_bytes = 1;
  odd.more_json = R"("mystery": {"a": [1]})";
  const auto all = merged({{tests::load_description(one_program("r_2")), "good", 0},
                           {tests::load_description(odd), "odd", 0}});
  ASSERT_TRUE(all);
  ASSERT_EQ((*all)->warnings.list().size(), 1U);
  EXPECT_THAT((*all)->warnings.list()[0].message, HasSubstr("odd: The head of the file tells"));
  std::string index((*all)->frame.index_bytes, ' ');
  (*all)->file->read_at(20, std::as_writable_bytes(std::span(index)));
  EXPECT_THAT(index, HasSubstr(R"("index":{"mystery": {"a": [1]}})"));
}

TEST(Merge, AMergedFileIsOneMoreFileToMergeAndToExport) {
  const TemporaryFolder folder;
  const auto a = tests::load_description(one_program("r_1"));
  const std::vector<Source> two = {{a, "a", 0}, {a, "b", 5}};
  ASSERT_TRUE(merge_into_file(two, folder / "two.bin", never));
  const auto inner = opened(folder / "two.bin");
  ASSERT_EQ(inner->parts.size(), 2U);
  const auto all = merged({{a, "c", 0}, {inner, "two.bin", 10}});
  ASSERT_TRUE(all);
  ASSERT_EQ((*all)->parts.size(), 3U);
  EXPECT_EQ((*all)->parts[2].file.name, "two.bin/b");
  EXPECT_EQ((*all)->parts[2].file.begin_us, 15U);
  EXPECT_EQ((*all)->tracks[6].own_name(), "AMD");
  EXPECT_EQ((*all)->tracks[6].file_name(), "two.bin/b");
  exporting::Request request;
  request.format = exporting::Format::bytepack;
  request.range = query::TimeRange{24'500, 26'000};
  ASSERT_TRUE(exporting::export_trace(**all, folder / "cut.bin", request, never));
  const auto cut = opened(folder / "cut.bin");
  ASSERT_FALSE(cut->parts.empty());
  for (const trace::Track& track : cut->tracks) EXPECT_NE(track.prefix_bytes, 0U);
}

TEST(Merge, CancelledOrChangedItLeavesNothing) {
  const TemporaryFolder folder;
  const auto trace = tests::load_description(tests::varied_trace('L'));
  const std::vector<Source> sources = {{trace, "a", 0}, {trace, "b", 0}};
  Cancel cancel;
  cancel.request();
  const auto cancelled = merge_into_file(sources, folder / "out.bin", cancel);
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().kind, ErrorKind::cancelled);
  generate::Options options;
  options.events = 50'000;
  ASSERT_TRUE(generate::write_trace(folder / "source.bin", options, never));
  const auto made = opened(folder / "source.bin");
  std::filesystem::resize_file(folder / "source.bin", 100'000);
  const std::vector<Source> changed = {{made, "a", 0}, {trace, "b", 0}};
  const auto failed = merge_into_file(changed, folder / "out.bin", never);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, ErrorKind::bad_input);
  EXPECT_FALSE(std::filesystem::exists(folder / "out.bin"));
}

TEST(Merge, TheFileChangesWhenOneOfItsSourcesDoes) {
  const tests::TemporaryFile a(tests::varied_bytes('L'));
  const auto other = tests::load_description(tests::varied_trace('L'));
  const std::vector<Source> sources = {{opened(a.path()), "a", 0}, {opened(a.path()), "b", 0}};
  const auto file = merge_into_scratch(sources, "both", never);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->file->path(), "both");
  EXPECT_EQ(file->file->on_disk(), io::OnDisk::same);
  a.write(bytepack::encode(one_program("r_1"), *bytepack::dialect_of('L')));
  EXPECT_EQ(file->file->on_disk(), io::OnDisk::changed);
  std::filesystem::remove(a.path());
  EXPECT_EQ(file->file->on_disk(), io::OnDisk::gone);
}

TEST(MergedIndex, WhatIsWrongInItIsNoMergedTrace) {
  for (const char* merged :
       {"7", "[7]", R"([{"name": "AMD", "tracks": -1}])", R"([{"tracks": 4294967296}])",
        R"([{"name": "AMD", "tracks": 1, "begin_us": 9, "end_us": 3}])",
        R"([{"name": "AMD", "tracks": 1, "offset_us": 1e300}])",
        R"([{"name": "no", "tracks": 0}])"}) {
    SCOPED_TRACE(merged);
    bytepack::TraceDescription odd = one_program("r_1");
    odd.more_json = fmt::format(R"("merged": {})", merged);
    const auto trace = tests::load_description(odd);
    ASSERT_TRUE(trace);
    EXPECT_TRUE(trace->parts.empty());
    EXPECT_EQ(trace->tracks[0].own_name(), "AMD");
  }
  bytepack::TraceDescription odd = one_program("r_1");
  odd.tracks[1].name = "other/TINY";
  odd.more_json =
      R"("merged": [{"name": "a", "tracks": 1}, {"name": "other", "tracks": 4000000000, "end_us": 3}])";
  const auto trace = tests::load_description(odd);
  ASSERT_TRUE(trace);
  ASSERT_EQ(trace->parts.size(), 2U);
  EXPECT_EQ(trace->parts[1].file.track_count, 2U);
  EXPECT_EQ(trace->tracks[0].prefix_bytes, 0U);
  EXPECT_EQ(trace->tracks[1].role, trace::TrackRole::tiny);
  EXPECT_EQ(trace->tracks[2].memory->end_time, 3U);
}

}  // namespace
}  // namespace bytescope::merge
