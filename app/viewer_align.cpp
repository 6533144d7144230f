#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/trace_title.h"
#include "app/viewer.h"
#include "core/trace/ansi.h"
#include "render/time_text.h"

// Two compared traces beside each other in time, and views that move together.

namespace bytescope::app {
namespace {

/// A marker that both traces have: of several of one name the first with the first, and so on.
struct SharedMarker {
  std::string name;
  std::int64_t here_ns = 0;
  std::int64_t there_ns = 0;
};

std::vector<SharedMarker> shared_markers(const DocumentView& here, const DocumentView& there) {
  std::map<std::string, std::vector<std::int64_t>> others;
  for (const render::MarkerFlag& flag : there.model().markers)
    others[trace::plain_text(flag.raw_name)].push_back(flag.time_ns);
  std::map<std::string, std::size_t> seen;
  std::vector<SharedMarker> shared;
  for (const render::MarkerFlag& flag : here.model().markers) {
    const std::string name = trace::plain_text(flag.raw_name);
    const auto found = others.find(name);
    const std::size_t nth = seen[name]++;
    if (name.empty() || found == others.end() || nth >= found->second.size()) continue;
    shared.push_back({name, flag.time_ns, found->second[nth]});
  }
  return shared;
}

/// Whether one of both is compared with the other, and can be.
bool are_compared(const DocumentView& one, const DocumentView& other) {
  if (!one.ready() || !other.ready() || one.trace()->unit != other.trace()->unit) return false;
  return one.dock.compared_document == other.id() || other.dock.compared_document == one.id();
}

/// What somebody chose in a trace, as a moment.
std::optional<std::int64_t> chosen_moment(const ViewState& state) {
  if (state.selection) return state.selection->begin_ns;
  if (state.range) return state.range->begin_ns;
  return std::nullopt;
}

}  // namespace

/// The other open trace of a comparison that this one takes part in; of several the one that it
/// compares itself with.
DocumentView* Viewer::compared_partner(const DocumentView& view) {
  DocumentView* partner = nullptr;
  for (const auto& other : views_) {
    if (!are_compared(view, *other)) continue;
    if (partner == nullptr || view.dock.compared_document == other->id()) partner = other.get();
  }
  return partner;
}

bool Viewer::is_compared_with_document() {
  const DocumentView* view = active();
  return view != nullptr && compared_partner(*view) != nullptr;
}

std::string Viewer::name_of(const DocumentView& view) const {
  const session::Document* document = session_.find(view.id());
  return document == nullptr ? std::string() : trace_title(document->path);
}

/// `shift_ns` is what is added to a moment of the partner for the one of this view beside it.
void Viewer::align(DocumentView& view, DocumentView& partner, std::int64_t shift_ns,
                   const std::string& at) {
  const bool shows_both = !alignment_ || alignment_->shows_both;
  alignment_ = Alignment{partner.id(), view.id(), shift_ns, true, shows_both};
  moved_with_.reset();
  place_areas();
  move_partner(view);
  const std::string later =
      shift_ns == 0 ? std::string()
                    : fmt::format(" {} {}",
                                  render::duration_text(std::abs(static_cast<double>(shift_ns)),
                                                        view.trace()->unit),
                                  shift_ns > 0 ? "later" : "earlier");
  const std::string name = name_of(partner);
  tell(is_beside(partner)
           ? fmt::format("{} is shown{} beside this, aligned at {}; both views move together", name,
                         later, at)
           : fmt::format("{} moves along{} in its own tab, aligned at {}", name, later, at),
       /*is_good=*/true);
}

void Viewer::align_starts() {
  DocumentView* view = active();
  DocumentView* partner = view == nullptr ? nullptr : compared_partner(*view);
  if (partner != nullptr) align(*view, *partner, 0, "their starts");
}

void Viewer::align_markers() {
  DocumentView* view = active();
  DocumentView* partner = view == nullptr ? nullptr : compared_partner(*view);
  if (partner == nullptr) return;
  const std::vector<SharedMarker> shared = shared_markers(*view, *partner);
  if (shared.empty()) return tell("No marker has the same name in both traces");
  const std::int64_t from = step_origin_ns(*view);
  const auto nearest =
      std::min_element(shared.begin(), shared.end(), [from](const auto& one, const auto& other) {
        return std::abs(one.here_ns - from) < std::abs(other.here_ns - from);
      });
  align(*view, *partner, nearest->here_ns - nearest->there_ns,
        fmt::format("marker \"{}\"", trace::single_line(nearest->name)));
}

void Viewer::align_selections() {
  DocumentView* view = active();
  DocumentView* partner = view == nullptr ? nullptr : compared_partner(*view);
  if (partner == nullptr) return;
  const auto here = chosen_moment(view->state());
  const auto there = chosen_moment(partner->state());
  if (!here || !there)
    return tell(fmt::format("Select a span, or measure a range, in both traces: {} has none",
                            name_of(here ? *partner : *view)));
  align(*view, *partner, *here - *there, "what is selected in both");
}

bool Viewer::is_aligned() {
  const DocumentView* view = active();
  return view != nullptr && aligned_partner(*view) != nullptr;
}

void Viewer::switch_showing_both() {
  if (!is_aligned()) return;
  alignment_->shows_both = !alignment_->shows_both;
  place_areas();
  if (alignment_->shows_both && beside_id_ == 0) tell("The window is too low to show both");
}

void Viewer::switch_moving_together() {
  DocumentView* view = active();
  DocumentView* partner = view == nullptr ? nullptr : compared_partner(*view);
  if (partner == nullptr) return;
  if (!alignment_ || !alignment_->is_of(view->id(), partner->id())) return align_starts();
  alignment_->moves_together = !alignment_->moves_together;
  moved_with_.reset();
  move_partner(*view);
  tell(alignment_->moves_together ? "The views of both traces move together"
                                  : "The views of both traces move apart",
       /*is_good=*/true);
}

DocumentView* Viewer::aligned_partner(const DocumentView& view) {
  for (const auto& other : views_) {
    if (alignment_ && alignment_->is_of(view.id(), other->id()) && are_compared(view, *other))
      return other.get();
  }
  return nullptr;
}

/// Where this view has been moved, that of the trace beside it follows. What merely was shown there
/// before moves nothing.
void Viewer::move_partner(DocumentView& view) {
  if (!alignment_ || !alignment_->moves_together) return;
  const render::Viewport& moved = view.state().viewport;
  if (moved_with_ == moved) return;
  moved_with_ = moved;
  DocumentView* other = aligned_partner(view);
  if (other == nullptr) return;
  render::Viewport& follows = other->state().viewport;
  follows = follows.beside(moved, alignment_->shift_from(view.id()));
  other->show_at_once();
}

}  // namespace bytescope::app
