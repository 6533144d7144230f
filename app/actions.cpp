#include "app/actions.h"

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
    { "view.zoom_in",   "Moving",  "Zoom in",                         { key(Key::w), shift(Key::up) },                         has_trace,     [](Viewer& v) { v.zoom_by(zoom_step); } },
    { "view.zoom_out",  "Moving",  "Zoom out",                        { key(Key::s), shift(Key::down) },                       has_trace,     [](Viewer& v) { v.zoom_by(1 / zoom_step); } },
    { "view.left",      "Moving",  "Pan to the left",                 { key(Key::a), shift(Key::left) },                       has_trace,     [](Viewer& v) { v.pan_by(-pan_step); } },
    { "view.right",     "Moving",  "Pan to the right",                { key(Key::d), shift(Key::right) },                      has_trace,     [](Viewer& v) { v.pan_by(pan_step); } },
    { "select.previous","Selection","Previous span in the lane",      { key(Key::left) },                                      has_span,      [](Viewer& v) { v.walk(-1); } },
    { "select.next",    "Selection","Next span in the lane",          { key(Key::right) },                                     has_span,      [](Viewer& v) { v.walk(1); } },
    { "select.above",   "Selection","Lane above",                     { key(Key::up) },                                        has_span,      [](Viewer& v) { v.change_lane(-1); } },
    { "select.below",   "Selection","Lane below",                     { key(Key::down) },                                      has_span,      [](Viewer& v) { v.change_lane(1); } },
    { "arrows.left",    "Moving",  "Pan to the left, with nothing selected",  { key(Key::left) },                              has_trace,     [](Viewer& v) { v.pan_by(-pan_step); } },
    { "arrows.right",   "Moving",  "Pan to the right, with nothing selected", { key(Key::right) },                             has_trace,     [](Viewer& v) { v.pan_by(pan_step); } },
    { "arrows.up",      "Moving",  "Zoom in, with nothing selected",  { key(Key::up) },                                        has_trace,     [](Viewer& v) { v.zoom_by(zoom_step); } },
    { "arrows.down",    "Moving",  "Zoom out, with nothing selected", { key(Key::down) },                                      has_trace,     [](Viewer& v) { v.zoom_by(1 / zoom_step); } },
    { "view.page_up",   "Moving",  "Scroll tracks up",                { key(Key::page_up) },                                   has_trace,     [](Viewer& v) { v.scroll_by(-0.8 * v.tracks_height_px()); } },
    { "view.page_down", "Moving",  "Scroll tracks down",              { key(Key::page_down) },                                 has_trace,     [](Viewer& v) { v.scroll_by(0.8 * v.tracks_height_px()); } },
    { "view.selection", "Moving",  "Zoom to the selection or range",  { key(Key::f) },                                         has_target,    [](Viewer& v) { v.fit_selection(); } },
    { "view.fit",       "Moving",  "Show the whole trace",            { key(Key::space), key(Key::home), key(Key::digit_0) },  has_trace,     [](Viewer& v) { v.fit_trace(); } },
    { "view.back",      "Moving",  "Back to the view before",         { alt(Key::left) },                                      has_trace,     [](Viewer& v) { v.go_back(); } },
    { "view.forward",   "Moving",  "Forward again",                   { alt(Key::right) },                                     has_trace,     [](Viewer& v) { v.go_forward(); } },
    { "edit.copy",      "Selection","Copy the facts of the selection",{ ctrl(Key::c) },                                        has_selection, [](Viewer& v) { v.copy_selection(); } },
    { "file.open",      "Files",   "Open a file",                     { ctrl(Key::o) },                                        always,        [](Viewer& v) { v.show_chooser(); } },
    { "file.close",     "Files",   "Close the file",                  { ctrl(Key::w) },                                        has_document,  [](Viewer& v) { v.close_active(); } },
    { "file.reload",    "Files",   "Read the file again",             { ctrl(Key::r), key(Key::f5) },                          has_document,  [](Viewer& v) { v.reload_active(); } },
    { "file.next",      "Files",   "Next tab",                        { ctrl(Key::tab) },                                      has_document,  [](Viewer& v) { v.next_document(1); } },
    { "file.previous",  "Files",   "Previous tab",                    { ctrl_shift(Key::tab) },                                has_document,  [](Viewer& v) { v.next_document(-1); } },
    { "font.larger",    "Program", "Larger text",                     { ctrl(Key::equal), ctrl(Key::keypad_add) },             always,        [](Viewer& v) { v.change_zoom(font_step); } },
    { "font.smaller",   "Program", "Smaller text",                    { ctrl(Key::minus), ctrl(Key::keypad_subtract) },        always,        [](Viewer& v) { v.change_zoom(-font_step); } },
    { "font.normal",    "Program", "Text as the display asks",        { ctrl(Key::digit_0) },                                  always,        [](Viewer& v) { v.change_zoom(0); } },
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
      action.run(viewer);
      return true;
    }
  }
  return false;
}

std::span<const GestureHelp> gesture_help() {
  static constexpr std::array<GestureHelp, 14> rows = {{
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
  }};
  return rows;
}

}  // namespace bytescope::app
