#include "render/gl/column_texture.h"

#include <algorithm>
#include <iterator>
#include <span>

#include <glad/gl.h>

namespace bytescope::render::gl {
namespace {

std::span<const Color> texels_of(const ColumnRow& row, const std::vector<Color>& texels,
                                 std::uint32_t texel_width) {
  const std::size_t begin = std::size_t{row.texel_row} * texel_width;
  if (row.texel_count > texel_width || begin + row.texel_count > texels.size()) return {};
  return std::span(texels).subspan(begin, row.texel_count);
}

bool looks_alike(const ColumnRow& a, const ColumnRow& b) {
  return a.kind == b.kind && a.ghost == b.ghost && a.edge == b.edge &&
         std::equal(std::begin(a.areas), std::end(a.areas), std::begin(b.areas));
}

std::uint32_t largest_size() {
  GLint largest = 1024;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  return static_cast<std::uint32_t>(largest);
}

}  // namespace

const std::vector<ColumnTexture::Quad>& ColumnTexture::update(const Scene& scene,
                                                              PixelSize framebuffer, float scale) {
  collect(scene, framebuffer, scale);
  painted_count_ = 0;
  if (quads_.empty()) return quads_;
  glActiveTexture(GL_TEXTURE0);
  if (texture_.name() != 0) glBindTexture(GL_TEXTURE_2D, texture_.name());
  // A third of the window is about what the rows of a whole trace take: they shall not get another
  // texture as they come in one by one, for drivers clear each, which is dear.
  reserve(scene.texel_width, std::max(quads_.back().line + quads_.back().height,
                                      static_cast<std::uint32_t>(framebuffer.height) / 3));
  for (std::size_t i = 0; i < wanted_.size(); ++i) {
    if (holds(i, wanted_[i], scene))
      wanted_[i].opaque = held_[i].opaque;
    else
      paint_into(scene, wanted_[i]);
    quads_[i].opaque = wanted_[i].opaque;
  }
  held_ = wanted_;
  held_texels_ = scene.texels;
  held_texel_width_ = scene.texel_width;
  return quads_;
}

void ColumnTexture::collect(const Scene& scene, PixelSize framebuffer, float scale) {
  quads_.clear();
  wanted_.clear();
  const std::uint32_t largest = largest_size();
  std::uint32_t line = 0;
  for (const ColumnRow& row : scene.column_rows) {
    const DeviceBox box = device_box(row.box, scale);
    const bool visible = !box.empty() && box.x1 > 0 && box.y1 > 0 && box.x0 < framebuffer.width &&
                         box.y0 < framebuffer.height;
    if (!visible || texels_of(row, scene.texels, scene.texel_width).empty()) continue;
    const auto height_px = static_cast<std::uint32_t>(box.height());
    const std::uint32_t height = row.kind == ColumnRow::Kind::bars ? height_px : 1;
    if (row.texel_count > largest || height > largest - line) continue;
    quads_.push_back({box, line, row.texel_count, height, false});
    wanted_.push_back(
        {row, line, height_px, static_cast<std::uint32_t>(device_length(1, scale)), false});
    line += height;
  }
}

// Grows in steps, so that a window that is being resized does not get a new texture each frame.
void ColumnTexture::reserve(std::uint32_t width, std::uint32_t height) {
  const std::uint32_t largest = largest_size();
  const auto stepped = [largest](std::uint32_t wanted, int now, std::uint32_t step) {
    const auto current = static_cast<std::uint32_t>(now);
    return wanted <= current ? current : std::min(largest, (wanted + step - 1) / step * step);
  };
  const PixelSize wanted{static_cast<int>(stepped(width, size_.width, 256)),
                         static_cast<int>(stepped(height, size_.height, 128))};
  if (wanted == size_) return;
  size_ = wanted;
  texture_ = make_texture(size_.width, size_.height);
  held_.clear();
}

bool ColumnTexture::holds(std::size_t slot, const Content& wanted, const Scene& scene) const {
  if (slot >= held_.size()) return false;
  const Content& held = held_[slot];
  if (held.line != wanted.line || held.height_px != wanted.height_px ||
      held.edge_px != wanted.edge_px || !looks_alike(held.row, wanted.row))
    return false;
  const auto before = texels_of(held.row, held_texels_, held_texel_width_);
  const auto now = texels_of(wanted.row, scene.texels, scene.texel_width);
  return std::equal(before.begin(), before.end(), now.begin(), now.end());
}

void ColumnTexture::paint_into(const Scene& scene, Content& content) {
  paint(content.row, texels_of(content.row, scene.texels, scene.texel_width), content.height_px,
        content.edge_px, painted_);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, static_cast<GLint>(content.line),
                  static_cast<GLsizei>(painted_.width), static_cast<GLsizei>(painted_.height),
                  GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV, painted_.pixels.data());
  content.opaque = painted_.opaque;
  ++painted_count_;
}

}  // namespace bytescope::render::gl
