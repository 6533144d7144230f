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
bool has_copy(Viewer& viewer) {
  return has_selection(viewer) || (has_trace(viewer) && viewer.active()->dock.open.has_value());
}
bool has_target(Viewer& viewer) {
  return has_selection(viewer) || (has_trace(viewer) && viewer.active()->state().range);
}

Chord key(Key k) { return {k, {}, 0}; }
Chord shift(Key k) { return {k, {true, false, false, false}, 0}; }
Chord ctrl(Key k) { return {k, {false, true, false, false}, 0}; }
Chord ctrl_shift(Key k) { return {k, {true, true, false, false}, 0}; }
Chord alt(Key k) { return {k, {false, false, true, false}, 0}; }
Chord typed(char32_t c) { return {Key::none, {}, c}; }

const std::vector<WindowAction>& table() {
  // clang-format off
  static const std::vector<WindowAction> actions = {
    // id               group      title                              chords                                                   available      run
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
    { "hit.search",     "Answers", "Search",                          { ctrl(Key::f), typed(U'/') },                           has_trace,     [](Viewer& v) { v.show_search(); } },
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
    { "tab.compare",    "Answers", "Compare two stretches",           {},                                                      has_trace,     [](Viewer& v) { v.toggle_tab(AnswerKind::compare); } },
    { "tab.instructions","Answers","Instructions of the program",     {},                                                      has_trace,     [](Viewer& v) { v.toggle_tab(AnswerKind::instructions); } },
    { "tab.ranges",     "Notes",   "Ranges",                          {},                                                      has_trace,     [](Viewer& v) { v.toggle_tab(AnswerKind::ranges); } },
    { "tab.markers",    "Notes",   "Markers",                         {},                                                      has_trace,     [](Viewer& v) { v.toggle_tab(AnswerKind::markers); } },
    { "note.marker",    "Notes",   "Put a marker",                    { key(Key::m) },                                         has_trace,     [](Viewer& v) { v.put_marker(); } },
    { "note.measure",   "Notes",   "Measure a range from the pointer",{ key(Key::r) },                                         has_trace,     [](Viewer& v) { v.measure_from_pointer(); } },
    { "note.keep",      "Notes",   "Keep the range",                  { key(Key::k) },                                         has_range,     [](Viewer& v) { v.keep_range(); } },
    { "note.rename",    "Notes",   "Name the chosen range or marker", { key(Key::f2) },                                        has_trace,     [](Viewer& v) { v.rename_noted(); } },
    { "note.remove",    "Notes",   "Remove the range or marker",      { key(Key::delete_forward) },                            has_trace,     [](Viewer& v) { v.remove_noted(); } },
    { "edit.copy_facts","Selection","Copy the facts of the selection",{},                                                      has_selection, [](Viewer& v) { v.copy_selection(); } },
    { "memory.scale",   "Memory",  "Memory scale: per family, per track", { key(Key::y) },                                     has_memory,    [](Viewer& v) { v.switch_memory_scale(); } },
    { "memory.lifetime","Memory",  "Colour buffers by lifetime",      {},                                                      has_memory,    [](Viewer& v) { v.color_buffers(render::BufferColors::lifetime); } },
    { "memory.type",    "Memory",  "Colour buffers by type",          {},                                                      has_memory,    [](Viewer& v) { v.color_buffers(render::BufferColors::type); } },
    { "memory.size",    "Memory",  "Colour buffers by size",          {},                                                      has_memory,    [](Viewer& v) { v.color_buffers(render::BufferColors::size); } },
    { "edit.copy",      "Selection","Copy the facts of the selection, or the table", { ctrl(Key::c) },                         has_copy,      [](Viewer& v) { v.copy(); } },
    { "file.open",      "Files",   "Open a file",                     { ctrl(Key::o) },                                        always,        [](Viewer& v) { v.show_chooser(); } },
    { "file.close",     "Files",   "Close the file",                  { ctrl(Key::w) },                                        has_document,  [](Viewer& v) { v.close_active(); } },
    { "file.reload",    "Files",   "Read the file again",             { ctrl(Key::r), key(Key::f5) },                          has_document,  [](Viewer& v) { v.reload_active(); } },
    { "file.next",      "Files",   "Next tab",                        { ctrl(Key::tab) },                                      has_document,  [](Viewer& v) { v.next_document(1); } },
    { "file.previous",  "Files",   "Previous tab",                    { ctrl_shift(Key::tab) },                                has_document,  [](Viewer& v) { v.next_document(-1); } },
    { "font.larger",    "Program", "Larger text",                     { ctrl(Key::equal), ctrl(Key::keypad_add) },             always,        [](Viewer& v) { v.change_zoom(font_step); }, true },
    { "font.smaller",   "Program", "Smaller text",                    { ctrl(Key::minus), ctrl(Key::keypad_subtract) },        always,        [](Viewer& v) { v.change_zoom(-font_step); }, true },
    { "font.normal",    "Program", "Text as the display asks",        { ctrl(Key::digit_0) },                                  always,        [](Viewer& v) { v.change_zoom(0); } },
    { "program.theme",  "Program", "Dark or light",                   {},                                                      always,        [](Viewer& v) { v.switch_theme(); } },
    { "program.palette","Program", "Do anything by its name",         { ctrl(Key::p) },                                        always,        [](Viewer& v) { v.show_palette(); } },
    { "program.help",   "Program", "Keys and gestures",               { typed(U'?'), key(Key::f1) },                           always,        [](Viewer& v) { v.toggle_help(); } },
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
  if (character != 0) return std::string(1, static_cast<char>(character));
  std::string text;
  if (modifiers.command) text += "Ctrl ";
  if (modifiers.shift) text += "Shift ";
  if (modifiers.alt) text += "Alt ";
  return text + std::string(name(key));
}

std::span<const WindowAction> window_actions() { return table(); }

bool run_action(const InputEvent& event, Viewer& viewer) {
  for (const WindowAction& action : table()) {
    for (const Chord& chord : action.chords) {
      if (!matches(chord, event) || !action.available(viewer)) continue;
      if (event.repeat && !action.repeats) return true;
      action.run(viewer);
      return true;
    }
  }
  return false;
}

void release_action(const InputEvent& event, Viewer& viewer) {
  for (const WindowAction& action : table()) {
    const bool is_its_key = std::any_of(action.chords.begin(), action.chords.end(),
                                        [&](const Chord& chord) { return chord.key == event.key; });
    if (action.release != nullptr && is_its_key) action.release(viewer);
  }
}

void release_all_actions(Viewer& viewer) {
  for (const WindowAction& action : table())
    if (action.release != nullptr) action.release(viewer);
}

std::span<const GestureHelp> gesture_help() {
  static constexpr std::array<GestureHelp, 16> rows = {{
      {"Wheel", "zoom about the pointer"},
      {"Wheel over the byte axis", "zoom bytes of an opened memory track"},
      {"Shift + wheel, sideways wheel", "pan"},
      {"Alt + wheel, wheel over the names", "scroll tracks"},
      {"Drag, right drag", "pan both ways"},
      {"Middle drag", "zoom to the dragged range"},
      {"Shift + drag", "measure a range, snapping to span edges (Alt: no snapping)"},
      {"Drag on the time axis", "measure a range"},
      {"Drag a track's lower edge", "change its height"},
      {"Click", "select; again: the next span under the pointer"},
      {"Double click", "zoom to the span"},
      {"Click on the axis between two markers", "select that stretch"},
      {"Click a name", "expand or collapse the track"},
      {"Right click", "menu"},
      {"Click a row of a table", "go there; double click: show nothing else"},
      {"Ctrl + click a range or step", "compare it with the measured one"},
  }};
  return rows;
}

}  // namespace bytescope::app
