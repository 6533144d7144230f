#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/io/output_file.h"

namespace bytescope::bytepack {

/// Where encoded bytes go.
class Sink {
public:
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;
  Sink(Sink&&) = delete;
  Sink& operator=(Sink&&) = delete;
  virtual ~Sink() = default;
  /// Takes the next bytes.
  virtual void write(std::span<const std::byte> bytes) = 0;
};

/// Into a file, which remembers failures itself and tells them at its commit().
class FileSink final : public Sink {
public:
  /// `file` must outlive the sink.
  explicit FileSink(io::OutputFile& file) : file_(file) {}
  void write(std::span<const std::byte> bytes) override { file_.write(bytes); }

private:
  io::OutputFile& file_;
};

/// Into memory.
class MemorySink final : public Sink {
public:
  void write(std::span<const std::byte> bytes) override {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  /// Everything written so far; may be moved out.
  std::vector<std::byte>& bytes() { return bytes_; }

private:
  std::vector<std::byte> bytes_;
};

/// Nowhere; only counts. Tells the length of an index that must be known before it is written.
class CountingSink final : public Sink {
public:
  void write(std::span<const std::byte> bytes) override { size_bytes_ += bytes.size(); }
  std::uint64_t size_bytes() const { return size_bytes_; }

private:
  std::uint64_t size_bytes_ = 0;
};

}  // namespace bytescope::bytepack
