#include "core/session/load_source.h"

#include <utility>

#include "core/merge/merge.h"
#include "core/net/download.h"
#include "core/net/url.h"

namespace bytescope::session {
namespace {

using LoadedTrace = Expected<std::shared_ptr<const trace::Trace>>;

LoadedTrace load_set(const merge::FileSet& set, const std::string& address,
                     const trace::LoadOptions& options, const Cancel& cancel, Progress* progress,
                     std::span<const std::int64_t> offsets_us) {
  const std::vector<std::string> names = names_in(set);
  std::vector<merge::Source> sources;
  trace::LoadOptions of_each;
  of_each.threads = options.threads;
  for (std::size_t i = 0; i < set.paths.size(); ++i) {
    auto trace = load_source(set.paths[i], of_each, cancel, progress);
    if (!trace) return trace;
    sources.push_back({std::move(*trace), names[i], i < offsets_us.size() ? offsets_us[i] : 0});
  }
  auto merged = merge::merge_into_scratch(sources, address, cancel, progress);
  if (!merged) return tl::make_unexpected(merged.error());
  // Their indexes take as much memory as that of the merged one is going to.
  sources.clear();
  trace::LoadOptions of_all = options;
  of_all.known = std::move(merged->outcome.warnings);
  return trace::load_trace(std::move(merged->file), of_all, cancel, progress);
}

}  // namespace

std::vector<std::string> names_in(const merge::FileSet& set) {
  std::vector<std::string> paths = set.paths;
  for (std::string& path : paths)
    if (const auto viewer = net::viewer_of(path)) path = viewer->host_and_port();
  return merge::names_of_files(paths);
}

Expected<std::shared_ptr<const trace::Trace>> load_source(
    const std::string& path_or_url, const trace::LoadOptions& options, const Cancel& cancel,
    Progress* progress, std::span<const std::int64_t> offsets_us) {
  if (const auto set = merge::file_set_from(path_or_url))
    return load_set(*set, path_or_url, options, cancel, progress, offsets_us);
  if (!net::is_url(path_or_url)) return trace::load_trace(path_or_url, options, cancel, progress);
  const auto url = net::trace_url_from(path_or_url);
  if (!url) return tl::make_unexpected(url.error());
  auto file = net::download_trace(*url, cancel, progress);
  if (!file) return tl::make_unexpected(file.error());
  return trace::load_trace(std::move(*file), options, cancel, progress);
}

}  // namespace bytescope::session
