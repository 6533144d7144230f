#include "tests/support/memory_bytes.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace bytescope::tests {

Bytes& Bytes::number(std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i)
    bytes_.push_back(static_cast<std::byte>((value >> (8 * i)) & 0xFFU));
  return *this;
}

EventBytes& EventBytes::alloc(std::uint32_t time, std::uint32_t key, std::uint32_t dtype,
                              std::uint64_t length) {
  ++count_;
  bytes_.u8(1).u32(time).u32(key).u32(dtype).u64(length);
  return *this;
}

EventBytes& EventBytes::free(std::uint32_t time, std::uint32_t key,
                             const std::vector<UserBytes>& users) {
  ++count_;
  bytes_.u8(0).u32(time).u32(key);
  if (letter_ < 'E') return *this;
  bytes_.u32(static_cast<std::uint32_t>(users.size()));
  for (const UserBytes& one : users) user(one);
  return *this;
}

void EventBytes::user(const UserBytes& user) {
  if (letter_ >= 'G') bytes_.u32(user.run);
  if (letter_ != 'G') bytes_.u32(user.name);
  if (letter_ == 'E') return;
  if (letter_ >= 'J') {
    bytes_.u32(user.arg);
  } else {
    bytes_.u8(static_cast<std::uint8_t>(user.arg));
  }
  bytes_.u8(user.mode);
}

RecordFile::RecordFile(const Bytes& records, std::size_t behind) : size_(records.size()) {
  static int number = 0;
  path_ = fmt::format("{}bytescope_records_{}_{}.bin", testing::TempDir(),
                      static_cast<const void*>(this), number++);
  std::ofstream out(path_, std::ios::binary);
  out << std::string(records_byte, '\xEE');
  out.write(reinterpret_cast<const char*>(records.all().data()),
            static_cast<std::streamsize>(records.size()));
  out << std::string(behind, '\xEE');
  out.close();
  file_ = *io::InputFile::open(path_);
}

RecordFile::~RecordFile() { std::filesystem::remove(path_); }

bytepack::TrackHead RecordFile::head(bytepack::TrackKind kind, std::uint32_t count,
                                     std::uint64_t peak) const {
  bytepack::TrackHead head;
  head.name = "NV Memory";
  head.kind = kind;
  head.count = count;
  head.records_byte = records_byte;
  head.end_byte = records_byte + size_;
  head.peak = peak;
  return head;
}

}  // namespace bytescope::tests
