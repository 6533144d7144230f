#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace bytescope::trace {

/// What a dimension in the name of a kernel is, as its colour tells (FORMAT.md, "What the data
/// means").
enum class DimensionKind : std::uint8_t {
  global,
  thread,
  local,
  warp,
  loop,
  upcast,
  reduce,
  group_reduce,
  unroll,
  device,
};

/// "global", "group reduce", …
std::string_view text(DimensionKind kind);

/// A size in the name of a kernel.
struct Dimension {
  DimensionKind kind = DimensionKind::loop;
  std::string_view size;  ///< As in the name, mostly digits; a part of the raw name.
};

/// The coloured sizes of a kernel name such as `r_ESC[34m64ESC[0m_ESC[31m4ESC[0m`, in order. Empty
/// for names without colours and for those that name no kernel (`E_…`, `r_…`).
std::vector<Dimension> dimensions(std::string_view raw_name);

/// A kernel's plain name without the number of its variant: `E_4_4n12` gives `E_4_4`. Names that do
/// not begin like a generated kernel's stay as they are.
std::string_view without_variant(std::string_view plain_name);

}  // namespace bytescope::trace
