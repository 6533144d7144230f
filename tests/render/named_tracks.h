#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "render/track_layout.h"

namespace bytescope::render {

/// A track as its name tells. Shader rows are known by their names here.
inline LayoutTrack track(const std::string& name, std::uint32_t lanes = 1) {
  const auto begins = [&](const char* unit) { return name.rfind(unit, 0) == 0; };
  const bool shader = begins("WAVE:") || begins("ALUEXEC:") || begins("VMEMEXEC:") ||
                      begins("SIMD:") || begins("SE:") || begins("GPC:") || name == "Shader Clock";
  LayoutTrack result = {name, bytepack::TrackKind::spans, trace::role_of(name, shader), lanes};
  if (name.size() > 7 && name.substr(name.size() - 7) == " Memory")
    result.kind = bytepack::TrackKind::memory;
  if (name == "Shader Clock") result.kind = bytepack::TrackKind::line;
  return result;
}

/// One track for each name.
inline std::vector<LayoutTrack> tracks(const std::vector<std::string>& names) {
  std::vector<LayoutTrack> result;
  result.reserve(names.size());
  for (const std::string& name : names) result.push_back(track(name));
  return result;
}

/// What stands beside the rows.
inline std::vector<std::string> labels(const TrackLayout& layout) {
  std::vector<std::string> result;
  for (const TrackRow& row : layout.rows) result.push_back(row.label);
  return result;
}

/// The row of a track that is shown.
inline const TrackRow& row_of(const TrackLayout& layout, std::uint32_t track) {
  return layout.rows[layout.row_of_track[track]];
}

/// Rows follow each other inside the layout.
inline void check_rows(const TrackLayout& layout) {
  for (std::size_t i = 0; i < layout.rows.size(); ++i) {
    ASSERT_GT(layout.rows[i].height_px, 0);
    const double above_px = i > 0 ? layout.rows[i - 1].bottom_px() : 0;
    ASSERT_GE(layout.rows[i].top_px, above_px);
    ASSERT_LE(layout.rows[i].bottom_px(), layout.height_px);
  }
  ASSERT_TRUE(std::is_sorted(layout.rules_px.begin(), layout.rules_px.end()));
}

}  // namespace bytescope::render
