#pragma once

#include <cstdint>
#include <optional>
#include <string>
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

  /// Reads the Graph track of the family that the device or memory of `track` belongs to, up to
  /// `most_records`.
  Batches(const trace::Trace& trace, PlainNames& names, std::uint32_t track,
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

}  // namespace bytescope::query
