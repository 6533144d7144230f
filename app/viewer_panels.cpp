#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "app/actions.h"
#include "app/panels/help_page.h"
#include "app/panels/pages.h"
#include "app/panels/selection_panel.h"
#include "app/panels/summary_panel.h"
#include "app/panels/tab_bar.h"
#include "app/panels/tooltip.h"
#include "app/viewer.h"
#include "core/trace/ansi.h"

namespace bytescope::app {
namespace {

/// Of the right panel's height, where a measured range is told of below the selection.
constexpr float selection_share = 0.6F;

}  // namespace

PanelContext Viewer::context_of(const render::Box& area) {
  return {*theme_, *fonts_, area, width_, height_, &focus_};
}

void Viewer::frame_panels(DocumentView& view) {
  if (view.trace()->complete && view.trace()->tracks.empty())
    empty_trace_note(context_of(areas_.tracks));
  PanelContext context = context_of(areas_.panel);
  if (view.state().selection) {
    if (view.state().range && areas_.panel.width() > 0) {
      // Both are of use at once: the selection above, the measured range below.
      const float y = std::round(areas_.panel.y0 + areas_.panel.height() * selection_share);
      scene_.top().above.push_back(
          {{areas_.panel.x0, y, areas_.panel.x1, y + 1}, theme_->border, theme_->border});
      frame_range(view, context_of({areas_.panel.x0, y + 1, areas_.panel.x1, areas_.panel.y1}));
      context.area.y1 = y;
    }
    return frame_selection(view, context);
  }
  sheet_of_.reset();
  full_sheet_ = nullptr;
  copies_sheet_ = false;
  linked_.clear();
  if (areas_.panel.width() <= 0) return;
  if (view.state().range) {
    frame_range(view, context);
  } else {
    frame_summary(view, context);
  }
}

void Viewer::frame_summary(DocumentView& view, const PanelContext& context) {
  const SummaryAnswer answer = summary_panel(context, view.summary_facts());
  if (answer.target == SummaryRow::Target::peak && view.summary()->peak_track) {
    const std::uint32_t track = *view.summary()->peak_track;
    view.leave();
    set_expanded(track, true);
    reveal_track(track);
  }
  if (answer.kernel)
    show_statistics_of(trace::plain_text(view.summary_facts().kernels[*answer.kernel].raw_name),
                       /*tracks=*/0);
  if (answer.target == SummaryRow::Target::slowest_device && view.summary()->slowest_device)
    reveal_track(*view.summary()->slowest_device);
}

/// Facts of the measured range; while it changes, those of the one before stand.
void Viewer::frame_range(DocumentView& view, const PanelContext& context) {
  const RangeRequest now{view.trace(), *view.state().range};
  if (!(asked_range_ == now)) {
    asked_range_ = now;
    range_worker_.request(now);
  }
  if (!range_sheet_ || range_sheet_->request.trace != now.trace) return;
  const SelectionAnswer answer = selection_panel(context, "Range", range_sheet_->sheet);
  if (answer.copy) clipboard_.set_clipboard_text(*answer.copy);
  if (answer.close) view.state().range.reset();
}

void Viewer::frame_selection(DocumentView& view, const PanelContext& context) {
  const Selection selection = *view.state().selection;
  want_occurrence(view, selection);
  const std::optional<query::Occurrence> occurrence = known_occurrence(selection);
  if (occurrence && occurrence_ && occurrence_->record == selection.number)
    selected_occurrence_ = occurrence_;
  update_sheet(view, selection);
  link_selection(view);
  copy_complete_sheet();
  if (areas_.panel.width() <= 0) return;
  const SelectionAnswer answer = selection_panel(context, "Selection", *selection_sheet_);
  if (answer.copy) clipboard_.set_clipboard_text(*answer.copy);
  if (answer.link) {
    view.leave();
    select_and_reveal(*answer.link);
  } else if (answer.close) {
    view.state().selection.reset();
  }
}

/// What the sheet of the selection leads to lights up on the timeline: the buffers of a kernel, the
/// users of a buffer. Few and direct; all of them are in the list.
void Viewer::link_selection(DocumentView& view) {
  constexpr std::size_t most_linked = 64;
  linked_.clear();
  for (const FactSection& section : selection_sheet_->sections) {
    for (const FactRow& row : section.rows) {
      const bool is_tied = row.link && row.tie != Tie::none;
      if (!is_tied || *row.link == *view.state().selection) continue;
      if (linked_.size() >= most_linked) return;
      linked_.push_back(highlight_of(*row.link));
      linked_.back().causes = row.tie == Tie::causes;
    }
  }
}

void Viewer::frame_without_trace() {
  scene_.clear();
  scene_.background = theme_->canvas;
  paint_plates();
  const PanelContext context = context_of({0, areas_.tabs.y1, width_, areas_.status.y0});
  const session::Document* document = active_document();
  if (document == nullptr) {
    const StartAnswer answer = start_page(context, remembered_.recent);
    if (answer.open_chooser) show_chooser();
    if (answer.open) open(*answer.open);
    if (answer.open_demo) open_demo();
  } else if (document->error) {
    const ErrorAnswer answer = error_page(context, document->path, *document->error);
    if (answer == ErrorAnswer::retry) reload_active();
    if (answer == ErrorAnswer::close) close_active();
  } else if (document->progress && load_page(context, document->path, *document->progress)) {
    session_.cancel(document->id);
  }
}

void Viewer::frame_chooser(const PanelContext& whole) {
  wants_frame_ = wants_frame_ || chooser_.wants_another_frame();
  const auto answer = chooser_.draw(whole);
  if (!answer) return;
  if (answer->together && answer->paths.size() > 1) {
    open_together(answer->paths);
  } else {
    for (const std::string& path : answer->paths) open(path);
  }
}

void Viewer::frame_over() {
  std::vector<Tab> tabs;
  for (const session::Document& document : session_.documents()) tabs.push_back(tab_of(document));
  const TabBarAnswer tab = tab_bar(context_of(areas_.tabs), tabs, active_id_);
  if (tab.open_chooser) show_chooser();
  if (tab.open_help) toggle_help();
  if (tab.open_menu) window_menu_ = WindowMenu{WindowMenu::Kind::all};
  if (tab.menu) {
    activate(*tab.menu);
    window_menu_ = WindowMenu{WindowMenu::Kind::tab};
  }
  frame_status();
  const PanelContext whole = context_of({0, 0, width_, height_});
  frame_tooltip(whole);
  frame_menu();
  frame_window_menu();
  if (help_.is_open) frame_help(whole);
  frame_save_panel(whole);
  frame_merge_panel(whole);
  frame_shift(whole);
  if (chooser_.is_open()) frame_chooser(whole);
  frame_palette(whole);
  if (tab.activate) activate(*tab.activate);
  if (tab.close) close(*tab.close);
  for (const session::Document& document : session_.documents())
    wants_frame_ = wants_frame_ || document.loading;
  wants_frame_ = wants_frame_ || focus_.wants_frame();
}

void Viewer::frame_help(const PanelContext& whole) {
  std::vector<HelpRow> actions;
  for (const WindowAction& action : window_actions()) {
    actions.push_back({action.group, action.title, keys_text(keys_.chords_of(action))});
  }
  std::stable_sort(actions.begin(), actions.end(),
                   [](const HelpRow& a, const HelpRow& b) { return a.group < b.group; });
  std::vector<HelpRow> gestures;
  for (const GestureHelp& row : gesture_help())
    gestures.push_back({"Mouse", row.effect, row.gesture});
  const std::string palette_key = first_key_text(keys_.chords_of(*action_named("program.palette")));
  const std::string hint =
      palette_key.empty() ? "" : palette_key + " does anything by its name, also what has no key";
  const HelpAnswer answer =
      help_page(whole, {actions, gestures, hint, help_.settings_path}, help_.scroll_px);
  if (answer == HelpAnswer::close) help_.is_open = false;
  if (answer == HelpAnswer::copy_path) {
    clipboard_.set_clipboard_text(help_.settings_path);
    tell("Copied " + help_.settings_path, /*is_good=*/true);
  }
}

void Viewer::frame_tooltip(const PanelContext& whole) {
  DocumentView* view = active();
  if (view == nullptr || !hover_ || !hover_->row || pointer_x_ < areas_.tracks.x0) return;
  const render::TrackRow& row = view->layout(tracks_height_px()).rows[*hover_->row];
  FactSheet sheet;
  if (hover_->item && hover_->item->kind == Selection::Kind::span) {
    sheet = span_sheet(*view->trace(), view->reader(), hover_->item->track, hover_->item->number,
                       known_occurrence(*hover_->item));
  } else if (hover_->item) {
    sheet = buffer_sheet(*view->trace(), view->reader(), hover_->item->track, hover_->item->number);
  } else if (row.kind == render::RowKind::memory || row.kind == render::RowKind::line) {
    sheet = memory_sheet(*view->trace(), row.track, hover_->time_ns);
    if (hover_->thin_buffers > 0) {
      FactRow here{"here", fmt::format("{} buffers of less than a pixel", hover_->thin_buffers)};
      sheet.sections.push_back({"", {std::move(here)}});
    }
  }
  if (!sheet.sections.empty()) tooltip(whole, sheet, pointer_x_, pointer_y_);
}

}  // namespace bytescope::app
