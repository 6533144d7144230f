#include "render/natural_order.h"

#include <compare>
#include <cstddef>

namespace bytescope::render {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Cuts the digits at the front off `text`, without leading zeros.
std::string_view take_number(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  std::string_view number = text.substr(0, end);
  text.remove_prefix(end);
  while (number.size() > 1 && number.front() == '0') number.remove_prefix(1);
  return number;
}

std::strong_ordering compare(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const std::string_view left = take_number(a);
      const std::string_view right = take_number(b);
      if (left.size() != right.size()) return left.size() <=> right.size();
      if (left != right) return left <=> right;
    } else {
      if (a.front() != b.front())
        return static_cast<unsigned char>(a.front()) <=> static_cast<unsigned char>(b.front());
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return a.size() <=> b.size();
}

}  // namespace

bool natural_less(std::string_view a, std::string_view b) {
  const std::strong_ordering order = compare(a, b);
  return order == std::strong_ordering::equal ? a < b : order == std::strong_ordering::less;
}

}  // namespace bytescope::render
