#pragma once

#include <string>
#include <utility>

#include "core/error.h"
#include "core/trace/trace.h"

namespace bytescope::query {

/// The error of an argument on the command line that makes no sense for a trace.
inline tl::unexpected<Error> wrong_argument(const trace::Trace& trace, std::string message) {
  return failure(ErrorKind::usage, std::move(message), {}, trace.file->path());
}

}  // namespace bytescope::query
