#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/fact_sheet.h"
#include "app/selection.h"
#include "core/query/span_pick.h"
#include "core/query/time_range.h"
#include "core/trace/trace.h"

// What the viewer asks its forms, and its workers beside the timeline, and what they answer.

namespace bytescope::app {

class Viewer;

/// Steps that were asked for while the first of them is looked for.
struct QueuedSteps {
  void (Viewer::*step)(int) = nullptr;
  int count = 0;  ///< Negative: backwards.
  bool is_looking = false;
};

/// What of a trace is exported.
enum class ExportScope : std::uint8_t { everything, range, selection };

/// A picture of the view that somebody wants, with `factor` times as many pixels as the window.
struct WantedPicture {
  std::string path;
  int factor = 1;
};

/// A menu of the whole window that stands open: of all it can do, or of the file of a tab.
struct WindowMenu {
  enum class Kind : std::uint8_t { all, tab };
  Kind kind = Kind::all;
  bool is_opening = true;  ///< Not drawn yet.
};

/// What the panel asks about that saves an export or a picture.
struct SavingAsked {
  std::uint64_t document_id = 0;
  std::optional<query::TimeRange> range;  ///< None: everything.
  int picture_factor = 0;                 ///< 0: an export, no picture.
};

/// What the panel of files shown as one asks about.
struct TogetherAsked {
  std::uint64_t document_id = 0;
  std::vector<std::uint64_t> addable_ids;
};

/// The page of keys and gestures.
struct HelpState {
  bool is_open = false;
  float scroll_px = 0;
  std::string settings_path;  ///< Where keys are changed; empty: unknown.
};

/// Which namesake of how many a span is; answered by a worker.
struct OccurrenceRequest {
  std::shared_ptr<const trace::Trace> trace;
  std::uint32_t track = 0;
  std::uint32_t record = 0;
};
struct OccurrenceResult {
  std::uint32_t track = 0;
  std::uint32_t record = 0;
  query::Occurrence occurrence;
};

/// All facts of what is selected, keys searched for; answered by a worker.
struct SheetRequest {
  std::shared_ptr<const trace::Trace> trace;
  Selection selection;
};
struct SheetResult {
  Selection selection;
  FactSheet sheet;
  bool complete = false;  ///< Nothing more follows.
};

/// Facts of a measured range; answered by a worker.
struct RangeRequest {
  std::shared_ptr<const trace::Trace> trace;
  query::TimeRange range;
  bool operator==(const RangeRequest&) const = default;
};
struct RangeResult {
  RangeRequest request;
  FactSheet sheet;
};

}  // namespace bytescope::app
