#pragma once

#include <vector>

#include "render/paint_context.h"

namespace bytescope::render {

/// More labels than that cost more than the rest of the frame (with a software rasteriser), and
/// nobody reads them.
constexpr std::size_t most_labels = 200;

/// The pieces of a raw name in the theme's colours, on one line.
std::vector<TextPiece> colored_pieces(const Theme& theme, std::string_view raw);

/// Turns the widest of the wishes into labels of the scene, cut to their room with an ellipsis.
void place_labels(const PaintContext& context);

}  // namespace bytescope::render
