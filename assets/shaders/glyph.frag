#version 330 core
uniform sampler2D glyphs;  // premultiplied, like `ink`
in vec4 ink;
in vec2 at;
out vec4 pixel;

void main() {
  pixel = ink * texture(glyphs, at);
}
