#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "app/answers/answer.h"
#include "app/panels/text_field.h"
#include "app/table.h"

namespace bytescope::app {

/// One tab of the bottom panel: what is chosen in it and what it shows.
struct DockTab {
  Choices choices{};
  TableView view;
  std::shared_ptr<const Answer> answer;  ///< The last one; maybe to an older question.
};

/// Spans of a row of the statistics that are gone to by their duration.
struct DurationPick {
  query::DurationRange durations;
  std::uint64_t count = 1;  ///< As many are gone through, one a click.
};

/// The span of such a pick that was gone to last.
struct DurationStep {
  std::uint64_t version = 0;  ///< Of the answer.
  std::size_t row = 0;
  query::DurationRange durations;
  std::uint64_t place = 0;  ///< Among the spans of the pick.
};

/// The bottom panel of a document.
struct DockState {
  static constexpr float least_height_px = 120;

  std::optional<AnswerKind> open;
  float height_px = 270;
  std::array<DockTab, answer_kind_count> tabs;
  std::string search_line;
  std::string wanted_name;      ///< Row of the statistics to choose when it is there; empty: none.
  bool reveals_chosen = false;  ///< The chosen row of the open tab is to be scrolled to.
  DurationStep duration_step;
  int step_wanted =
      0;  ///< Enter was pressed: to the next hit (1) or the one before (-1) when known.
  TakeKeyboard wants_keyboard = TakeKeyboard::no;  ///< For the field of the open tab.
  bool rows_have_keys = false;            ///< Up and down move in the table, not on the timeline.
  std::optional<std::int64_t> pinned_ns;  ///< Instant that the live buffers are told of.
  std::optional<std::uint32_t> program;   ///< That the selected span ran, where texts of it show.
  query::TimeRange compared_a;            ///< What is compared with `compared_b`.
  query::TimeRange compared_b;
  std::optional<query::TimeRange> compare_mark;  ///< Marked by a key, to be compared with the next.
  std::uint64_t compared_document = 0;  ///< What all of this trace is compared with; 0: stretches.
  std::shared_ptr<const trace::Trace> compared_trace;  ///< Of that document.
  ChartPlacing compared_placing;                       ///< How that lies beside this trace.
  std::optional<std::size_t> renamed;  ///< Note, or row of cards, that is typed anew.
  std::string new_name;
  std::size_t histogram_bar = 0;  ///< That keys are at.
  float curve_moment =
      0.5F;  ///< The same in the curves of compared memory: a share of their width.

  DockTab& tab(AnswerKind kind) { return tabs[static_cast<std::size_t>(kind)]; }
  const DockTab& tab(AnswerKind kind) const { return tabs[static_cast<std::size_t>(kind)]; }
};

}  // namespace bytescope::app
