#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <imgui.h>

#include "app/actions.h"
#include "app/panels/palette.h"
#include "app/panels/tab_bar.h"
#include "app/viewer.h"
#include "core/query/time_argument.h"
#include "render/time_text.h"

namespace bytescope::app {
namespace {

/// An action in a menu.
struct MenuItem {
  const char* title = nullptr;
  const char* action = nullptr;  // its id; null: a line between two groups
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

constexpr MenuItem file_menu_rows[] = {
    {"Open\u2026", "file.open"},
    {"Export\u2026", "file.export"},
    {"Export the range\u2026", "file.export_range"},
    {"Save a picture\u2026", "file.picture"},
};
constexpr MenuItem tab_menu_rows[] = {
    {"Read again", "file.reload"},
    {"Watch: read again when it changes", "file.watch"},
    {"Show together\u2026", "file.together"},
    {"Compare", "tab.compare"},
    {nullptr, nullptr},
    {"Open\u2026", "file.open"},
    {"Export\u2026", "file.export"},
    {"Save a picture\u2026", "file.picture"},
    {nullptr, nullptr},
    {"Close", "file.close"},
};
constexpr MenuItem window_menu_rows[] = {
    {"Open\u2026", "file.open"},
    {"Open a running program\u2026", "file.program"},
    {"Read again", "file.reload"},
    {"Watch: read again when it changes", "file.watch"},
    {nullptr, nullptr},
    {"Show together\u2026", "file.together"},
    {"Compare", "tab.compare"},
    {nullptr, nullptr},
    {"Export\u2026", "file.export"},
    {"Save a picture\u2026", "file.picture"},
    {nullptr, nullptr},
    {"Dark or light", "program.theme"},
    {"Motion", "program.motion"},
    {nullptr, nullptr},
    {"Do anything by its name", "program.palette"},
    {"Keys and gestures", "program.help"},
    {"Settings", "program.settings"},
    {"Quit", "program.quit"},
};

/// The item's action when it was clicked.
const WindowAction* drawn_item(const MenuItem& item, const Viewer& viewer) {
  const WindowAction* action = action_named(item.action);
  const std::string keys = first_key_text(viewer.keys().chords_of(*action));
  const bool is_on = action->is_on != nullptr && action->is_on(viewer);
  return ImGui::MenuItem(item.title, keys.c_str(), is_on) ? action : nullptr;
}

/// The chosen one of the items that are available; null while none is. Between groups of which
/// something is available there are lines.
const WindowAction* drawn_items(std::span<const MenuItem> items, Viewer& viewer) {
  const WindowAction* chosen = nullptr;
  bool is_line_due = false;
  bool any = false;
  for (const MenuItem& item : items) {
    if (item.action == nullptr) {
      is_line_due = any;
      continue;
    }
    if (!action_named(item.action)->available(viewer)) continue;
    if (std::exchange(is_line_due, false)) ImGui::Separator();
    any = true;
    if (const WindowAction* clicked = drawn_item(item, viewer)) chosen = clicked;
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
  const bool is_row_gone = hit.row && *hit.row >= rows.size();
  if (is_row_gone || !ImGui::BeginPopup("##timeline menu")) return menu_.reset();
  std::optional<render::TrackRow> row;
  if (hit.row) row = rows[*hit.row];  // a copy: what is chosen lays the rows out anew
  const bool chosen = item_menu(*view, hit) || (row && row_menu(*view, *row)) || file_menu();
  ImGui::EndPopup();
  if (chosen) menu_.reset();
}

/// What can be done with the file.
bool Viewer::file_menu() {
  const WindowAction* chosen = drawn_items(file_menu_rows, *this);
  if (chosen != nullptr) chosen->run(*this);
  return chosen != nullptr;
}

/// The menu behind the button left of the tabs, or that of a tab.
void Viewer::frame_window_menu() {
  if (!window_menu_) return;
  const bool is_of_tab = window_menu_->kind == WindowMenu::Kind::tab;
  if (std::exchange(window_menu_->is_opening, false)) ImGui::OpenPopup("##window menu");
  const MenuPlace place = menu_place_in(areas_.tabs);
  if (!is_of_tab) ImGui::SetNextWindowPos({place.x, place.y});
  if (!ImGui::BeginPopup("##window menu")) return window_menu_.reset();
  const WindowAction* chosen =
      drawn_items(is_of_tab ? std::span<const MenuItem>(tab_menu_rows) : window_menu_rows, *this);
  ImGui::EndPopup();
  if (chosen == nullptr) return;
  window_menu_.reset();
  chosen->run(*this);
}

/// What can be done with a span or buffer: it is selected first.
bool Viewer::item_menu(DocumentView& view, const TimelineHit& hit) {
  if (!hit.item) return false;
  const bool is_span = hit.item->kind == Selection::Kind::span;
  const WindowAction* chosen = nullptr;
  for (const MenuItem& item : item_menu_rows) {
    if (item.spans_only && !is_span) continue;
    if (const WindowAction* action = drawn_item(item, *this)) chosen = action;
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
    if (const WindowAction* action = drawn_items(items, *this)) chosen = action;
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
  ImGui::Separator();
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
