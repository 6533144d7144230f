#include "core/trace/kernel_name.h"

#include <cstddef>
#include <optional>

#include "core/trace/ansi.h"

namespace bytescope::trace {
namespace {

std::optional<DimensionKind> kind_of(AnsiColor color) {
  switch (color) {
    case AnsiColor::blue: return DimensionKind::global;
    case AnsiColor::bright_blue: return DimensionKind::thread;
    case AnsiColor::cyan: return DimensionKind::local;
    case AnsiColor::bright_cyan: return DimensionKind::warp;
    case AnsiColor::white:
    case AnsiColor::bright_white: return DimensionKind::loop;
    case AnsiColor::yellow: return DimensionKind::upcast;
    case AnsiColor::red: return DimensionKind::reduce;
    case AnsiColor::bright_red: return DimensionKind::group_reduce;
    case AnsiColor::magenta: return DimensionKind::unroll;
    case AnsiColor::green:
    case AnsiColor::bright_green: return DimensionKind::device;
    default: return std::nullopt;  // Grey separators.
  }
}

bool begins_like_a_kernel(std::string_view plain) {
  return !plain.empty() && (plain[0] == 'E' || plain[0] == 'r') &&
         (plain.size() == 1 || plain[1] == '_' || plain[1] == 'n');
}

std::string_view without_separators(std::string_view text) {
  const std::size_t first = text.find_first_not_of('_');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of('_') - first + 1);
}

}  // namespace

std::string_view text(DimensionKind kind) {
  switch (kind) {
    case DimensionKind::global: return "global";
    case DimensionKind::thread: return "thread";
    case DimensionKind::local: return "local";
    case DimensionKind::warp: return "warp";
    case DimensionKind::loop: return "loop";
    case DimensionKind::upcast: return "upcast";
    case DimensionKind::reduce: return "reduce";
    case DimensionKind::group_reduce: return "group reduce";
    case DimensionKind::unroll: return "unroll";
    case DimensionKind::device: return "device";
  }
  return "";
}

std::vector<Dimension> dimensions(std::string_view raw_name) {
  std::vector<Dimension> found;
  const std::vector<AnsiPiece> pieces = ansi_pieces(raw_name);
  if (pieces.empty() || !begins_like_a_kernel(pieces[0].text)) return found;
  for (const AnsiPiece& piece : pieces) {
    const std::optional<DimensionKind> kind = kind_of(piece.color);
    const std::string_view size = without_separators(piece.text);
    if (kind && !size.empty()) found.push_back({*kind, size});
  }
  return found;
}

std::string_view without_variant(std::string_view plain_name) {
  if (!begins_like_a_kernel(plain_name)) return plain_name;
  const std::size_t last = plain_name.find_last_not_of("0123456789");
  const bool has_number = last + 1 < plain_name.size();
  const bool has_variant = has_number && last > 0 && plain_name[last] == 'n';
  return has_variant ? plain_name.substr(0, last) : plain_name;
}

}  // namespace bytescope::trace
