#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/dock_driver.h"
#include "app/document_view.h"
#include "app/fact_sheet.h"
#include "app/fonts.h"
#include "app/gestures.h"
#include "app/input.h"
#include "app/panels/chooser.h"
#include "app/panels/palette.h"
#include "app/panels/panel_context.h"
#include "app/panels/status_bar.h"
#include "app/remembered.h"
#include "core/latest_worker.h"
#include "core/session/session.h"
#include "render/scene.h"
#include "render/theme.h"
#include "render/timeline_detail.h"
#include "render/window_areas.h"

namespace bytescope::app {

/// Which namesake of how many a span is; answered by a worker.
struct OccurrenceRequest {
  std::shared_ptr<const trace::Trace> trace;
  std::uint32_t track = 0;
  std::uint32_t record = 0;
};
struct OccurrenceResult {
  std::uint32_t track = 0;
  std::uint32_t record = 0;
  query::Occurrence occurrence;
};

/// All facts of what is selected, keys searched for; answered by a worker.
struct SheetRequest {
  std::shared_ptr<const trace::Trace> trace;
  Selection selection;
};
struct SheetResult {
  Selection selection;
  FactSheet sheet;
  bool complete = false;  ///< Nothing more follows.
};

/// Facts of a measured range; answered by a worker.
struct RangeRequest {
  std::shared_ptr<const trace::Trace> trace;
  query::TimeRange range;
  bool operator==(const RangeRequest&) const = default;
};
struct RangeResult {
  RangeRequest request;
  FactSheet sheet;
};

/// The program behind the window, without the window: takes events, opens files, keeps a view of
/// each, and builds what a frame shows. The same code runs in the window, in `screenshot`, in
/// `bench` and in tests. One thread; ImGui's context must be current.
class Viewer {
public:
  /// `wake` is called from any thread when another frame has something new to show. `clipboard`
  /// must outlive the viewer.
  Viewer(const render::Theme& theme, Clipboard& clipboard, std::function<void()> wake);

  /// Opens a file in a tab of its own and shows it; one that is open already is shown, and read
  /// again where it has changed.
  void open(const std::string& path);
  /// Takes one event. To be called between frames.
  void handle(const InputEvent& event);
  /// Takes over what loads and workers have found; returns whether the picture changes by that.
  bool poll();
  /// Builds the scene of a window of that size (logical pixels) and draws the panels; inside an
  /// ImGui frame.
  void frame(Fonts& fonts, float width, float height, float scale, double now_s);
  /// What the last frame shows of the timeline.
  const render::Scene& scene() const { return scene_; }

  /// Whether the picture is final: nothing loads, no worker runs, no detail is missing.
  bool settled() const;
  bool quit_requested() const { return quit_; }
  /// Whether anything in motion wants another frame without an event.
  bool wants_frame() const { return wants_frame_; }
  std::string title() const;
  /// How much larger than the display asks for everything is wanted.
  float zoom() const { return zoom_; }

  const session::Session& session() const { return session_; }
  const render::Theme& theme() const { return *theme_; }
  void set_theme(const render::Theme& theme);
  /// What kinds of devices can do at most, as somebody typed it.
  const CardTable& cards() const { return *cards_; }
  /// Goes on from what an earlier run remembered: theme, size of text, cards, recent files; views
  /// and notes of files when they are opened. Before anything is opened.
  void recall(Remembered remembered);
  /// What the next run should know. Costs what is remembered, a few kilobytes.
  Remembered remembered() const;
  /// Tells something in the status bar until a key or button is pressed.
  void tell(std::string notice) { notice_ = std::move(notice); }
  void switch_theme();
  void set_cards(CardTable cards);
  /// The view of the active document; null on the start page or before anything of it is there.
  DocumentView* active();
  const session::Document* active_document() const;
  const render::WindowAreas& areas() const { return areas_; }
  /// Height of the area of the tracks.
  double tracks_height_px() const { return static_cast<double>(areas_.tracks.height()); }

  // What actions do; see app/actions.cpp.
  void zoom_by(double factor);
  void pan_by(double share_of_view);
  void scroll_by(double px);
  void fit_trace();
  void fit_selection();
  void walk(int step);
  void change_lane(int step);
  void go_back();
  void go_forward();
  void show_chooser();
  void close_active();
  void close(std::uint64_t id);
  void reload_active();
  void next_document(int step);
  /// The open table while its rows have the keys, else the facts of the selection.
  void copy();
  void copy_selection();
  void copy_table();
  void escape();
  void toggle_help() { help_open_ = !help_open_; }
  void request_quit() { quit_ = true; }
  void change_zoom(float step);
  void open_tab(AnswerKind kind);
  void toggle_tab(AnswerKind kind);
  void show_search();
  void show_statistics();
  /// The statistics of the whole trace, of names that hold this one.
  void show_statistics_of(const std::string& plain_name);
  /// Of the selected span's name.
  void show_statistics_of_selection();
  void show_live_buffers();
  void step_hit(int step);
  void step_namesake(int step);
  void dim_others(bool dims) { dims_others_ = dims; }
  void switch_memory_scale();
  void color_buffers(render::BufferColors colors);
  void step_link(int step);
  void step_marker(int step);
  void step_gap(int step);
  void step_peak(int step);
  void put_marker();
  void measure_from_pointer();
  void keep_range();
  void remove_noted();
  void rename_noted();
  void show_palette() { palette_.open(); }
  /// Goes where a row leads; `zoom`: shows nothing else.
  void go_to(const RowTarget& target, bool zoom);
  /// Selects something and brings it in view: its track opens where needed, the view moves only if
  /// it must.
  void select_and_reveal(const Selection& selection);
  /// Scrolls as little as needed to bring the row of a track in sight.
  void reveal_track(std::uint32_t track);
  /// Opens (or closes) a track.
  void set_expanded(std::uint32_t track, bool expanded);

private:
  render::TimelineInput input_for(DocumentView& view);
  void follow_documents();
  void recall_view(DocumentView& view, const std::string& path) const;
  void forget_places();
  void request_detail(DocumentView& view);
  std::optional<std::uint32_t> lit_name(DocumentView& view) const;
  void forget_requests();
  void forget_occurrences();
  void unfold(DocumentView& view, std::uint32_t track) const;
  void take_detail();
  void frame_timeline(DocumentView& view);
  void frame_panels(DocumentView& view);
  void frame_summary(DocumentView& view, const PanelContext& context);
  void frame_range(DocumentView& view, const PanelContext& context);
  void frame_selection(DocumentView& view, const PanelContext& context);
  void frame_dock(DocumentView& view);
  void frame_palette(const PanelContext& whole);
  void copy_complete_sheet();
  void link_selection(DocumentView& view);
  void follow_selection(DocumentView& view);
  void follow_measure(DocumentView& view);
  static std::shared_ptr<const query::SearchResult> shown_search(const DocumentView& view);
  void compare_with(const RowTarget& target);
  RowTarget target_of_row(DocumentView& view, std::size_t row);
  void show_durations(DocumentView& view, const query::DurationRange& durations);
  void go_to_searched(DocumentView& view);
  std::optional<query::SearchHit> hit_origin(const ViewState& state, int step) const;
  std::int64_t step_origin_ns(DocumentView& view) const;
  static std::optional<std::uint32_t> gap_track(const DocumentView& view);
  static std::optional<std::size_t> noted_at_row(const DocumentView& view);
  static bool lags_behind_notes(const DocumentView& view);
  static bool is_among_notes(const DockState& dock);
  void name_noted(const std::string& name);
  static std::string noted_text(const DocumentView& view, std::size_t row);
  void set_limit(DocumentView& view, std::size_t row, const std::string& text);
  bool move_in_table(Key key);
  bool acts_while_typing(const InputEvent& event) const;
  void frame_without_trace();
  void frame_over();
  void frame_help(const PanelContext& whole);
  void frame_tooltip(const PanelContext& whole);
  void frame_menu();
  bool item_menu(DocumentView& view, const TimelineHit& hit);
  bool row_menu(DocumentView& view, const render::TrackRow& row);
  StatusTexts status_texts();
  void paint_range(const DocumentView& view);
  void paint_plates();
  void update_hover(DocumentView& view);
  void update_sheet(DocumentView& view, const Selection& selection);
  void want_occurrence(const DocumentView& view, const Selection& selection);
  std::optional<query::Occurrence> known_occurrence(const Selection& selection) const;
  void handle_mouse(const InputEvent& event);
  bool act_on_key(const InputEvent& event);
  GestureTarget gesture_target(DocumentView& view);
  void activate(std::uint64_t id);
  const session::Document* document_of(const std::string& path) const;

  const render::Theme* theme_;
  Clipboard& clipboard_;
  std::function<void()> wake_;
  session::Session session_;
  std::vector<std::unique_ptr<DocumentView>> views_;
  std::uint64_t active_id_ = 0;
  Remembered remembered_;
  std::string notice_;  // shown until something is pressed
  std::shared_ptr<const CardTable> cards_ = std::make_shared<const CardTable>();

  render::DetailMaker detail_maker_;  // belongs to the worker's thread
  LatestWorker<render::DetailRequest, render::DetailResult> detail_worker_;
  std::optional<render::DetailRequest> wanted_;  // not asked yet, since the worker is busy
  std::optional<render::DetailRequest> asked_;   // what the worker answers, or answered last
  std::uint64_t detail_owner_ = 0;
  LatestWorker<OccurrenceRequest, OccurrenceResult> occurrence_worker_;
  std::optional<OccurrenceRequest> asked_occurrence_;
  std::shared_ptr<const OccurrenceResult> occurrence_;
  std::shared_ptr<const OccurrenceResult> selected_occurrence_;
  LatestWorker<SheetRequest, SheetResult> sheet_worker_;
  std::shared_ptr<const SheetResult> full_sheet_;  // not shown yet

  LatestWorker<RangeRequest, RangeResult> range_worker_;
  std::optional<RangeRequest> asked_range_;
  std::shared_ptr<const RangeResult> range_sheet_;  // maybe of a range before

  /// Steps that were asked for while the first of them is looked for.
  struct QueuedSteps {
    void (Viewer::*step)(int) = nullptr;
    int count = 0;  // negative: backwards
    bool is_looking = false;
  };
  bool joins_queue(void (Viewer::*step)(int), int direction);
  void take_jump();

  DockDriver dock_driver_;
  QueuedSteps queued_steps_;
  std::optional<std::int64_t> spot_ns_;           // where a jump to an instant led last
  std::optional<query::SearchHit> marker_hit_;    // the marker there, where a search led to it
  std::optional<std::int64_t> measure_begin_ns_;  // R was pressed there
  std::uint32_t peak_shown_ = UINT32_MAX;         // track of the peak that was stepped to
  std::optional<Selection> followed_;             // what the list of instructions shows

  Gestures gestures_;
  Chooser chooser_;
  Palette palette_;
  bool typing_ = false;  // a field has the keyboard
  bool help_open_ = false;
  bool dims_others_ = false;  // than those of one name
  bool quit_ = false;
  bool wants_frame_ = false;
  float zoom_ = 1;
  std::optional<TimelineHit> menu_;
  bool menu_opening_ = false;

  bool pointer_inside_ = false;
  float pointer_x_ = 0;
  float pointer_y_ = 0;
  std::optional<TimelineHit> hover_;
  std::optional<FactSheet> selection_sheet_;
  std::optional<Selection> sheet_of_;
  bool sheet_has_occurrence_ = false;
  bool sheet_is_complete_ = false;
  bool copies_sheet_ = false;              // to the clipboard, when it is complete
  std::vector<render::Highlight> linked_;  // to the selection

  Fonts* fonts_ = nullptr;
  render::WindowAreas areas_;
  float width_ = 1280;
  float height_ = 720;
  float scale_ = 1;
  double now_s_ = 0;
  double looked_at_files_s_ = 0;
  render::Scene scene_;
};

}  // namespace bytescope::app
