// What every answer must hold, whatever is asked: cells, rows that lead somewhere, endings.

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/answers/answer.h"
#include "core/generate/generate.h"
#include "core/trace/loader.h"
#include "tests/app/published_answers.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_maker.h"

namespace bytescope::app {
namespace {

using tests::answer_to;
using tests::Answers;
using tests::answers_to;

/// Every choice of every tab.
std::vector<AnswerRequest> all_requests(const std::shared_ptr<const trace::Trace>& trace) {
  std::vector<AnswerRequest> all;
  const query::TimeRange whole{0, trace::ns_from_unit(trace->frame.duration_us)};
  for (const AnswerTab& tab : answer_tabs()) {
    AnswerRequest asked;
    asked.kind = tab.kind;
    asked.trace = trace;
    asked.text = "e";
    asked.notes = {{{whole.end_ns / 3, "own"}}, {{{whole.end_ns / 4, whole.end_ns / 2}, "kept"}}};
    asked.other_range = {whole.begin_ns, whole.end_ns / 2};
    asked.time_ns = whole.end_ns / 2;
    std::vector<Choices> choices = {{}};
    for (std::size_t group = 0; group < tab.choices.size(); ++group) {
      const std::size_t options = tab.choices[group].options(*trace).size();
      std::vector<Choices> more;
      for (const Choices& of : choices) {
        for (std::size_t i = 0; i < std::min<std::size_t>(std::max<std::size_t>(options, 1), 4);
             ++i) {
          more.push_back(of);
          more.back()[group] = static_cast<std::uint8_t>(i);
        }
      }
      choices = more;
    }
    for (const Choices& chosen : choices) {
      asked.choices = chosen;
      asked.whole = chosen[0] == 0 && tab.kind != AnswerKind::compare;
      asked.range = {whole.end_ns / 2, whole.end_ns * 3 / 4};
      all.push_back(asked);
    }
  }
  return all;
}

std::string name_of(const AnswerRequest& request) {
  return fmt::format("{} {} {} {}", answer_tab(request.kind).id, request.choices[0],
                     request.choices[1], request.choices[2]);
}

/// A trace with everything that the generator makes.
std::shared_ptr<const trace::Trace> generated() {
  const tests::TemporaryFolder folder;
  const std::string path = folder / "a.bin";
  generate::Options options;
  options.events = 8000;
  options.devices = 2;
  EXPECT_TRUE(generate::write_trace(path, options, Cancel()));
  auto loaded = trace::load_trace(path, {}, never);
  if (!loaded) throw std::runtime_error(loaded.error().message);
  return *loaded;
}

/// Where a row leads is there.
void expect_leads_somewhere(const RowTarget& target, const trace::Trace& trace,
                            io::PageReader& reader) {
  const std::int64_t end = trace::ns_from_unit(trace.frame.duration_us);
  if (const auto* selection = std::get_if<Selection>(&target)) {
    ASSERT_LT(selection->track, trace.tracks.size());
    const bool is_span = selection->kind == Selection::Kind::span;
    EXPECT_EQ(*selection, is_span
                              ? span_selection(trace, reader, selection->track, selection->number)
                              : buffer_selection(trace, selection->track, selection->number));
  } else if (const auto* range = std::get_if<query::TimeRange>(&target)) {
    EXPECT_LT(range->begin_ns, range->end_ns);
    EXPECT_GE(range->begin_ns, 0);
    EXPECT_LE(range->end_ns, end);
  } else if (const auto* time = std::get_if<std::int64_t>(&target)) {
    EXPECT_GE(*time, 0);
    EXPECT_LE(*time, end);
  }
}

TEST(Answers, OfAGeneratedTraceTellEveryCellAndLeadSomewhere) {
  const auto trace = generated();
  io::PageReader reader(trace->file);
  for (const AnswerRequest& asked : all_requests(trace)) {
    SCOPED_TRACE(name_of(asked));
    if (!answer_tab(asked.kind).makes_sense(*trace)) continue;
    const Answers all = answers_to(asked);
    ASSERT_FALSE(all.empty());
    EXPECT_TRUE(all.back()->complete);
    for (const auto& answer : all) {
      EXPECT_EQ(answer->error, "");
      EXPECT_TRUE(answer->request.same_question(asked));
      TableView view;
      view.follow(answer->table, answer->version);
      const std::string tsv =
          answer->table.columns.empty() ? "" : table_as_tsv(answer->table, view);
      // Of a search the rows that belong to this order.
      const std::size_t shown =
          answer->search ? answer->search->by_time.size() : answer->table.row_count;
      if (!tsv.empty())
        EXPECT_EQ(std::count(tsv.begin(), tsv.end(), '\n'), static_cast<std::ptrdiff_t>(shown + 1));
      const std::size_t step = std::max<std::size_t>(answer->table.row_count / 50, 1);
      for (std::size_t row = 0; row < answer->table.row_count; row += step) {
        for (std::size_t i = 0; i < answer->table.columns.size(); ++i) answer->table.text(row, i);
        if (answer->target) expect_leads_somewhere(answer->target(row, reader), *trace, reader);
        if (answer->table.share) {
          EXPECT_GE(answer->table.share(row), 0);
          EXPECT_LE(answer->table.share(row), 1);
        }
      }
    }
  }
}

TEST(Answers, OfAnEmptyTraceAreEmpty) {
  const auto trace = tests::load_description({});
  for (const AnswerRequest& asked : all_requests(trace)) {
    SCOPED_TRACE(name_of(asked));
    for (const auto& answer : answers_to(asked)) {
      for (std::size_t row = 0; row < answer->table.row_count; ++row)
        for (std::size_t i = 0; i < answer->table.columns.size(); ++i) answer->table.text(row, i);
    }
  }
}

TEST(Answers, OfACancelledQuestionAreNoneOrRight) {
  const auto trace = generated();
  for (const AnswerRequest& asked : all_requests(trace)) {
    SCOPED_TRACE(name_of(asked));
    const std::size_t rows = answer_to(asked)->table.row_count;
    Cancel cancel;
    cancel.request();
    for (const auto& answer : answers_to(asked, cancel)) {
      EXPECT_EQ(answer->error, "");
      if (answer->complete) {
        EXPECT_EQ(answer->table.row_count, rows);
      }
    }
    // Cancelled in the middle: after the first part was told.
    Cancel later;
    std::size_t complete = 0;
    std::size_t told = 0;
    make_answer(asked, later, [&](const std::shared_ptr<const Answer>& answer) {
      later.request();
      ++told;
      if (answer->complete) {
        ++complete;
        EXPECT_EQ(answer->table.row_count, rows);
      }
    });
    if (told > 1) {
      EXPECT_EQ(complete, 0U) << "told after it was cancelled";
    }
  }
}

}  // namespace

}  // namespace bytescope::app
