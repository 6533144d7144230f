#include <algorithm>
#include <utility>

#include "app/offset_text.h"
#include "app/panels/tooltip.h"
#include "app/trace_title.h"
#include "app/viewer.h"
#include "core/merge/file_set.h"
#include "core/session/load_source.h"

// Files that are shown as one trace: how they are chosen, and how each is moved in time.

namespace bytescope::app {
namespace {

/// The files of a document: one, or those of a set.
std::vector<std::string> files_of(const std::string& path) {
  const auto set = merge::file_set_from(path);
  return set ? set->paths : std::vector<std::string>{path};
}

/// Whether all files of one document are among those of another.
bool is_part_of(const session::Document& one, const session::Document& other) {
  const std::vector<std::string> all = files_of(absolute_path(other.path));
  const std::vector<std::string> files = files_of(absolute_path(one.path));
  return std::all_of(files.begin(), files.end(), [&](const std::string& file) {
    return std::find(all.begin(), all.end(), file) != all.end();
  });
}

/// Documents that can be added to another one, in their order.
std::vector<const session::Document*> addable_to(const session::Session& session,
                                                 const session::Document& document) {
  std::vector<const session::Document*> others;
  for (const session::Document& other : session.documents()) {
    const bool fits = !is_part_of(other, document) && !is_part_of(document, other) && other.trace &&
                      other.trace->complete &&
                      (!document.trace || other.trace->unit == document.trace->unit);
    if (fits) others.push_back(&other);
  }
  return others;
}

/// The number of the file of a set that a part of its trace comes from.
std::optional<std::size_t> file_of_part(const std::vector<std::string>& names,
                                        const std::string& part) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool is_its = part == names[i] || part.starts_with(names[i] + "/");
    if (is_its && (!best || names[*best].size() < names[i].size())) best = i;
  }
  return best;
}

}  // namespace

bool Viewer::can_show_together() const {
  const session::Document* document = active_document();
  if (document == nullptr) return false;
  return merge::file_set_from(document->path) || !addable_to(session_, *document).empty();
}

void Viewer::show_together() {
  const session::Document* document = active_document();
  if (document == nullptr) return;
  std::vector<std::string> others;
  together_ = {document->id, {}};
  for (const session::Document* other : addable_to(session_, *document)) {
    together_.addable_ids.push_back(other->id);
    others.push_back(trace_title(other->path) + "   " + trace_place(other->path));
  }
  const auto set = merge::file_set_from(document->path);
  const std::vector<std::string> names =
      set ? session::names_in(*set) : std::vector<std::string>{trace_title(document->path)};
  merge_panel_.open(names, document->offsets_us, std::move(others));
}

void Viewer::open_together(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths)
    for (std::string& file : files_of(absolute_path(path))) files.push_back(std::move(file));
  open(merge::file_set_of(std::move(files)).address());
}

void Viewer::frame_merge_panel(const PanelContext& whole) {
  const session::Document* document = active_document();
  // A file that was dropped meanwhile is another document.
  if (document == nullptr || document->id != together_.document_id) merge_panel_.close();
  const auto answer = merge_panel_.draw(whole);
  wants_frame_ = wants_frame_ || merge_panel_.waits_for_keyboard();
  if (!answer || document == nullptr) return;
  if (answer->offsets_us && *answer->offsets_us != document->offsets_us)
    session_.set_offsets(document->id, *answer->offsets_us);
  if (answer->added) add_document(together_.addable_ids[*answer->added]);
}

/// Opens the active document and another one as one trace. One that was a set already gives way to
/// the larger one, which goes on with its view and its offsets.
void Viewer::add_document(std::uint64_t added_id) {
  const session::Document& document = *active_document();
  const session::Document* added = session_.find(added_id);
  if (added == nullptr) return;  // closed meanwhile
  const std::uint64_t id = document.id;
  std::vector<std::pair<std::string, std::int64_t>> files;
  for (const session::Document* each : {&document, added}) {
    const std::vector<std::string> paths = files_of(absolute_path(each->path));
    for (std::size_t i = 0; i < paths.size(); ++i)
      files.emplace_back(paths[i], i < each->offsets_us.size() ? each->offsets_us[i] : 0);
  }
  std::sort(files.begin(), files.end());
  RememberedView as_before;
  const bool was_set = merge::file_set_from(document.path).has_value();
  if (was_set && active() != nullptr) as_before = active()->remembered({});
  as_before.offsets_us.clear();
  std::vector<std::string> paths;
  for (const auto& [path, offset_us] : files) {
    paths.push_back(path);
    as_before.offsets_us.push_back(offset_us);
  }
  as_before.path = merge::file_set_of(paths).address();
  // What was typed for the same files before stands.
  if (remembered_.view_of(as_before.path) == nullptr) remembered_.note_view(std::move(as_before));
  open_together(paths);
  if (was_set) close(id);
  show_together();
}

/// Moves a file of a merged trace as it was dragged.
void Viewer::shift_file(const DocumentView& view, const FileShift& shift) {
  const session::Document* document = session_.find(view.id());
  const auto set = document == nullptr ? std::nullopt : merge::file_set_from(document->path);
  if (!set) {
    return tell("What is merged in one file cannot be moved; merge its files anew");
  }
  const std::vector<std::string> names = session::names_in(*set);
  const auto file = file_of_part(names, shift.file);
  if (!file || shift.later_us == 0) return;
  std::vector<std::int64_t> offsets_us = view.offsets_us();
  offsets_us.resize(names.size(), 0);
  offsets_us[*file] += shift.later_us;
  tell(names[*file] + ": " + offset_text(offsets_us[*file]), /*is_good=*/true);
  session_.set_offsets(document->id, std::move(offsets_us));
}

/// Shows a file where it is dragged to.
void Viewer::paint_shift(DocumentView& view, render::Scene& scene) {
  const auto shift = gestures_.shifting();
  if (!shift) return;
  const render::Viewport& viewport = view.shown_viewport();
  const auto moves = [&](std::uint32_t track) {
    return track < view.trace()->tracks.size() &&
           view.trace()->tracks[track].file_name() == shift->file;
  };
  const double dx_px = static_cast<double>(shift->later_us) * 1000 / viewport.ns_per_px();
  shift_rows(
      scene,
      {view.layout(tracks_height_px()), areas_, view.shown_scroll_px(), static_cast<float>(dx_px)},
      moves);
}

/// How far it is dragged, beside the pointer.
void Viewer::frame_shift(const PanelContext& whole) {
  const auto shift = gestures_.shifting();
  if (!shift) return;
  const std::string sign = shift->later_us > 0 ? "+" : "";
  const FactSheet told{shift->file, {{"", {{"moved", sign + offset_text(shift->later_us)}}}}};
  tooltip(whole, told, pointer_x_, pointer_y_);
}

}  // namespace bytescope::app
