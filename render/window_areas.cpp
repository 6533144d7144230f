#include "render/window_areas.h"

#include <algorithm>
#include <cmath>

namespace bytescope::render {
namespace {
constexpr float tabs_px = 32;
constexpr float overview_px = 56;
constexpr float axis_px = 28;
constexpr float flags_px = 18;
constexpr float names_px = 208;
constexpr float panel_px = 340;
constexpr float status_px = 24;
/// With less room than that between names and panel the panel goes.
constexpr float least_tracks_px = 420;
constexpr float least_tracks_height_px = 120;
/// With less room for tracks than that beneath it the overview goes.
constexpr float least_height_with_overview_px = 200;
constexpr float title_px = 20;
/// One of two traces with less room than that for its tracks is not shown.
constexpr float least_pane_tracks_px = 64;
}  // namespace

WindowAreas window_areas(float width, float height, bool with_panel, float dock_px) {
  const bool panel = with_panel && width - names_px - panel_px >= least_tracks_px;
  const float right = std::max(panel ? width - panel_px : width, names_px + 1);
  const float room = height - status_px - tabs_px - axis_px - flags_px - overview_px;
  const float axis_top = room >= least_height_with_overview_px ? tabs_px + overview_px : tabs_px;
  const float flags_top = axis_top + axis_px;
  const float tracks_top = flags_top + flags_px;
  const float bottom = std::max(height - status_px, tracks_top + 1);
  const float dock_top =
      std::max(bottom - dock_px, std::min(tracks_top + least_tracks_height_px, bottom));
  WindowAreas areas;
  areas.tabs = {0, 0, width, tabs_px};
  areas.overview = {names_px, tabs_px, right, axis_top};
  areas.corner = {0, axis_top, names_px, tracks_top};
  areas.axis = {names_px, axis_top, right, flags_top};
  areas.flags = {names_px, flags_top, right, tracks_top};
  areas.names = {0, tracks_top, names_px, dock_top};
  areas.tracks = {names_px, tracks_top, right, dock_top};
  areas.dock = {0, dock_top, right, bottom};
  if (panel) areas.panel = {right, tabs_px, width, bottom};
  areas.status = {0, bottom, width, bottom + status_px};
  return areas;
}

std::optional<SplitAreas> split_areas(const WindowAreas& whole) {
  const float top = whole.axis.y0;
  const float bottom = whole.tracks.y1;
  const float middle = std::floor((top + bottom) / 2);
  const auto pane = [&whole](float y0, float y1) {
    WindowAreas areas = whole;
    areas.title = {0, y0, whole.tracks.x1, y0 + title_px};
    const float flags_top = areas.title.y1 + axis_px;
    const float tracks_top = flags_top + flags_px;
    areas.corner = {0, areas.title.y1, names_px, tracks_top};
    areas.axis = {names_px, areas.title.y1, whole.axis.x1, flags_top};
    areas.flags = {names_px, flags_top, whole.flags.x1, tracks_top};
    areas.names = {0, tracks_top, names_px, y1};
    areas.tracks = {names_px, tracks_top, whole.tracks.x1, y1};
    return areas;
  };
  const SplitAreas split{pane(top, middle), pane(middle, bottom)};
  if (split.upper.tracks.height() < least_pane_tracks_px) return std::nullopt;
  return split;
}

Box pane_of(const WindowAreas& areas) {
  return {0, areas.title.y0, areas.tracks.x1, areas.tracks.y1};
}

}  // namespace bytescope::render
