#version 330 core
// A row of columns, each a stack of three areas whose cumulated heights are its texel's r, g and b.
uniform sampler2D texels;
uniform vec4 columns;  // left edge in px, columns per px, last column, row of texels
uniform vec3 heights;  // lower edge in px from below, height in px, thickness of the edge line in px (0: none)
uniform vec4 areas[3];
uniform vec4 ghost;
uniform vec4 edge;
out vec4 pixel;

void main() {
  float column = clamp((gl_FragCoord.x - columns.x) * columns.y, 0.0, columns.z);
  vec4 texel = texelFetch(texels, ivec2(int(column), int(columns.w)), 0);
  float y = gl_FragCoord.y - heights.x;  // the middle of the pixel, from the row's lower edge
  vec3 top = floor(texel.rgb * heights.y + 0.5);
  float total = max(top.b, 1.0);
  // What reaches the total first is the topmost area; it gets the one pixel of a column that has none.
  vec4 topmost = texel.r >= texel.b ? areas[0] : texel.g >= texel.b ? areas[1] : areas[2];
  vec4 area = y < top.r ? areas[0] : y < top.g ? areas[1] : y < top.b ? areas[2] : topmost;
  vec4 shown = y > total ? ghost : (y > total - heights.z && total > heights.z) ? edge : area;
  pixel = texel.a > 0.0 ? shown : vec4(0.0);
}
