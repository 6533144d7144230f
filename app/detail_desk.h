#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/document_view.h"
#include "core/latest_worker.h"
#include "core/query/visible.h"
#include "render/timeline_detail.h"

namespace bytescope::app {

/// Asks a worker of its own what the view of one document wants exactly, one question after
/// another: never two at once, and none that the last answer does for. All functions are for one
/// thread.
class DetailDesk {
public:
  /// `wake` is called from the worker's thread when there is something new.
  explicit DetailDesk(std::function<void()> wake);

  /// Asks for what the view of that document wants now, of which `columns` are on screen. A newer
  /// question waits for the answer of an older one of the same document.
  void ask(std::uint64_t document, render::DetailRequest now, const query::Columns& columns);
  /// Hands over what was found, to the view that asked.
  void hand_over(const std::vector<std::unique_ptr<DocumentView>>& views);
  /// Asks anew for what is known already: what it was asked for looks different now.
  void ask_anew();
  /// Lets go of the trace, and of all that is under way or waits: for each frame that does not ask,
  /// too. Costs nothing when there is nothing.
  void let_go();
  /// Whether all that was asked for is found.
  bool settled() const { return !wanted_ && worker_.idle(); }

private:
  render::DetailMaker maker_;                    // belongs to the worker's thread
  std::optional<render::DetailRequest> wanted_;  // not asked yet, since the worker is busy
  std::optional<render::DetailRequest> asked_;   // what the worker answers, or answered last
  std::uint64_t owner_ = 0;                      // the document of both; 0 is none
  LatestWorker<render::DetailRequest, render::DetailResult> worker_;  // last: it uses the maker
};

}  // namespace bytescope::app
