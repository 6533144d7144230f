#include "app/offset_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/query/time_argument.h"

namespace bytescope::app {

std::optional<std::int64_t> offset_from_text(std::string_view text) {
  constexpr std::int64_t most_ns = 86'400'000'000'000;
  std::string number(text);
  std::erase(number, ' ');
  if (number.starts_with('+') && !number.starts_with("+-")) number.erase(0, 1);
  const auto ns = query::ns_from_number_text(number);
  if (!ns || *ns > most_ns || *ns < -most_ns) return std::nullopt;
  return std::llround(static_cast<double>(*ns) / 1000);
}

std::string offset_text(std::int64_t offset_us) {
  constexpr std::int64_t ms = 1000;
  constexpr std::int64_t s = 1'000'000;
  const std::int64_t size = offset_us < 0 ? -offset_us : offset_us;
  const auto in_unit = [&](std::int64_t unit, int digits, std::string_view name) {
    std::string text = fmt::format("{}.{:0{}}", size / unit, size % unit, digits);
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return fmt::format("{}{} {}", offset_us < 0 ? "-" : "", text, name);
  };
  if (size >= s) return in_unit(s, 6, "s");
  if (size >= ms) return in_unit(ms, 3, "ms");
  return fmt::format("{} \u00B5s", offset_us);
}

}  // namespace bytescope::app
