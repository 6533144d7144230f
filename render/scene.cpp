#include "render/scene.h"

#include <algorithm>

namespace bytescope::render {

void Scene::clear() {
  below.clear();
  column_rows.clear();
  pictures.clear();
  marks.clear();
  above.clear();
  curves.clear();
  labels.clear();
  texels.clear();
  clip = {};
  for (Scene& layer : over) layer.clear();
}

void Scene::keep_inside(const Box& part) {
  const auto cut = [&part](Box& box) {
    box = {std::max(box.x0, part.x0), std::max(box.y0, part.y0), std::min(box.x1, part.x1),
           std::min(box.y1, part.y1)};
  };
  clip = part;
  for (Label& label : labels) cut(label.clip);
  for (CurveMark& curve : curves) cut(curve.clip);
  for (Scene& layer : over) layer.keep_inside(part);
}

Scene& Scene::layer_over() {
  if (over.empty()) over.emplace_back();
  return over.back();
}

Color* Scene::add_texel_row(std::uint32_t& row) {
  row = texel_width == 0 ? 0 : static_cast<std::uint32_t>(texels.size() / texel_width);
  texels.resize(texels.size() + texel_width);
  return texels.data() + std::size_t{row} * texel_width;
}

}  // namespace bytescope::render
