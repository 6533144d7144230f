#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "core/io/scratch_file.h"

namespace bytescope::io {
namespace {

std::vector<std::string> folders() {
  const char* told = std::getenv("TMPDIR");
  if (told != nullptr && *told != 0) return {told};
  return {"/var/tmp", "/tmp"};
}

/// A descriptor of a new file without a name, or −1.
int open_in(const std::string& folder) {
#ifdef O_TMPFILE
  const int nameless = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (nameless >= 0) return nameless;
#endif
  // Not every file system makes files without a name.
  std::string path = folder + "/bytescope.XXXXXX";
  const int descriptor = ::mkstemp(path.data());
  if (descriptor < 0) return descriptor;
  ::unlink(path.c_str());
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return descriptor;
}

}  // namespace

ScratchFile::ScratchFile(std::string folder, int descriptor)
    : folder_(std::move(folder)), descriptor_(descriptor) {}

Expected<ScratchFile> ScratchFile::create() {
  std::string why;
  for (std::string& folder : folders()) {
    const int descriptor = open_in(folder);
    if (descriptor >= 0) return ScratchFile(std::move(folder), descriptor);
    why = fmt::format("Cannot write a temporary file in {} ({})", folder, std::strerror(errno));
  }
  return failure(ErrorKind::machine, why);
}

ScratchFile::ScratchFile(ScratchFile&& other) noexcept
    : folder_(std::move(other.folder_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_bytes_(other.size_bytes_) {}

ScratchFile& ScratchFile::operator=(ScratchFile&& other) noexcept {
  std::swap(folder_, other.folder_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_bytes_, other.size_bytes_);
  return *this;
}

ScratchFile::~ScratchFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Expected<void> ScratchFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(descriptor_, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) {
      return failure(ErrorKind::machine, fmt::format("Cannot write a temporary file in {} ({})",
                                                     folder_, std::strerror(errno)));
    }
    size_bytes_ += static_cast<std::uint64_t>(put);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  return {};
}

std::uint64_t ScratchFile::room_bytes() const {
  struct statvfs info {};
  if (::fstatvfs(descriptor_, &info) != 0) return UINT64_MAX;
  return std::uint64_t{info.f_bavail} * info.f_frsize;
}

int ScratchFile::release() { return std::exchange(descriptor_, -1); }

}  // namespace bytescope::io
