#pragma once

#include <string>

#include "core/trace/info_facts.h"

namespace bytescope::exporting {

/// Appends what an info text says as members of a JSON object, each behind a comma: measured rates
/// as numbers under the names that the format gives them, units and all (`FLOPS`, `B/s mem`, `B`;
/// `ERR` where measuring failed), the rest as texts.
void append_chrome_args(std::string& out, const trace::InfoFacts& facts);

}  // namespace bytescope::exporting
