#pragma once

#include <string>
#include <vector>

namespace bytescope::tests {

/// A real trace and what its producer's own decoder says about it.
struct TruthFile {
  std::string trace;  ///< Path.
  std::string truth;  ///< Path of the JSON file.
};

/// Real traces of every dialect whose truth is compared through the command line; empty when the
/// folder is missing.
std::vector<TruthFile> truth_files();

}  // namespace bytescope::tests
