#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "core/io/utf8.h"
#include "core/merge/merge.h"
#include "core/trace/ansi.h"

namespace bytescope::merge {
namespace {

constexpr std::size_t most_bytes = 120;

/// The last `folders` folders of a path and its name.
std::string tail_of(const std::string& path, std::size_t folders) {
  const std::filesystem::path whole(path);
  std::string tail = whole.filename().string();
  std::filesystem::path folder = whole.parent_path();
  for (std::size_t i = 0; i < folders && folder.has_filename(); ++i) {
    tail.insert(0, folder.filename().string().append("/"));
    folder = folder.parent_path();
  }
  return io::printable_utf8(trace::single_line(tail));
}

/// The end of a text that is too long: file names differ there.
std::string cut(const std::string& text) {
  constexpr std::string_view dots = "\u2026";
  if (text.size() <= most_bytes) return text;
  std::size_t begin = text.size() - most_bytes + dots.size();
  while (begin < text.size() && (static_cast<unsigned char>(text[begin]) & 0xC0U) == 0x80U) ++begin;
  return std::string(dots) + text.substr(begin);
}

}  // namespace

std::vector<std::string> names_of_files(std::span<const std::string> paths) {
  constexpr std::size_t most_folders = 16;
  constexpr std::size_t number_bytes = 12;
  std::vector<std::string> names;
  for (const std::string& path : paths) names.push_back(tail_of(path, 0));
  for (std::size_t folders = 1; folders <= most_folders; ++folders) {
    std::map<std::string, std::size_t> counts;
    for (const std::string& name : names) ++counts[name];
    for (std::size_t i = 0; i < names.size(); ++i)
      if (counts[names[i]] > 1) names[i] = tail_of(paths[i], folders);
  }
  std::map<std::string, std::size_t> seen;
  for (std::string& name : names) {
    name = cut(name);
    const std::string wanted = name;
    for (std::size_t number = ++seen[wanted]; number > 1; number = ++seen[name]) {
      const std::size_t room = std::min(wanted.size(), most_bytes - number_bytes);
      name = fmt::format("{} ({})", io::printable_utf8(wanted.substr(0, room)), number);
    }
  }
  return names;
}

}  // namespace bytescope::merge
