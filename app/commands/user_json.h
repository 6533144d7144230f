#pragma once

#include <vector>

#include "app/commands/text_cache.h"
#include "core/bytepack/records.h"
#include "core/io/json_writer.h"
#include "core/trace/memory_records.h"

namespace bytescope::app {

/// Writes the users of free records as JSON arrays, for `dump`. Needs the same
/// memory however many there are.
class UserJson {
public:
  /// Both must outlive the object.
  UserJson(io::JsonWriter& json, TextCache& texts) : json_(json), texts_(texts) {}
  /// Writes the users of the record that `cursor` has read as one array.
  void write(trace::MemoryCursor& cursor);

private:
  io::JsonWriter& json_;
  TextCache& texts_;
  std::vector<bytepack::UserRecord> users_;
};

}  // namespace bytescope::app
