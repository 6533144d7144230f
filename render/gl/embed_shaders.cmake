# Writes OUTPUT, a C++ file that defines render/gl/shaders.h's table from the files in SHADERS.
set(rows "")
foreach(file IN LISTS SHADERS)
  get_filename_component(name "${file}" NAME)
  file(READ "${file}" text)
  string(APPEND rows "    {\"${name}\", R\"glsl(${text})glsl\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "// Generated from assets/shaders.
#include \"render/gl/shaders.h\"

namespace bytescope::render::gl {
namespace {
struct Shader {
  std::string_view name;
  std::string_view text;
};
constexpr Shader shaders[] = {
${rows}};
}  // namespace

std::string_view shader_text(std::string_view name) {
  for (const Shader& shader : shaders)
    if (shader.name == name) return shader.text;
  return {};
}
}  // namespace bytescope::render::gl
")
