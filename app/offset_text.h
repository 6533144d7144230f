#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bytescope::app {

/// An offset in whole microseconds that somebody typed: a number, with a sign or none, with `ns`,
/// `us` or `µs`, `ms`, `s` or nothing, which means microseconds (`clk`: clock cycles, in shader
/// traces). Rounded to a microsecond. None for anything else and for more than a day.
std::optional<std::int64_t> offset_from_text(std::string_view text);

/// The offset exactly, so that it reads back the same: `-1.5 ms`, `320 µs`, `0 µs`.
std::string offset_text(std::int64_t offset_us);

}  // namespace bytescope::app
