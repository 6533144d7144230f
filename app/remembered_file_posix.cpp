#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include "app/remembered_file.h"
#include "core/io/output_file.h"

namespace bytescope::app {
namespace {

namespace fs = std::filesystem;

/// More than a thousand times of what we ever write.
constexpr std::uintmax_t most_bytes = 64 << 20;

/// An absolute path in the environment; the rules of XDG say to ignore others.
std::optional<fs::path> folder_from(const char* variable) {
  const char* value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nobody sets it
  if (value == nullptr || value[0] != '/') return std::nullopt;
  return fs::path(value);
}

}  // namespace

std::optional<std::string> remembered_path() {
  const fs::path file = fs::path("bytescope") / "remembered.json";
  if (const auto state = folder_from("XDG_STATE_HOME")) return (*state / file).string();
  if (const auto home = folder_from("HOME")) return (*home / ".local" / "state" / file).string();
  return std::nullopt;
}

Recalled recall_from(const std::string& path) {
  Recalled recalled;
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return recalled;
  const std::uintmax_t size = fs::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (!file || error) return recalled;
  Expected<Remembered> read = failure(ErrorKind::bad_input, "It is too long");
  if (size <= most_bytes)
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
