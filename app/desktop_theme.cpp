#include "app/desktop_theme.h"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <optional>
#include <string>

#include "app/xdg_folder.h"

namespace bytescope::app {
namespace {

/// What of a settings file is of interest; more would not be one.
constexpr std::size_t most_ini_bytes = 256 << 10;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::string small_letters(std::string_view text) {
  std::string small(text);
  std::transform(small.begin(), small.end(), small.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return small;
}

bool is_dark_name(std::string_view value) {
  return small_letters(value).find("dark") != std::string::npos;
}
std::optional<bool> yes_or_no(std::string_view value) {
  const std::string small = small_letters(value);
  if (small == "1" || small == "true") return true;
  if (small == "0" || small == "false") return false;
  return std::nullopt;
}

/// A key of such a file and what its value wishes.
struct IniRow {
  std::string_view section;
  std::string_view key;
  void (*read)(std::string_view value, DesktopWishes& wishes);
};

void read_prefers_dark(std::string_view value, DesktopWishes& wishes) {
  const auto prefers = yes_or_no(value);
  if (prefers && !wishes.light) wishes.light = !*prefers;
}
/// Themes of GTK are light where their names do not say so, but that may be nobody's wish.
void read_gtk_theme(std::string_view value, DesktopWishes& wishes) {
  if (is_dark_name(value)) wishes.light = false;
}
void read_color_scheme(std::string_view value, DesktopWishes& wishes) {
  if (!value.empty()) wishes.light = !is_dark_name(value);
}
void read_animates(std::string_view value, DesktopWishes& wishes) {
  if (const auto animates = yes_or_no(value)) wishes.less_motion = !*animates;
}
void read_duration_factor(std::string_view value, DesktopWishes& wishes) {
  if (!value.empty()) wishes.less_motion = value.find_first_not_of("0.") == std::string_view::npos;
}

constexpr IniRow ini_rows[] = {
    {"Settings", "gtk-theme-name", read_gtk_theme},
    {"Settings", "gtk-application-prefer-dark-theme", read_prefers_dark},
    {"Settings", "gtk-enable-animations", read_animates},
    {"General", "ColorScheme", read_color_scheme},
    {"KDE", "AnimationDurationFactor", read_duration_factor},
};

constexpr std::string_view ini_files[] = {"gtk-4.0/settings.ini", "gtk-3.0/settings.ini",
                                          "kdeglobals"};

std::string beginning_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(most_ini_bytes, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return text;
}

}  // namespace

DesktopWishes wishes_from_ini(std::string_view text) {
  DesktopWishes wishes;
  std::string_view section;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with('[') && line.ends_with(']')) section = line.substr(1, line.size() - 2);
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    for (const IniRow& row : ini_rows) {
      if (row.section == section && row.key == trimmed(line.substr(0, equals)))
        row.read(trimmed(line.substr(equals + 1)), wishes);
    }
  }
  return wishes;
}

DesktopWishes desktop_wishes() {
  DesktopWishes wishes = portal_wishes();
  const auto folder = user_folder("XDG_CONFIG_HOME", ".config");
  for (const std::string_view name : ini_files)
    if (folder && !wishes.is_complete())
      wishes.fill_from(wishes_from_ini(beginning_of(*folder + "/" + std::string(name))));
  return wishes;
}

}  // namespace bytescope::app
