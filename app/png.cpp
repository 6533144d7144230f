#include "app/png.h"

#include <cstddef>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <png.h>

#include "core/io/output_file.h"

namespace bytescope::app {
namespace {

std::vector<png_byte> without_alpha(const render::Picture& picture) {
  std::vector<png_byte> out;
  out.reserve(picture.pixels.size() * 3);
  for (const render::Color color : picture.pixels) {
    out.push_back(color.r);
    out.push_back(color.g);
    out.push_back(color.b);
  }
  return out;
}

Expected<std::vector<std::byte>> encoded(const render::Picture& picture) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = picture.width;
  image.height = picture.height;
  image.format = PNG_FORMAT_RGB;
  const std::vector<png_byte> pixels = without_alpha(picture);
  png_alloc_size_t size_bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::vector<std::byte> out(size_bytes);
  if (png_image_write_to_memory(&image, out.data(), &size_bytes, 0, pixels.data(), 0, nullptr) == 0)
    return failure(ErrorKind::machine,
                   fmt::format("the picture cannot be encoded as PNG: {}", image.message));
  out.resize(size_bytes);
  return out;
}

}  // namespace

Expected<void> write_png(const render::Picture& picture, const std::string& path) {
  const auto bytes = encoded(picture);
  if (!bytes) {
    Error error = bytes.error();
    error.path = path;
    return tl::unexpected(error);
  }
  auto file = io::OutputFile::create(path);
  if (!file) return tl::unexpected(file.error());
  file->write(std::span(*bytes));
  return file->commit();
}

}  // namespace bytescope::app
