#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace bytescope::io {

/// How a file is compressed.
enum class Packing : std::uint8_t { none, gzip, zstd };

/// What the first bytes of a file tell: its name does not count. Four of them are enough.
Packing packing_of(std::span<const std::byte> head);

/// Unpacks one compressed file piece by piece; members (gzip) and frames (zstd) may follow one
/// another. Needs up to 128 MB where the file was packed with a window as large as that.
class Unpacker {
public:
  /// What a step did.
  struct Step {
    std::size_t taken = 0;  ///< Packed bytes.
    std::size_t made = 0;   ///< Unpacked bytes.
    std::string fault;      ///< Why it cannot go on, as half a sentence; empty where it can.
  };

  /// For gzip or zstd.
  static std::unique_ptr<Unpacker> create(Packing packing);

  Unpacker() = default;
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;
  Unpacker(Unpacker&&) = delete;
  Unpacker& operator=(Unpacker&&) = delete;
  virtual ~Unpacker() = default;

  /// Takes as much of `packed` and makes as much of `unpacked` as it can. Where it does neither, it
  /// wants more of one of them. `unpacked` must not be empty.
  virtual Step step(std::span<const std::byte> packed, std::span<std::byte> unpacked) = 0;
  /// Whether a file may end here.
  virtual bool may_end() const = 0;
};

}  // namespace bytescope::io
