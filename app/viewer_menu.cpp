#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <imgui.h>

#include "app/actions.h"
#include "app/panels/palette.h"
#include "app/viewer.h"

namespace bytescope::app {
namespace {

/// An action in the menu of the timeline.
struct MenuItem {
  const char* title;
  const char* action;  // its id
  bool spans_only = false;
};
constexpr MenuItem item_menu_rows[] = {
    {"Zoom to it", "view.selection"},
    {"Copy its facts", "edit.copy_facts"},
    {"Statistics of this name", "name.statistics", true},
    {"Previous of this name", "name.previous", true},
    {"Next of this name", "name.next", true},
    {"Previous in this lane", "select.previous", true},
    {"Next in this lane", "select.next", true},
};
constexpr MenuItem memory_menu_rows[] = {
    {"Own scale, or the family's", "memory.scale"},
    {"Colour by lifetime", "memory.lifetime"},
    {"Colour by type", "memory.type"},
    {"Colour by size", "memory.size"},
};

/// The item's action when it was clicked.
const WindowAction* drawn_item(const MenuItem& item) {
  const auto actions = window_actions();
  const auto action = std::find_if(
      actions.begin(), actions.end(),
      [&](const WindowAction& candidate) { return std::string_view(candidate.id) == item.action; });
  const std::string keys = action->chords.empty() ? "" : action->chords[0].text();
  return ImGui::MenuItem(item.title, keys.c_str()) ? &*action : nullptr;
}

}  // namespace

void Viewer::frame_menu() {
  DocumentView* view = active();
  if (!menu_ || view == nullptr) return;
  if (menu_opening_) {
    ImGui::OpenPopup("##timeline menu");
    menu_opening_ = false;
  }
  const TimelineHit hit = *menu_;
  const auto& rows = view->layout(tracks_height_px()).rows;
  // Keys may have folded rows meanwhile.
  if (*hit.row >= rows.size() || !ImGui::BeginPopup("##timeline menu")) return menu_.reset();
  const render::TrackRow row = rows[*hit.row];  // a copy: what is chosen lays the rows out anew
  const bool chosen = item_menu(*view, hit) || row_menu(*view, row);
  ImGui::EndPopup();
  if (chosen) menu_.reset();
}

/// What can be done with a span or buffer: it is selected first.
bool Viewer::item_menu(DocumentView& view, const TimelineHit& hit) {
  if (!hit.item) return false;
  const bool is_span = hit.item->kind == Selection::Kind::span;
  const WindowAction* chosen = nullptr;
  for (const MenuItem& item : item_menu_rows) {
    if (item.spans_only && !is_span) continue;
    if (const WindowAction* action = drawn_item(item)) chosen = action;
  }
  ImGui::Separator();
  if (chosen == nullptr) return false;
  view.state().selection = hit.item;
  chosen->run(*this);
  return true;
}

/// What can be done with a row.
bool Viewer::row_menu(DocumentView& view, const render::TrackRow& row) {
  bool chosen = false;
  const auto item = [&](const char* title) {
    const bool clicked = ImGui::MenuItem(title);
    chosen = chosen || clicked;
    return clicked;
  };
  const bool is_track = row.track < view.trace()->tracks.size();
  if (is_track) {
    const bool expanded = view.state().changes.expanded.contains(row.track);
    if (item(expanded ? "Collapse the track" : "Expand the track"))
      set_expanded(row.track, !expanded);
    if (view.state().changes.heights.contains(row.track) && item("Height as it was"))
      view.state().changes.heights.erase(row.track);
  }
  if (item("Copy the track's name"))
    clipboard_.set_clipboard_text(is_track ? view.trace()->tracks[row.track].head.name : row.label);
  if (row.kind != render::RowKind::memory) return chosen;
  ImGui::Separator();
  for (const MenuItem& memory : memory_menu_rows) {
    const WindowAction* action = drawn_item(memory);
    if (action == nullptr) continue;
    action->run(*this);
    chosen = true;
  }
  return chosen;
}

void Viewer::frame_palette(const PanelContext& whole) {
  if (!palette_.is_open()) return;
  std::vector<const WindowAction*> actions;
  std::vector<PaletteRow> rows;
  for (const WindowAction& action : window_actions()) {
    if (!action.available(*this)) continue;
    actions.push_back(&action);
    rows.push_back(
        {action.title, action.chords.empty() ? "" : action.chords[0].text(), action.group});
  }
  if (const auto chosen = palette_.draw(whole, rows)) actions[*chosen]->run(*this);
  wants_frame_ = wants_frame_ || palette_.waits_for_keyboard();
}

}  // namespace bytescope::app
