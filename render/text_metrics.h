#pragma once

#include "render/scene.h"

namespace bytescope::render {

/// How wide characters are. The app fills it from the fonts that it draws with, so that layout and
/// picture agree, and tests make up their own.
class TextMetrics {
public:
  TextMetrics() = default;
  virtual ~TextMetrics() = default;
  TextMetrics(const TextMetrics&) = delete;
  TextMetrics& operator=(const TextMetrics&) = delete;
  TextMetrics(TextMetrics&&) = delete;
  TextMetrics& operator=(TextMetrics&&) = delete;

  /// How far a character moves the pen, in logical pixels; that of the placeholder for characters
  /// that no font has. Costs O(1).
  virtual float advance_px(Face face, char32_t character) const = 0;
};

/// The size of a face in logical pixels, which is also the height of its line box.
constexpr float size_px(Face face) {
  switch (face) {
    case Face::ui_13_medium: return 13;
    case Face::ui_12_semibold:
    case Face::ui_12:
    case Face::mono_12: return 12;
    case Face::ui_11:
    case Face::mono_11: return 11;
  }
  return 12;
}

}  // namespace bytescope::render
