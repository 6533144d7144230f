#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "app/panels/status_bar.h"
#include "app/viewer.h"
#include "core/io/utf8.h"
#include "core/trace/ansi.h"
#include "core/trace/units.h"
#include "render/time_text.h"

// What the status bar tells, and what is clicked in it.

namespace bytescope::app {

void Viewer::frame_status() {
  const StatusAnswer answer = status_bar(context_of(areas_.status), status_texts());
  if (answer == StatusAnswer::watch) switch_watching();
  if (answer != StatusAnswer::none) reload_active();
}

/// What is new of the file takes the place of the notice, which may be older.
void Viewer::tell_of_file() {
  const session::Document* document = active_document();
  std::string told =
      document == nullptr ? std::string() : file_notice(*document, session_.is_watching());
  if (!told.empty() && told != file_told_) notice_.clear();
  file_told_ = std::move(told);
}

/// What becomes of the file, unless there is something else to tell.
void Viewer::tell_document(const session::Document& document, StatusTexts& texts) const {
  if (document.loading && document.progress) {
    texts.trace = load_status(*document.progress);
    texts.progress = fraction_done(*document.progress);
  } else if (document.trace) {
    texts.trace = trace_status(*document.trace);
  }
  if (!texts.notice.empty()) return;
  texts.notice =
      io::printable_utf8(trace::single_line(file_notice(document, session_.is_watching())));
  texts.is_amiss = is_file_amiss(document);
  texts.offers_reload = document.trace && !document.loading && !session_.is_watching() &&
                        document.on_disk == io::OnDisk::changed;
}

StatusTexts Viewer::status_texts() {
  StatusTexts texts;
  texts.notice = notice_.text();
  texts.is_amiss = !notice_.is_good();
  if (const session::Document* document = active_document()) tell_document(*document, texts);
  tell_export(texts);
  DocumentView* view = active();
  if (view == nullptr) return texts;
  const trace::Unit unit = view->trace()->unit;
  if (hover_ && pointer_x_ >= areas_.tracks.x0) {
    // As fine as a pixel: digits that a pixel cannot tell would be invented.
    std::int64_t resolution_ns = 10;
    while (static_cast<double>(resolution_ns) * 10 <= view->shown_viewport().ns_per_px() &&
           resolution_ns < 1'000'000'000)
      resolution_ns *= 10;
    texts.cursor = "cursor " + render::time_text(std::max<std::int64_t>(hover_->time_ns, 0), unit,
                                                 resolution_ns);
  }
  if (view->state().range)
    texts.range = "range " + render::duration_text(
                                 static_cast<double>(view->state().range->length_ns()), unit);
  if (hover_ && hover_->row) {
    const render::TrackRow& row = view->layout(tracks_height_px()).rows[*hover_->row];
    const auto live = row.kind == render::RowKind::memory && hover_->time_ns >= 0
                          ? live_memory(*view->trace(), row.track, hover_->time_ns)
                          : std::nullopt;
    if (live) {
      texts.pointer = view->trace()->tracks[row.track].head.name;
      texts.value = trace::bytes_text(live->bytes) + " live in " +
                    trace::count_text(live->buffers) + " buffers";
    }
  }
  texts.hints = "F fit \u00B7 ? keys";
  return texts;
}

}  // namespace bytescope::app
