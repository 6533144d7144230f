# Writes OUTPUT, a C++ file that defines app/icon_shapes.h's list from the <rect/> elements of ICON.
file(STRINGS "${ICON}" lines REGEX "<rect ")
set(rows "")
foreach(line IN LISTS lines)
  foreach(key x y width height rx)
    string(REGEX MATCH " ${key}=\"([0-9.]+)\"" found "${line}")
    set(${key} "static_cast<float>(${CMAKE_MATCH_1})")
  endforeach()
  string(REGEX MATCH " fill=\"#([0-9a-f]+)\"" found "${line}")
  string(APPEND rows "    {${x}, ${y}, ${width}, ${height}, ${rx}, 0x${CMAKE_MATCH_1}U},\n")
endforeach()
file(WRITE "${OUTPUT}" "// Generated from assets/icon.
#include \"app/icon_shapes.h\"

namespace bytescope::app {
namespace {
constexpr IconShape shapes[] = {
${rows}};
}  // namespace

std::span<const IconShape> icon_shapes() { return shapes; }
}  // namespace bytescope::app
")
