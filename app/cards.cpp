#include "app/cards.h"

#include <algorithm>
#include <array>

#include "core/trace/category.h"

namespace bytescope::app {

std::span<const CardQuantity> card_quantities() {
  static constexpr std::array<CardQuantity, 3> rows = {{
      {"flops", "Peak compute", "FLOPS", "61.4 TFLOPS", &CardLimits::flops},
      {"bytes_per_s", "Peak memory rate", "B/s", "960 GB/s", &CardLimits::bytes_per_s},
      {"memory_bytes", "Memory capacity", "B", "24 GB", &CardLimits::memory_bytes},
  }};
  return rows;
}

std::vector<std::string> device_families(const trace::Trace& trace) {
  std::vector<std::string> families;
  for (const trace::Track& track : trace.tracks) {
    const bool is_device =
        track.role == trace::TrackRole::device ||
        (track.role == trace::TrackRole::memory && !trace::is_file_memory(track.own_name()));
    const std::string family(trace::family_of(track.own_name()));
    if (is_device && std::find(families.begin(), families.end(), family) == families.end())
      families.push_back(family);
  }
  return families;
}

CardLimits limits_of(const CardTable& cards, const std::string& family) {
  const auto known = cards.find(family);
  return known == cards.end() ? CardLimits() : known->second;
}

}  // namespace bytescope::app
