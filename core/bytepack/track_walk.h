#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "core/bytepack/dialect.h"
#include "core/bytepack/frame.h"
#include "core/bytepack/json_index.h"
#include "core/cancel.h"
#include "core/error.h"
#include "core/io/page_reader.h"
#include "core/io/piece_reader.h"

namespace bytescope::bytepack {

/// Why a walk stopped.
struct Fault {
  std::string message;
  std::uint64_t byte = 0;
  std::optional<std::uint64_t> record;
  /// Up to here the track made sense, and what followed bears it out: a record before one that
  /// makes none may have been misread itself. Unlike `byte`, this does not grow with a number that
  /// makes no sense and asks for bytes up to the end of the file.
  std::uint64_t sound_until = 0;
};

/// What the records of a file are checked against.
struct WalkLimits {
  std::uint64_t file_bytes = 0;
  std::uint32_t duration = 0;
  std::uint32_t string_count = 0;
  bool code_point_names = false;
};

/// Answers whether a string names an element type with a known size; asks the file once a type.
class TypeTable {
public:
  TypeTable(const io::InputFile& file, const JsonIndex& index);
  /// Bytes per element; none when the string names no known type (or is the 4097th asked about).
  std::optional<std::uint64_t> bytes_per_element(std::uint32_t dtype);

private:
  io::PageReader reader_;
  const JsonIndex& index_;
  std::unordered_map<std::uint32_t, std::optional<std::uint64_t>> known_;
};

/// What walks over the tracks of one file share: where they read, what they check against, and a
/// buffer that serves one walk after another.
struct WalkSource {
  io::PageReader& pages;
  io::PieceBuffer& buffer;
  TypeTable& types;
  const WalkLimits& limits;
  const Cancel& cancel;
};

/// Reads the track that begins at `byte` and finds its end: `head` is filled as far as the walk
/// came. Spans are skipped, memory records walked without looking at users. Returns what is wrong,
/// if anything.
std::optional<Fault> walk_track(const WalkSource& source, const Dialect& dialect,
                                std::uint64_t byte, TrackHead& head);

}  // namespace bytescope::bytepack
