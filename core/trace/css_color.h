#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bytescope::trace {

/// A colour as a web page would take it, as 0xRRGGBBAA: a name (`gray`, `rebeccapurple`,
/// `transparent`), `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, `rgb(1, 2, 3)`, `rgba(1, 2, 3, 0.5)`,
/// the latter also with percentages, spaces for commas and a slash before the alpha. None for
/// anything else. Capitals and surrounding space do not matter.
std::optional<std::uint32_t> parse_css_color(std::string_view text);

}  // namespace bytescope::trace
