#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "app/answers/answer.h"
#include "app/document_view.h"
#include "app/panels/dock.h"
#include "core/latest_worker.h"

namespace bytescope::app {

/// Somewhere to go that has to be looked for first, on a worker's thread.
struct JumpRequest {
  std::shared_ptr<const trace::Trace> trace;
  std::function<RowTarget(const Cancel& cancel, io::PageReader& reader)> find;
  std::string nothing;  ///< A sentence for when there is no such place.
};
struct JumpResult {
  std::shared_ptr<const trace::Trace> trace;
  RowTarget target;
  std::string nothing;  ///< As in the request.
};

/// Chooses the row of the name that the statistics are wanted of (DockState::wanted_name), where it
/// is among what is known of them.
void choose_wanted(DockState& dock);

/// Asks the questions of the bottom panel on threads of their own and hands the answers to the
/// documents. For the window's thread.
class DockDriver {
public:
  /// `wake` is called from the workers' threads when take() has something new.
  explicit DockDriver(const std::function<void()>& wake);

  /// Asks what the open tab of a document and its search line want and nobody asked yet.
  void want(DocumentView& view);
  /// Looks for somewhere to go; an earlier search for that ends.
  void look_for(JumpRequest request);
  /// Hands over what was found; returns whether there was anything.
  bool take(std::span<const std::unique_ptr<DocumentView>> views);
  /// Where the last jump leads, once.
  std::optional<JumpResult> take_jump();

  /// Whether somewhere to go is still looked for.
  bool looks_for() const { return !jumps_.idle(); }
  /// Whether the answer of a tab is still being worked on.
  bool busy(const DocumentView& view, AnswerKind kind) const;
  /// The histogram of the chosen row of the statistics.
  DockHistogram histogram(const DocumentView& view) const;
  /// Whether no worker works.
  bool idle() const;
  /// Ends all work and lets go of all traces.
  void forget();

private:
  struct HistogramRequest {
    std::shared_ptr<const Answer> answer;
    std::size_t row = 0;
  };
  struct HistogramResult {
    HistogramRequest of;
    std::shared_ptr<const query::DurationHistogram> histogram;
  };
  /// A worker and what it was asked last: it works on that, or is done with it.
  struct AnswerWorker {
    LatestWorker<AnswerRequest, Answer> worker;
    std::optional<AnswerRequest> asked{};
  };

  static void want_answer(DocumentView& of, AnswerKind kind, AnswerWorker& asks);
  void want_histogram(const DocumentView& view);
  static void answer_histogram(
      const HistogramRequest& request, const Cancel& cancel,
      const std::function<void(std::shared_ptr<const HistogramResult>)>& publish);

  AnswerWorker answers_;
  AnswerWorker searches_;
  std::optional<HistogramRequest> histogram_asked_;
  std::shared_ptr<const HistogramResult> histogram_;
  LatestWorker<HistogramRequest, HistogramResult> histograms_;
  LatestWorker<JumpRequest, JumpResult> jumps_;
};

}  // namespace bytescope::app
