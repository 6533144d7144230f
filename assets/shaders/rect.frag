#version 330 core
in vec4 fill;
out vec4 pixel;

void main() {
  pixel = fill;
}
