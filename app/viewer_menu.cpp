#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <imgui.h>

#include "app/actions.h"
#include "app/panels/palette.h"
#include "app/viewer.h"
#include "core/query/time_argument.h"
#include "render/time_text.h"

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
constexpr MenuItem row_menu_rows[] = {
    {"Hide", "track.hide"},      {"Show alone", "track.alone"},    {"Move up", "track.up"},
    {"Move down", "track.down"}, {"Usual height", "track.height"}, {"Copy the name", "track.copy"},
};
constexpr MenuItem all_tracks_menu_rows[] = {
    {"Show all hidden tracks", "track.show_all"},
    {"Undo", "track.undo"},
    {"Redo", "track.redo"},
    {"Files shown together, offsets\u2026", "file.together"},
    {"All tracks as they were", "track.reset"},
};
constexpr MenuItem memory_menu_rows[] = {
    {"Own scale, or the family's", "memory.scale"},
    {"Colour by lifetime", "memory.lifetime"},
    {"Colour by type", "memory.type"},
    {"Colour by size", "memory.size"},
};

/// The item's action when it was clicked.
const WindowAction* drawn_item(const MenuItem& item, const KeyBindings& bindings) {
  const WindowAction* action = action_named(item.action);
  const std::string keys = first_key_text(bindings.chords_of(*action));
  return ImGui::MenuItem(item.title, keys.c_str()) ? action : nullptr;
}

/// The chosen one of the items that are available; null while none is.
const WindowAction* drawn_items(std::span<const MenuItem> items, const KeyBindings& bindings,
                                Viewer& viewer) {
  const WindowAction* chosen = nullptr;
  for (const MenuItem& item : items) {
    const WindowAction* action = action_named(item.action);
    if (!action->available(viewer)) continue;
    if (const WindowAction* clicked = drawn_item(item, bindings)) chosen = clicked;
  }
  return chosen;
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
    if (const WindowAction* action = drawn_item(item, keys_)) chosen = action;
  }
  ImGui::Separator();
  if (chosen == nullptr) return false;
  view.state().selection = hit.item;
  chosen->run(*this);
  return true;
}

/// What can be done with a row, and with the tracks as a whole.
bool Viewer::row_menu(DocumentView& view, const render::TrackRow& row) {
  const WindowAction* chosen = nullptr;
  const auto draw = [&](std::span<const MenuItem> items) {
    if (const WindowAction* action = drawn_items(items, keys_, *this)) chosen = action;
  };
  const bool pinned = row.track < view.trace()->tracks.size() && is_pinned(view, row.track);
  const MenuItem first_rows[] = {
      {row.expanded ? "Collapse" : "Expand", "track.expand"},
      {row.folded ? "Open" : "Fold", "track.fold"},
      {pinned ? "Unpin" : "Pin to the top", "track.pin"},
  };
  draw(first_rows);
  draw(row_menu_rows);
  ImGui::Separator();
  draw(all_tracks_menu_rows);
  if (row.kind == render::RowKind::memory) {
    ImGui::Separator();
    draw(memory_menu_rows);
  }
  if (chosen == nullptr) return false;
  chosen->run(*this);
  return true;
}

/// Behind the other forms: what an action opens is drawn with the next frame, so that the key which
/// chose it does not confirm it, too.
void Viewer::frame_palette(const PanelContext& whole) {
  if (!palette_.is_open()) return;
  std::vector<const WindowAction*> actions;
  std::vector<PaletteRow> rows;
  for (const WindowAction& action : window_actions()) {
    if (!action.available(*this)) continue;
    actions.push_back(&action);
    rows.push_back({action.title, first_key_text(keys_.chords_of(action)), action.group});
  }
  const auto time = active() == nullptr || !active()->trace()
                        ? std::nullopt
                        : query::ns_from_shown_time(palette_.text());
  if (time)
    rows.push_back({"Go to " + render::time_text(*time, active()->trace()->unit), "", "", true});
  if (const auto chosen = palette_.draw(whole, rows)) {
    if (*chosen == actions.size()) return go_to_time(*time);
    runs_from_palette_ = true;
    actions[*chosen]->run(*this);
    runs_from_palette_ = false;
    wants_frame_ = true;
  }
  wants_frame_ = wants_frame_ || palette_.waits_for_keyboard();
}

}  // namespace bytescope::app
