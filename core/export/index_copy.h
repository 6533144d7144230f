#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/cancel.h"
#include "core/error.h"
#include "core/query/time_range.h"
#include "core/trace/trace.h"

namespace bytescope::exporting {

/// The members of a trace's index behind `strings`, as JSON text for the newest dialect: sizes of
/// types, markers (of a range only those in it, without what bytescope does not know of them), what
/// it is merged from (as told: tracks may be left out), and all that is unknown as it stands in the
/// file. What exceeds 64 MB is left out with a warning. Costs one read of the index. Fails where
/// the file is not any more what was opened.
Expected<std::string> copied_index_members(const trace::Trace& trace,
                                           const std::optional<query::TimeRange>& range,
                                           const std::vector<bytepack::MergedFile>& merged,
                                           Warnings& warnings, const Cancel& cancel);

/// Only those of them that bytescope does not know, as they stand in the file.
Expected<std::string> unknown_index_members(const trace::Trace& trace, Warnings& warnings,
                                            const Cancel& cancel);

/// The value of `dtypeSize` for sizes of types by name.
std::string sizes_json(const std::unordered_map<std::string, std::uint64_t>& dtype_bytes);

/// The value of `markers`; what one lacks is left out.
std::string markers_json(const std::vector<bytepack::FileMarker>& markers);

}  // namespace bytescope::exporting
