#pragma once

#include <span>

#include "render/scene.h"

struct ImDrawList;

namespace bytescope::app {

/// Draws the curves of a scene, each within its clip.
void draw_curves(ImDrawList& list, std::span<const render::CurveMark> curves);

}  // namespace bytescope::app
