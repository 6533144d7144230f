#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/bytepack/dialect.h"
#include "core/bytepack/frame.h"
#include "core/bytepack/json_index.h"
#include "core/bytepack/records.h"
#include "core/error.h"
#include "core/io/input_file.h"
#include "core/io/page_reader.h"
#include "core/trace/category.h"
#include "core/trace/memory_index.h"
#include "core/trace/span_index.h"

namespace bytescope::trace {

enum class Unit : std::uint8_t { microseconds, cycles };

/// One track of a trace. The indexes are shared with earlier stages of the same load.
struct Track {
  bytepack::TrackHead head;
  TrackRole role = TrackRole::host;
  /// How much of the name, in bytes, tells the file that the track comes from; 0 but in merged
  /// traces.
  std::uint32_t prefix_bytes = 0;
  std::uint32_t file_begin = 0;               ///< When that file begins, in the trace's unit …
  std::uint32_t file_end = UINT32_MAX;        ///< … and when it ends.
  std::shared_ptr<const SpanIndex> spans;     ///< Span tracks only.
  std::shared_ptr<const MemoryIndex> memory;  ///< Memory tracks only; null until indexed.
  std::shared_ptr<const LineIndex> line;      ///< Line tracks only.

  /// Its name in the file that it comes from: what tells devices and their families.
  std::string_view own_name() const { return std::string_view(head.name).substr(prefix_bytes); }
  /// The name of that file; empty but in merged traces.
  std::string_view file_name() const {
    return std::string_view(head.name).substr(0, prefix_bytes == 0 ? 0 : prefix_bytes - 1);
  }
  /// The file and the family of its device: what tracks that belong together share.
  std::string_view file_and_family() const {
    return std::string_view(head.name).substr(0, prefix_bytes + family_of(own_name()).size());
  }
};

/// What became part of a merged trace: the tracks of one file.
struct TracePart {
  bytepack::MergedFile file;
  std::uint32_t first_track = 0;
};

/// An opened trace. Immutable and shared: a load publishes a first one with previews, then complete
/// ones.
struct Trace {
  std::shared_ptr<const io::InputFile> file;
  bytepack::Frame frame;
  const bytepack::Dialect* dialect = nullptr;  ///< The newest that fits.
  std::vector<char> fitting_dialects;          ///< Letters, newest first.
  Unit unit = Unit::microseconds;
  std::shared_ptr<const bytepack::JsonIndex> index;
  std::vector<Track> tracks;  ///< In file order.
  /// What a merged trace is made of, one behind the other; empty for any other.
  std::vector<TracePart> parts;
  Warnings warnings;
  std::uint64_t event_count = 0;  ///< Sum of the counts in the track heads.
  bool complete = false;          ///< All indexes are there.

  /// Record `i` of span track `track`, read through `reader`. `i` must be below its count.
  bytepack::SpanRecord span(io::PageReader& reader, std::uint32_t track, std::uint32_t i) const {
    const bytepack::TrackHead& head = tracks[track].head;
    const bytepack::SpanLayout& layout = dialect->span;
    return bytepack::decode_span(
        layout, reader.at(head.records_byte + std::uint64_t{layout.stride} * i, layout.stride));
  }
  /// The raw text of a string.
  std::string text(io::PageReader& reader, std::uint32_t id) const {
    return index->strings.text(reader, id);
  }
  /// The part that a track belongs to, or null.
  const TracePart* part_of(std::uint32_t track) const;
  /// The ref of a span of that track as the file had it that the track comes from.
  std::uint32_t own_ref(std::uint32_t track, std::uint32_t ref) const;
  /// The same of a run key.
  std::uint32_t own_key(std::uint32_t track, std::uint32_t key) const;
  /// Style of record `i` of span track `track`.
  Style style(io::PageReader& reader, std::uint32_t track, std::uint32_t i) const;
  /// Bytes per element of the type named by string `dtype`; 0 when unknown.
  std::uint64_t dtype_bytes(io::PageReader& reader, std::uint32_t dtype) const;
};

/// Nanoseconds since the origin; in shader traces a cycle counts as 1000.
constexpr std::int64_t ns_from_unit(std::uint32_t time) { return std::int64_t{time} * 1000; }

}  // namespace bytescope::trace
