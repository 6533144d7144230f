#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/bytepack/dialect.h"
#include "core/bytepack/frame.h"
#include "core/bytepack/json_index.h"
#include "core/cancel.h"
#include "core/error.h"
#include "core/io/input_file.h"

namespace bytescope::bytepack {

/// The heads of all tracks as one dialect reads them.
struct Reading {
  const Dialect* dialect = nullptr;
  std::vector<TrackHead> heads;
  bool code_point_names =
      false;  ///< Name lengths had to be read as code points (FORMAT.md, "Track head").
};

/// What the structure of a file allows.
struct Detection {
  std::vector<Reading> fitting;  ///< Newest first; every one ends exactly at the end of the file.
  Reading furthest;  ///< The reading that came furthest, with its sound tracks; when none fits.
  std::optional<Error> fault;  ///< What stopped it and where; without the dialect's name.
};

/// Reads the head of the file: lengths are checked against its size.
Expected<Frame> read_frame(const io::InputFile& file);

/// Tries every dialect: walks track heads and memory records, skips spans by count × stride
/// (looking at the first and the last of a track). Costs one read of the memory tracks for each
/// structure that gets so far. What is found is not proven: the index pass validates every span and
/// the lives of buffers.
Expected<Detection> detect(const io::InputFile& file, const Frame& frame, const JsonIndex& index,
                           const Cancel& cancel);

}  // namespace bytescope::bytepack
