#version 330 core
uniform sampler2D picture;
in vec2 inside;
out vec4 pixel;

void main() {
  pixel = texture(picture, inside);
}
