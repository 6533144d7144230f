#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "core/bytepack/writer.h"
#include "core/query/time_argument.h"
#include "core/query/track_argument.h"
#include "core/trace/loader.h"
#include "tests/fuzz/memory_file.h"

// Reads any text as what the command line takes for a time, a range, a track and a record.
namespace {
using namespace bytescope;

void expect(bool holds) {
  if (!holds) std::abort();
}

/// A trace whose markers and tracks are easily taken for something else.
std::shared_ptr<const trace::Trace> ambiguous_trace() {
  bytepack::TraceDescription description;
  for (const char* name : {"AMD", "AMD", "#1", "a:0", ""}) {
    bytepack::TrackDescription track;
    track.name = name;
    track.spans = {{"E_4", 1, 2.0F, "{}"}};
    description.tracks.push_back(track);
  }
  description.markers = {
      {1, "step", "gray"},   {2, "step", ""},     {3, "a..b", ""},
      {4, "5us", ""},        {5, "", ""},         {6, "inf", ""},
      {7, "marker:x#2", ""}, {1e308, "late", ""}, {-5, "\x1b[31mred\x1b[0m", ""}};
  const std::vector<std::byte> bytes = bytepack::encode(description, bytepack::dialects.front());
  const fuzz::MemoryFile file(bytes.data(), bytes.size());
  const auto loaded = trace::load_trace(file.path(), {}, Cancel());
  expect(loaded.has_value());
  return *loaded;
}

void expect_usage(const Error& error) {
  expect(error.kind == ErrorKind::usage);
  expect(!error.message.empty() && !error.path.empty());
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::shared_ptr<const trace::Trace> trace = ambiguous_trace();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  constexpr std::int64_t furthest_ns = 100'000'000'000'000'000;
  if (const auto ns = query::ns_from_number_text(text))
    expect(*ns >= -furthest_ns && *ns <= furthest_ns);
  if (const auto ns = query::ns_from_shown_time(text)) expect(*ns >= 0);
  if (const auto time = query::time_from_argument(*trace, text); !time) expect_usage(time.error());
  if (const auto range = query::range_from_argument(*trace, text)) {
    expect(range->begin_ns < range->end_ns);
  } else {
    expect_usage(range.error());
  }
  Warnings warnings;
  if (const auto track = query::track_from_argument(*trace, text, warnings)) {
    expect(*track < trace->tracks.size());
  } else {
    expect_usage(track.error());
  }
  if (const auto record = query::record_from_argument(*trace, text, warnings); !record)
    expect_usage(record.error());
  return 0;
}
