#include "core/query/batches.h"

#include <algorithm>

namespace bytescope::query {
namespace {

constexpr std::uint32_t most_batches = 1 << 18;

}  // namespace

Batches::Batches(const trace::Trace& trace, PlainNames& names, std::uint32_t track,
                 std::uint64_t most_records) {
  const std::string wanted = std::string(trace.tracks[track].file_and_family()) + " Graph";
  for (std::uint32_t i = 0; i < trace.tracks.size() && !track_; ++i) {
    const bytepack::TrackHead& head = trace.tracks[i].head;
    if (head.kind == bytepack::TrackKind::spans && head.name == wanted) track_ = i;
  }
  if (!track_) return;
  const std::uint32_t count = trace.tracks[*track_].head.count;
  const auto read = static_cast<std::uint32_t>(
      std::min<std::uint64_t>({count, most_records, std::uint64_t{most_batches}}));
  complete_ = read == count;
  records_read_ = read;
  io::PageReader reader(trace.file, 4);
  for (std::uint32_t record = 0; record < read; ++record) {
    const bytepack::SpanRecord span = trace.span(reader, *track_, record);
    by_name_[names(span.name)].push_back({record, span.start, span.duration, span.key});
  }
}

const std::vector<Batches::Batch>& Batches::named(const std::string& plain_name) const {
  static const std::vector<Batch> none;
  const auto found = by_name_.find(plain_name);
  return found == by_name_.end() ? none : found->second;
}

const Batches::Batch* Batches::covering(const std::string& plain_name, std::uint32_t start) const {
  const std::vector<Batch>& all = named(plain_name);
  auto after =
      std::upper_bound(all.begin(), all.end(), start,
                       [](std::uint32_t time, const Batch& batch) { return time < batch.start; });
  // Batches overlap rarely, and if so by little.
  constexpr int most_looked_at = 8;
  for (int i = 0; i < most_looked_at && after != all.begin(); ++i) {
    --after;
    // Starts are cut to whole units.
    const double end = static_cast<double>(after->start) + static_cast<double>(after->duration) + 1;
    if (static_cast<double>(start) < end) return &*after;
  }
  return nullptr;
}

}  // namespace bytescope::query
