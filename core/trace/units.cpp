#include "core/trace/units.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "core/io/trimmed.h"

namespace bytescope::trace {

std::string count_text(std::uint64_t count) {
  std::string digits = fmt::format("{}", count);
  for (std::size_t end = digits.size(); end > 3;) {
    end -= 3;
    digits.insert(end, 1, ',');
  }
  return digits;
}

std::string bytes_text(std::uint64_t bytes) { return si_text(static_cast<double>(bytes), "B"); }

std::string exact_bytes_text(std::uint64_t bytes) { return count_text(bytes) + " B"; }

std::string si_text(double amount, std::string_view unit) {
  if (!std::isfinite(amount)) return {};
  if (amount < 0) return "-" + si_text(-amount, unit);
  static constexpr std::array<std::string_view, 7> prefixes = {"", "k", "M", "G", "T", "P", "E"};
  std::size_t prefix = 0;
  // From here on one digit behind the point would round up to 1000.
  constexpr double rounds_up = 999.95;
  while (amount >= rounds_up && prefix + 1 < prefixes.size()) {
    amount /= 1000;
    ++prefix;
  }
  constexpr double two_digits_below = 9.995;
  int decimals = amount < two_digits_below ? 2 : 1;
  if (prefix == 0 && std::floor(amount) == amount) decimals = 0;
  return fmt::format("{:.{}f} {}{}", amount, decimals, prefixes[prefix], unit);
}

std::optional<double> amount_from_text(std::string_view text, std::string_view unit) {
  const std::string_view number = io::trimmed(text);
  double amount = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), amount);
  if (error != std::errc() || !std::isfinite(amount) || amount < 0) return std::nullopt;
  std::string typed(io::trimmed(number.substr(static_cast<std::size_t>(end - number.data()))));
  for (char& c : typed) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  std::string_view rest = typed;
  constexpr std::string_view prefixes = "kmgtpe";
  const std::size_t prefix = rest.empty() ? std::string_view::npos : prefixes.find(rest.front());
  if (prefix != std::string_view::npos) {
    rest.remove_prefix(1);
    const bool is_binary = rest.starts_with('i');
    if (is_binary) rest.remove_prefix(1);
    amount *= std::pow(is_binary ? 1024.0 : 1000.0, static_cast<double>(prefix + 1));
  }
  const bool is_unit =
      std::equal(rest.begin(), rest.end(), unit.begin(), unit.end(),
                 [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
  if (!rest.empty() && !is_unit) return std::nullopt;
  return std::isfinite(amount) ? std::optional(amount) : std::nullopt;
}

std::string percent_text(double share) {
  if (!std::isfinite(share)) return {};
  const double percent = share * 100;
  if (percent > 0 && percent < 0.05) return "<0.1%";
  if (percent > 99.9 && percent < 100) return "99.9%";
  if (percent > 0 && percent < 9.95) return fmt::format("{:.1f}%", percent);
  return percent > 99.5 && percent < 100 ? fmt::format("{:.1f}%", percent)
                                         : fmt::format("{:.0f}%", percent);
}

}  // namespace bytescope::trace
