#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/cancel.h"
#include "core/error.h"
#include "core/io/input_file.h"
#include "core/trace/trace.h"

// Several traces as one: a file of the newest dialect with the tracks of all of them. What means
// something in one file means nothing in another: refs and run keys get numbers that no other file
// has, and tracks and markers the name of their file.

namespace bytescope::merge {

/// A trace that becomes part of a merged one.
struct Source {
  std::shared_ptr<const trace::Trace> trace;  ///< Complete.
  std::string name;            ///< Goes in front of its tracks and markers; unlike all others.
  std::int64_t offset_us = 0;  ///< How much later than it says everything in it happened.
};

/// What files are called in a merged trace: their names, with as many folders in front as tell
/// files of one name apart, and a number where nothing else does. On one line, valid UTF-8, at most
/// 120 bytes.
std::vector<std::string> names_of_files(std::span<const std::string> paths);

/// How much later each source stands in the merged trace, in microseconds: by its offset, and if
/// some are negative by as much more as lets the earliest begin at 0. Fails (ErrorKind::usage) when
/// what is told of a source then ends behind the 71.6 minutes that a trace can last;
/// `ends_us` has the latest time of each.
Expected<std::vector<std::uint32_t>> shifts_of(std::span<const Source> sources,
                                               std::span<const std::uint32_t> ends_us);

/// What was written.
struct Outcome {
  std::uint64_t events = 0;  ///< Records of all traces.
  std::uint64_t size_bytes = 0;
  Warnings warnings;  ///< Of the sources and of what the newest dialect could not say, by file.
};

/// Writes the sources as one trace to `path` beside its place and renames it there at the end.
/// Costs two reads of all files and some hundred nanoseconds an event; memory: 1.5 bits a string
/// beside the traces. Fails with ErrorKind::usage where they do not go together: shader traces with
/// others, sizes of types or instructions that contradict each other, offsets out of range (see
/// shifts_of), numbers that have no room; with ErrorKind::machine where it cannot be written,
/// ErrorKind::cancelled, and ErrorKind::bad_input where a file changed meanwhile.
Expected<Outcome> merge_into_file(std::span<const Source> sources, const std::string& path,
                                  const Cancel& cancel, Progress* progress = nullptr);

/// A merged trace that lies in a private file without a place, gone with the last who has it open.
struct MergedTrace {
  std::shared_ptr<const io::InputFile> file;  ///< Changes when one of the sources' files does.
  Outcome outcome;
};

/// The same into such a file, which is called `name`.
Expected<MergedTrace> merge_into_scratch(std::span<const Source> sources, const std::string& name,
                                         const Cancel& cancel, Progress* progress = nullptr);

}  // namespace bytescope::merge
