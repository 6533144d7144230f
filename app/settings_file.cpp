#include "app/settings_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "app/xdg_folder.h"

namespace bytescope::app {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t most_settings_bytes = 1 << 20;

std::string notice_of(const std::vector<std::string>& complaints, const std::string& path) {
  if (complaints.empty()) return {};
  const std::string more =
      complaints.size() > 1 ? fmt::format(" (and {} more)", complaints.size() - 1) : "";
  return fmt::format("{}{}, in {}", complaints[0], more, path);
}

}  // namespace

std::optional<std::string> settings_path() {
  return user_file("XDG_CONFIG_HOME", ".config", "settings.json");
}

SettingsFound settings_of(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  std::ifstream file(path, std::ios::binary);
  Expected<SettingsRead> read = failure(ErrorKind::bad_input, "It cannot be opened");
  if (file && fs::file_size(path, error) > most_settings_bytes) {
    read = failure(ErrorKind::bad_input, "It is too long");
  } else if (file) {
    read = settings_from_json(std::string{std::istreambuf_iterator<char>(file), {}});
  }
  if (!read)
    return {{}, fmt::format("The settings cannot be read. {}: {}", read.error().message, path)};
  return {std::move(read->settings), notice_of(read->complaints, path)};
}

}  // namespace bytescope::app
