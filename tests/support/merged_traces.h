#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/bytepack/writer.h"
#include "core/error.h"
#include "core/merge/merge.h"
#include "core/trace/trace.h"
#include "tests/support/trace_maker.h"

namespace bytescope::tests {

using TracePointer = std::shared_ptr<const trace::Trace>;

/// The sources as one, opened.
Expected<TracePointer> merged(const std::vector<merge::Source>& sources);

/// Why they cannot be one, which must be a wrong request; "none" where they can.
std::string refusal_of(const std::vector<merge::Source>& sources);

/// A kernel that was compiled, ran twice and left a user on a buffer.
bytepack::TraceDescription one_program(const std::string& kernel);

}  // namespace bytescope::tests
