#pragma once

#include "app/screen.h"
#include "app/viewer.h"
#include "core/error.h"
#include "render/gl/device_box.h"
#include "render/scene.h"

namespace bytescope::app {

/// Draws what a window shows into a picture with `factor` times as many pixels, with the fonts and
/// details that these take. Answers within two seconds, whether or not workers are done by then.
/// Another framebuffer is bound afterwards. `size` and `scale` are the window's.
Expected<render::Picture> view_picture(Screen& screen, Viewer& viewer, render::gl::PixelSize size,
                                       float scale, int factor);

/// Takes the picture that the viewer wants, if it wants one, and gives it to the viewer to be
/// written. Answers whether it did.
bool save_wanted_picture(Screen& screen, Viewer& viewer, render::gl::PixelSize size, float scale);

}  // namespace bytescope::app
