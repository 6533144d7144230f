#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/bytepack/merged_files.h"
#include "core/merge/merge.h"

namespace bytescope::merge {

/// What the index of a merged trace tells of one file.
struct IndexFile {
  bytepack::MergedFile file;
  const trace::Trace* trace = nullptr;  ///< Whose unknown keys are kept with it; may be null.
};

/// Whether sources go together at all: their units, their sizes of types, their instructions.
Expected<void> sources_fit(std::span<const Source> sources);

/// The members of a merged trace's index behind `strings`, as JSON text: sizes of types, markers at
/// their new times with the names of their files in front, colours and instructions of shader
/// traces, and `files`, with what is unknown in their indexes. `later_us`: how much later each
/// source is. Costs a read of each index.
Expected<std::string> merged_index_members(std::span<const Source> sources,
                                           std::span<const std::uint32_t> later_us,
                                           std::vector<IndexFile>& files, Warnings& warnings,
                                           const Cancel& cancel);

}  // namespace bytescope::merge
