#include <string>
#include <vector>

#include <imgui.h>

#include "app/actions.h"
#include "app/panels/palette.h"
#include "app/viewer.h"
#include "core/trace/ansi.h"

namespace bytescope::app {

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
  const std::string track_name = row.track < view->trace()->tracks.size()
                                     ? view->trace()->tracks[row.track].head.name
                                     : row.label;
  bool close = false;
  const auto item = [&](const char* title) {
    const bool clicked = ImGui::MenuItem(title);
    close = close || clicked;
    return clicked;
  };
  if (hit.item) {
    if (item("Zoom to it")) {
      view->state().selection = hit.item;
      fit_selection();
    }
    if (item("Copy its facts")) {
      view->state().selection = hit.item;
      copy_selection();
    }
    if (hit.item->kind == Selection::Kind::span) {
      if (item("Statistics of this name")) {
        view->state().selection = hit.item;
        show_statistics_of(trace::plain_text(view->trace()->text(
            view->reader(),
            view->trace()->span(view->reader(), hit.item->track, hit.item->number).name)));
      }
      if (item("Previous of this name  Shift N")) {
        view->state().selection = hit.item;
        step_namesake(-1);
      }
      if (item("Next of this name  N")) {
        view->state().selection = hit.item;
        step_namesake(1);
      }
      if (item("Previous in this lane")) {
        view->state().selection = hit.item;
        walk(-1);
      }
      if (item("Next in this lane")) {
        view->state().selection = hit.item;
        walk(1);
      }
    }
    ImGui::Separator();
  }
  if (row.track < view->trace()->tracks.size()) {
    const bool expanded = view->state().changes.expanded.contains(row.track);
    if (item(expanded ? "Collapse the track" : "Expand the track"))
      set_expanded(row.track, !expanded);
    if (view->state().changes.heights.contains(row.track) && item("Height as it was"))
      view->state().changes.heights.erase(row.track);
  }
  if (item("Copy the track's name")) clipboard_.set_clipboard_text(track_name);
  ImGui::EndPopup();
  if (close) menu_.reset();
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
