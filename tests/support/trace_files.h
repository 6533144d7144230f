#pragma once

#include <string>
#include <vector>

namespace bytescope::tests {

/// The folder of real traces: $BYTESCOPE_TRACES, else ../shared/traces beside the checkout. Empty
/// when missing.
std::string real_trace_folder();
/// Paths of the .bin files there, sorted; empty when the folder is missing.
std::vector<std::string> real_traces();

}  // namespace bytescope::tests
