#pragma once

#include "core/bytepack/frame.h"
#include "core/trace/trace.h"
#include "tests/support/decoded_trace.h"

namespace bytescope::tests {

/// What an event of a trace of any dialect is in the newest: without its lane, which is found anew,
/// its info as the facts that it tells, and users with what they lack empty.
DecodedEvent modernised(DecodedEvent event, const trace::Trace& source, bytepack::TrackKind kind);

}  // namespace bytescope::tests
