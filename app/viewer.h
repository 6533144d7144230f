#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/alignment.h"
#include "app/demo_maker.h"
#include "app/detail_desk.h"
#include "app/dock_driver.h"
#include "app/document_view.h"
#include "app/export_driver.h"
#include "app/fonts.h"
#include "app/gestures.h"
#include "app/input.h"
#include "app/key_bindings.h"
#include "app/notice.h"
#include "app/overview_gestures.h"
#include "app/panels/chooser.h"
#include "app/panels/merge_panel.h"
#include "app/panels/palette.h"
#include "app/panels/panel_context.h"
#include "app/panels/save_panel.h"
#include "app/panels/status_bar.h"
#include "app/remembered.h"
#include "app/viewer_requests.h"
#include "core/latest_worker.h"
#include "core/session/session.h"
#include "render/scene.h"
#include "render/theme.h"
#include "render/timeline_detail.h"
#include "render/window_areas.h"

namespace bytescope::app {

/// The program behind the window, without the window: takes events, opens files, keeps a view of
/// each, and builds what a frame shows. The same code runs in the window, in `screenshot`, in
/// `bench` and in tests. One thread; ImGui's context must be current.
class Viewer {
public:
  /// `wake` is called from any thread when another frame has something new to show. `clipboard`
  /// must outlive the viewer.
  Viewer(const render::Theme& theme, Clipboard& clipboard, std::function<void()> wake);

  /// Opens a file, or a running program at its address, in a tab of its own and shows it; one that
  /// is open already is shown, and read again: it may have changed.
  void open(const std::string& path);
  /// Opens files as one trace; the offset of each is that of the last time.
  void open_together(const std::vector<std::string>& paths);
  /// Which keys do what.
  const KeyBindings& keys() const { return keys_; }
  void set_keys(KeyBindings keys) { keys_ = std::move(keys); }
  void set_settings_path(std::string path) { help_.settings_path = std::move(path); }
  /// Takes one event. To be called between frames.
  void handle(const InputEvent& event);
  /// Takes over what loads and workers have found; returns whether the picture changes by that.
  bool poll();
  /// Builds the scene of a window of that size (logical pixels) and draws the panels; inside an
  /// ImGui frame.
  void frame(Fonts& fonts, float width, float height, float scale, double now_s);
  /// Tells that the last frame has been painted.
  void note_painted() { session_.note_drawn(); }
  /// What the last frame shows of the timeline.
  const render::Scene& scene() const { return scene_; }

  /// Whether the picture is final: nothing loads, no worker runs, no detail is missing.
  bool settled() const;
  bool quit_requested() const { return quit_; }
  /// Whether something over the window has the keyboard and the mouse.
  bool is_dialog_open() const;
  /// Whether anything in motion wants another frame without an event.
  bool wants_frame() const { return wants_frame_; }
  /// Whether what is shown moves: then frames follow at the pace of the display.
  bool is_moving() const { return is_moving_; }
  /// Whether views glide and coast; off at first. switch_motion() is a choice, and remembered.
  void set_motion(bool moves);
  /// In how many seconds from the last frame on another is wanted although nothing happens; none:
  /// not before something does.
  std::optional<double> next_frame_in_s() const { return notice_.goes_in_s(now_s_); }
  bool has_motion() const { return moves_; }
  void switch_motion();
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
  /// Tells what is amiss in the status bar until something is pressed, or good news for a while.
  void tell(std::string notice, bool is_good = false) { notice_.tell(std::move(notice), is_good); }
  const Notice& notice() const { return notice_; }
  /// Which control of panels and dialogs has the keyboard.
  ControlFocus& focus() { return focus_; }
  void switch_theme();
  void set_cards(CardTable cards);
  /// The view of the active document; null on the start page or before anything of it is there.
  DocumentView* active();
  const session::Document* active_document() const;
  const render::WindowAreas& areas() const { return areas_; }
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
  /// Makes the demo trace and opens it.
  void open_demo();
  /// The chooser with an address in it: that of the program opened last, else tinygrad's usual one.
  void show_program_chooser();
  /// Whether files are read again by themselves when they have changed.
  void switch_watching();
  void close_active();
  void close(std::uint64_t id);
  void reload_active();
  void next_document(int step);
  /// The open table while its rows have the keys, else the facts of the selection.
  void copy();
  void copy_selection();
  void copy_table();
  void escape();
  void toggle_help() { help_.is_open = !help_.is_open; }
  /// The same page, which tells where settings are.
  void show_settings() { help_.is_open = true; }
  void request_quit() { quit_ = true; }
  void change_zoom(float step);
  void open_tab(AnswerKind kind);
  void toggle_tab(AnswerKind kind);
  /// How many alternatives a choice of the open panel has; 0 where there is no such choice.
  std::size_t choice_count(std::size_t group);
  /// Takes the next of them.
  void step_choice(std::size_t group);
  void show_search();
  void show_statistics();
  /// The statistics of the whole trace, of names that hold this one; `tracks` as they are chosen.
  void show_statistics_of(const std::string& plain_name, std::uint8_t tracks);
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
  void show_palette();
  /// Whether the shown files are several, or there are others to show together with them.
  bool can_show_together() const;
  /// Asks for their offsets, and which are to be added.
  void show_together();
  /// Whether a complete trace is shown and nothing is being exported.
  bool can_export();
  /// Asks where to write.
  void show_export(ExportScope scope);
  void show_picture_saving(int factor);
  /// The picture that is wanted, once; the one who draws takes it (app/view_picture.h).
  std::optional<WantedPicture> take_wanted_picture();
  /// Writes that picture on a thread of its own, and tells what came of it.
  void write_picture(render::Picture picture, const std::string& path);
  // Changes of the tracks, one step of their history each. Those of one row mean the row that the
  // menu was opened for, the one under the pointer, or that of the selection.
  std::optional<std::size_t> row_acted_on();
  void switch_pin();
  void hide_track();
  void show_track_alone();
  void show_hidden_tracks();
  /// Up (−1) or down (1) by one unit of its group.
  void move_track(int step);
  void switch_expansion();
  void switch_fold();
  void reset_track_height();
  void reset_tracks();
  void copy_track_name();
  void undo_tracks();
  void redo_tracks();
  /// Whether the active trace is compared with another open one, or that one with it.
  bool is_compared_with_document();
  // How two compared traces lie beside each other in time; their views then move together.
  void align_starts();
  /// At the marker nearest to where somebody is (or the middle of the view) that both have.
  void align_markers();
  /// At what is selected in both, or where the measured range of one begins.
  void align_selections();
  void switch_moving_together();
  /// Whether the active trace is aligned with another one.
  bool is_aligned();
  /// Whether both are shown, one above the other.
  void switch_showing_both();
  void compare_ranges();
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
  render::TimelineInput input_at(DocumentView& view, const render::Viewport& viewport,
                                 double scroll_px);
  void follow_documents();
  void tell_of_file();
  void tell_document(const session::Document& document, StatusTexts& texts) const;
  void cancel_load(const session::Document& document);
  void recall_view(DocumentView& view, const std::string& path) const;
  void forget_places();
  void request_detail(DocumentView& view, const render::Viewport& wanted, DetailDesk& desk);
  void stop_coasting();
  std::optional<std::uint32_t> lit_name(DocumentView& view) const;
  void forget_requests();
  void forget_occurrences();
  void uncover(DocumentView& view, std::uint32_t track) const;
  void open_for(DocumentView& view, const Selection& selection) const;
  static bool is_pinned(const DocumentView& view, std::uint32_t track);
  void change_tracks(DocumentView& view, render::TrackChanges changes) const;
  void look_at_clock(double now_s);
  PanelContext context_of(const render::Box& area);
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
  void follow_program(DocumentView& view);
  void follow_measure(DocumentView& view);
  static std::shared_ptr<const query::SearchResult> shown_search(const DocumentView& view);
  void compare_with(const RowTarget& target);
  void follow_compared(DocumentView& view) const;
  TabMenus menus_of_dock(DocumentView& view) const;
  void choose_compared(DocumentView& view) const;
  void forget_compared(std::uint64_t id);
  DocumentView* compared_partner(const DocumentView& view);
  std::string name_of(const DocumentView& view) const;
  void align(DocumentView& view, DocumentView& partner, std::int64_t shift_ns,
             const std::string& at);
  void move_partner(DocumentView& view);
  DocumentView* aligned_partner(const DocumentView& view);
  // Two aligned traces, one above the other; see app/viewer_beside.cpp.
  void place_areas();
  DocumentView* view_of(std::uint64_t id);
  bool is_beside(const DocumentView& view) const { return view.id() == beside_id_; }
  const render::WindowAreas& areas_of(const DocumentView& view) const;
  DocumentView* view_beside_at(float x, float y);
  DocumentView& change_sides(DocumentView& left, DocumentView& entered);
  void scroll_beside(const InputEvent& event, DocumentView& view, DocumentView& beside);
  render::Viewport level(const DocumentView& beside, const render::Viewport& viewport) const;
  void frame_beside(const DocumentView& view, DocumentView& beside);
  void build_panes(DocumentView& view);
  void paint_title(const DocumentView& view, render::Scene& scene) const;
  RowTarget target_of_row(DocumentView& view, std::size_t row);
  void show_durations(DocumentView& view, const DurationPick& pick);
  void go_to_searched(DocumentView& view);
  void go_to_time(std::int64_t time_ns);
  void show_hit(DocumentView& view, const query::SearchHit& hit);
  std::optional<query::SearchHit> hit_origin(const ViewState& state, int step) const;
  std::int64_t step_origin_ns(DocumentView& view) const;
  void name_noted(const std::string& name);
  void set_limit(DocumentView& view, std::size_t row, const std::string& text);
  bool move_in_table(Key key);
  bool acts_while_typing(const InputEvent& event) const;
  void frame_without_trace();
  void frame_over();
  void frame_chooser(const PanelContext& whole);
  void frame_status();
  void frame_help(const PanelContext& whole);
  void frame_save_panel(const PanelContext& whole);
  void frame_merge_panel(const PanelContext& whole);
  void frame_shift(const PanelContext& whole);
  void add_document(std::uint64_t added_id);
  void shift_file(const DocumentView& view, const FileShift& shift);
  void paint_shift(DocumentView& view, render::Scene& scene);
  void tell_export(StatusTexts& texts);
  void frame_tooltip(const PanelContext& whole);
  void frame_menu();
  void frame_window_menu();
  bool file_menu();
  bool item_menu(DocumentView& view, const TimelineHit& hit);
  bool row_menu(DocumentView& view, const render::TrackRow& row);
  StatusTexts status_texts();
  void paint_range(const DocumentView& view, const render::WindowAreas& areas,
                   const std::optional<query::TimeRange>& range, render::Scene& scene) const;
  void paint_plates();
  void paint_moving(DocumentView& view);
  void update_hover(DocumentView& view);
  void show_overview_cursor(const DocumentView& view) const;
  void update_sheet(DocumentView& view, const Selection& selection);
  void want_occurrence(const DocumentView& view, const Selection& selection);
  std::optional<query::Occurrence> known_occurrence(const Selection& selection) const;
  void handle_mouse(const InputEvent& event);
  bool act_on_key(const InputEvent& event);
  GestureTarget gesture_target(DocumentView& view);
  void activate(std::uint64_t id);
  const session::Document* document_of(const std::string& path) const;
  bool joins_queue(void (Viewer::*step)(int), int direction);
  void take_jump();

  const render::Theme* theme_;
  Clipboard& clipboard_;
  std::function<void()> wake_;
  session::Session session_;
  std::vector<std::unique_ptr<DocumentView>> views_;
  std::uint64_t active_id_ = 0;
  KeyBindings keys_;
  Remembered remembered_;
  Notice notice_;
  std::string file_told_;  // of the file of the active document, when that was looked at last
  std::shared_ptr<const CardTable> cards_ = std::make_shared<const CardTable>();

  DetailDesk detail_;
  std::unique_ptr<DetailDesk> beside_detail_;  // since two traces were shown for the first time
  LatestWorker<OccurrenceRequest, OccurrenceResult> occurrence_worker_;
  std::optional<OccurrenceRequest> asked_occurrence_;
  std::shared_ptr<const OccurrenceResult> occurrence_, selected_occurrence_;
  LatestWorker<SheetRequest, SheetResult> sheet_worker_;
  std::shared_ptr<const SheetResult> full_sheet_;  // not shown yet

  LatestWorker<RangeRequest, RangeResult> range_worker_;
  std::optional<RangeRequest> asked_range_;
  std::shared_ptr<const RangeResult> range_sheet_;  // maybe of a range before

  DockDriver dock_driver_;
  QueuedSteps queued_steps_;
  std::optional<AnswerKind> newest_note_;         // the list of the note that was made last
  std::optional<std::int64_t> spot_ns_;           // where a jump to an instant led last
  std::optional<query::SearchHit> marker_hit_;    // the marker there, where a search led to it
  std::optional<std::int64_t> measure_begin_ns_;  // R was pressed there
  std::optional<Selection> followed_;             // what the list of instructions shows
  std::optional<Alignment> alignment_;
  std::optional<render::Viewport> moved_with_;  // the view that the other one moved with last

  Gestures gestures_;
  OverviewGestures overview_gestures_;
  Chooser chooser_;
  Palette palette_;
  SavePanel save_panel_;
  MergePanel merge_panel_;
  TogetherAsked together_;
  SavingAsked saving_;
  ControlFocus focus_;
  std::optional<WantedPicture> wanted_picture_;
  ExportDriver exports_;
  DemoMaker demo_maker_;
  std::optional<std::size_t> palette_row_;  // that its actions mean
  std::optional<TimelineHit> menu_, hover_;
  std::optional<WindowMenu> window_menu_;
  std::optional<FactSheet> selection_sheet_;
  std::optional<Selection> sheet_of_;
  std::vector<render::Highlight> linked_;  // to the selection

  Fonts* fonts_ = nullptr;
  render::WindowAreas areas_, beside_areas_;
  render::Viewport beside_viewport_;
  std::uint64_t beside_id_ = 0;  // what is shown beside the active document; 0: nothing
  float width_ = 1280, height_ = 720, scale_ = 1, zoom_ = 1;
  double now_s_ = 0, clock_offset_s_ = 0;
  render::Scene scene_;

  float pointer_x_ = 0, pointer_y_ = 0;
  std::uint32_t peak_shown_ = UINT32_MAX;  // track of the peak that was stepped to
  bool pointer_inside_ = false, runs_from_palette_ = false, menu_opening_ = false;
  bool typing_ = false;  // a field has the keyboard
  HelpState help_;
  bool dims_others_ = false;  // than those of one name
  bool sheet_has_occurrence_ = false, sheet_is_complete_ = false;
  bool copies_sheet_ = false;  // to the clipboard, when it is complete
  bool quit_ = false, wants_frame_ = false, moves_ = false, is_moving_ = false;
};

}  // namespace bytescope::app
