#version 330 core
// ImGui's triangles: mostly glyphs.
layout(location = 0) in vec2 corner;  // in logical pixels, y downwards
layout(location = 1) in vec2 texel;
layout(location = 2) in vec4 color;
uniform vec2 clip_per_unit;
out vec2 at;
out vec4 ink;

void main() {
  gl_Position = vec4(corner.x * clip_per_unit.x - 1.0, 1.0 - corner.y * clip_per_unit.y, 0.0, 1.0);
  at = texel;
  ink = vec4(color.rgb * color.a, color.a);
}
