#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/bytepack/frame.h"
#include "core/io/input_file.h"

namespace bytescope::tests {

/// Little-endian numbers one after another.
class Bytes {
public:
  Bytes& u8(std::uint8_t value) { return number(value, 1); }
  Bytes& u32(std::uint32_t value) { return number(value, 4); }
  Bytes& u64(std::uint64_t value) { return number(value, 8); }
  std::size_t size() const { return bytes_.size(); }
  /// Cuts off all but the first `size` bytes.
  void cut(std::size_t size) { bytes_.resize(size); }
  const std::vector<std::byte>& all() const { return bytes_; }

private:
  Bytes& number(std::uint64_t value, int bytes);
  std::vector<std::byte> bytes_;
};

/// A user of a buffer as the newest dialect has it.
struct UserBytes {
  std::uint32_t run = 0;
  std::uint32_t name = 0;
  std::uint32_t arg = 0;
  std::uint8_t mode = 0;
};

/// The records of a memory track of dialect C to L, written by hand from FORMAT.md.
class EventBytes {
public:
  explicit EventBytes(char letter) : letter_(letter) {}
  EventBytes& alloc(std::uint32_t time, std::uint32_t key, std::uint32_t dtype,
                    std::uint64_t length);
  EventBytes& free(std::uint32_t time, std::uint32_t key, const std::vector<UserBytes>& users = {});
  Bytes& bytes() { return bytes_; }
  std::uint32_t count() const { return count_; }

private:
  void user(const UserBytes& user);
  char letter_;
  std::uint32_t count_ = 0;
  Bytes bytes_;
};

/// Records in a file of their own, with something in front of them and behind.
class RecordFile {
public:
  static constexpr std::uint64_t records_byte = 7;
  explicit RecordFile(const Bytes& records, std::size_t behind = 5);
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;
  RecordFile(RecordFile&&) = delete;
  RecordFile& operator=(RecordFile&&) = delete;
  ~RecordFile();

  const std::shared_ptr<const io::InputFile>& file() const { return file_; }
  /// The head of a track of these records.
  bytepack::TrackHead head(bytepack::TrackKind kind, std::uint32_t count,
                           std::uint64_t peak = 0) const;

private:
  std::string path_;
  std::size_t size_;
  std::shared_ptr<const io::InputFile> file_;
};

}  // namespace bytescope::tests
