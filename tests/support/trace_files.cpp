#include "tests/support/trace_files.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace bytescope::tests {
namespace fs = std::filesystem;

std::string real_trace_folder() {
  const char* named = std::getenv("BYTESCOPE_TRACES");
  const fs::path folder = named != nullptr
                              ? fs::path(named)
                              : fs::path(BYTESCOPE_SOURCE_DIR).parent_path() / "shared" / "traces";
  std::error_code error;
  return fs::is_directory(folder, error) ? folder.string() : std::string();
}

std::vector<std::string> real_traces() {
  std::vector<std::string> paths;
  const std::string folder = real_trace_folder();
  if (folder.empty()) return paths;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".bin") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace bytescope::tests
