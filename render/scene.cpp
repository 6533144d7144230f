#include "render/scene.h"

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
  for (Scene& layer : over) layer.clear();
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
