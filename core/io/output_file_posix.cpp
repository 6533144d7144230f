#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/io/output_file.h"

namespace bytescope::io {
namespace {
constexpr std::size_t buffer_bytes = 1 << 20;
}

OutputFile::OutputFile(std::string path, std::string temporary, int descriptor)
    : path_(std::move(path)), temporary_(std::move(temporary)), descriptor_(descriptor) {
  buffer_.reserve(buffer_bytes);
}

Expected<OutputFile> OutputFile::create(const std::string& path) {
  std::string temporary = path + ".XXXXXX";
  const int descriptor = ::mkstemp(temporary.data());
  if (descriptor < 0) {
    return failure(ErrorKind::machine,
                   fmt::format("Cannot write the file ({})", std::strerror(errno)), {}, path);
  }
  return OutputFile(path, std::move(temporary), descriptor);
}

OutputFile OutputFile::without_place(ScratchFile scratch) {
  std::string folder = scratch.folder();
  return {std::move(folder), {}, scratch.release()};
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::move(other.temporary_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      error_number_(other.error_number_),
      size_bytes_(other.size_bytes_),
      buffer_(std::move(other.buffer_)) {}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  if (this == &other) return *this;
  discard();
  path_ = std::move(other.path_);
  temporary_ = std::move(other.temporary_);
  descriptor_ = std::exchange(other.descriptor_, -1);
  error_number_ = other.error_number_;
  size_bytes_ = other.size_bytes_;
  buffer_ = std::move(other.buffer_);
  return *this;
}

OutputFile::~OutputFile() { discard(); }

void OutputFile::discard() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  descriptor_ = -1;
}

void OutputFile::write(std::span<const std::byte> bytes) {
  size_bytes_ += bytes.size();
  while (!bytes.empty()) {
    if (buffer_.size() == buffer_bytes) flush();
    const std::size_t room = buffer_bytes - buffer_.size();
    const std::span<const std::byte> part = bytes.first(bytes.size() < room ? bytes.size() : room);
    buffer_.insert(buffer_.end(), part.begin(), part.end());
    bytes = bytes.subspan(part.size());
  }
}

void OutputFile::write(std::string_view text) {
  write(std::as_bytes(std::span(text.data(), text.size())));
}

void OutputFile::flush() {
  std::size_t done = 0;
  while (done < buffer_.size() && error_number_ == 0) {
    const ssize_t put = ::write(descriptor_, buffer_.data() + done, buffer_.size() - done);
    if (put < 0 && errno != EINTR) error_number_ = errno;
    if (put > 0) done += static_cast<std::size_t>(put);
  }
  buffer_.clear();
}

Expected<void> OutputFile::commit(Readers readers) {
  flush();
  // mkstemp makes private files; others get the permissions that any new file has.
  if (readers == Readers::usual) {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::fchmod(descriptor_, static_cast<mode_t>(0666) & ~mask);
  }
  if (::close(std::exchange(descriptor_, -1)) != 0 && error_number_ == 0) error_number_ = errno;
  if (error_number_ == 0 && ::rename(temporary_.c_str(), path_.c_str()) != 0) error_number_ = errno;
  if (error_number_ == 0) return {};
  ::unlink(temporary_.c_str());
  return tl::make_unexpected(refusal());
}

Expected<int> OutputFile::release() {
  flush();
  if (error_number_ != 0) return tl::make_unexpected(refusal());
  return std::exchange(descriptor_, -1);
}

Error OutputFile::refusal() const {
  const char* const what = temporary_.empty() ? "a temporary file in this folder" : "the file";
  return {ErrorKind::machine,
          fmt::format("Cannot write {} ({})", what, std::strerror(error_number_)),
          {},
          path_};
}

}  // namespace bytescope::io
