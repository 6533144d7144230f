#include "core/trace/memory_load.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/bytepack/little_endian.h"
#include "core/bytepack/records.h"
#include "core/trace/memory_build.h"
#include "core/trace/memory_forms.h"

namespace bytescope::trace {
namespace {

void warn_about_peak(const bytepack::TrackHead& head, std::uint64_t computed, Warnings& warnings) {
  if (head.peak == computed) return;
  warnings.add(
      fmt::format("The file gives a peak of {}, its records add up to {}", head.peak, computed),
      {head.head_byte, {}, head.name, {}});
}

// Reads the points of `reader` that lie in its buffer. Answers what is wrong with the one that was
// to come next, or null.
const char* take_points(io::PieceReader& reader, std::uint32_t count, std::uint32_t limit,
                        LineIndex& line) {
  const std::span<const std::byte> piece = reader.peek(bytepack::line_bytes);
  std::size_t used = 0;
  const char* complaint = piece.size() < bytepack::line_bytes ? "The track ends early" : nullptr;
  while (line.times.size() < count && piece.size() - used >= bytepack::line_bytes) {
    const auto time = bytepack::load<std::uint32_t>(piece.data() + used);
    if (!line.times.empty() && time < line.times.back()) complaint = "Time runs backwards";
    if (time > limit) complaint = "A time past the end of the trace";
    if (complaint != nullptr) break;
    line.times.push_back(time);
    line.values.push_back(bytepack::load<std::uint64_t>(piece.data() + used + 4));
    used += bytepack::line_bytes;
  }
  reader.skip(used);
  return complaint;
}

}  // namespace

Expected<MemoryIndex> load_memory(const io::InputFile& file, const bytepack::Dialect& dialect,
                                  const bytepack::TrackHead& head, const MemoryLoadContext& context,
                                  Warnings& warnings, const Cancel& cancel) {
  const MemorySource source{file, dialect, head, context, cancel};
  Expected<MemoryIndex> memory = dialect.memory == bytepack::MemoryForm::polygons
                                     ? load_polygons(source, warnings)
                                     : load_events(source);
  if (!memory) return memory;
  memory->end_time = std::min({context.duration, context.end, latest_time});
  memory->begin_time = std::min(context.begin, memory->end_time);
  memory->free_at_end_means_alive = dialect.frees_at_end_mean_alive;
  SortingRoom own_room;
  SortingRoom& room = context.room != nullptr ? *context.room : own_room;
  {
    const std::scoped_lock lock(room.in_use);
    order_by_key(*memory, room);
  }
  summarise(*memory);
  // Only now: what is given back breaks large pages up, and the system finds each of the small ones
  // anew when it is looked at.
  memory->buffers.finish();
  memory->events.pack();
  warn_about_peak(head, memory->peak_bytes, warnings);
  return memory;
}

void add_block_maxima(LineIndex& line) {
  line.block_max.clear();
  for (std::size_t i = 0; i < line.values.size(); i += LineIndex::block_points) {
    const std::size_t end = std::min(i + LineIndex::block_points, line.values.size());
    const auto at = [&line](std::size_t k) {
      return line.values.begin() + static_cast<std::ptrdiff_t>(k);
    };
    line.block_max.push_back(*std::max_element(at(i), at(end)));
  }
}

bool is_clock_name(const std::string& name) { return name.find("Clock") != std::string::npos; }

void add_elapsed(LineIndex& line) {
  line.elapsed_ns.clear();
  double elapsed = 0;
  for (std::size_t i = 0; i < line.times.size(); ++i) {
    if (i > 0) {
      if (line.values[i] == 0) {
        line.elapsed_ns.clear();
        return;
      }
      elapsed += (line.times[i] - line.times[i - 1]) * 1e9 / static_cast<double>(line.values[i]);
    }
    line.elapsed_ns.push_back(elapsed);
  }
}

Expected<LineIndex> load_line(const io::InputFile& file, const bytepack::TrackHead& head,
                              const MemoryLoadContext& context, Warnings& warnings,
                              const Cancel& cancel) {
  const MemorySource source{file, bytepack::dialects.front(), head, context, cancel};
  if (!source.has_room(head.records_byte, head.count, bytepack::line_bytes))
    return source.no_room();
  LineIndex line;
  line.times.reserve(head.count);
  line.values.reserve(head.count);
  io::PieceReader reader(file, head.records_byte, source.end_byte(), context.buffer);
  while (line.times.size() < head.count) {
    if (cancel.requested()) return source.cancelled();
    if (const char* complaint = take_points(reader, head.count, time_limit(context), line)) {
      return failure(ErrorKind::bad_input, complaint,
                     {reader.offset(), {}, {}, std::uint64_t{line.times.size()}});
    }
  }
  if (reader.remaining() != 0)
    return failure(ErrorKind::bad_input, "Bytes behind the last record",
                   {reader.offset(), {}, {}, {}});
  add_block_maxima(line);
  if (is_clock_name(head.name)) add_elapsed(line);
  for (const std::uint64_t value : line.block_max) line.peak = std::max(line.peak, value);
  warn_about_peak(head, line.peak, warnings);
  return line;
}

}  // namespace bytescope::trace
