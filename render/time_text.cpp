#include "render/time_text.h"

#include <cmath>

#include <fmt/format.h>

namespace bytescope::render {
namespace {

constexpr std::int64_t ns_per_cycle = 1000;
constexpr std::int64_t ns_per_second = 1'000'000'000;

std::uint64_t magnitude(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  return value < 0 ? 0 - bits : bits;
}

int digits_below(std::int64_t unit_ns, std::int64_t resolution_ns) {
  int digits = 0;
  while (resolution_ns > 0 && resolution_ns < unit_ns) {
    resolution_ns *= 10;
    ++digits;
  }
  return digits;
}

/// `318 126` of `318126`: groups count from the point.
std::string grouped_fraction(std::string digits) {
  for (std::size_t at = 3; at < digits.size(); at += 4) digits.insert(at, 1, ' ');
  return digits;
}

/// Three digits.
std::string significant(double value) {
  int decimals = 2;
  if (value >= 9.995) decimals = 1;
  if (value >= 99.95) decimals = 0;
  return fmt::format("{:.{}f}", value, decimals);
}

std::string minutes_text(double ns) {
  const auto tenths = static_cast<std::uint64_t>(std::llround(ns / 1e8));
  return fmt::format("{} min {}.{} s", tenths / 600, tenths % 600 / 10, tenths % 10);
}

std::string cycles_text(double ns) {
  const double cycles = ns / static_cast<double>(ns_per_cycle);
  if (cycles < 100 && cycles != std::floor(cycles)) return significant(cycles) + " clk";
  return grouped(static_cast<std::uint64_t>(std::llround(cycles))) + " clk";
}

}  // namespace

std::string grouped(std::uint64_t value) {
  std::string digits = fmt::format("{}", value);
  for (std::size_t end = digits.size(); end > 3;) {
    end -= 3;
    digits.insert(end, 1, ' ');
  }
  return digits;
}

std::string decimal_text(std::int64_t ns, std::int64_t unit_ns, int decimals) {
  const std::uint64_t value = magnitude(ns);
  const auto unit = static_cast<std::uint64_t>(unit_ns);
  std::uint64_t last_place = unit;
  for (int i = 0; i < decimals; ++i) last_place /= 10;
  std::string text = (ns < 0 ? "-" : "") + grouped(value / unit);
  if (decimals > 0)
    text += '.' + grouped_fraction(fmt::format("{:0{}}", value % unit / last_place, decimals));
  return text;
}

std::string time_text(std::int64_t ns, trace::Unit unit, std::int64_t resolution_ns) {
  if (unit == trace::Unit::cycles)
    return decimal_text(ns, ns_per_cycle, digits_below(ns_per_cycle, resolution_ns)) + " clk";
  const int decimals = digits_below(ns_per_second, resolution_ns);
  const std::uint64_t minutes = magnitude(ns) / (60 * ns_per_second);
  if (minutes == 0) return decimal_text(ns, ns_per_second, decimals) + " s";
  const auto rest = static_cast<std::int64_t>(magnitude(ns) % (60 * ns_per_second));
  return fmt::format("{}{}:{}{} s", ns < 0 ? "-" : "", minutes,
                     rest < 10 * ns_per_second ? "0" : "",
                     decimal_text(rest, ns_per_second, decimals));
}

std::string duration_text(double ns, trace::Unit unit) {
  if (!std::isfinite(ns)) return {};
  if (ns < 0) return "-" + duration_text(-ns, unit);
  if (unit == trace::Unit::cycles) return cycles_text(std::min(ns, 1e18));
  if (ns < 999.5) return fmt::format("{:.0f} ns", ns);
  if (ns < 999.5e3) return significant(ns / 1e3) + " µs";
  if (ns < 999.5e6) return significant(ns / 1e6) + " ms";
  if (ns < 59.95e9) return significant(ns / 1e9) + " s";
  return minutes_text(std::min(ns, 1e18));
}

}  // namespace bytescope::render
