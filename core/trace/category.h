#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace bytescope::trace {

/// What a span is, as far as its colour is concerned: palettes have a row for each.
enum class Category : std::uint8_t {
  elementwise,
  reduce,
  other_kernel,
  copy,
  batch,
  tiny_schedule,
  tiny_codegen,
  tiny_callify,
  tiny_jit,
  tiny_other,
  user,
  wave,  ///< Shader rows; coloured by name, or as the file's waveColors say.
};
constexpr std::size_t category_count = 12;

/// The colour of a span in one byte: its category and one of nine variants of it by name.
struct Style {
  static constexpr std::uint8_t variants = 9;
  static constexpr std::uint8_t most_wave_patterns = 15;  ///< Of colours that the file tells.
  std::uint8_t bits = 0;
  constexpr Style() = default;
  constexpr Style(Category category, std::uint8_t variant)
      : bits(static_cast<std::uint8_t>(static_cast<unsigned>(category) * 16U + variant)) {}
  constexpr Category category() const { return static_cast<Category>(bits / 16U); }
  constexpr std::uint8_t variant() const { return bits % 16U; }
  constexpr bool operator==(const Style&) const = default;
};

/// What kind of row a track is, read off its name (FORMAT.md, "Names tell grouping").
enum class TrackRole : std::uint8_t {
  device,
  graph,
  copy_engine,
  memory,
  tiny,
  user,
  host,
  shader,
  line
};

/// The role that a raw track name tells. `shader` says whether the trace is a shader trace.
TrackRole role_of(std::string_view track_name, bool shader);

/// The family of a device's track: `AMD` for `AMD:3 Memory` and `AMD:1:SDMA:0`.
std::string_view family_of(std::string_view track_name);

/// Whether a memory track tells of files (DISK), which are no memory.
bool is_file_memory(std::string_view track_name);

/// Category of a span named `plain_name` (no colour codes) in a track of that role.
Category category_of(TrackRole role, std::string_view plain_name);

/// The style of a shader's span in a trace that tells colours: variant 1 and up for the first
/// pattern that `plain_name` holds, 0 for none. Patterns beyond the fifteenth have none.
Style wave_style(std::span<const std::pair<std::string, std::uint32_t>> patterns,
                 std::string_view plain_name);

/// The style of a name: same name, same style, in every track and run.
Style style_of(TrackRole role, std::string_view plain_name);

}  // namespace bytescope::trace
