#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/bytepack/writer.h"
#include "core/error.h"
#include "core/trace/trace.h"

namespace bytescope::tests {

/// A file in the folder for temporary files that is gone with the object.
class TemporaryFile {
public:
  explicit TemporaryFile(std::span<const std::byte> bytes);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  TemporaryFile(TemporaryFile&&) = delete;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile();

  const std::string& path() const { return path_; }
  /// Replaces the whole content.
  void write(std::span<const std::byte> bytes) const;

private:
  std::string path_;
};

/// Opens a trace of these bytes; the file is gone from its folder but stays readable.
Expected<std::shared_ptr<const trace::Trace>> load_bytes(std::span<const std::byte> bytes);

/// Opens a file on one thread; a test failure when it does not open.
std::shared_ptr<const trace::Trace> opened(const std::string& path);

/// Encodes and opens a trace; a test failure when it does not open.
std::shared_ptr<const trace::Trace> load_description(const bytepack::TraceDescription& trace,
                                                     char dialect = 'L');

/// A span that tells no facts.
inline bytepack::SpanDescription span(std::string name, std::uint32_t start,
                                      std::optional<std::uint32_t> key, float duration = 2,
                                      std::optional<std::uint32_t> ref = {}) {
  return {std::move(name), start, duration, "{}", ref, key};
}

/// A trace of one span track, "AMD".
bytepack::TraceDescription one_track(std::vector<bytepack::SpanDescription> spans);

/// Such a trace in dialect A with all spans in lane 0, where they overlap. Infos are free text.
std::vector<std::byte> encode_in_one_lane(std::vector<bytepack::SpanDescription> spans);

/// A small trace with everything that a dialect has: nested spans, refs, keys, memory with users,
/// a line, markers.
bytepack::TraceDescription varied_trace(char dialect);
std::vector<std::byte> varied_bytes(char dialect);

/// A file of one track of so many nested spans.
std::vector<std::byte> nested_bytes(std::uint32_t spans, std::uint32_t seed = 1);

}  // namespace bytescope::tests
