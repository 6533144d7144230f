#include "core/io/unpacker.h"

#include <algorithm>
#include <climits>
#include <new>

#include <zlib.h>
#include <zstd.h>

namespace bytescope::io {
namespace {

/// zlib counts in unsigned ints.
unsigned bounded(std::size_t size) {
  return static_cast<unsigned>(std::min<std::size_t>(size, UINT_MAX));
}

class GzipUnpacker final : public Unpacker {
public:
  GzipUnpacker() {
    constexpr int gzip_only = 15 + 16;
    if (inflateInit2(&stream_, gzip_only) != Z_OK) throw std::bad_alloc();
  }
  GzipUnpacker(const GzipUnpacker&) = delete;
  GzipUnpacker& operator=(const GzipUnpacker&) = delete;
  GzipUnpacker(GzipUnpacker&&) = delete;
  GzipUnpacker& operator=(GzipUnpacker&&) = delete;
  ~GzipUnpacker() override { inflateEnd(&stream_); }

  Step step(std::span<const std::byte> packed, std::span<std::byte> unpacked) override {
    Step done;
    if (at_end_) {
      // Writers of tapes and blocks fill up with zeros.
      while (done.taken < packed.size() && packed[done.taken] == std::byte{0}) ++done.taken;
      if (done.taken == packed.size()) return done;
      packed = packed.subspan(done.taken);
      inflateReset(&stream_);
      at_end_ = false;
    }
    // zlib does not write to what it reads, but says so only where it is built for it.
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));
    stream_.avail_in = bounded(packed.size());
    stream_.next_out = reinterpret_cast<Bytef*>(unpacked.data());
    stream_.avail_out = bounded(unpacked.size());
    const unsigned in = stream_.avail_in;
    const unsigned out = stream_.avail_out;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    done.taken += in - stream_.avail_in;
    done.made = out - stream_.avail_out;
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    at_end_ = result == Z_STREAM_END;
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
      done.fault = stream_.msg == nullptr ? "unknown data" : stream_.msg;
    return done;
  }
  bool may_end() const override { return at_end_; }

private:
  z_stream stream_{};
  bool at_end_ = false;
};

class ZstdUnpacker final : public Unpacker {
public:
  ZstdUnpacker() : stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
  }
  ZstdUnpacker(const ZstdUnpacker&) = delete;
  ZstdUnpacker& operator=(const ZstdUnpacker&) = delete;
  ZstdUnpacker(ZstdUnpacker&&) = delete;
  ZstdUnpacker& operator=(ZstdUnpacker&&) = delete;
  ~ZstdUnpacker() override { ZSTD_freeDStream(stream_); }

  Step step(std::span<const std::byte> packed, std::span<std::byte> unpacked) override {
    ZSTD_inBuffer in{packed.data(), packed.size(), 0};
    ZSTD_outBuffer out{unpacked.data(), unpacked.size(), 0};
    const std::size_t result = ZSTD_decompressStream(stream_, &out, &in);
    Step done{in.pos, out.pos, {}};
    if (ZSTD_isError(result) != 0) {
      done.fault = ZSTD_getErrorName(result);
    } else if (in.pos != 0 || out.pos != 0) {
      at_end_ = result == 0;
    }
    return done;
  }
  bool may_end() const override { return at_end_; }

private:
  ZSTD_DStream* stream_;
  bool at_end_ = false;
};

}  // namespace

Packing packing_of(std::span<const std::byte> head) {
  const auto byte = [head](std::size_t i) { return std::to_integer<unsigned>(head[i]); };
  if (head.size() < 4) return Packing::none;
  if (byte(0) == 0x1F && byte(1) == 0x8B && byte(2) == 8) return Packing::gzip;
  if (byte(0) == 0x28 && byte(1) == 0xB5 && byte(2) == 0x2F && byte(3) == 0xFD)
    return Packing::zstd;
  // A frame of zstd that is to be skipped may come first.
  const bool skips =
      (byte(0) & 0xF0U) == 0x50 && byte(1) == 0x2A && byte(2) == 0x4D && byte(3) == 0x18;
  return skips ? Packing::zstd : Packing::none;
}

std::unique_ptr<Unpacker> Unpacker::create(Packing packing) {
  if (packing == Packing::gzip) return std::make_unique<GzipUnpacker>();
  return std::make_unique<ZstdUnpacker>();
}

}  // namespace bytescope::io
