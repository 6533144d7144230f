#include "core/query/fold_case.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/io/utf8.h"

namespace bytescope::query {
namespace {

/// Letters first, first + step, … last, each of which becomes itself + change.
struct FoldRange {
  char32_t first;
  char32_t last;
  std::uint8_t step;
  std::int32_t change;
};

// clang-format off
// From Unicode's CaseFolding.txt, statuses C and S, in order.
constexpr std::array fold_ranges = {
  FoldRange{0xB5, 0xB5, 1, 775}, FoldRange{0xC0, 0xD6, 1, 32}, FoldRange{0xD8, 0xDE, 1, 32}, FoldRange{0x100, 0x12E, 2, 1},
  FoldRange{0x132, 0x136, 2, 1}, FoldRange{0x139, 0x147, 2, 1}, FoldRange{0x14A, 0x176, 2, 1}, FoldRange{0x178, 0x178, 1, -121},
  FoldRange{0x179, 0x17D, 2, 1}, FoldRange{0x17F, 0x17F, 1, -268}, FoldRange{0x181, 0x181, 1, 210}, FoldRange{0x182, 0x184, 2, 1},
  FoldRange{0x186, 0x186, 1, 206}, FoldRange{0x187, 0x187, 1, 1}, FoldRange{0x189, 0x18A, 1, 205}, FoldRange{0x18B, 0x18B, 1, 1},
  FoldRange{0x18E, 0x18E, 1, 79}, FoldRange{0x18F, 0x18F, 1, 202}, FoldRange{0x190, 0x190, 1, 203}, FoldRange{0x191, 0x191, 1, 1},
  FoldRange{0x193, 0x193, 1, 205}, FoldRange{0x194, 0x194, 1, 207}, FoldRange{0x196, 0x196, 1, 211}, FoldRange{0x197, 0x197, 1, 209},
  FoldRange{0x198, 0x198, 1, 1}, FoldRange{0x19C, 0x19C, 1, 211}, FoldRange{0x19D, 0x19D, 1, 213}, FoldRange{0x19F, 0x19F, 1, 214},
  FoldRange{0x1A0, 0x1A4, 2, 1}, FoldRange{0x1A6, 0x1A6, 1, 218}, FoldRange{0x1A7, 0x1A7, 1, 1}, FoldRange{0x1A9, 0x1A9, 1, 218},
  FoldRange{0x1AC, 0x1AC, 1, 1}, FoldRange{0x1AE, 0x1AE, 1, 218}, FoldRange{0x1AF, 0x1AF, 1, 1}, FoldRange{0x1B1, 0x1B2, 1, 217},
  FoldRange{0x1B3, 0x1B5, 2, 1}, FoldRange{0x1B7, 0x1B7, 1, 219}, FoldRange{0x1B8, 0x1B8, 1, 1}, FoldRange{0x1BC, 0x1BC, 1, 1},
  FoldRange{0x1C4, 0x1C4, 1, 2}, FoldRange{0x1C5, 0x1C5, 1, 1}, FoldRange{0x1C7, 0x1C7, 1, 2}, FoldRange{0x1C8, 0x1C8, 1, 1},
  FoldRange{0x1CA, 0x1CA, 1, 2}, FoldRange{0x1CB, 0x1DB, 2, 1}, FoldRange{0x1DE, 0x1EE, 2, 1}, FoldRange{0x1F1, 0x1F1, 1, 2},
  FoldRange{0x1F2, 0x1F4, 2, 1}, FoldRange{0x1F6, 0x1F6, 1, -97}, FoldRange{0x1F7, 0x1F7, 1, -56}, FoldRange{0x1F8, 0x21E, 2, 1},
  FoldRange{0x220, 0x220, 1, -130}, FoldRange{0x222, 0x232, 2, 1}, FoldRange{0x23A, 0x23A, 1, 10795}, FoldRange{0x23B, 0x23B, 1, 1},
  FoldRange{0x23D, 0x23D, 1, -163}, FoldRange{0x23E, 0x23E, 1, 10792}, FoldRange{0x241, 0x241, 1, 1}, FoldRange{0x243, 0x243, 1, -195},
  FoldRange{0x244, 0x244, 1, 69}, FoldRange{0x245, 0x245, 1, 71}, FoldRange{0x246, 0x24E, 2, 1}, FoldRange{0x345, 0x345, 1, 116},
  FoldRange{0x370, 0x372, 2, 1}, FoldRange{0x376, 0x376, 1, 1}, FoldRange{0x37F, 0x37F, 1, 116}, FoldRange{0x386, 0x386, 1, 38},
  FoldRange{0x388, 0x38A, 1, 37}, FoldRange{0x38C, 0x38C, 1, 64}, FoldRange{0x38E, 0x38F, 1, 63}, FoldRange{0x391, 0x3A1, 1, 32},
  FoldRange{0x3A3, 0x3AB, 1, 32}, FoldRange{0x3C2, 0x3C2, 1, 1}, FoldRange{0x3CF, 0x3CF, 1, 8}, FoldRange{0x3D0, 0x3D0, 1, -30},
  FoldRange{0x3D1, 0x3D1, 1, -25}, FoldRange{0x3D5, 0x3D5, 1, -15}, FoldRange{0x3D6, 0x3D6, 1, -22}, FoldRange{0x3D8, 0x3EE, 2, 1},
  FoldRange{0x3F0, 0x3F0, 1, -54}, FoldRange{0x3F1, 0x3F1, 1, -48}, FoldRange{0x3F4, 0x3F4, 1, -60}, FoldRange{0x3F5, 0x3F5, 1, -64},
  FoldRange{0x3F7, 0x3F7, 1, 1}, FoldRange{0x3F9, 0x3F9, 1, -7}, FoldRange{0x3FA, 0x3FA, 1, 1}, FoldRange{0x3FD, 0x3FF, 1, -130},
  FoldRange{0x400, 0x40F, 1, 80}, FoldRange{0x410, 0x42F, 1, 32}, FoldRange{0x460, 0x480, 2, 1}, FoldRange{0x48A, 0x4BE, 2, 1},
  FoldRange{0x4C0, 0x4C0, 1, 15}, FoldRange{0x4C1, 0x4CD, 2, 1}, FoldRange{0x4D0, 0x52E, 2, 1}, FoldRange{0x531, 0x556, 1, 48},
  FoldRange{0x1E00, 0x1E94, 2, 1}, FoldRange{0x1E9B, 0x1E9B, 1, -58}, FoldRange{0x1E9E, 0x1E9E, 1, -7615}, FoldRange{0x1EA0, 0x1EFE, 2, 1},
  FoldRange{0x1F08, 0x1F0F, 1, -8}, FoldRange{0x1F18, 0x1F1D, 1, -8}, FoldRange{0x1F28, 0x1F2F, 1, -8}, FoldRange{0x1F38, 0x1F3F, 1, -8},
  FoldRange{0x1F48, 0x1F4D, 1, -8}, FoldRange{0x1F59, 0x1F5F, 2, -8}, FoldRange{0x1F68, 0x1F6F, 1, -8}, FoldRange{0x1F88, 0x1F8F, 1, -8},
  FoldRange{0x1F98, 0x1F9F, 1, -8}, FoldRange{0x1FA8, 0x1FAF, 1, -8}, FoldRange{0x1FB8, 0x1FB9, 1, -8}, FoldRange{0x1FBA, 0x1FBB, 1, -74},
  FoldRange{0x1FBC, 0x1FBC, 1, -9}, FoldRange{0x1FBE, 0x1FBE, 1, -7173}, FoldRange{0x1FC8, 0x1FCB, 1, -86}, FoldRange{0x1FCC, 0x1FCC, 1, -9},
  FoldRange{0x1FD8, 0x1FD9, 1, -8}, FoldRange{0x1FDA, 0x1FDB, 1, -100}, FoldRange{0x1FE8, 0x1FE9, 1, -8}, FoldRange{0x1FEA, 0x1FEB, 1, -112},
  FoldRange{0x1FEC, 0x1FEC, 1, -7}, FoldRange{0x1FF8, 0x1FF9, 1, -128}, FoldRange{0x1FFA, 0x1FFB, 1, -126}, FoldRange{0x1FFC, 0x1FFC, 1, -9},
  FoldRange{0x2126, 0x2126, 1, -7517}, FoldRange{0x212A, 0x212A, 1, -8383}, FoldRange{0x212B, 0x212B, 1, -8262}, FoldRange{0x2132, 0x2132, 1, 28},
  FoldRange{0x2160, 0x216F, 1, 16}, FoldRange{0x2183, 0x2183, 1, 1}, FoldRange{0xFF21, 0xFF3A, 1, 32},
};
// clang-format on

char32_t folded_letter(char32_t letter) {
  const auto* const range =
      std::lower_bound(fold_ranges.begin(), fold_ranges.end(), letter,
                       [](const FoldRange& known, char32_t wanted) { return known.last < wanted; });
  if (range == fold_ranges.end() || letter < range->first) return letter;
  if ((letter - range->first) % range->step != 0) return letter;
  return static_cast<char32_t>(static_cast<std::int64_t>(letter) + range->change);
}

char folded_ascii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

bool is_ascii(char c) { return static_cast<signed char>(c) >= 0; }

}  // namespace

void append_folded(std::string& out, std::string_view wtf8) {
  while (!wtf8.empty()) {
    const auto* const stop = std::find_if_not(wtf8.begin(), wtf8.end(), is_ascii);
    const auto plain = static_cast<std::size_t>(stop - wtf8.begin());
    const std::size_t before = out.size();
    out.resize(before + plain);
    std::transform(wtf8.begin(), stop, out.begin() + static_cast<std::ptrdiff_t>(before),
                   folded_ascii);
    wtf8.remove_prefix(plain);
    if (wtf8.empty()) return;
    const io::CodePoint point = io::first_code_point(wtf8);
    if (point.valid) {
      io::append_code_point(out, folded_letter(point.value));
    } else {
      out.append(wtf8.substr(0, point.size_bytes));
    }
    wtf8.remove_prefix(point.size_bytes);
  }
}

std::string folded(std::string_view wtf8) {
  std::string out;
  out.reserve(wtf8.size());
  append_folded(out, wtf8);
  return out;
}

}  // namespace bytescope::query
