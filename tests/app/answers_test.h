#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "app/answers/answer.h"
#include "tests/app/answer_trace.h"
#include "tests/app/published_answers.h"
#include "tests/support/trace_maker.h"

namespace bytescope::app {

constexpr std::int64_t us = 1000;
constexpr std::int64_t ms = 1000 * us;
constexpr std::uint32_t device = 1;
constexpr std::uint32_t memory = 3;

/// The texts of a column, row by row.
inline std::vector<std::string> column(const Answer& answer, std::size_t number) {
  std::vector<std::string> cells;
  for (std::size_t row = 0; row < answer.table.row_count; ++row)
    cells.push_back(answer.table.text(row, number));
  return cells;
}

/// What a column sorts by, row by row.
inline std::vector<double> numbers(const Answer& answer, std::size_t number) {
  std::vector<double> cells;
  for (std::size_t row = 0; row < answer.table.row_count; ++row)
    cells.push_back(answer.table.number(row, number));
  return cells;
}

/// A trace of which answers can be told in the head, and questions about it.
class AnswersTest : public testing::Test {
protected:
  AnswersTest() : trace(tests::load_description(tests::answer_trace())), reader(trace->file) {}

  AnswerRequest request(AnswerKind kind) const {
    AnswerRequest asked;
    asked.kind = kind;
    asked.trace = trace;
    return asked;
  }
  std::shared_ptr<const Answer> searched(const std::string& text) const {
    AnswerRequest asked = request(AnswerKind::search);
    asked.text = text;
    return tests::answer_to(asked);
  }
  AnswerRequest within(AnswerKind kind, std::int64_t begin, std::int64_t end) const {
    AnswerRequest asked = request(kind);
    asked.range = {begin, end};
    asked.whole = false;
    return asked;
  }
  RowTarget span(std::uint32_t track, std::uint32_t record) {
    return span_selection(*trace, reader, track, record);
  }
  RowTarget target(const Answer& answer, std::size_t row) { return answer.target(row, reader); }

  std::shared_ptr<const trace::Trace> trace;
  io::PageReader reader;
};

}  // namespace bytescope::app
