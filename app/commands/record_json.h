#pragma once

#include <cstdint>
#include <vector>

#include "app/commands/text_cache.h"
#include "app/commands/user_json.h"
#include "core/io/json_writer.h"
#include "core/io/page_reader.h"
#include "core/trace/memory_records.h"
#include "core/trace/trace.h"

namespace bytescope::app {

/// Writes records of one track as JSON objects, straight from the file: what `dump`
/// prints. Needs the same memory however many there are.
class RecordJson {
public:
  /// `trace` must outlive the object; `track` is the number of one of its tracks.
  RecordJson(const trace::Trace& trace, std::uint32_t track, io::JsonWriter& json);

  /// Writes record `record` on a line. False when the file has changed so that it cannot be read.
  /// Records are cheap in ascending order.
  bool write(std::uint32_t record);

private:
  void write_span(std::uint32_t record);
  bool write_memory(std::uint32_t record);
  void write_event();
  void write_outline();
  void write_bytes(std::uint32_t dtype, std::uint64_t length);

  const trace::Trace& trace_;
  std::uint32_t track_;
  io::JsonWriter& json_;
  io::PageReader reader_;
  TextCache texts_;
  trace::MemoryCursor cursor_;
  UserJson users_;
  std::vector<trace::OutlinePoint> points_;
};

}  // namespace bytescope::app
