#pragma once

#include <cstdint>

#include "core/io/json_writer.h"

namespace bytescope::app {

/// Writes a time as a number of microseconds (or cycles): a whole one where it is.
inline void write_time_us(io::JsonWriter& json, std::int64_t time_ns) {
  if (time_ns % 1000 == 0) {
    json.value(time_ns / 1000);
  } else {
    json.value(static_cast<double>(time_ns) / 1000);
  }
}

}  // namespace bytescope::app
