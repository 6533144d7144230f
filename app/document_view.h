#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/cards.h"
#include "app/dock_state.h"
#include "app/document_notes.h"
#include "app/remembered.h"
#include "app/summary_facts.h"
#include "app/track_history.h"
#include "app/view_history.h"
#include "app/view_motion.h"
#include "app/view_state.h"
#include "core/io/page_reader.h"
#include "core/net/program_texts.h"
#include "core/session/session.h"
#include "render/timeline_detail.h"
#include "render/timeline_model.h"
#include "render/timeline_scene.h"
#include "render/track_layout.h"

namespace bytescope::app {

/// How one open file is looked at: its view, the history of views, and what was derived for drawing
/// it.
class DocumentView {
public:
  explicit DocumentView(std::uint64_t id) : id_(id) {}

  std::uint64_t id() const { return id_; }
  /// Takes over a newer stage of the document. The view, what is expanded and selected are kept;
  /// tracks are found again by their names when the file was read anew.
  void follow(const session::Document& document, double width_px);
  /// Whether there is something to show.
  bool ready() const { return trace_ != nullptr; }

  const std::shared_ptr<const trace::Trace>& trace() const { return trace_; }
  const std::shared_ptr<const query::TraceSummary>& summary() const { return summary_; }
  /// What the right panel tells while nothing is selected.
  const SummaryFacts& summary_facts() const { return summary_facts_; }
  const render::TimelineModel& model() const { return model_; }
  /// The rows for a window with that much height for tracks; computed when something changed since.
  const render::TrackLayout& layout(double height_px);
  /// For reading single records on the window's thread.
  io::PageReader& reader() { return *reader_; }

  /// What is wanted; what is on screen may still be on its way there.
  ViewState& state() { return state_; }
  const ViewState& state() const { return state_; }
  /// The stretch of time on screen, and how far down the rows on screen are scrolled: what lies
  /// under the pointer is a question to them.
  const render::Viewport& shown_viewport() const {
    return moves_ ? motion_.shown().viewport : state_.viewport;
  }
  double shown_scroll_px() const { return moves_ ? motion_.shown().scroll_px : state_.scroll_px; }
  /// Whether what is shown glides to what is wanted; without, it is there at once.
  void set_motion(bool moves);
  /// Shows what belongs to that moment, in an area of that size.
  void move_on(double width_px, double height_px, double now_s);
  /// Whether what is shown is on its way.
  bool is_moving() const { return moves_ && motion_.is_moving(); }
  bool is_coasting() const { return moves_ && motion_.is_coasting(); }
  /// What is wanted is shown without a way there, as what is dragged is.
  void show_at_once() { motion_.rest_at(place()); }
  /// What is shown is wanted: stops on the way.
  void hold();
  void stop_coasting() { motion_.stop_coasting(); }
  /// Goes on from a drag that was let go of at that speed.
  void coast(const DragSpeed& speed, double now_s);
  ViewHistory& history() { return history_; }
  /// Remembers the present view before a jump.
  void leave() { history_.leave(state_); }
  /// The same before a small step of zooming or panning: steps that follow one another quickly are
  /// one motion, of which only the view that it began at is remembered.
  void leave_in_motion(double now_s);

  /// Changes the tracks as somebody asked: a step of the history of tracks, unless nothing changes.
  void change_tracks(render::TrackChanges changes);
  /// Makes what was changed since `before` one step of that history.
  void note_track_change(render::TrackChanges before);
  /// Take back the last step, or take it again; whether there was any.
  bool undo_tracks();
  bool redo_tracks();
  const TrackHistory& track_history() const { return track_history_; }
  /// Devices do not fold as long as they fit in so much height (the window's without the panel at
  /// the bottom).
  void set_fold_height(double height_px) { fold_height_px_ = height_px; }

  /// Where the rows begin at the latest: keeps the scroll position in range.
  void clamp_scroll(double height_px);
  /// Scrolls as little as needed to bring a stretch of the rows in sight.
  void reveal_rows(double top_px, double bottom_px, double height_px);
  /// The trace from its first to its last moment.
  query::TimeRange whole() const;

  /// What the tabs of the bottom panel offer for the trace.
  const TabMenus& tab_menus() const { return tab_menus_; }
  /// The theme with the colours that the trace tells for its own spans.
  const render::Theme& theme(const render::Theme& base);
  /// What somebody noted on the trace; set_notes() to change it.
  const DocumentNotes& notes() const { return notes_; }
  void set_notes(DocumentNotes notes);
  /// What kinds of devices can do, for all documents the same; never null.
  const std::shared_ptr<const CardTable>& cards() const { return cards_; }
  void set_cards(std::shared_ptr<const CardTable> cards);
  /// What the running program that the trace comes from tells of its kernels; null for files.
  const std::shared_ptr<net::ProgramTexts>& program_texts() const { return program_texts_; }
  /// Offsets of the files that are shown as one, as they are in what is shown.
  const std::vector<std::int64_t>& offsets_us() const { return offsets_us_; }
  /// How it is looked at and what was noted, for the next run.
  RememberedView remembered(std::string path) const;
  /// Goes on as it was looked at before; what the trace has no more is left out.
  void recall(const RememberedView& before);

  DockState dock;
  std::shared_ptr<const render::TimelineDetail> detail;
  std::shared_ptr<const render::Overview> overview;
  std::unordered_map<std::uint32_t, std::shared_ptr<const render::StackDetail>> stacks;

private:
  ViewPlace place() const { return {state_.viewport, state_.scroll_px}; }
  double most_scroll_px(double height_px);
  void find_tracks_again(const trace::Trace& old_trace);
  void move_with_files(const trace::Trace& old_trace);
  void show_own_markers();
  void show_capacities();

  std::uint64_t id_;
  std::uint64_t generation_ = 0;
  std::shared_ptr<const trace::Trace> trace_;
  std::shared_ptr<const query::TraceSummary> summary_;
  SummaryFacts summary_facts_;
  render::TimelineModel model_;
  std::unique_ptr<io::PageReader> reader_;
  ViewState state_;
  ViewHistory history_;
  TrackHistory track_history_;
  DocumentNotes notes_;
  std::vector<std::int64_t> offsets_us_;
  std::shared_ptr<const CardTable> cards_ = std::make_shared<const CardTable>();
  TabMenus tab_menus_;
  std::shared_ptr<net::ProgramTexts> program_texts_;
  std::optional<render::Theme> own_theme_;
  const render::Theme* own_theme_base_ = nullptr;
  double last_motion_s_ = -1e9;
  ViewMotion motion_;
  bool moves_ = false;
  render::TrackLayout layout_;
  render::TrackChanges laid_out_;
  double laid_out_height_ = -1;
  double laid_out_fold_height_ = -1;
  double fold_height_px_ = 0;
};

}  // namespace bytescope::app
