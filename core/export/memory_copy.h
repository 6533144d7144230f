#pragma once

#include <cstdint>
#include <vector>

#include "core/bytepack/writer.h"
#include "core/export/job.h"
#include "core/export/placement.h"
#include "core/export/string_plan.h"
#include "core/trace/memory_records.h"

namespace bytescope::exporting {

/// Copies the kept events of a memory track of any dialect as allocations and frees of the newest.
/// Polygons have no keys; their buffers get their numbers in the file, which are in the order of
/// the stack.
class MemoryCopy {
public:
  /// All must outlive the object.
  MemoryCopy(Job& job, std::uint32_t track, StringPlan& plan, const Placement& placement);

  /// Tells the plan which strings are needed, and makes `peak` that of the kept buffers where some
  /// are left out.
  void measure(std::uint64_t& peak);
  /// Writes them, counted in the job. Stops early where the file is not what was opened.
  void write(bytepack::TraceWriter& writer);
  /// After measure(): one more than the largest run of a user (without one it is written as 0), 0
  /// without any user; and the latest time.
  std::uint64_t end_of_keys() const { return end_of_keys_; }
  std::uint32_t last_time() const { return last_time_; }
  /// How many frees that were written will be read as "alive at the end" and were none.
  std::uint64_t frees_at_end() const { return frees_at_end_; }

private:
  template <class Visit>
  void for_each_user(trace::MemoryCursor& cursor, Visit visit);
  bool copy_event(trace::MemoryCursor& cursor, bytepack::TraceWriter& writer);
  void write_events(bytepack::TraceWriter& writer);
  void write_outlines(bytepack::TraceWriter& writer);
  std::vector<std::uint64_t> outline_lengths();
  void note_free(std::uint32_t time);
  bool keeps_event(std::uint32_t event) const;
  std::uint32_t written_name(std::uint32_t id) const;
  bool has_outlines() const { return job_.trace.dialect->memory == bytepack::MemoryForm::polygons; }

  Job& job_;
  const trace::Track& track_;
  const trace::MemoryIndex& memory_;
  StringPlan& plan_;
  const Placement& placement_;
  io::PageReader reader_;
  std::vector<bytepack::UserRecord> users_;
  std::uint64_t frees_at_end_ = 0;
  std::uint64_t end_of_keys_ = 0;
  std::uint32_t last_time_ = 0;
};

}  // namespace bytescope::exporting
