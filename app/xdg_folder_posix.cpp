#include <cstdlib>
#include <filesystem>

#include "app/xdg_folder.h"

namespace bytescope::app {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> folder_from(const char* variable) {
  const char* value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nobody sets it
  if (value == nullptr || value[0] != '/') return std::nullopt;
  return fs::path(value);
}

}  // namespace

std::optional<std::string> user_folder(const char* variable, const char* otherwise) {
  if (const auto folder = folder_from(variable)) return folder->string();
  if (const auto home = folder_from("HOME")) return (*home / otherwise).string();
  return std::nullopt;
}

std::optional<std::string> user_file(const char* variable, const char* otherwise,
                                     const char* name) {
  const auto folder = user_folder(variable, otherwise);
  if (!folder) return std::nullopt;
  return (fs::path(*folder) / "bytescope" / name).string();
}

}  // namespace bytescope::app
