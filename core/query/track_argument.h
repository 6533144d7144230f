#pragma once

#include <cstdint>
#include <string_view>

#include "core/error.h"
#include "core/query/track_record.h"
#include "core/trace/trace.h"

namespace bytescope::query {

/// The number of the track that `argument` names: by its exact raw name, else as `#N` (from 0). Of
/// equal names the first, with a warning. Fails with ErrorKind::usage, which tells the closest
/// names.
Expected<std::uint32_t> track_from_argument(const trace::Trace& trace, std::string_view argument,
                                            Warnings& warnings);

/// The record that `TRACK:INDEX` names, split at the last colon; INDEX counts from 0 as `dump`
/// does. Fails with ErrorKind::usage.
Expected<TrackRecord> record_from_argument(const trace::Trace& trace, std::string_view argument,
                                           Warnings& warnings);

}  // namespace bytescope::query
