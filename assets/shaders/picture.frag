#version 330 core
uniform sampler2D picture;
in vec2 at;
out vec4 pixel;

void main() {
  pixel = texture(picture, at);
}
