#include "app/commands/picture_options.h"

#include <cstdio>

#include <fmt/format.h>

namespace bytescope::app {
namespace {

constexpr int least_picture_px = 64;
constexpr int most_picture_px = 16'384;

}  // namespace

void add_picture_options(CLI::App& arguments, PictureOptions& options) {
  arguments.add_option("--size", options.size, "Width and height in pixels")->capture_default_str();
  arguments.add_option("--scale", options.scale, "Pixels per logical pixel, as on a HiDPI screen")
      ->check(CLI::Range(0.5, 4.0))
      ->capture_default_str();
}

Expected<render::gl::PixelSize> picture_size(const PictureOptions& options) {
  int width = 0;
  int height = 0;
  char end = 0;
  const int read = std::sscanf(options.size.c_str(), "%dx%d%c", &width, &height, &end);
  const auto fits = [](int side) { return side >= least_picture_px && side <= most_picture_px; };
  if (read != 2 || !fits(width) || !fits(height)) {
    return failure(ErrorKind::usage,
                   fmt::format("A size is WIDTHxHEIGHT, {} to {} pixels each, not \"{}\"",
                               least_picture_px, most_picture_px, options.size));
  }
  return render::gl::PixelSize{width, height};
}

}  // namespace bytescope::app
