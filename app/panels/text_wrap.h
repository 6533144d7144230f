#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "render/scene.h"
#include "render/text_metrics.h"

namespace bytescope::app {

/// A text broken into lines of at most `room_px`: at its line ends, at spaces and behind `/` and
/// `_` where it can, anywhere where it must. At most `most_lines`, the last with "…" where there
/// was more. Colours stay with their letters. Costs O(characters shown).
std::vector<std::vector<render::TextPiece>> wrapped(const render::TextMetrics& metrics,
                                                    render::Face face,
                                                    const std::vector<render::TextPiece>& pieces,
                                                    float room_px, std::size_t most_lines);
std::vector<std::vector<render::TextPiece>> wrapped(const render::TextMetrics& metrics,
                                                    render::Face face, std::string_view text,
                                                    render::Color color, float room_px,
                                                    std::size_t most_lines);

}  // namespace bytescope::app
