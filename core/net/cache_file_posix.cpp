#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "core/net/cache_file.h"

namespace bytescope::net {
namespace {

std::string from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

/// The folder; empty when nothing tells where it could be.
std::string cache_folder() {
  // A relative path there is to be ignored (XDG Base Directory Specification).
  const std::string told = from_environment("XDG_CACHE_HOME");
  if (told.starts_with('/')) return told + "/bytescope";
  const std::string home = from_environment("HOME");
  return home.starts_with('/') ? home + "/.cache/bytescope" : std::string();
}

tl::unexpected<Error> cannot_write(const std::string& folder, int reason) {
  return failure(ErrorKind::machine, fmt::format("What the server sends cannot be kept in {} ({})",
                                                 folder, std::strerror(reason)));
}

}  // namespace

CacheFile::CacheFile(std::string folder, int descriptor)
    : folder_(std::move(folder)), descriptor_(descriptor) {}

Expected<CacheFile> CacheFile::create() {
  std::string folder = cache_folder();
  if (folder.empty()) {
    return failure(ErrorKind::machine,
                   "There is no folder for what the server sends: neither XDG_CACHE_HOME nor HOME "
                   "is set");
  }
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(folder).parent_path(), error);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return cannot_write(folder, errno);
  std::string path = folder + "/trace.XXXXXX";
  // Makes a new file (O_EXCL) that its owner alone may read.
  const int descriptor = ::mkostemp(path.data(), O_CLOEXEC);
  if (descriptor < 0) return cannot_write(folder, errno);
  ::unlink(path.c_str());
  return CacheFile(std::move(folder), descriptor);
}

CacheFile::CacheFile(CacheFile&& other) noexcept
    : folder_(std::move(other.folder_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_bytes_(other.size_bytes_) {}

CacheFile& CacheFile::operator=(CacheFile&& other) noexcept {
  std::swap(folder_, other.folder_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_bytes_, other.size_bytes_);
  return *this;
}

CacheFile::~CacheFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Expected<void> CacheFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(descriptor_, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return cannot_write(folder_, errno);
    size_bytes_ += static_cast<std::uint64_t>(put);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  return {};
}

std::uint64_t CacheFile::room_bytes() const {
  struct statvfs info {};
  if (::fstatvfs(descriptor_, &info) != 0) return UINT64_MAX;
  return std::uint64_t{info.f_bavail} * info.f_frsize;
}

std::shared_ptr<const io::InputFile> CacheFile::release(std::string name) {
  return io::InputFile::of_descriptor(std::move(name), std::exchange(descriptor_, -1), size_bytes_);
}

}  // namespace bytescope::net
