#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "core/error.h"
#include "render/gl/device_box.h"

namespace bytescope::app {

/// How large a command draws without a window.
struct PictureOptions {
  std::string size = "1920x1080";
  double scale = 1;
};

/// Adds `--size` and `--scale`; `options` must outlive the arguments.
void add_picture_options(CLI::App& arguments, PictureOptions& options);

/// The size in pixels. Fails with ErrorKind::usage.
Expected<render::gl::PixelSize> picture_size(const PictureOptions& options);

}  // namespace bytescope::app
