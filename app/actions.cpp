#include "app/actions.h"

#include <algorithm>
#include <array>

#include "app/viewer.h"

namespace bytescope::app {
namespace {

constexpr double zoom_step = 1.25;
constexpr double pan_step = 0.1;
constexpr float font_step = 0.1F;

bool always(Viewer&) { return true; }
bool has_trace(Viewer& viewer) { return viewer.active() != nullptr; }
bool has_document(Viewer& viewer) { return viewer.active_document() != nullptr; }
bool has_span(Viewer& viewer) {
  return has_trace(viewer) && viewer.active()->state().selection &&
         viewer.active()->state().selection->kind == Selection::Kind::span;
}
bool has_selection(Viewer& viewer) {
  return has_trace(viewer) && viewer.active()->state().selection.has_value();
}
bool has_range(Viewer& viewer) {
  return has_trace(viewer) && viewer.active()->state().range.has_value();
}
bool has_memory(Viewer& viewer) {
  if (!has_trace(viewer)) return false;
  const TabMenus& menus = viewer.active()->tab_menus();
  return menus[static_cast<std::size_t>(AnswerKind::live)].makes_sense;
}
bool has_cards(Viewer& viewer) {
  if (!has_trace(viewer)) return false;
  return viewer.active()->tab_menus()[static_cast<std::size_t>(AnswerKind::cards)].makes_sense;
}
bool has_programs(Viewer& viewer) {
  if (!has_trace(viewer)) return false;
  return viewer.active()->tab_menus()[static_cast<std::size_t>(AnswerKind::source)].makes_sense;
}
bool has_partner(Viewer& viewer) { return viewer.is_compared_with_document(); }
bool is_aligned(Viewer& viewer) { return viewer.is_aligned(); }
bool has_copy(Viewer& viewer) {
  return has_selection(viewer) || (has_trace(viewer) && viewer.active()->dock.open.has_value());
}
bool has_target(Viewer& viewer) {
  return has_selection(viewer) || (has_trace(viewer) && viewer.active()->state().range);
}

bool is_watching(const Viewer& viewer) { return viewer.session().is_watching(); }
bool has_motion(const Viewer& viewer) { return viewer.has_motion(); }
template <std::size_t group>
bool has_choice(Viewer& viewer) {
  return viewer.choice_count(group) > 1;
}

bool has_controls(Viewer& viewer) { return viewer.focus().has_controls(); }
bool at_steps(Viewer& viewer) { return viewer.focus().is_at_steps(); }
bool at_control(Viewer& viewer) { return viewer.focus().is_at_control(); }
bool can_show_together(Viewer& viewer) { return viewer.can_show_together(); }
bool can_export(Viewer& viewer) { return viewer.can_export(); }
bool has_exported_range(Viewer& viewer) { return has_range(viewer) && viewer.can_export(); }
bool has_exported_selection(Viewer& viewer) { return has_selection(viewer) && viewer.can_export(); }
bool has_row(Viewer& viewer) { return has_trace(viewer) && viewer.row_acted_on().has_value(); }
bool has_dragged_row(Viewer& viewer) {
  if (!has_row(viewer)) return false;
  const auto& rows = viewer.active()->layout(viewer.tracks_height_px()).rows;
  return viewer.active()->state().changes.heights.contains(rows[*viewer.row_acted_on()].track);
}
bool has_hidden(Viewer& viewer) {
  return has_trace(viewer) && !viewer.active()->state().changes.hidden.empty();
}
bool has_changes(Viewer& viewer) {
  return has_trace(viewer) && !(viewer.active()->state().changes == render::TrackChanges());
}

Chord key(Key k) { return {k, {}, 0}; }
Chord shift(Key k) { return {k, {true, false, false, false}, 0}; }
Chord ctrl(Key k) { return {k, {false, true, false, false}, 0}; }
Chord ctrl_shift(Key k) { return {k, {true, true, false, false}, 0}; }
Chord alt(Key k) { return {k, {false, false, true, false}, 0}; }
Chord character(char32_t c) { return {Key::none, {}, c}; }

// A table has as many lines as rows. NOLINTNEXTLINE(readability-function-size)
const std::vector<WindowAction>& action_table() {
  // clang-format off
  static const std::vector<WindowAction> actions = {
    // id               group      title                              chords                                                   available      run
    { "control.press",  "Program", "Press the button that has the focus", { key(Key::enter), key(Key::keypad_enter), key(Key::space) }, at_control, [](Viewer& v) { v.focus().press(); }, false, nullptr, nullptr, true },
    { "control.next",   "Program", "To the next button or field of what is open", { key(Key::tab) },                           has_controls,  [](Viewer& v) { v.focus().walk(1); }, true, nullptr, nullptr, true },
    { "control.previous","Program","To the one before",               { shift(Key::tab) },                                     has_controls,  [](Viewer& v) { v.focus().walk(-1); }, true, nullptr, nullptr, true },
    { "control.left",   "Program", "In a histogram or chart that has the focus: to the left", { key(Key::left) },              at_steps,      [](Viewer& v) { v.focus().step(-1); }, true, nullptr, nullptr, true },
    { "control.right",  "Program", "The same: to the right",          { key(Key::right) },                                     at_steps,      [](Viewer& v) { v.focus().step(1); }, true, nullptr, nullptr, true },
    { "view.zoom_in",   "Moving",  "Zoom in",                         { key(Key::w), shift(Key::up) },                         has_trace,     [](Viewer& v) { v.zoom_by(zoom_step); }, true },
    { "view.zoom_out",  "Moving",  "Zoom out",                        { key(Key::s), shift(Key::down) },                       has_trace,     [](Viewer& v) { v.zoom_by(1 / zoom_step); }, true },
    { "view.left",      "Moving",  "Pan to the left",                 { key(Key::a), shift(Key::left) },                       has_trace,     [](Viewer& v) { v.pan_by(-pan_step); }, true },
    { "view.right",     "Moving",  "Pan to the right",                { key(Key::d), shift(Key::right) },                      has_trace,     [](Viewer& v) { v.pan_by(pan_step); }, true },
    { "select.previous","Selection","Previous span in the lane",      { key(Key::left) },                                      has_span,      [](Viewer& v) { v.walk(-1); }, true },
    { "select.next",    "Selection","Next span in the lane",          { key(Key::right) },                                     has_span,      [](Viewer& v) { v.walk(1); }, true },
    { "select.above",   "Selection","Lane above",                     { key(Key::up) },                                        has_span,      [](Viewer& v) { v.change_lane(-1); }, true },
    { "select.below",   "Selection","Lane below",                     { key(Key::down) },                                      has_span,      [](Viewer& v) { v.change_lane(1); }, true },
    { "arrows.left",    "Moving",  "Pan to the left, with nothing selected",  { key(Key::left) },                              has_trace,     [](Viewer& v) { v.pan_by(-pan_step); }, true },
    { "arrows.right",   "Moving",  "Pan to the right, with nothing selected", { key(Key::right) },                             has_trace,     [](Viewer& v) { v.pan_by(pan_step); }, true },
    { "arrows.up",      "Moving",  "Zoom in, with nothing selected",  { key(Key::up) },                                        has_trace,     [](Viewer& v) { v.zoom_by(zoom_step); }, true },
    { "arrows.down",    "Moving",  "Zoom out, with nothing selected", { key(Key::down) },                                      has_trace,     [](Viewer& v) { v.zoom_by(1 / zoom_step); }, true },
    { "view.page_up",   "Moving",  "Scroll tracks up",                { key(Key::page_up) },                                   has_trace,     [](Viewer& v) { v.scroll_by(-0.8 * v.tracks_height_px()); }, true },
    { "view.page_down", "Moving",  "Scroll tracks down",              { key(Key::page_down) },                                 has_trace,     [](Viewer& v) { v.scroll_by(0.8 * v.tracks_height_px()); }, true },
    { "view.selection", "Moving",  "Zoom to the selection or range",  { key(Key::f) },                                         has_target,    [](Viewer& v) { v.fit_selection(); } },
    { "view.fit",       "Moving",  "Show the whole trace",            { key(Key::space), key(Key::home), key(Key::digit_0) },  has_trace,     [](Viewer& v) { v.fit_trace(); } },
    { "view.back",      "Moving",  "Back to the view before",         { alt(Key::left) },                                      has_trace,     [](Viewer& v) { v.go_back(); } },
    { "view.forward",   "Moving",  "Forward again",                   { alt(Key::right) },                                     has_trace,     [](Viewer& v) { v.go_forward(); } },
    { "hit.search",     "Answers", "Search",                          { ctrl(Key::f), character(U'/') },                           has_trace,     [](Viewer& v) { v.show_search(); } },
    { "hit.next",       "Answers", "Next hit",                        { key(Key::f3) },                                        has_trace,     [](Viewer& v) { v.step_hit(1); }, true },
    { "hit.previous",   "Answers", "Previous hit",                    { shift(Key::f3) },                                      has_trace,     [](Viewer& v) { v.step_hit(-1); }, true },
    { "name.next",      "Answers", "Next span of the same name",      { key(Key::n) },                                         has_span,      [](Viewer& v) { v.step_namesake(1); }, true },
    { "name.previous",  "Answers", "Previous span of the same name",  { shift(Key::n) },                                       has_span,      [](Viewer& v) { v.step_namesake(-1); }, true },
    { "name.statistics","Answers", "Statistics of the selected name", {},                                                      has_span,      [](Viewer& v) { v.show_statistics_of_selection(); } },
    { "name.dim",       "Answers", "Dim all other names, while held", { key(Key::h) },                                         has_trace,     [](Viewer& v) { v.dim_others(true); }, false, [](Viewer& v) { v.dim_others(false); } },
    { "link.producer",  "Answers", "Producer of the selection",       { key(Key::left_bracket) },                              has_selection, [](Viewer& v) { v.step_link(-1); }, true },
    { "link.consumer",  "Answers", "Consumer of the selection",       { key(Key::right_bracket) },                             has_selection, [](Viewer& v) { v.step_link(1); }, true },
    { "marker.previous","Answers", "Previous marker",                 { key(Key::comma) },                                     has_trace,     [](Viewer& v) { v.step_marker(-1); }, true },
    { "marker.next",    "Answers", "Next marker",                     { key(Key::period) },                                    has_trace,     [](Viewer& v) { v.step_marker(1); }, true },
    { "gap.next",       "Answers", "Next idle gap",                   { key(Key::g) },                                         has_trace,     [](Viewer& v) { v.step_gap(1); }, true },
    { "gap.previous",   "Answers", "Previous idle gap",               { shift(Key::g) },                                       has_trace,     [](Viewer& v) { v.step_gap(-1); }, true },
    { "peak.next",      "Answers", "Next memory peak, highest first", { key(Key::p) },                                         has_trace,     [](Viewer& v) { v.step_peak(1); }, true },
    { "peak.previous",  "Answers", "Previous memory peak",            { shift(Key::p) },                                       has_trace,     [](Viewer& v) { v.step_peak(-1); }, true },
    { "tab.statistics", "Answers", "Statistics",                      { key(Key::i) },                                         has_trace,     [](Viewer& v) { v.show_statistics(); } },
    { "tab.live",       "Answers", "Live buffers, at the pointer on a memory track", { key(Key::l) },                          has_trace,     [](Viewer& v) { v.show_live_buffers(); } },
    { "tab.gaps",       "Answers", "Idle gaps",                       {},                                                      has_trace,     [](Viewer& v) { v.toggle_tab(AnswerKind::gaps); } },
    { "tab.peaks",      "Answers", "Memory peaks",                    {},                                                      has_trace,     [](Viewer& v) { v.toggle_tab(AnswerKind::peaks); } },
    { "tab.steps",      "Answers", "Steps between markers",           {},                                                      has_trace,     [](Viewer& v) { v.toggle_tab(AnswerKind::steps); } },
    { "tab.copies",     "Answers", "Copies",                          {},                                                      has_trace,     [](Viewer& v) { v.toggle_tab(AnswerKind::copies); } },
    { "tab.compare",    "Answers", "Compare two stretches or traces", {},                                                      has_trace,     [](Viewer& v) { v.toggle_tab(AnswerKind::compare); } },
    { "compare.range",  "Answers", "Compare: mark this stretch, then compare it with another", { key(Key::c) },                has_range,     [](Viewer& v) { v.compare_ranges(); } },
    { "compare.starts", "Answers", "Compared traces: align at their starts", {},                                               has_partner,   [](Viewer& v) { v.align_starts(); } },
    { "compare.markers","Answers", "Compared traces: align at the nearest marker that both have", {},                          has_partner,   [](Viewer& v) { v.align_markers(); } },
    { "compare.selections","Answers","Compared traces: align at what is selected in both", {},                                 has_partner,   [](Viewer& v) { v.align_selections(); } },
    { "compare.together","Answers","Compared traces: move the views together, or apart", {},                                   has_partner,   [](Viewer& v) { v.switch_moving_together(); } },
    { "compare.both",   "Answers", "Compared traces: show both timelines, or one", {},                                         is_aligned,    [](Viewer& v) { v.switch_showing_both(); } },
    { "choice.first",   "Answers", "Panel: the next of its first choice, such as whole trace, view, range", { key(Key::digit_1) },  has_choice<0>, [](Viewer& v) { v.step_choice(0); } },
    { "choice.second",  "Answers", "Panel: the next of its second choice, such as name, track, what is compared with", { key(Key::digit_2) }, has_choice<1>, [](Viewer& v) { v.step_choice(1); } },
    { "choice.third",   "Answers", "Panel: the next of its third choice, such as the memory track", { key(Key::digit_3) },         has_choice<2>, [](Viewer& v) { v.step_choice(2); } },
    { "tab.instructions","Answers","Instructions of the program",     {},                                                      has_trace,     [](Viewer& v) { v.toggle_tab(AnswerKind::instructions); } },
    { "tab.source",     "Answers", "Source of the selected kernel",   {},                                                      has_programs,  [](Viewer& v) { v.toggle_tab(AnswerKind::source); } },
    { "tab.disassembly","Answers", "Disassembly of the selected kernel", {},                                                   has_programs,  [](Viewer& v) { v.toggle_tab(AnswerKind::disassembly); } },
    { "tab.ranges",     "Notes",   "Ranges",                          {},                                                      has_trace,     [](Viewer& v) { v.toggle_tab(AnswerKind::ranges); } },
    { "tab.markers",    "Notes",   "Markers",                         {},                                                      has_trace,     [](Viewer& v) { v.toggle_tab(AnswerKind::markers); } },
    { "tab.cards",      "Notes",   "Cards: what they can do",         {},                                                      has_cards,     [](Viewer& v) { v.toggle_tab(AnswerKind::cards); } },
    { "note.marker",    "Notes",   "Put a marker",                    { key(Key::m) },                                         has_trace,     [](Viewer& v) { v.put_marker(); } },
    { "note.measure",   "Notes",   "Measure a range from the pointer",{ key(Key::r) },                                         has_trace,     [](Viewer& v) { v.measure_from_pointer(); } },
    { "note.keep",      "Notes",   "Keep the range",                  { key(Key::k) },                                         has_range,     [](Viewer& v) { v.keep_range(); } },
    { "note.rename",    "Notes",   "Name the chosen range or marker", { key(Key::f2) },                                        has_trace,     [](Viewer& v) { v.rename_noted(); } },
    { "note.remove",    "Notes",   "Remove the range or marker",      { key(Key::delete_forward) },                            has_trace,     [](Viewer& v) { v.remove_noted(); } },
    { "edit.copy_facts","Selection","Copy the facts of the selection",{},                                                      has_selection, [](Viewer& v) { v.copy_selection(); } },
    { "track.expand",   "Tracks",  "Expand or collapse the track",    { key(Key::e) },                                         has_row,       [](Viewer& v) { v.switch_expansion(); } },
    { "track.fold",     "Tracks",  "Fold or open the device or group",{ shift(Key::e) },                                       has_row,       [](Viewer& v) { v.switch_fold(); } },
    { "track.pin",      "Tracks",  "Pin the track to the top, or unpin it", { key(Key::t) },                                   has_row,       [](Viewer& v) { v.switch_pin(); } },
    { "track.hide",     "Tracks",  "Hide the track",                  { key(Key::x) },                                         has_row,       [](Viewer& v) { v.hide_track(); } },
    { "track.alone",    "Tracks",  "Show the track alone",            { key(Key::o) },                                         has_row,       [](Viewer& v) { v.show_track_alone(); } },
    { "track.show_all", "Tracks",  "Show all hidden tracks",          { shift(Key::x) },                                       has_hidden,    [](Viewer& v) { v.show_hidden_tracks(); } },
    { "track.up",       "Tracks",  "Move the track up",               { alt(Key::up) },                                        has_row,       [](Viewer& v) { v.move_track(-1); }, true },
    { "track.down",     "Tracks",  "Move the track down",             { alt(Key::down) },                                      has_row,       [](Viewer& v) { v.move_track(1); }, true },
    { "track.height",   "Tracks",  "Usual height of the track",       {},                                                      has_dragged_row, [](Viewer& v) { v.reset_track_height(); } },
    { "track.copy",     "Tracks",  "Copy the track's name",           {},                                                      has_row,       [](Viewer& v) { v.copy_track_name(); } },
    { "track.undo",     "Tracks",  "Undo the last change of the tracks", { ctrl(Key::z) },                                     has_trace,     [](Viewer& v) { v.undo_tracks(); }, true },
    { "track.redo",     "Tracks",  "Redo it",                         { ctrl_shift(Key::z) },                                  has_trace,     [](Viewer& v) { v.redo_tracks(); }, true },
    { "track.reset",    "Tracks",  "All tracks as they were at first",{},                                                      has_changes,   [](Viewer& v) { v.reset_tracks(); } },
    { "memory.scale",   "Memory",  "Memory scale: per family, per track", { key(Key::y) },                                     has_memory,    [](Viewer& v) { v.switch_memory_scale(); } },
    { "memory.lifetime","Memory",  "Colour buffers by lifetime",      {},                                                      has_memory,    [](Viewer& v) { v.color_buffers(render::BufferColors::lifetime); } },
    { "memory.type",    "Memory",  "Colour buffers by type",          {},                                                      has_memory,    [](Viewer& v) { v.color_buffers(render::BufferColors::type); } },
    { "memory.size",    "Memory",  "Colour buffers by size",          {},                                                      has_memory,    [](Viewer& v) { v.color_buffers(render::BufferColors::size); } },
    { "edit.copy",      "Selection","Copy the facts of the selection, or the table", { ctrl(Key::c) },                         has_copy,      [](Viewer& v) { v.copy(); } },
    { "file.open",      "Files",   "Open a file",                     { ctrl(Key::o) },                                        always,        [](Viewer& v) { v.show_chooser(); } },
    { "file.program",   "Files",   "Open a running program\u2026",    {},                                                      always,        [](Viewer& v) { v.show_program_chooser(); } },
    { "file.demo",      "Files",   "Open the demo trace",             {},                                                      always,        [](Viewer& v) { v.open_demo(); } },
    { "file.together",  "Files",   "Show together with another open trace; offsets of files shown together", {},                 can_show_together, [](Viewer& v) { v.show_together(); } },
    { "file.watch",     "Files",   "Watch: read files again when they change", {},                                             always,        [](Viewer& v) { v.switch_watching(); }, false, nullptr, is_watching },
    { "file.close",     "Files",   "Close the file",                  { ctrl(Key::w) },                                        has_document,  [](Viewer& v) { v.close_active(); } },
    { "file.reload",    "Files",   "Read the file again",             { ctrl(Key::r), key(Key::f5) },                          has_document,  [](Viewer& v) { v.reload_active(); } },
    { "file.export",    "Files",   "Export everything",               { ctrl(Key::e) },                                        can_export,    [](Viewer& v) { v.show_export(ExportScope::everything); } },
    { "file.export_range","Files", "Export the range",                {},                                                      has_exported_range, [](Viewer& v) { v.show_export(ExportScope::range); } },
    { "file.export_selection","Files","Export what happens during the selection", {},                                          has_exported_selection, [](Viewer& v) { v.show_export(ExportScope::selection); } },
    { "file.picture",   "Files",   "Save a picture of the view",      {},                                                      has_trace,     [](Viewer& v) { v.show_picture_saving(1); } },
    { "file.picture_2", "Files",   "Save a picture of the view, twice as large", {},                                           has_trace,     [](Viewer& v) { v.show_picture_saving(2); } },
    { "file.next",      "Files",   "Next tab",                        { ctrl(Key::tab) },                                      has_document,  [](Viewer& v) { v.next_document(1); } },
    { "file.previous",  "Files",   "Previous tab",                    { ctrl_shift(Key::tab) },                                has_document,  [](Viewer& v) { v.next_document(-1); } },
    { "font.larger",    "Program", "Larger text",                     { ctrl(Key::equal), ctrl(Key::keypad_add) },             always,        [](Viewer& v) { v.change_zoom(font_step); }, true },
    { "font.smaller",   "Program", "Smaller text",                    { ctrl(Key::minus), ctrl(Key::keypad_subtract) },        always,        [](Viewer& v) { v.change_zoom(-font_step); }, true },
    { "font.normal",    "Program", "Text as the display asks",        { ctrl(Key::digit_0) },                                  always,        [](Viewer& v) { v.change_zoom(0); } },
    { "program.theme",  "Program", "Dark or light",                   {},                                                      always,        [](Viewer& v) { v.switch_theme(); } },
    { "program.motion", "Program", "Motion: glide to where zoom and jumps lead, or be there at once", {},                       always,        [](Viewer& v) { v.switch_motion(); }, false, nullptr, has_motion },
    { "program.palette","Program", "Do anything by its name",         { ctrl(Key::p) },                                        always,        [](Viewer& v) { v.show_palette(); } },
    { "program.help",   "Program", "Keys and gestures",               { character(U'?'), key(Key::f1) },                           always,        [](Viewer& v) { v.toggle_help(); } },
    { "program.settings","Program","Settings: where keys are changed", {},                                                     always,        [](Viewer& v) { v.show_settings(); } },
    { "program.escape", "Program", "Leave what is open, cancel the load, clear range and selection", { key(Key::escape) },     always,        [](Viewer& v) { v.escape(); } },
    { "program.quit",   "Program", "Quit",                            { ctrl(Key::q) },                                        always,        [](Viewer& v) { v.request_quit(); } },
  };
  // clang-format on
  return actions;
}

bool matches(const Chord& chord, const InputEvent& event) {
  if (event.kind == InputEvent::Kind::character)
    return chord.character != 0 && chord.character == event.character;
  return chord.key != Key::none && chord.key == event.key && chord.modifiers == event.modifiers;
}

}  // namespace

std::string Chord::text() const {
  if (character != 0) return {static_cast<char>(character)};
  std::string text;
  if (modifiers.command) text += "Ctrl ";
  if (modifiers.shift) text += "Shift ";
  if (modifiers.alt) text += "Alt ";
  return text + std::string(name(key));
}

std::span<const WindowAction> window_actions() { return action_table(); }

const WindowAction* action_named(std::string_view id) {
  const auto& actions = action_table();
  const auto found = std::find_if(actions.begin(), actions.end(),
                                  [id](const WindowAction& action) { return id == action.id; });
  return found == actions.end() ? nullptr : &*found;
}

namespace {

/// Runs the first available action of that event among those whose keys are changed, or are not.
bool run_one(const InputEvent& event, Viewer& viewer, bool changed, bool everywhere_only) {
  for (const WindowAction& action : action_table()) {
    if (everywhere_only && !action.is_everywhere) continue;
    if (viewer.keys().is_changed(action) != changed) continue;
    for (const Chord& chord : viewer.keys().chords_of(action)) {
      if (!matches(chord, event) || !action.available(viewer)) continue;
      if (event.repeat && !action.repeats) return true;
      action.run(viewer);
      return true;
    }
  }
  return false;
}

}  // namespace

bool run_action(const InputEvent& event, Viewer& viewer, bool everywhere_only) {
  // A key that somebody gave to an action no longer does what it did.
  return run_one(event, viewer, /*changed=*/true, everywhere_only) ||
         run_one(event, viewer, /*changed=*/false, everywhere_only);
}

void release_action(const InputEvent& event, Viewer& viewer) {
  for (const WindowAction& action : action_table()) {
    const auto chords = viewer.keys().chords_of(action);
    const bool is_its_key = std::any_of(chords.begin(), chords.end(),
                                        [&](const Chord& chord) { return chord.key == event.key; });
    if (action.release != nullptr && is_its_key) action.release(viewer);
  }
}

void release_all_actions(Viewer& viewer) {
  for (const WindowAction& action : action_table())
    if (action.release != nullptr) action.release(viewer);
}

std::span<const GestureHelp> gesture_help() {
  static constexpr std::array<GestureHelp, 25> rows = {{
      {"Wheel", "zoom about the pointer"},
      {"Wheel over the byte axis", "zoom bytes of an opened memory track"},
      {"Shift + wheel, sideways wheel", "pan"},
      {"Alt + wheel, wheel over the names", "scroll tracks"},
      {"Drag, right drag", "pan both ways; let go of in motion, it coasts"},
      {"Middle drag", "zoom to the dragged range"},
      {"Shift + drag", "measure a range, snapping to span edges (Alt: no snapping)"},
      {"Alt + drag on a track", "move its file in time, where files are shown together"},
      {"Drag on the time axis", "measure a range"},
      {"Drag a track's lower edge", "change its height"},
      {"Click", "select; again: the next span under the pointer"},
      {"Double click", "zoom to the span"},
      {"Click on the axis between two markers", "select that stretch"},
      {"Click a name", "expand or collapse the track"},
      {"Click a header or a device's triangle", "fold or open it"},
      {"Drag a name", "move the track within its group"},
      {"Right drag over the names", "scroll tracks"},
      {"Drag the frame on the overview", "pan; its handles: change begin or end"},
      {"Drag beside the frame", "show what is dragged over"},
      {"Wheel on the overview", "zoom about the pointer"},
      {"Click, double click on the overview", "go there; show the whole trace"},
      {"Right click", "menu: pin, hide, show alone, move, copy, export and more"},
      {"Right click on a tab", "menu of its file"},
      {"Click a row of a table", "go there; double click: show nothing else"},
      {"Ctrl + click a range or step", "compare it with the measured one"},
  }};
  return rows;
}

}  // namespace bytescope::app
