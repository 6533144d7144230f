#version 330 core
// ImGui's triangles: mostly glyphs.
layout(location = 0) in vec2 corner;  // in logical pixels, y downwards
layout(location = 1) in vec2 texel;
layout(location = 2) in vec4 color;
uniform vec2 clip_per_unit;
// The colour must come first: where llvmpipe of Mesa 22 draws rectangles in its fast way, it takes a texture coordinate
// that comes first for the colour as well.
out vec4 ink;
out vec2 at;

void main() {
  gl_Position = vec4(corner.x * clip_per_unit.x - 1.0, 1.0 - corner.y * clip_per_unit.y, 0.0, 1.0);
  ink = vec4(color.rgb * color.a, color.a);
  at = texel;
}
