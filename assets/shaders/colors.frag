#version 330 core
// A row of columns, each in the colour of its texel.
uniform sampler2D texels;
uniform vec4 columns;  // left edge in px, columns per px, last column, row of texels
out vec4 pixel;

void main() {
  float column = clamp((gl_FragCoord.x - columns.x) * columns.y, 0.0, columns.z);
  pixel = texelFetch(texels, ivec2(int(column), int(columns.w)), 0);
}
