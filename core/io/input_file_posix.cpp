#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/io/input_file.h"

namespace bytescope::io {
namespace {

/// Why nothing can be opened at `path`, after an open() that failed with `reason`.
std::string no_such_file(const std::string& path, int reason) {
  // Elsewhere a dash means standard input; a file of that name can be told as "./-".
  if (path == "-" && reason == ENOENT)
    return "Standard input cannot be opened; save it to a file first";
  return fmt::format("Cannot open the file ({})", std::strerror(reason));
}

const char* refusal(const struct stat& info) {
  if (S_ISDIR(info.st_mode)) return "This is a folder, not a trace";
  if (!S_ISREG(info.st_mode)) return "This is not a regular file; save it to one first";
  if (info.st_size == 0) return "The file is empty";
  return nullptr;
}

}  // namespace

InputFile::InputFile(std::string path, int descriptor, std::uint64_t size_bytes,
                     std::vector<Origin> origins)
    : path_(std::move(path)),
      descriptor_(descriptor),
      size_bytes_(size_bytes),
      origins_(std::move(origins)) {}

std::shared_ptr<const InputFile> InputFile::with_content(int descriptor,
                                                         std::uint64_t size_bytes) const {
  return std::shared_ptr<const InputFile>(new InputFile(path_, descriptor, size_bytes, origins_));
}

InputFile::~InputFile() { ::close(descriptor_); }

Expected<std::shared_ptr<const InputFile>> InputFile::open(const std::string& path) {
  // Without O_NONBLOCK the call would wait for a writer when the path is a pipe.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) {
    return failure(ErrorKind::bad_input, no_such_file(path, errno), {}, path);
  }
  struct stat info {};
  if (::fstat(descriptor, &info) != 0) {
    const int reason = errno;
    ::close(descriptor);
    return failure(ErrorKind::bad_input,
                   fmt::format("Cannot examine the file ({})", std::strerror(reason)), {}, path);
  }
  if (const char* why = refusal(info)) {
    ::close(descriptor);
    return failure(ErrorKind::bad_input, why, {}, path);
  }
  return std::shared_ptr<const InputFile>(new InputFile(path, descriptor,
                                                        static_cast<std::uint64_t>(info.st_size),
                                                        {{path, file_stamp(descriptor)}}));
}

std::shared_ptr<const InputFile> InputFile::of_descriptor(std::string name, int descriptor,
                                                          std::uint64_t size_bytes) {
  return made_of(std::move(name), descriptor, size_bytes, {});
}

std::shared_ptr<const InputFile> InputFile::made_of(
    std::string name, int descriptor, std::uint64_t size_bytes,
    std::span<const std::shared_ptr<const InputFile>> sources) {
  std::vector<Origin> origins;
  for (const auto& source : sources)
    origins.insert(origins.end(), source->origins_.begin(), source->origins_.end());
  return std::shared_ptr<const InputFile>(
      new InputFile(std::move(name), descriptor, size_bytes, std::move(origins)));
}

void InputFile::read_at(std::uint64_t offset, std::span<std::byte> out) const {
  const std::uint64_t available = offset < size_bytes_ ? size_bytes_ - offset : 0;
  const std::size_t wanted =
      out.size() < available ? out.size() : static_cast<std::size_t>(available);
  std::size_t done = 0;
  while (done < wanted) {
    const ssize_t got =
        ::pread(descriptor_, out.data() + done, wanted - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      changed_.store(true, std::memory_order_relaxed);
      break;
    }
    done += static_cast<std::size_t>(got);
  }
  std::memset(out.data() + done, 0, out.size() - done);
}

OnDisk InputFile::on_disk() const {
  OnDisk worst = OnDisk::same;
  for (const Origin& origin : origins_) {
    const FileStamp now = file_stamp(origin.path);
    if (!now.exists) return OnDisk::gone;
    if (now != origin.stamp || changed()) worst = OnDisk::changed;
  }
  return worst;
}

std::vector<FileStamp> InputFile::stamps_now() const {
  std::vector<FileStamp> stamps;
  stamps.reserve(origins_.size());
  for (const Origin& origin : origins_) stamps.push_back(file_stamp(origin.path));
  return stamps;
}

}  // namespace bytescope::io
