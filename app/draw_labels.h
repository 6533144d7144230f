#pragma once

#include <span>

#include "app/fonts.h"
#include "render/scene.h"

struct ImDrawList;

namespace bytescope::app {

/// Appends labels to one of ImGui's draw lists (the background list, for the timeline): every glyph
/// on whole device pixels, cut at the label's clip box. Asks the fonts for characters that they
/// lack. Costs O(characters inside the clip boxes).
void draw_labels(ImDrawList& list, std::span<const render::Label> labels, Fonts& fonts);

}  // namespace bytescope::app
