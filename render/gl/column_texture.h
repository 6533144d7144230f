#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "render/gl/column_paint.h"
#include "render/gl/device_box.h"
#include "render/gl/object.h"
#include "render/scene.h"

namespace bytescope::render::gl {

/// The painted rows of a scene, one below the other in a texture. Paints and uploads only what
/// differs from the last frame.
class ColumnTexture {
public:
  /// Where a row is drawn and where its picture is.
  struct Quad {
    DeviceBox box;
    std::uint32_t line = 0;    ///< Of the texture.
    std::uint32_t width = 0;   ///< In texels.
    std::uint32_t height = 0;  ///< In texels.
    bool opaque = false;
  };

  /// Brings the texture up to date, binds it, and answers the rows that can be seen. Leaves out
  /// rows that do not fit the largest texture or refer to texels that are not there.
  const std::vector<Quad>& update(const Scene& scene, PixelSize framebuffer, float scale);
  std::uint32_t name() const { return texture_.name(); }
  /// The size of the texture in texels.
  PixelSize size() const { return size_; }
  /// How many rows the last update painted.
  std::size_t painted_count() const { return painted_count_; }

private:
  /// What the texture holds in the lines of a quad.
  struct Content {
    ColumnRow row;
    std::uint32_t line = 0;
    std::uint32_t height_px = 0;
    std::uint32_t edge_px = 0;
    bool opaque = false;
  };

  void collect(const Scene& scene, PixelSize framebuffer, float scale);
  void reserve(std::uint32_t width, std::uint32_t height);
  bool holds(std::size_t slot, const Content& wanted, const Scene& scene) const;
  void paint_into(const Scene& scene, Content& content);

  Texture texture_;
  PixelSize size_;
  std::vector<Quad> quads_;
  std::vector<Content> wanted_;
  std::vector<Content> held_;
  std::vector<Color> held_texels_;
  std::uint32_t held_texel_width_ = 0;
  PaintedRow painted_;
  std::size_t painted_count_ = 0;
};

}  // namespace bytescope::render::gl
