#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/answers/memory_charts.h"
#include "app/cards.h"
#include "app/document_notes.h"
#include "app/table.h"
#include "app/text_lines.h"
#include "app/view_state.h"
#include "core/cancel.h"
#include "core/io/page_reader.h"
#include "core/net/program_texts.h"
#include "core/query/search.h"
#include "core/query/statistics.h"
#include "core/query/time_range.h"
#include "core/trace/trace.h"

namespace bytescope::app {

/// What the panel at the bottom can answer; a tab each.
enum class AnswerKind : std::uint8_t {
  search,
  statistics,
  compare,
  gaps,
  live,
  peaks,
  steps,
  copies,
  instructions,
  source,
  disassembly,
  ranges,
  markers,
  cards,
};
constexpr std::size_t answer_kind_count = 14;

/// How many rows of a long table are shown; more would help nobody.
constexpr std::size_t most_table_rows = 20'000;

/// Choices within a tab: at most three groups of alternatives.
constexpr std::size_t most_choices = 3;
using Choices = std::array<std::uint8_t, most_choices>;

/// A question to a trace.
struct AnswerRequest {
  AnswerKind kind = AnswerKind::search;
  std::shared_ptr<const trace::Trace> trace;
  Choices choices{};
  query::TimeRange range;        ///< The stretch that is asked about.
  bool whole = true;             ///< It is the whole trace: nothing is cut at its ends.
  query::TimeRange other_range;  ///< What is compared with `range`.
  /// What is compared with `trace` as a whole; null: two stretches of that are.
  std::shared_ptr<const trace::Trace> other_trace;
  std::optional<std::int64_t> time_ns;          ///< An instant, where one is asked about.
  std::string text;                             ///< The search line.
  std::shared_ptr<const CardTable> cards;       ///< What devices can do; null: nothing is known.
  std::shared_ptr<net::ProgramTexts> programs;  ///< Null: no running program is known.
  std::optional<std::uint32_t> program;         ///< The one that the selected span ran.
  DocumentNotes notes;  ///< Own markers and kept ranges, where they are listed.
  /// An earlier search, for narrowing it; equal questions may have different ones.
  std::shared_ptr<const query::SearchResult> known_search;

  /// Whether both have the same answer.
  bool same_question(const AnswerRequest& other) const;
};

/// Where a row leads: nowhere, to a span or buffer, to a stretch of time, or to an instant.
using RowTarget = std::variant<std::monostate, Selection, query::TimeRange, std::int64_t>;

/// An answer, or what is known of it so far. Immutable once published; its functions are for the
/// window's thread and read at most a few records.
struct Answer {
  AnswerRequest request;
  Table table;
  /// Where a click on a row leads; may be empty.
  std::function<RowTarget(std::size_t row, io::PageReader& reader)> target;
  /// Which row a selected span belongs to; may be empty.
  std::function<std::optional<std::size_t>(std::uint32_t track, std::uint32_t record,
                                           io::PageReader& reader)>
      row_of_span;
  /// Which kept range or own marker a row stands for, by its place in the request's notes; may be
  /// empty.
  std::function<std::optional<std::size_t>(std::size_t row)> note_of_row;
  std::shared_ptr<const TextLines> lines;  ///< Shown in place of the table; may be null.
  std::string headline;                    ///< What it says in all, beside the choices.
  std::string notice;  ///< What a reader has to know to read it right; may be empty.
  std::string error;   ///< Why there is no answer; a sentence.
  bool complete = true;
  std::uint64_t version = 0;                                         ///< Other rows, other version.
  std::shared_ptr<const query::SearchResult> search;                 ///< Of a search.
  std::shared_ptr<const std::vector<query::SearchHit>> listed_hits;  ///< Of its rows.
  std::shared_ptr<const query::Statistics> statistics;  ///< Of statistics; rows as in the table.
  query::StatisticsRequest statistics_request;          ///< That they answer.
  std::shared_ptr<const MemoryCharts> charts;           ///< Of compared memory.
};

using PublishAnswer = std::function<void(std::shared_ptr<const Answer>)>;

/// Alternatives of which one is chosen.
struct ChoiceGroup {
  const char* label;
  std::vector<std::string> (*options)(const trace::Trace& trace);
};

/// A tab of the bottom panel.
struct AnswerTab {
  AnswerKind kind;
  const char* id;  ///< As `screenshot --panel` names it.
  const char* title;
  const char* filter_hint;  ///< Null: no filter.
  bool has_toolbar;         ///< A field, choices or a headline stand over the table.
  std::vector<ChoiceGroup> choices;
  bool (*makes_sense)(const trace::Trace& trace);
  /// Answers on a worker's thread; publishes what is known so far as often as it likes.
  void (*make)(const AnswerRequest& request, const Cancel& cancel, const PublishAnswer& publish);
};

/// The table of all tabs, in the order shown and of AnswerKind.
std::span<const AnswerTab> answer_tabs();
const AnswerTab& answer_tab(AnswerKind kind);
/// The tab of that id; null when there is none.
const AnswerTab* answer_tab_named(std::string_view id);

/// What a tab offers for one trace.
struct TabMenu {
  bool makes_sense = false;
  std::vector<std::vector<std::string>> options;  ///< Of each group of choices.
};
using TabMenus = std::array<TabMenu, answer_kind_count>;
/// By AnswerKind. Costs O(tracks + markers): once a trace, not once a frame.
TabMenus tab_menus(const trace::Trace& trace);

/// Answers a request; fits LatestWorker.
void make_answer(const AnswerRequest& request, const Cancel& cancel, const PublishAnswer& publish);

// One function for each kind, in files of their names; ranges and markers: notes_answers.cpp;
// source and disassembly: program_answers.cpp.
void make_search_answer(const AnswerRequest&, const Cancel&, const PublishAnswer&);
void make_statistics_answer(const AnswerRequest&, const Cancel&, const PublishAnswer&);
void make_compare_answer(const AnswerRequest&, const Cancel&, const PublishAnswer&);
void make_gaps_answer(const AnswerRequest&, const Cancel&, const PublishAnswer&);
void make_live_answer(const AnswerRequest&, const Cancel&, const PublishAnswer&);
void make_peaks_answer(const AnswerRequest&, const Cancel&, const PublishAnswer&);
void make_steps_answer(const AnswerRequest&, const Cancel&, const PublishAnswer&);
void make_copies_answer(const AnswerRequest&, const Cancel&, const PublishAnswer&);
void make_instructions_answer(const AnswerRequest&, const Cancel&, const PublishAnswer&);
void make_source_answer(const AnswerRequest&, const Cancel&, const PublishAnswer&);
void make_disassembly_answer(const AnswerRequest&, const Cancel&, const PublishAnswer&);
void make_ranges_answer(const AnswerRequest&, const Cancel&, const PublishAnswer&);
void make_markers_answer(const AnswerRequest&, const Cancel&, const PublishAnswer&);
void make_cards_answer(const AnswerRequest&, const Cancel&, const PublishAnswer&);

/// The span tracks that statistics can be asked of alone: each is the choice behind the one before,
/// the first one behind the usual tracks (query::default_statistics_tracks). A choice is a byte.
std::vector<std::uint32_t> statistics_tracks(const trace::Trace& trace);
/// The choice that tells of the spans of a track: the usual tracks, where it is one of them.
std::uint8_t statistics_choice_of(const trace::Trace& trace, std::uint32_t track);

/// A row of the table of what devices can do.
struct CardRow {
  std::string family;
  const CardQuantity* quantity = nullptr;
};
std::vector<CardRow> card_rows(const trace::Trace& trace);

}  // namespace bytescope::app
