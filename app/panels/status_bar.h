#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/panels/panel_context.h"
#include "core/cancel.h"
#include "core/session/session.h"
#include "core/trace/trace.h"

namespace bytescope::app {

/// What the status bar shows, from left to right; empty texts take no room.
struct StatusTexts {
  std::string notice;   ///< What was done or is amiss, or file_notice().
  std::string trace;    ///< trace_status(), or load_status() while it loads.
  std::string cursor;   ///< The time under the pointer.
  std::string range;    ///< The measured range.
  std::string pointer;  ///< What is under the pointer: its name, which is cut first …
  std::string value;    ///< … and how much of it, which is not.
  std::string hints;
  bool is_amiss = false;          ///< What the notice tells: it stands out.
  bool offers_reload = false;     ///< Buttons beside the notice: read again, and always do.
  std::optional<float> progress;  ///< 0 to 1 while it loads: a thin bar.
};

/// What is amiss with the file of a trace that is shown, with what to do about it: changed, gone,
/// not readable again; `is_watched`: it will be read again by itself. Empty when nothing is.
std::string file_notice(const session::Document& document, bool is_watched = false);
/// Whether what file_notice() tells is a trouble: one that has only changed is as good as before.
bool is_file_amiss(const session::Document& document);
/// `4:32.4 s · 24.1 M events · 218 MB`: duration, events and size of the file.
std::string trace_status(const trace::Trace& trace);
/// `loading 120 of 218 MB · 13.2 M events`, `unpacking 120 MB`, or `received 12.1 of 218 MB` of
/// what a server sends.
std::string load_status(const Progress& progress);
/// How much of a load is done, 0 to 1.
float fraction_done(const Progress& progress);

/// What was clicked in it.
enum class StatusAnswer : std::uint8_t { none, reload, watch };

/// The line at the window's lower edge. Draws no background.
StatusAnswer status_bar(const PanelContext& context, const StatusTexts& texts);

}  // namespace bytescope::app
