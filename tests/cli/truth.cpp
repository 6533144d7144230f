#include "tests/cli/truth.h"

#include <array>
#include <filesystem>

#include "tests/support/trace_files.h"

namespace bytescope::tests {

std::vector<TruthFile> truth_files() {
  // One of each dialect, two kinds of shader traces, and those with odd names.
  constexpr std::array<const char*, 14> names = {
      "2025-08-23-2407fecdae-mem",   "2025-08-24-0d86288bd7-dp",
      "2025-08-25-a1f6823060-mlp",   "2025-09-02-f750c15965-odd",
      "2025-10-16-069177c1be-mem",   "2025-10-17-dfb8f9fc9e-dp",
      "2025-10-17-253d32b065-dp",    "2025-10-17-0160f034d6-heavy",
      "2025-11-12-8002921a04-marks", "2026-02-13-5b624b5e93-mem",
      "2026-03-12-d3eef70162-dpviz", "2026-03-12-d3eef70162-sqtt-gfx1200-ops",
      "2026-08-22-a9069c177a-odd",   "2026-05-04-c02e390c2b-sqtt-empty"};
  std::vector<TruthFile> files;
  const std::string folder = real_trace_folder();
  if (folder.empty()) return files;
  for (const char* name : names) {
    const std::string base = folder + "/" + name;
    if (std::filesystem::exists(base + ".bin"))
      files.push_back({base + ".bin", base + ".truth.json"});
  }
  return files;
}

}  // namespace bytescope::tests
