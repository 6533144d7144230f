#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "render/scene.h"
#include "render/text_metrics.h"

namespace bytescope::render {

/// The width of one line of UTF-8 text in logical pixels. Costs O(characters).
float text_width_px(const TextMetrics& metrics, Face face, std::string_view text);
/// The width of pieces that stand side by side.
float text_width_px(const TextMetrics& metrics, Face face, std::span<const TextPiece> pieces);

/// The text, or as much of its beginning as fits `room_px` together with "…"; empty when not even
/// one character and "…" fit. Costs O(characters that fit).
std::string text_cut_to(const TextMetrics& metrics, Face face, std::string_view text,
                        float room_px);
/// Likewise for pieces; "…" takes the colour of the text it follows. Pieces that do not fit go.
void cut_to(const TextMetrics& metrics, Face face, std::vector<TextPiece>& pieces, float room_px);
/// Likewise, but a number at the end stays, for it is what tells such texts apart: "tra…12", "…12".
void cut_before_number(const TextMetrics& metrics, Face face, std::vector<TextPiece>& pieces,
                       float room_px);

}  // namespace bytescope::render
