#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/query/plain_names.h"
#include "core/trace/trace.h"

namespace bytescope::query {

/// The batches that the Graph track of one family tells, by name. The spans of a batch carry no key
/// of their own in most traces: which run one is, the kernels that it covers tell. Bounded: of a
/// Graph track with very many spans the first count.
class Batches {
public:
  /// A span of the Graph track.
  struct Batch {
    std::uint32_t record = 0;
    std::uint32_t start = 0;
    float duration = 0;
    std::optional<std::uint32_t> key;
  };

  /// Reads the Graph track of the family that `device_track` (or its memory) belongs to, up to
  /// `most_records`.
  Batches(const trace::Trace& trace, PlainNames& names, const std::string& track_name,
          std::uint64_t most_records);

  std::optional<std::uint32_t> track() const { return track_; }
  std::uint64_t records_read() const { return records_read_; }
  bool complete() const { return complete_; }
  /// All batches of a plain name, in the order of time.
  const std::vector<Batch>& named(const std::string& plain_name) const;
  /// The batch of that name that covers a span which starts at `start`, the last of several.
  const Batch* covering(const std::string& plain_name, std::uint32_t start) const;

private:
  std::optional<std::uint32_t> track_;
  std::uint64_t records_read_ = 0;
  bool complete_ = true;
  std::unordered_map<std::string, std::vector<Batch>> by_name_;
};

/// `AMD` for `AMD:3`, `AMD:3 Memory` and `AMD Graph`.
std::string_view family_of_name(std::string_view track_name);

}  // namespace bytescope::query
