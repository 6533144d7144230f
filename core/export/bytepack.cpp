#include <limits>
#include <string>
#include <utility>

#include "core/bytepack/writer.h"
#include "core/export/bytepack_part.h"
#include "core/export/index_copy.h"
#include "core/export/job.h"

// A trace of any dialect as one of the newest. The head of the file tells the length of the index,
// and the index comes before the events: so records are read once to find the strings that they
// need, strings once to measure them, and then both once more.

namespace bytescope::exporting {
namespace {

class BytepackExport {
public:
  explicit BytepackExport(Job& job)
      : job_(job), trace_(job.trace), dialect_(bytepack::dialects.front()), part_(job) {}

  Expected<void> write() {
    part_.measure();
    if (!job_.goes_on()) return {};
    auto members = copied_index_members(trace_, job_.request.range, written_files(),
                                        job_.outcome.warnings, job_.cancel);
    if (!members) return tl::make_unexpected(members.error());
    members_ = std::move(*members);
    bytepack::CountingSink counted;
    write_index(counted);
    if (counted.size_bytes() > std::numeric_limits<std::uint32_t>::max()) {
      return failure(ErrorKind::usage, "The newest dialect has no room for an index of 4 GB", {},
                     trace_.file->path());
    }
    const bool is_as_told = write_file(static_cast<std::uint32_t>(counted.size_bytes()));
    if (job_.goes_on() && !is_as_told) {
      return failure(ErrorKind::bad_input, "The file changed while it was exported", {},
                     trace_.file->path());
    }
    part_.warn();
    return {};
  }

private:
  /// The parts of a merged trace with as many tracks as are written of them.
  std::vector<bytepack::MergedFile> written_files() const {
    std::vector<bytepack::MergedFile> files;
    for (const trace::TracePart& part : trace_.parts) {
      files.push_back(part.file);
      files.back().track_count = 0;
      for (std::uint32_t i = 0; i < part.file.track_count; ++i)
        if (part_.is_written(part.first_track + i)) ++files.back().track_count;
    }
    return files;
  }

  /// Whether all that heads say came true.
  bool write_file(std::uint32_t index_bytes) {
    bytepack::Frame frame = trace_.frame;
    frame.index_bytes = index_bytes;
    frame.track_count = part_.needs().tracks;
    if (job_.request.range) frame.peak_bytes = part_.needs().peak;
    bytepack::FileSink sink(job_.out);
    bytepack::TraceWriter writer(sink, dialect_);
    writer.frame(frame);
    writer.flush();
    const std::uint64_t before = job_.out.size_bytes();
    write_index(sink);
    const bool has_index_as_told = job_.out.size_bytes() - before == index_bytes;
    const bool has_tracks_as_told = part_.write_tracks(writer);
    writer.flush();
    return has_index_as_told && has_tracks_as_told;
  }

  void write_index(bytepack::Sink& sink) {
    bytepack::TraceWriter writer(sink, dialect_);
    writer.begin_index();
    part_.write_strings(writer);
    writer.end_index_with(members_);
    writer.flush();
  }

  Job& job_;
  const trace::Trace& trace_;
  const bytepack::Dialect& dialect_;
  BytepackPart part_;
  std::string members_;
};

}  // namespace

Expected<void> write_bytepack(Job& job) { return BytepackExport(job).write(); }

}  // namespace bytescope::exporting
