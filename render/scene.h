#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "render/color.h"

namespace bytescope::render {

/// An axis-parallel rectangle in window pixels (logical, before the display scale); y grows
/// downwards.
struct Box {
  float x0 = 0;
  float y0 = 0;
  float x1 = 0;
  float y1 = 0;
  float width() const { return x1 - x0; }
  float height() const { return y1 - y0; }
  bool contains(float x, float y) const { return x0 <= x && x < x1 && y0 <= y && y < y1; }
};

/// A filled rectangle; spans also have a top edge of 2 px and a left edge of 1 px mixed 45 %
/// towards `edge`.
struct RectMark {
  Box box;
  Color fill;
  Color edge;  ///< Equal to `fill` for plain rectangles.
};

/// One row of pixel columns painted by a single quad from a row of texels (Scene::texels).
struct ColumnRow {
  enum class Kind : std::uint32_t {
    colors,  ///< A texel is the colour of its column (alpha 0: nothing).
    bars,    ///< A texel's r, g, b are the cumulated heights of three areas, in 1/255 of the row,
             ///< from the bottom; a touched column with heights below one pixel shows one pixel of
             ///< its topmost area.
  };
  Box box;  ///< Column c spans x0 + c × width / texel_count …
  Kind kind = Kind::colors;
  std::uint32_t texel_row = 0;  ///< Row in Scene::texels.
  std::uint32_t texel_count = 0;
  Color areas[3] = {};  ///< bars: colours from the bottom up.
  Color ghost = {};     ///< bars: what fills the rest of a touched column; alpha 0 for nothing.
  Color edge = {};      ///< bars: a 1 px line on top of the topmost area; alpha 0 for none.
};

/// A picture computed elsewhere (an opened stack); uploaded once for as long as it is drawn.
struct Picture {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<Color> pixels;  ///< Row by row from the top.
};

struct PictureMark {
  Box box;
  Box clip;
  std::shared_ptr<const Picture> picture;
};

/// The faces that text is set in, sizes in logical pixels.
enum class Face : std::uint8_t { ui_13_medium, ui_12_semibold, ui_12, ui_11, mono_12, mono_11 };
constexpr std::size_t face_count = 6;

/// A curve from one place to another that leaves and arrives level.
struct CurveMark {
  float x0 = 0;
  float y0 = 0;
  float x1 = 0;
  float y1 = 0;
  Color color;
  Box clip;
};

/// A stretch of text in one colour.
struct TextPiece {
  std::string text;  ///< UTF-8.
  Color color;
};

/// A line of text; already cut to its room.
struct Label {
  float x = 0;  ///< Left edge.
  float y = 0;  ///< Top of the line box (the face's size in height).
  Face face = Face::ui_12;
  Box clip;
  std::vector<TextPiece> pieces;
};

/// Everything one frame shows of the timeline, in order of painting. Plain data: no GL, rebuilt
/// each frame.
struct Scene {
  Color background;
  std::vector<RectMark> below;  ///< Row backgrounds, grid lines.
  std::vector<ColumnRow> column_rows;
  std::vector<PictureMark> pictures;
  std::vector<RectMark> marks;  ///< Spans.
  std::vector<RectMark> above;  ///< Outlines, markers, rulers.
  std::vector<CurveMark> curves;
  std::vector<Label> labels;
  std::uint32_t texel_width = 0;  ///< Texels in a row of `texels`.
  std::vector<Color> texels;      ///< Rows of texel_width each.
  /// Nothing of it is painted outside, where it is not empty; what is painted over it has its own.
  Box clip;
  /// What is painted over all of this, at most one: what stays while rows scroll beneath it. It is
  /// kept from frame to frame, empty where nothing is to be painted.
  std::vector<Scene> over;

  /// Empties it and keeps the memory.
  void clear();
  /// What is painted over this; made when it is first asked for.
  Scene& layer_over();
  /// Keeps all of it and of what is painted over it inside a part of the window.
  void keep_inside(const Box& part);
  /// What is painted last.
  Scene& top() { return over.empty() ? *this : over.back().top(); }
  /// A new row of texels, all zero; `width` at most texel_width. Valid until the next call.
  Color* add_texel_row(std::uint32_t& row);
};

}  // namespace bytescope::render
