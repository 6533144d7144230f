#include <algorithm>
#include <cmath>
#include <utility>

#include "app/viewer.h"
#include "render/track_units.h"

namespace bytescope::app {
namespace {

bool all_in(const std::vector<std::uint32_t>& tracks, const std::vector<std::uint32_t>& among) {
  return std::all_of(tracks.begin(), tracks.end(), [&](std::uint32_t track) {
    return std::find(among.begin(), among.end(), track) != among.end();
  });
}

}  // namespace

/// The row that an action on tracks means: that of the menu, or of the palette when it was opened,
/// the one under the pointer, that of the selection.
std::optional<std::size_t> Viewer::row_acted_on() {
  DocumentView* view = active();
  if (view == nullptr) return std::nullopt;
  const render::TrackLayout& layout = view->layout(tracks_height_px());
  const auto known = [&](std::optional<std::size_t> row) {
    return row && *row < layout.rows.size() ? row : std::nullopt;
  };
  if (menu_) return known(menu_->row);
  if (palette_.is_open() || runs_from_palette_) return known(palette_row_);
  const bool over_rows = pointer_inside_ && pointer_x_ < areas_.tracks.x1 &&
                         areas_.tracks.y0 <= pointer_y_ && pointer_y_ < areas_.tracks.y1;
  if (over_rows) {
    const auto row = layout.row_at(layout.position_px(
        static_cast<double>(pointer_y_ - areas_.tracks.y0), view->shown_scroll_px()));
    if (row) return row;
  }
  const std::optional<Selection>& selection = view->state().selection;
  return selection ? layout.row_of(selection->track) : std::nullopt;
}

void Viewer::show_palette() {
  palette_row_ = row_acted_on();
  palette_.open();
}

void Viewer::change_tracks(DocumentView& view, render::TrackChanges changes) const {
  view.change_tracks(std::move(changes));
  view.clamp_scroll(tracks_height_px());
}

bool Viewer::is_pinned(const DocumentView& view, std::uint32_t track) {
  const auto& pinned = view.state().changes.pinned;
  return std::find(pinned.begin(), pinned.end(), track) != pinned.end();
}

void Viewer::switch_pin() {
  DocumentView* view = active();
  const auto row = row_acted_on();
  if (view == nullptr || !row) return;
  const auto tracks = render::tracks_of_row(view->layout(tracks_height_px()), *row);
  render::TrackChanges changes = view->state().changes;
  const bool unpins = all_in(tracks, changes.pinned);
  std::erase_if(changes.pinned, [&](std::uint32_t track) {
    return std::find(tracks.begin(), tracks.end(), track) != tracks.end();
  });
  if (!unpins) changes.pinned.insert(changes.pinned.end(), tracks.begin(), tracks.end());
  change_tracks(*view, std::move(changes));
}

void Viewer::hide_track() {
  DocumentView* view = active();
  const auto row = row_acted_on();
  if (view == nullptr || !row) return;
  const auto tracks = render::tracks_of_row(view->layout(tracks_height_px()), *row);
  render::TrackChanges changes = view->state().changes;
  changes.hidden.insert(tracks.begin(), tracks.end());
  change_tracks(*view, std::move(changes));
}

void Viewer::show_track_alone() {
  DocumentView* view = active();
  const auto row = row_acted_on();
  if (view == nullptr || !row) return;
  const auto tracks = render::tracks_of_row(view->layout(tracks_height_px()), *row);
  render::TrackChanges changes = view->state().changes;
  for (std::uint32_t i = 0; i < view->trace()->tracks.size(); ++i)
    if (std::find(tracks.begin(), tracks.end(), i) == tracks.end()) changes.hidden.insert(i);
  change_tracks(*view, std::move(changes));
}

void Viewer::show_hidden_tracks() {
  DocumentView* view = active();
  if (view == nullptr) return;
  render::TrackChanges changes = view->state().changes;
  changes.hidden.clear();
  change_tracks(*view, std::move(changes));
}

void Viewer::move_track(int step) {
  DocumentView* view = active();
  const auto row = row_acted_on();
  if (view == nullptr || !row) return;
  const render::TrackLayout& layout = view->layout(tracks_height_px());
  const auto place = render::next_place(layout, *row, step);
  if (!place) return;
  const std::uint32_t track = layout.rows[*row].track;
  change_tracks(*view, render::with_unit_moved(view->state().changes, layout, *row, *place));
  reveal_track(track);
}

void Viewer::switch_expansion() {
  DocumentView* view = active();
  const auto row = row_acted_on();
  if (view == nullptr || !row) return;
  const render::TrackRow of = view->layout(tracks_height_px()).rows[*row];
  if (of.folded || of.track == render::TrackRow::none) return switch_fold();
  change_tracks(*view, render::with_expansion_switched(view->state().changes, of));
}

/// Of the device or group that the row is of, or of the group where it has no device.
void Viewer::switch_fold() {
  DocumentView* view = active();
  const auto row = row_acted_on();
  if (view == nullptr || !row) return;
  const std::vector<render::TrackRow>& rows = view->layout(tracks_height_px()).rows;
  std::size_t heading = *row;
  const auto is_heading = [&](const render::TrackRow& at) {
    return at.folded || at.kind == render::RowKind::header || at.heads_unit;
  };
  while (heading > 0 && !is_heading(rows[heading]) && rows[heading - 1].group == rows[*row].group)
    --heading;
  if (!is_heading(rows[heading])) return;
  const render::TrackRow of = rows[heading];
  change_tracks(*view, render::with_fold_switched(view->state().changes, of));
}

void Viewer::reset_track_height() {
  DocumentView* view = active();
  const auto row = row_acted_on();
  if (view == nullptr || !row) return;
  render::TrackChanges changes = view->state().changes;
  changes.heights.erase(view->layout(tracks_height_px()).rows[*row].track);
  change_tracks(*view, std::move(changes));
}

void Viewer::copy_track_name() {
  DocumentView* view = active();
  const auto row = row_acted_on();
  if (view == nullptr || !row) return;
  const render::TrackRow& of = view->layout(tracks_height_px()).rows[*row];
  const bool is_track = of.track < view->trace()->tracks.size();
  clipboard_.set_clipboard_text(is_track ? view->trace()->tracks[of.track].head.name : of.label);
}

void Viewer::reset_tracks() {
  if (DocumentView* view = active()) change_tracks(*view, {});
}

void Viewer::undo_tracks() {
  DocumentView* view = active();
  if (view == nullptr) return;
  if (!view->undo_tracks()) tell("No change of the tracks is left to take back");
  view->clamp_scroll(tracks_height_px());
}

void Viewer::redo_tracks() {
  DocumentView* view = active();
  if (view == nullptr) return;
  if (!view->redo_tracks()) tell("No change of the tracks was taken back");
  view->clamp_scroll(tracks_height_px());
}

/// Shows a track that is hidden; opens the group, and then the unit, that hide it.
void Viewer::uncover(DocumentView& view, std::uint32_t track) const {
  constexpr int levels = 2;
  render::TrackChanges changes = view.state().changes;
  changes.hidden.erase(track);
  view.change_tracks(std::move(changes));
  for (int level = 0; level < levels; ++level) {
    const render::TrackLayout& layout = view.layout(tracks_height_px());
    const auto row = layout.row_of(track);
    if (!row || !layout.rows[*row].folded) return;
    view.change_tracks(render::with_fold_switched(view.state().changes, layout.rows[*row]));
  }
}

/// Opens a track as far as it takes to see the selection.
void Viewer::open_for(DocumentView& view, const Selection& selection) const {
  uncover(view, selection.track);
  const render::TrackLayout& layout = view.layout(tracks_height_px());
  const auto row = layout.row_of(selection.track);
  if (!row) return;
  const render::TrackRow& of = layout.rows[*row];
  const bool is_below = of.kind == render::RowKind::spans && selection.lane >= of.shown_lanes;
  if (selection.kind != Selection::Kind::buffer && !is_below) return;
  render::TrackChanges changes = view.state().changes;
  changes.expanded.insert(selection.track);
  view.change_tracks(std::move(changes));
}

void Viewer::select_and_reveal(const Selection& selection) {
  DocumentView* view = active();
  if (view == nullptr) return;
  spot_ns_.reset();
  ViewState& state = view->state();
  state.selection = selection;
  state.viewport = state.viewport.revealing(
      {selection.begin_ns,
       selection.begin_ns + std::max<std::int64_t>(std::llround(selection.length_ns), 1)});
  open_for(*view, selection);
  const render::TrackLayout& layout = view->layout(tracks_height_px());
  const auto number = layout.row_of(selection.track);
  if (!number) return;
  const render::TrackRow& row = layout.rows[*number];
  const bool span = row.kind == render::RowKind::spans && selection.lane < row.shown_lanes;
  const double top = row.top_px + (span ? row.lane_top_px(selection.lane) : 0);
  const double height = span ? row.lane_height_px(selection.lane) : row.height_px;
  view->reveal_rows(top - 4, top + height + 4, tracks_height_px());
}

void Viewer::reveal_track(std::uint32_t track) {
  DocumentView* view = active();
  if (view == nullptr) return;
  uncover(*view, track);
  const render::TrackLayout& layout = view->layout(tracks_height_px());
  const auto row = layout.row_of(track);
  if (row)
    view->reveal_rows(layout.rows[*row].top_px, layout.rows[*row].bottom_px(), tracks_height_px());
}

void Viewer::set_expanded(std::uint32_t track, bool expanded) {
  DocumentView* view = active();
  if (view == nullptr || track >= view->trace()->tracks.size()) return;
  render::TrackChanges changes = view->state().changes;
  if (expanded) {
    changes.expanded.insert(track);
  } else {
    changes.expanded.erase(track);
  }
  change_tracks(*view, std::move(changes));
}

}  // namespace bytescope::app
