#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/cancel.h"
#include "core/error.h"
#include "core/io/input_file.h"
#include "core/io/unpacker.h"

namespace bytescope::io {

/// How much may come out of a compressed file before it counts as a bomb: what is larger than
/// `always_bytes` may be `most_ratio` times as large as it was; and the disk keeps `spare_bytes`.
/// What is larger than `judged_bytes` must begin as a trace does.
struct UnpackLimits {
  std::uint64_t always_bytes = std::uint64_t{1} << 30U;
  std::uint64_t most_ratio = 250;
  std::uint64_t spare_bytes = std::uint64_t{256} << 20U;
  std::uint64_t judged_bytes = std::uint64_t{16} << 20U;
};

/// Opens a file for reading. One that is compressed with gzip or zstd (its first bytes tell) is
/// unpacked into a file without a name first, with `progress` telling the packed bytes read and the
/// unpacked bytes made; what comes out stands at `path` as far as messages and on_disk() go. Fails
/// as InputFile::open does, and for streams that are damaged, cut short, compressed twice or too
/// large, naming the byte of the compressed file; with ErrorKind::machine where the disk is full
/// and with ErrorKind::cancelled. Unpacking costs about 2 ns (zstd: 1 ns) a byte made.
Expected<std::shared_ptr<const InputFile>> open_unpacked(const std::string& path,
                                                         const Cancel& cancel,
                                                         Progress* progress = nullptr,
                                                         const UnpackLimits& limits = {});

/// The same of a file that is open already: it, or what comes out of it.
Expected<std::shared_ptr<const InputFile>> unpacked(std::shared_ptr<const InputFile> file,
                                                    const Cancel& cancel,
                                                    Progress* progress = nullptr,
                                                    const UnpackLimits& limits = {});

}  // namespace bytescope::io
