#version 330 core
// One quad given by uniforms; `inside` runs from (0, 0) at its top left to (1, 1).
uniform vec4 box_px;  // x0, y0, x1, y1, y downwards
uniform vec2 clip_per_px;
out vec2 inside;

void main() {
  const vec2 corners[6] = vec2[6](vec2(0, 0), vec2(1, 0), vec2(1, 1), vec2(0, 0), vec2(1, 1), vec2(0, 1));
  inside = corners[gl_VertexID];
  vec2 at_px = mix(box_px.xy, box_px.zw, inside);
  gl_Position = vec4(at_px.x * clip_per_px.x - 1.0, 1.0 - at_px.y * clip_per_px.y, 0.0, 1.0);
}
