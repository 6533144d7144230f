#include "core/bytepack/dialect.h"

namespace bytescope::bytepack {
namespace {

constexpr std::int8_t no = SpanLayout::absent;

// clang-format off
//                            stride name ref key start dur depth cat info
constexpr SpanLayout span22 = {  22,   0,  4, no,   8,  12,  16,  17,  18 };
constexpr SpanLayout span21 = {  21,   0,  4, no,   8,  12,  no,  16,  17 };
constexpr SpanLayout span20 = {  20,   0,  4, no,   8,  12,  no,  no,  16 };
constexpr SpanLayout span24 = {  24,   0,  4,  8,  12,  16,  no,  no,  20 };

//                             stride run name arg mode arg_bytes
constexpr UserLayout no_users = {  0,  no,  no, no,  no, 0 };
constexpr UserLayout user4    = {  4,  no,   0, no,  no, 0 };
constexpr UserLayout user6n   = {  6,  no,   0,  4,   5, 1 };
constexpr UserLayout user6r   = {  6,   0,  no,  4,   5, 1 };
constexpr UserLayout user10   = { 10,   0,   4,  8,   9, 1 };
constexpr UserLayout user13   = { 13,   0,   4,  8,  12, 4 };

constexpr MemoryForm polygons = MemoryForm::polygons, events = MemoryForm::events, events_or_line = MemoryForm::events_or_line;
// clang-format on

}  // namespace

// clang-format off
const std::array<Dialect, 12> dialects = {{
  //  since                  span    lanes  memory          users     alive  info
  { 'L', "2026-05-04 #16032", span24, false, events_or_line, user13,   true,  InfoForm::json  },
  { 'K', "2026-03-11 #15197", span24, false, events_or_line, user13,   true,  InfoForm::lines },
  { 'J', "2025-11-28 #13472", span24, false, events,         user13,   true,  InfoForm::lines },
  { 'I', "2025-11-11 #13212", span24, false, events,         user10,   true,  InfoForm::lines },
  { 'H', "2025-10-17 #12761", span24, false, events,         user10,   true,  InfoForm::text  },
  { 'G', "2025-10-17 #12758", span24, false, events,         user6r,   true,  InfoForm::text  },
  { 'F', "2025-10-17 #12750", span20, false, events,         user6n,   true,  InfoForm::text  },
  { 'E', "2025-10-16 #12639", span20, false, events,         user4,    true,  InfoForm::text  },
  { 'D', "2025-08-30 #11919", span20, false, events,         no_users, false, InfoForm::text  },
  { 'C', "2025-08-25 #11830", span21, false, events,         no_users, false, InfoForm::text  },
  { 'B', "2025-08-24 #11805", span21, false, polygons,       no_users, false, InfoForm::text  },
  { 'A', "2025-08-23 #11792", span22, true,  polygons,       no_users, false, InfoForm::text  },
}};
// clang-format on

const Dialect* dialect_of(char letter) {
  for (const Dialect& dialect : dialects) {
    if (dialect.letter == letter) return &dialect;
  }
  return nullptr;
}

}  // namespace bytescope::bytepack
