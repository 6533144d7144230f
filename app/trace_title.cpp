#include "app/trace_title.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "app/save_form.h"
#include "core/io/utf8.h"
#include "core/merge/file_set.h"
#include "core/net/url.h"
#include "core/session/load_source.h"
#include "core/trace/ansi.h"

namespace bytescope::app {

std::string absolute_path(const std::string& path_or_url) {
  if (auto set = merge::file_set_from(path_or_url)) {
    for (std::string& path : set->paths) path = absolute_path(path);
    return merge::file_set_of(std::move(set->paths)).address();
  }
  if (net::is_url(path_or_url)) return net::trace_name(path_or_url);
  std::error_code error;
  const auto absolute = std::filesystem::absolute(path_or_url, error);
  return error ? path_or_url : absolute.lexically_normal().string();
}

std::string trace_title(const std::string& path_or_url) {
  if (const auto set = merge::file_set_from(path_or_url)) {
    std::string title;
    for (const std::string& name : session::names_in(*set))
      title += (title.empty() ? "" : " + ") + name;
    return title;
  }
  const auto viewer = net::viewer_of(path_or_url);
  const std::string name =
      viewer ? viewer->host_and_port() : std::filesystem::path(path_or_url).filename().string();
  return io::printable_utf8(trace::single_line(name));
}

std::string shown_path(const std::string& path_or_url) {
  std::string text = path_or_url;
  if (const auto set = merge::file_set_from(path_or_url)) {
    text.clear();
    for (const std::string& path : set->paths) text += (text.empty() ? "" : "  +  ") + path;
  }
  return io::printable_utf8(trace::single_line(text));
}

std::string trace_place(const std::string& path_or_url) {
  if (const auto set = merge::file_set_from(path_or_url))
    return fmt::format("{} files as one trace", set->paths.size());
  if (net::viewer_of(path_or_url)) return "running program";
  const std::string folder = std::filesystem::path(path_or_url).parent_path().string();
  return io::printable_utf8(trace::single_line(folder));
}

std::string local_path(const std::string& path_or_url) {
  if (const auto set = merge::file_set_from(path_or_url)) {
    const std::string first = local_path(set->paths.front());
    return path_beside(first, "-merged", ".bin");
  }
  if (!net::is_url(path_or_url)) return path_or_url;
  std::string name = trace_title(path_or_url);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::strchr(":?&[]", c) != nullptr; }, '-');
  return name.empty() ? "trace" : name;
}

}  // namespace bytescope::app
