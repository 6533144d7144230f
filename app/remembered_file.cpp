#include "app/remembered_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include "app/xdg_folder.h"
#include "core/io/output_file.h"

namespace bytescope::app {
namespace {

namespace fs = std::filesystem;

/// More than a thousand times of what we ever write.
constexpr std::uintmax_t most_remembered_bytes = 64 << 20;

}  // namespace

std::optional<std::string> remembered_path() {
  return user_file("XDG_STATE_HOME", ".local/state", "remembered.json");
}

Recalled recall_from(const std::string& path) {
  Recalled recalled;
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return recalled;
  const std::uintmax_t size = fs::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (!file || error) return recalled;
  Expected<Remembered> read = failure(ErrorKind::bad_input, "It is too long");
  if (size <= most_remembered_bytes)
    read = remembered_from_json(std::string{std::istreambuf_iterator<char>(file), {}});
  if (read) {
    recalled.remembered = std::move(*read);
    return recalled;
  }
  const std::string aside = path + ".broken";
  fs::rename(path, aside, error);
  recalled.notice = fmt::format("What was remembered cannot be read and is kept in {}", aside);
  return recalled;
}

Expected<void> remember_in(const std::string& path, const Remembered& remembered) {
  std::error_code error;
  const fs::path folder = fs::path(path).parent_path();
  fs::create_directories(folder, error);
  auto file = io::OutputFile::create(path);
  if (!file) return tl::make_unexpected(file.error());
  file->write(remembered_as_json(remembered));
  return file->commit(io::OutputFile::Readers::owner);
}

}  // namespace bytescope::app
