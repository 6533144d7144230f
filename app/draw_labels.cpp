#include "app/draw_labels.h"

#include <algorithm>
#include <cmath>

#include <imgui.h>

#include "core/io/utf8.h"

namespace bytescope::app {
namespace {

using render::Box;
using render::Color;
using render::Label;

ImU32 packed(Color color) { return IM_COL32(color.r, color.g, color.b, color.a); }

/// Puts glyphs side by side; all lengths are device pixels.
class Pen {
public:
  Pen(ImDrawList& list, const Label& label, const Fonts& fonts)
      : list_(list),
        to_logical_(1 / fonts.scale()),
        clip_{label.clip.x0 * fonts.scale(), label.clip.y0 * fonts.scale(),
              label.clip.x1 * fonts.scale(), label.clip.y1 * fonts.scale()},
        x_(std::round(label.x * fonts.scale())),
        y_(top(label, fonts)) {}

  /// Whether nothing of the label can be seen from here on.
  bool done() const { return x_ >= clip_.x1; }
  bool hidden(float height) const { return y_ >= clip_.y1 || y_ + height <= clip_.y0; }

  void put(const ImFontGlyph& glyph, ImU32 color) {
    if (glyph.Visible) put_quad(glyph, color);
    x_ += glyph.AdvanceX;
  }

private:
  // ImGui's line is taller than the face's box, whose middle is also the line's.
  static float top(const Label& label, const Fonts& fonts) {
    const float box = size_px(label.face) * fonts.scale();
    const float line = fonts.line_height(label.face);
    return std::round(label.y * fonts.scale() + (box - line) / 2);
  }

  void put_quad(const ImFontGlyph& glyph, ImU32 color) {
    const Box whole{x_ + glyph.X0, y_ + glyph.Y0, x_ + glyph.X1, y_ + glyph.Y1};
    const Box shown{std::max(whole.x0, clip_.x0), std::max(whole.y0, clip_.y0),
                    std::min(whole.x1, clip_.x1), std::min(whole.y1, clip_.y1)};
    if (shown.x0 >= shown.x1 || shown.y0 >= shown.y1) return;
    const float u_per_px = (glyph.U1 - glyph.U0) / whole.width();
    const float v_per_px = (glyph.V1 - glyph.V0) / whole.height();
    const ImVec2 uv0{glyph.U0 + (shown.x0 - whole.x0) * u_per_px,
                     glyph.V0 + (shown.y0 - whole.y0) * v_per_px};
    const ImVec2 uv1{glyph.U1 - (whole.x1 - shown.x1) * u_per_px,
                     glyph.V1 - (whole.y1 - shown.y1) * v_per_px};
    list_.PrimReserve(6, 4);
    list_.PrimRectUV({shown.x0 * to_logical_, shown.y0 * to_logical_},
                     {shown.x1 * to_logical_, shown.y1 * to_logical_}, uv0, uv1, color);
  }

  ImDrawList& list_;
  float to_logical_;
  Box clip_;
  float x_;
  float y_;
};

void draw_label(ImDrawList& list, const Label& label, Fonts& fonts) {
  Pen pen(list, label, fonts);
  if (pen.hidden(fonts.line_height(label.face))) return;
  for (const render::TextPiece& piece : label.pieces) {
    fonts.need(piece.text);
    const ImU32 color = packed(piece.color);
    for (std::string_view rest = piece.text; !rest.empty() && !pen.done();) {
      const io::CodePoint next = io::first_code_point(rest);
      rest.remove_prefix(next.size_bytes);
      pen.put(*fonts.glyph(label.face, next.value), color);
    }
  }
}

}  // namespace

void draw_labels(ImDrawList& list, std::span<const Label> labels, Fonts& fonts) {
  if (labels.empty()) return;
  // The list starts with the font texture, which is the only one that we use.
  for (const Label& label : labels) draw_label(list, label, fonts);
}

}  // namespace bytescope::app
