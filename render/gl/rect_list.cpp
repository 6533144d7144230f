#include "render/gl/rect_list.h"

#include <algorithm>

#include "render/gl/premultiply.h"

namespace bytescope::render::gl {

void RectList::reset(float scale, PixelSize framebuffer) {
  instances_.clear();
  scale_ = scale;
  framebuffer_ = framebuffer;
  top_edge_px_ = device_length(2, scale);
  left_edge_px_ = device_length(1, scale);
}

RectRange RectList::add(std::span<const RectMark> marks) {
  const std::size_t begin = instances_.size();
  for (const RectMark& mark : marks) {
    const DeviceBox box = device_box(mark.box, scale_);
    if (box.empty()) continue;
    if (mark.edge == mark.fill)
      add_plain(box, mark.fill);
    else
      add_edged(box, mark);
  }
  const bool blended =
      std::any_of(instances_.begin() + static_cast<std::ptrdiff_t>(begin), instances_.end(),
                  [](const RectInstance& it) { return it.color.a != 255; });
  return {begin, instances_.size() - begin, blended};
}

// The hidden part is cut off here: coordinates fit 16 bits, and clipping costs the GPU nothing.
void RectList::add_plain(DeviceBox box, Color color) {
  if (color.a == 0) return;
  const int x0 = std::max(box.x0, 0);
  const int y0 = std::max(box.y0, 0);
  const int x1 = std::min(box.x1, framebuffer_.width);
  const int y1 = std::min(box.y1, framebuffer_.height);
  if (x0 >= x1 || y0 >= y1) return;
  instances_.push_back({static_cast<std::int16_t>(x0), static_cast<std::int16_t>(y0),
                        static_cast<std::int16_t>(x1), static_cast<std::int16_t>(y1),
                        premultiplied(color)});
}

void RectList::add_edged(DeviceBox box, const RectMark& mark) {
  const int below_edge = std::min(box.y0 + top_edge_px_, box.y1);
  const int right_of_edge = std::min(box.x0 + left_edge_px_, box.x1);
  add_plain({box.x0, box.y0, box.x1, below_edge}, mark.edge);
  add_plain({box.x0, below_edge, right_of_edge, box.y1}, mix(mark.fill, mark.edge, 0.45F));
  add_plain({right_of_edge, below_edge, box.x1, box.y1}, mark.fill);
}

}  // namespace bytescope::render::gl
