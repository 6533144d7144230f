#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/commands.h"
#include "app/commands/picture_options.h"
#include "app/messages.h"
#include "app/offscreen_viewer.h"
#include "app/png.h"
#include "core/query/time_argument.h"
#include "core/query/track_argument.h"
#include "render/theme.h"

namespace bytescope::app {
namespace {

/// What the command was told.
struct ScreenshotArguments {
  std::string file;
  std::string output;
  PictureOptions picture;
  std::string range;
  std::vector<std::string> expand;
  std::string select;
  std::string scroll;
  std::string panel;
  std::string search;
  std::string theme = "dark";
};

/// The error of a document that has nothing to show.
Expected<void> opened(const Viewer& viewer) {
  const session::Document* document = viewer.active_document();
  if (document != nullptr && document->error) return tl::make_unexpected(*document->error);
  return {};
}

Expected<void> select(Viewer& viewer, DocumentView& view, const std::string& argument,
                      Warnings& warnings) {
  const auto place = query::record_from_argument(*view.trace(), argument, warnings);
  if (!place) return tl::make_unexpected(place.error());
  const trace::Track& track = view.trace()->tracks[place->track];
  if (track.spans) {
    viewer.select_and_reveal(
        span_selection(*view.trace(), view.reader(), place->track, place->record));
  } else if (track.memory && place->record < track.memory->events.size()) {
    // INDEX is dump's: for allocations and frees the number of the event.
    const std::uint32_t ordinal = trace::MemoryIndex::ordinal(track.memory->events[place->record]);
    viewer.select_and_reveal(buffer_selection(*view.trace(), place->track, ordinal));
  } else {
    return failure(ErrorKind::usage, fmt::format("\"{}\" cannot be selected", argument));
  }
  return {};
}

std::string panel_names() {
  std::string names;
  for (const AnswerTab& tab : answer_tabs())
    names += (names.empty() ? "" : ", ") + std::string(tab.id);
  return names;
}

Expected<void> open_panel(Viewer& viewer, const ScreenshotArguments& arguments) {
  DockState& dock = viewer.active()->dock;
  if (!arguments.search.empty()) {
    dock.search_line = arguments.search;
    viewer.open_tab(AnswerKind::search);
  }
  if (arguments.panel.empty()) return {};
  const AnswerTab* tab = answer_tab_named(arguments.panel);
  if (tab == nullptr) {
    return failure(ErrorKind::usage,
                   fmt::format("There is no panel \"{}\", but {}", arguments.panel, panel_names()));
  }
  if (!tab->makes_sense(*viewer.active()->trace())) {
    return failure(
        ErrorKind::usage,
        fmt::format("The panel \"{}\" has nothing to tell of this trace", arguments.panel));
  }
  viewer.open_tab(tab->kind);
  return {};
}

/// Brings what was asked for in view.
Expected<void> arrange(OffscreenViewer& offscreen, const ScreenshotArguments& arguments,
                       Warnings& warnings) {
  Viewer& viewer = offscreen.viewer();
  DocumentView& view = *viewer.active();
  if (Expected<void> done = open_panel(viewer, arguments); !done) return done;
  // Only then is it known how much room the panel leaves to what is to be in view.
  offscreen.frame();
  std::optional<std::uint32_t> revealed;
  for (const std::string& name : arguments.expand) {
    const auto track = query::track_from_argument(*view.trace(), name, warnings);
    if (!track) return tl::make_unexpected(track.error());
    viewer.set_expanded(*track, true);
    revealed = *track;
  }
  if (!arguments.scroll.empty()) {
    const auto track = query::track_from_argument(*view.trace(), arguments.scroll, warnings);
    if (!track) return tl::make_unexpected(track.error());
    revealed = *track;
  }
  if (!arguments.select.empty()) {
    Expected<void> done = select(viewer, view, arguments.select, warnings);
    if (!done) return done;
    if (arguments.scroll.empty()) revealed.reset();
  }
  if (!arguments.range.empty()) {
    const auto range = query::range_from_argument(*view.trace(), arguments.range);
    if (!range) return tl::make_unexpected(range.error());
    view.state().viewport = view.state().viewport.showing(*range);
  }
  if (revealed) viewer.reveal_track(*revealed);
  return {};
}

Expected<void> take_screenshot(const ScreenshotArguments& arguments, const Cancel& cancel) {
  const auto size = picture_size(arguments.picture);
  if (!size) return tl::make_unexpected(size.error());
  const render::Theme& theme =
      arguments.theme == "light" ? render::light_theme() : render::dark_theme();
  auto offscreen =
      OffscreenViewer::create(*size, static_cast<float>(arguments.picture.scale), theme);
  if (!offscreen) return tl::make_unexpected(offscreen.error());
  Viewer& viewer = (*offscreen)->viewer();
  viewer.open(arguments.file);
  (*offscreen)->settle(cancel);
  if (cancel.requested()) return failure(ErrorKind::cancelled, "Cancelled");
  if (Expected<void> done = opened(viewer); !done) return done;
  Warnings warnings = viewer.active()->trace()->warnings;
  if (Expected<void> done = arrange(**offscreen, arguments, warnings); !done) return done;
  print_warnings(warnings, arguments.file);
  (*offscreen)->settle(cancel);
  if (cancel.requested()) return failure(ErrorKind::cancelled, "Cancelled");
  return write_png((*offscreen)->pixels(), arguments.output);
}

}  // namespace

Action make_screenshot(CLI::App& arguments, const Cancel& cancel) {
  auto told = std::make_shared<ScreenshotArguments>();
  arguments.add_option("FILE", told->file, "The trace")->required();
  arguments.add_option("OUT.png", told->output, "Where the picture goes")->required();
  add_picture_options(arguments, told->picture);
  arguments.add_option("--range", told->range, "The stretch of time to show, A..B");
  arguments.add_option("--expand", told->expand, "A track to open; may be given several times")
      ->expected(1)
      ->allow_extra_args(false)  // Else CLI11 takes a name in brackets for a list.
      ->take_all();
  arguments.add_option("--select", told->select, "What to select, TRACK:INDEX");
  arguments.add_option("--scroll", told->scroll, "A track to bring in view");
  arguments.add_option("--panel", told->panel, "The panel to open at the bottom: " + panel_names());
  arguments.add_option("--search", told->search, "What to search for");
  arguments.add_option("--theme", told->theme, "dark or light")
      ->check(CLI::IsMember({"dark", "light"}))
      ->capture_default_str();
  return [told, &cancel] { return take_screenshot(*told, cancel); };
}

}  // namespace bytescope::app
