#include "core/export/export.h"

#include <utility>

#include "core/export/job.h"
#include "core/io/output_file.h"

namespace bytescope::exporting {
namespace {

Expected<void> write(Job& job) {
  switch (job.request.format) {
    case Format::chrome_json: return write_chrome_json(job);
    case Format::csv: return write_csv(job);
    case Format::bytepack: return write_bytepack(job);
  }
  return {};
}

}  // namespace

std::optional<Format> format_of_path(std::string_view path) {
  if (path.ends_with(".json")) return Format::chrome_json;
  if (path.ends_with(".csv")) return Format::csv;
  if (path.ends_with(".bin")) return Format::bytepack;
  return std::nullopt;
}

Expected<Outcome> export_trace(const trace::Trace& trace, const std::string& path,
                               const Request& request, const Cancel& cancel, Progress* progress) {
  auto file = io::OutputFile::create(path);
  if (!file) return tl::make_unexpected(file.error());
  if (progress != nullptr) progress->events_total = trace.event_count;
  Outcome outcome;
  Job job{trace, request, *file, cancel, progress, outcome};
  const auto written = write(job);
  if (cancel.requested()) return failure(ErrorKind::cancelled, "Cancelled", {}, path);
  if (trace.file->changed()) {
    return failure(ErrorKind::bad_input, "The file changed while it was exported", {},
                   trace.file->path());
  }
  if (!written) return tl::make_unexpected(written.error());
  outcome.size_bytes = file->size_bytes();
  const auto committed = file->commit();
  if (!committed) return tl::make_unexpected(committed.error());
  return outcome;
}

}  // namespace bytescope::exporting
