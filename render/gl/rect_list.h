#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "render/gl/device_box.h"
#include "render/scene.h"

namespace bytescope::render::gl {

/// One plain rectangle, as the GPU reads it; the colour is premultiplied.
struct RectInstance {
  std::int16_t x0 = 0;
  std::int16_t y0 = 0;
  std::int16_t x1 = 0;
  std::int16_t y1 = 0;
  Color color;
  bool operator==(const RectInstance&) const = default;
};
static_assert(sizeof(RectInstance) == 12);

/// A stretch of instances that is drawn at once.
struct RectRange {
  std::size_t begin = 0;
  std::size_t count = 0;
  bool blended = false;  ///< Whether any of them lets something shine through.
};

/// Takes marks apart into plain rectangles that do not overlap: a mark with an edge becomes its top
/// edge, its left edge and the rest. What lies outside the framebuffer is left out.
class RectList {
public:
  void reset(float scale, PixelSize framebuffer);
  /// Appends marks and says where they are now. Costs O(marks).
  RectRange add(std::span<const RectMark> marks);
  const std::vector<RectInstance>& instances() const { return instances_; }

private:
  void add_plain(DeviceBox box, Color color);
  void add_edged(DeviceBox box, const RectMark& mark);

  std::vector<RectInstance> instances_;
  float scale_ = 1;
  PixelSize framebuffer_;
  int top_edge_px_ = 2;
  int left_edge_px_ = 1;
};

}  // namespace bytescope::render::gl
