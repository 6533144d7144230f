#version 330 core
uniform sampler2D glyphs;  // premultiplied, like `ink`
in vec2 at;
in vec4 ink;
out vec4 pixel;

void main() {
  pixel = ink * texture(glyphs, at);
}
