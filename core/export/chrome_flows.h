#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/bytepack/records.h"
#include "core/export/chrome_spans.h"
#include "core/query/track_record.h"

namespace bytescope::exporting {

/// Writes links between spans as flow events, from the start of one to the start of the other:
/// from the kernel that wrote a buffer to those that read it next, where the key and the plain name
/// of a user agree with exactly one span (FORMAT.md, "What the data means"; so not for batches and
/// replays), and from what a shader's span names as its cause. Only between spans that were
/// written. Holds the users of some buffers at a time, about 100 MB.
class ChromeFlows {
public:
  /// All must outlive the object.
  ChromeFlows(Job& job, ChromeSpans& spans, ChromeText& text);

  /// Kernel to kernel, through the buffers of a memory track.
  void write_buffers(std::uint32_t memory_track);
  /// Causes that the infos of a span track name.
  void write_causes(std::uint32_t track);

private:
  /// A recorded reader, and who wrote the buffer last before it: places among the users.
  struct Pair {
    std::uint32_t writer = 0;
    std::uint32_t reader = 0;
  };

  void add_users(const std::vector<bytepack::UserRecord>& users);
  void write_pairs(std::uint32_t memory_track);
  void write_flow(const char* kind, query::TrackRecord from, query::TrackRecord to);

  Job& job_;
  const trace::Trace& trace_;
  ChromeSpans& spans_;
  ChromeText& text_;
  io::PageReader reader_;
  std::vector<bytepack::UserRecord> users_;
  std::vector<Pair> pairs_;
  std::uint64_t next_id_ = 1;
};

}  // namespace bytescope::exporting
