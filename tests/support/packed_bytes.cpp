#include "tests/support/packed_bytes.h"

#include <stdexcept>

#include <zlib.h>
#include <zstd.h>

namespace bytescope::tests {

std::vector<std::byte> gzipped(std::span<const std::byte> bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("deflateInit2");
  std::vector<std::byte> packed(deflateBound(&stream, static_cast<uLong>(bytes.size())) + 64);
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int result = deflate(&stream, Z_FINISH);
  packed.resize(packed.size() - stream.avail_out);
  deflateEnd(&stream);
  if (result != Z_STREAM_END) throw std::runtime_error("deflate");
  return packed;
}

std::vector<std::byte> zstandard(std::span<const std::byte> bytes) {
  std::vector<std::byte> packed(ZSTD_compressBound(bytes.size()));
  const std::size_t size =
      ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 3);
  if (ZSTD_isError(size) != 0) throw std::runtime_error("ZSTD_compress");
  packed.resize(size);
  return packed;
}

}  // namespace bytescope::tests
