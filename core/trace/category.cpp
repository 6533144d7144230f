#include "core/trace/category.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace bytescope::trace {
namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// `NAME` as in `AMD` or `QCOM`.
bool is_device_family(std::string_view text) {
  constexpr std::size_t longest = 16;
  return !text.empty() && text.size() <= longest && is_upper(text[0]) &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return is_upper(c) || is_digit(c) || c == '_'; });
}

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

/// `NAME` or `NAME:n`.
bool is_device(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return is_device_family(text);
  return is_device_family(text.substr(0, colon)) && is_number(text.substr(colon + 1));
}

bool is_host(std::string_view track) {
  static constexpr std::array<std::string_view, 7> families = {"PYTHON",  "GC",  "DISK",  "CUSTOM",
                                                               "ALLDEVS", "NPY", "TINYFS"};
  const std::string_view family = track.substr(0, track.find(':'));
  return std::find(families.begin(), families.end(), family) != families.end();
}

/// `AMD:1:SDMA:0`, `NULL:COPY`, `NV:1:PCIE`, …
bool is_copy_engine(std::string_view track) {
  return contains(track, ":SDMA") || contains(track, ":COPY") || contains(track, ":PCIE");
}

/// `E_4_4`, `E`, `En1`: the letter, then sizes or nothing but a variant.
bool is_kernel_of(char letter, std::string_view name) {
  if (name.empty() || name[0] != letter) return false;
  if (name.size() == 1 || name[1] == '_') return true;
  return name[1] == 'n' && is_number(name.substr(2));
}

bool is_copy(std::string_view name) {
  return name.starts_with("copy ") || contains(name, " -> ") || contains(name, " <- ");
}

bool is_batch(std::string_view name) {
  return name.starts_with("batched ") || name.starts_with("<batched ");
}

Category kernel_category(std::string_view name) {
  if (is_kernel_of('E', name)) return Category::elementwise;
  if (is_kernel_of('r', name)) return Category::reduce;
  if (is_copy(name)) return Category::copy;
  return is_batch(name) ? Category::batch : Category::other_kernel;
}

/// A phase of the compiler by how its name begins, over the years.
struct Phase {
  std::string_view prefix;
  Category category;
};
constexpr std::array<Phase, 15> phases = {{
    {"Schedule", Category::tiny_schedule},
    {"get_kernelize_map", Category::tiny_schedule},
    {"get_multi_map", Category::tiny_schedule},
    {"Apply ", Category::tiny_schedule},
    {"linearize to ScheduleItem", Category::tiny_schedule},
    {"create_linear_with_vars", Category::tiny_schedule},
    {"memory planner", Category::tiny_schedule},
    {"do_to_program", Category::tiny_codegen},
    {"get_program", Category::tiny_codegen},
    {"compile ", Category::tiny_codegen},
    {"precompile kernels", Category::tiny_codegen},
    {"Callify", Category::tiny_callify},
    {"transform_to_call", Category::tiny_callify},
    {"Process ", Category::tiny_callify},
    {"JIT", Category::tiny_jit},
}};

Category compiler_category(std::string_view name) {
  const auto* const phase = std::find_if(
      phases.begin(), phases.end(), [name](const Phase& p) { return name.starts_with(p.prefix); });
  return phase == phases.end() ? Category::tiny_other : phase->category;
}

/// 64-bit FNV-1a: fixed for all time, so that colours are the same in every run.
std::uint64_t stable_hash(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001B3U;
  }
  return hash ^ hash >> 32U;
}

}  // namespace

TrackRole role_of(std::string_view track_name, bool shader) {
  if (shader) return TrackRole::shader;
  if (track_name.ends_with(" Memory")) return TrackRole::memory;
  if (track_name.ends_with(" Graph")) return TrackRole::graph;
  if (track_name == "TINY") return TrackRole::tiny;
  if (track_name == "USER") return TrackRole::user;
  if (is_host(track_name)) return TrackRole::host;
  if (is_copy_engine(track_name)) return TrackRole::copy_engine;
  return is_device(track_name) ? TrackRole::device : TrackRole::host;
}

std::string_view family_of(std::string_view track_name) {
  return track_name.substr(0, track_name.find_first_of(": "));
}

bool is_file_memory(std::string_view track_name) { return track_name.starts_with("DISK"); }

Category category_of(TrackRole role, std::string_view plain_name) {
  switch (role) {
    case TrackRole::device: return kernel_category(plain_name);
    case TrackRole::graph: return Category::batch;
    case TrackRole::copy_engine: return Category::copy;
    case TrackRole::tiny: return compiler_category(plain_name);
    case TrackRole::user: return Category::user;
    case TrackRole::shader: return Category::wave;
    case TrackRole::host: return is_copy(plain_name) ? Category::copy : Category::tiny_other;
    case TrackRole::memory:
    case TrackRole::line: break;
  }
  return Category::tiny_other;
}

Style wave_style(std::span<const std::pair<std::string, std::uint32_t>> patterns,
                 std::string_view plain_name) {
  const std::size_t count = std::min<std::size_t>(patterns.size(), Style::most_wave_patterns);
  for (std::size_t i = 0; i < count; ++i)
    if (plain_name.find(patterns[i].first) != std::string_view::npos)
      return {Category::wave, static_cast<std::uint8_t>(i + 1)};
  return {Category::wave, 0};
}

Style style_of(TrackRole role, std::string_view plain_name) {
  const auto variant = static_cast<std::uint8_t>(stable_hash(plain_name) % Style::variants);
  return {category_of(role, plain_name), variant};
}

}  // namespace bytescope::trace
