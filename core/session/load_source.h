#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/cancel.h"
#include "core/error.h"
#include "core/merge/file_set.h"
#include "core/trace/loader.h"
#include "core/trace/trace.h"

namespace bytescope::session {

/// Opens a trace wherever it is: a file at a path, what a server has at an address, which is read
/// into a private file first (net::download_trace), or files that are shown as one
/// (merge::FileSet::address), which are all opened and then merged into a private file, each
/// `offsets_us` (none: 0) later than it says. Fails as that, merge::merge_into_scratch() and
/// trace::load_trace() do.
Expected<std::shared_ptr<const trace::Trace>> load_source(
    const std::string& path_or_url, const trace::LoadOptions& options, const Cancel& cancel,
    Progress* progress = nullptr, std::span<const std::int64_t> offsets_us = {});

/// What the files of a set are called where they are shown as one trace.
std::vector<std::string> names_in(const merge::FileSet& set);

}  // namespace bytescope::session
