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
#include "app/view_history.h"
#include "app/view_state.h"
#include "core/io/page_reader.h"
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

  ViewState& state() { return state_; }
  const ViewState& state() const { return state_; }
  ViewHistory& history() { return history_; }
  /// Remembers the present view before a jump.
  void leave() { history_.leave(state_); }
  /// The same before a small step of zooming or panning: steps that follow one another quickly are
  /// one motion, of which only the view that it began at is remembered.
  void leave_in_motion(double now_s);

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
  /// How it is looked at and what was noted, for the next run.
  RememberedView remembered(std::string path) const;
  /// Goes on as it was looked at before; what the trace has no more is left out.
  void recall(const RememberedView& before);

  DockState dock;
  std::shared_ptr<const render::TimelineDetail> detail;
  std::unordered_map<std::uint32_t, std::shared_ptr<const render::StackDetail>> stacks;

private:
  void find_tracks_again(const trace::Trace& old_trace);
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
  DocumentNotes notes_;
  std::shared_ptr<const CardTable> cards_ = std::make_shared<const CardTable>();
  TabMenus tab_menus_;
  std::optional<render::Theme> own_theme_;
  const render::Theme* own_theme_base_ = nullptr;
  double last_motion_s_ = -1e9;
  render::TrackLayout layout_;
  render::TrackChanges laid_out_;
  double laid_out_height_ = -1;
};

}  // namespace bytescope::app
