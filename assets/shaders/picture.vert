#version 330 core
// Parts of a texture, one instance each; see rect.vert for why it is done in this way.
layout(location = 0) in vec4 box_px;  // x0, y0, x1, y1, y downwards
layout(location = 1) in vec4 part;    // of the texture: x0, y0, x1, y1
uniform vec2 clip_per_px;
out vec2 at;

void main() {
  const vec2 corners[6] = vec2[6](vec2(0, 0), vec2(1, 0), vec2(1, 1), vec2(0, 0), vec2(1, 1), vec2(0, 1));
  vec2 at_px = mix(box_px.xy, box_px.zw, corners[gl_VertexID]);
  gl_Position = vec4(at_px.x * clip_per_px.x - 1.0, 1.0 - at_px.y * clip_per_px.y, 0.0, 1.0);
  at = mix(part.xy, part.zw, corners[gl_VertexID]);
}
