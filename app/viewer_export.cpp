#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "app/trace_title.h"
#include "app/track_processes.h"
#include "app/viewer.h"

namespace bytescope::app {
namespace {

const std::vector<SaveFormat>& export_formats() {
  static const std::vector<SaveFormat> formats = {
      {".json", "for Perfetto"}, {".csv", "a table"}, {".bin", "bytepack, newest"}};
  return formats;
}

/// While it ran or lived.
query::TimeRange range_of(const Selection& selection) {
  const auto length_ns = static_cast<std::int64_t>(std::ceil(selection.length_ns));
  return {selection.begin_ns, selection.begin_ns + std::max<std::int64_t>(length_ns, 1)};
}

}  // namespace

bool Viewer::can_export() {
  return active() != nullptr && active()->trace()->complete && !exports_.is_busy();
}

void Viewer::show_export(ExportScope scope) {
  DocumentView* view = active();
  if (view == nullptr) return;
  const ViewState& state = view->state();
  saving_.range.reset();
  const char* title = "Export everything";
  const char* addition = "";
  if (scope == ExportScope::range && state.range) {
    saving_.range = state.range;
    title = "Export what touches the range";
    addition = "-range";
  } else if (scope == ExportScope::selection && state.selection) {
    saving_.range = range_of(*state.selection);
    title = state.selection->kind == Selection::Kind::span
                ? "Export what happens while the selected span runs"
                : "Export what happens while the selected buffer lives";
    addition = "-selection";
  }
  saving_.picture_factor = 0;
  saving_.document_id = active_id_;
  save_panel_.open(title, path_beside(local_path(active_document()->path), addition, ".json"),
                   export_formats());
}

void Viewer::show_picture_saving(int factor) {
  if (active() == nullptr) return;
  saving_.picture_factor = factor;
  saving_.document_id = active_id_;
  save_panel_.open(
      factor == 1 ? "Save a picture of the view"
                  : fmt::format("Save a picture of the view, {} times as large", factor),
      path_beside(local_path(active_document()->path), factor == 1 ? "" : "@2x", ".png"),
      {{".png", "a picture"}});
}

void Viewer::frame_save_panel(const PanelContext& whole) {
  // A file that was dropped meanwhile is another document.
  if (saving_.document_id != active_id_ || active() == nullptr) save_panel_.close();
  if (!save_panel_.is_open()) return;
  const auto path = save_panel_.draw(whole);
  wants_frame_ = wants_frame_ || save_panel_.waits_for_keyboard();
  if (!path) return;
  if (exports_.is_busy()) return tell("Something is being written already");
  if (saving_.picture_factor != 0) {
    wanted_picture_ = WantedPicture{*path, saving_.picture_factor};
    wants_frame_ = true;
    return;
  }
  exporting::Request request;
  request.format = *exporting::format_of_path(*path);
  request.range = saving_.range;
  request.processes = track_processes(*active()->trace());
  exports_.start(active()->trace(), *path, std::move(request));
}

std::optional<WantedPicture> Viewer::take_wanted_picture() {
  return std::exchange(wanted_picture_, std::nullopt);
}

void Viewer::write_picture(render::Picture picture, const std::string& path) {
  exports_.start(std::move(picture), path);
}

/// What is being written stands where the trace is told of.
void Viewer::tell_export(StatusTexts& texts) {
  if (!exports_.is_busy()) return;
  texts.trace = exports_.status();
  texts.progress = exports_.fraction_done();
  wants_frame_ = true;
}

}  // namespace bytescope::app
