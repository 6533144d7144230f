#include "core/bytepack/polygons.h"

#include <algorithm>
#include <iterator>

namespace bytescope::bytepack {

void PolygonBuilder::corner(std::size_t buffer, std::uint32_t x, std::uint64_t y) {
  polygons_.buffers[buffer].x.push_back(x);
  polygons_.buffers[buffer].y.push_back(y);
}

void PolygonBuilder::allocate(std::uint32_t time, std::uint32_t key, std::uint32_t dtype,
                              std::uint64_t length, std::uint64_t bytes) {
  const auto [place, is_new] = live_.try_emplace(key, Live{polygons_.buffers.size(), bytes});
  if (!is_new) return;
  const auto step = static_cast<std::uint32_t>(polygons_.times.size());
  std::uint64_t lower_edge = total_bytes_;
  for (auto above = std::next(place); above != live_.end(); ++above) {
    const std::uint64_t y = polygons_.buffers[above->second.buffer].y.back();
    lower_edge = std::min(lower_edge, y);
    corner(above->second.buffer, step, y);
    corner(above->second.buffer, step, y + bytes);
  }
  polygons_.buffers.push_back({{step}, {lower_edge}, dtype, length});
  polygons_.times.push_back(time);
  total_bytes_ += bytes;
  polygons_.peak_bytes = std::max(polygons_.peak_bytes, total_bytes_);
}

void PolygonBuilder::free(std::uint32_t time, std::uint32_t key) {
  const auto place = live_.find(key);
  if (place == live_.end()) return;
  polygons_.times.push_back(time);
  const auto step = static_cast<std::uint32_t>(polygons_.times.size());
  const Live freed = place->second;
  corner(freed.buffer, step, polygons_.buffers[freed.buffer].y.back());
  for (auto above = live_.erase(place); above != live_.end(); ++above) {
    const std::uint64_t y = polygons_.buffers[above->second.buffer].y.back();
    corner(above->second.buffer, step, y);
    corner(above->second.buffer, step, y - freed.bytes);
  }
  total_bytes_ -= freed.bytes;
}

Polygons PolygonBuilder::finish(std::uint32_t duration) {
  const auto step = static_cast<std::uint32_t>(polygons_.times.size());
  polygons_.times.push_back(duration);
  for (const auto& entry : live_) {
    const std::size_t buffer = entry.second.buffer;
    corner(buffer, step, polygons_.buffers[buffer].y.back());
  }
  return std::move(polygons_);
}

}  // namespace bytescope::bytepack
