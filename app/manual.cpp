#include "app/manual.h"

#include <fmt/format.h>

#include "app/actions.h"
#include "app/key_bindings.h"

namespace bytescope::app {
namespace {

/// Text as man(7) wants it: a backslash, a hyphen and a dot at a line's beginning mean themselves.
std::string escaped(std::string_view text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    line_begins = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string bold(std::string_view text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + escaped(text) + "\\fR"; }

/// A term and, indented, what it means.
void add_term(std::string& page, const std::string& term, std::string_view meaning) {
  page += ".TP\n" + term + "\n" + escaped(meaning) + "\n";
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  return fmt::format("{}", fmt::join(words, between));
}

void add_option(std::string& page, const ArgumentHelp& option) {
  std::string term = bold(option.name);
  if (!option.choices.empty()) {
    term += " " + italic(joined(option.choices, "|"));
  } else if (!option.value.empty()) {
    term += " " + italic(option.value);
  }
  std::string meaning = option.description;
  if (!option.standard.empty()) meaning += fmt::format(" (if not given: {})", option.standard);
  if (option.is_required) meaning += " (required)";
  add_term(page, term, meaning);
}

void add_command(std::string& page, const CommandHelp& command) {
  std::string call = bold("bytescope " + command.name);
  for (const ArgumentHelp& argument : command.positionals) call += " " + italic(argument.name);
  page += ".SS " + call + "\n" + escaped(command.description) + ".\n";
  for (const ArgumentHelp& option : command.options) add_option(page, option);
  if (!command.more.empty()) page += ".PP\n.nf\n" + escaped(command.more) + "\n.fi\n";
}

void add_keys(std::string& page) {
  page += ".SH KEYS\nAll that can be done is in the palette, " + bold("Ctrl P") + ".\n";
  for (const WindowAction& action : window_actions())
    if (!action.chords.empty()) add_term(page, bold(keys_text(action.chords)), action.title);
  page += ".SH GESTURES\n";
  for (const GestureHelp& gesture : gesture_help())
    add_term(page, bold(gesture.gesture), gesture.effect);
}

constexpr std::string_view arguments_text = R"(.SH ARGUMENTS
.TP
Times
A number with
.BR ns ,
.BR us ,
.BR ms ,
.BR s " or " clk ;
a bare number is in the trace's unit. Else the first marker of that name;
.B marker:NAME
forces one,
.B NAME#2
is the second. A stretch is
.BR A..B ", " A.. " or " ..B ,
without its end.
.TP
Tracks
The exact name, else
.B #N
counted from 0.
.B TRACK:INDEX
is a record of a track, counted as
.B dump
counts.
)";

constexpr std::string_view ending_text = R"(.SH EXIT STATUS
.TP
0
Done; warnings are on standard error.
.TP
1
The file was bad.
.TP
2
The request made no sense: wrong usage, an unknown track, an empty stretch.
.TP
3
The machine refused: no OpenGL, no memory, nothing can be written there.
.TP
130
Cancelled.
.SH FILES
.TP
.I $XDG_CONFIG_HOME/bytescope/settings.json
Which keys do what, read at the start
.RI ( ~/.config
where the variable is not set).
.B bytescope settings
writes all of it as it is now.
.TP
.I $XDG_STATE_HOME/bytescope/remembered.json
Views, markers, ranges, offsets of files that are shown together, limits of cards, recent files,
theme and size of the window
.RI ( ~/.local/state
where the variable is not set).
.SH SEE ALSO
The guide and the format of the traces come with the program, in
.IR /usr/share/doc/bytescope .
)";

}  // namespace

std::string manual_page(std::span<const CommandHelp> commands, std::string_view version) {
  std::string page = fmt::format(
      ".TH BYTESCOPE 1 \"\" \"bytescope {}\" \"User Commands\"\n"
      ".SH NAME\nbytescope \\- viewer for the traces of tinygrad's profiler\n"
      ".SH SYNOPSIS\n.B bytescope\n.RB [ \\-\\-merge ]\n.RI [ FILE ...]\n.br\n"
      ".B bytescope\n.I COMMAND\n.RI [ ARGUMENTS ]\n"
      ".SH DESCRIPTION\nOpens each\n.I FILE\nin a tab of a window; without files it shows the "
      "start page, with the files that were open lately. With\n.B \\-\\-merge\nall files are one "
      "trace in one tab, each with the "
      "offset in time that it had last. The commands below answer on the command line and need no "
      "display.\n"
      ".SH COMMANDS\n",
      escaped(version));
  for (const CommandHelp& command : commands) add_command(page, command);
  page += arguments_text;
  add_keys(page);
  page += ending_text;
  return page;
}

}  // namespace bytescope::app
