#include "core/merge/file_set.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/io/json_text.h"

namespace bytescope::merge {
namespace {

constexpr std::string_view scheme = "merge:";

void append_escaped(std::string& out, std::string_view path) {
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool means_something = c == '%' || c == '+' || byte < 0x20;
    out += means_something ? fmt::format("%{:02X}", byte) : std::string(1, c);
  }
}

/// What append_escaped() made; none where an escape is broken.
std::optional<std::string> unescaped(std::string_view text) {
  std::string path;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      path += text[i];
      continue;
    }
    if (text.size() - i < 3) return std::nullopt;
    const int high = io::hex_value(text[i + 1]);
    const int low = io::hex_value(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    path += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return path;
}

}  // namespace

std::string FileSet::address() const {
  std::string text(scheme);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (i != 0) text += '+';
    append_escaped(text, paths[i]);
  }
  return text;
}

std::optional<FileSet> file_set_from(std::string_view address) {
  if (!address.starts_with(scheme)) return std::nullopt;
  address.remove_prefix(scheme.size());
  FileSet set;
  for (bool more = true; more;) {
    const std::size_t end = address.find('+');
    auto path = unescaped(address.substr(0, end));
    if (!path || path->empty() || file_set_from(*path)) return std::nullopt;
    set.paths.push_back(std::move(*path));
    more = end != std::string_view::npos;
    if (more) address.remove_prefix(end + 1);
  }
  if (set.paths.size() < 2) return std::nullopt;
  return set;
}

FileSet file_set_of(std::vector<std::string> paths) {
  std::sort(paths.begin(), paths.end());
  return {std::move(paths)};
}

}  // namespace bytescope::merge
