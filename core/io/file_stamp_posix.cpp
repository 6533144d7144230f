#include <sys/stat.h>

#include "core/io/file_stamp.h"

namespace bytescope::io {
namespace {

FileStamp stamp_from(const struct stat& info) {
#ifdef __APPLE__
  const timespec& time = info.st_mtimespec;
#else
  const timespec& time = info.st_mtim;
#endif
  return {true, static_cast<std::uint64_t>(info.st_size),
          static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec,
          static_cast<std::uint64_t>(info.st_ino)};
}

}  // namespace

FileStamp file_stamp(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? stamp_from(info) : FileStamp();
}

FileStamp file_stamp(int descriptor) {
  struct stat info {};
  return ::fstat(descriptor, &info) == 0 ? stamp_from(info) : FileStamp();
}

}  // namespace bytescope::io
