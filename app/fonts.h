#pragma once

#include <array>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "render/text_metrics.h"

struct ImFont;
struct ImFontAtlas;
struct ImFontGlyph;

namespace bytescope::app {

/// The six faces in ImGui's glyph atlas, rasterised for the display's scale, and how wide their
/// characters are. Starts with Latin letters and the punctuation that we use; other characters are
/// added when somebody needs them. Nothing above U+FFFF unless ImGui was built for it: the
/// placeholder stands for those.
class Fonts final : public render::TextMetrics {
public:
  /// Most characters that are added on demand; the rest stay placeholders.
  static constexpr std::size_t max_added_characters = 4000;

  /// Builds the atlas. It must outlive this, and be unlocked (between frames) here and in
  /// rebuild_if_needed().
  Fonts(ImFontAtlas& atlas, float scale);

  /// Says that a text is about to be shown. Answers whether it has characters that only the next
  /// rebuild brings; until then they show as placeholders. Costs O(size), little for ASCII.
  bool need(std::string_view utf8);
  /// Says what the display's scale is now.
  void set_scale(float scale);
  /// Builds the atlas anew when characters are missing or the scale changed. Answers whether it
  /// did: then the texture must be uploaded again, and all ImFonts and widths from before are void.
  bool rebuild_if_needed();
  /// Whether the next call of it will build.
  bool rebuild_wanted() const { return missing_ || wanted_scale_ != scale_; }

  /// The face at its size times scale(), never null.
  ImFont* font(render::Face face) const { return fonts_.at(static_cast<std::size_t>(face)); }
  float scale() const { return scale_; }
  /// Where a character (or the placeholder) is in the atlas, in device pixels; never null.
  const ImFontGlyph* glyph(render::Face face, char32_t character) const;
  /// The height of a line of ImGui's in device pixels.
  float line_height(render::Face face) const;
  float advance_px(render::Face face, char32_t character) const override;

private:
  struct Builder;

  void build();

  ImFontAtlas& atlas_;
  float scale_;
  float wanted_scale_;
  bool missing_ = false;
  std::unordered_set<char32_t> known_;
  std::vector<char32_t> added_;
  std::array<ImFont*, render::face_count> fonts_{};
};

}  // namespace bytescope::app
