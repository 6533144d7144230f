#include <memory>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "app/answers/answer.h"
#include "app/answers/answer_text.h"
#include "core/query/links.h"
#include "core/query/track_record.h"
#include "core/trace/info_facts.h"
#include "core/trace/units.h"

namespace bytescope::app {
namespace {

/// An instruction of the program and the spans that executed it.
struct Instruction {
  std::uint64_t counter = 0;
  std::string text;
  std::uint64_t count = 0;
  double total = 0;  ///< In the trace's unit.
  std::optional<query::TrackRecord> first;
};

/// Program counters told by infos, each info read once.
class Counters {
public:
  explicit Counters(const trace::Trace& trace) : trace_(trace), reader_(trace.file) {}

  std::optional<std::uint64_t> of(std::uint32_t info) {
    const auto found = known_.find(info);
    if (found != known_.end()) return found->second;
    if (known_.size() >= most_known) known_.clear();
    const auto counter = trace::parse_info(trace_.text(reader_, info)).program_counter;
    known_.emplace(info, counter);
    return counter;
  }

private:
  static constexpr std::size_t most_known = 1 << 18;
  const trace::Trace& trace_;
  io::PageReader reader_;
  std::unordered_map<std::uint32_t, std::optional<std::uint64_t>> known_;
};

using Places = std::unordered_map<std::uint64_t, std::size_t>;

void add_spans(const trace::Trace& trace, std::uint32_t track, Counters& counters,
               const Places& places, std::vector<Instruction>& instructions, const Cancel& cancel) {
  io::PageReader reader(trace.file);
  for (std::uint32_t i = 0; i < trace.tracks[track].head.count; ++i) {
    if (i % 4096 == 0 && cancel.requested()) return;
    const bytepack::SpanRecord span = trace.span(reader, track, i);
    const auto counter = counters.of(span.info);
    const auto place = counter ? places.find(*counter) : places.end();
    if (place == places.end()) continue;
    Instruction& instruction = instructions[place->second];
    ++instruction.count;
    instruction.total += double{span.duration};
    if (!instruction.first) instruction.first = query::TrackRecord{track, i};
  }
}

std::vector<Instruction> instructions_of(const trace::Trace& trace, const Cancel& cancel) {
  std::vector<Instruction> instructions;
  Places places;
  for (const auto& [counter, text] : trace.index->pc_map) {
    places.emplace(counter, instructions.size());
    instructions.push_back({counter, text, 0, 0, std::nullopt});
  }
  Counters counters(trace);
  for (std::uint32_t i = 0; i < trace.tracks.size(); ++i)
    if (trace.tracks[i].spans) add_spans(trace, i, counters, places, instructions, cancel);
  return instructions;
}

using InstructionRows = std::shared_ptr<const std::vector<Instruction>>;

double number(const Instruction& of, std::size_t column) {
  if (column == 1) return static_cast<double>(of.counter);
  if (column == 2) return static_cast<double>(of.count);
  if (of.count == 0) return number_or_nan(std::nullopt);
  return column == 3 ? of.total : of.total / static_cast<double>(of.count);
}

/// What a span's info tells; of an execution that tells none, what its cause's does.
std::optional<std::uint64_t> counter_of(const trace::Trace& trace, io::PageReader& reader,
                                        const query::TrackRecord& of) {
  const auto told = [&](const query::TrackRecord& at) {
    const bytepack::SpanRecord span = trace.span(reader, at.track, at.record);
    return trace::parse_info(trace.text(reader, span.info)).program_counter;
  };
  if (const auto counter = told(of)) return counter;
  const auto cause = query::cause_of_span(trace, reader, of.track, of.record);
  return cause ? told(*cause) : std::nullopt;
}

void link(Answer& answer, const std::shared_ptr<const trace::Trace>& trace,
          const InstructionRows& rows) {
  answer.target = [rows, trace](std::size_t row, io::PageReader& reader) -> RowTarget {
    const auto& first = (*rows)[row].first;
    return first ? span_target(*trace, reader, first->track, first->record) : RowTarget();
  };
  answer.row_of_span = [rows, trace](std::uint32_t track, std::uint32_t record,
                                     io::PageReader& reader) -> std::optional<std::size_t> {
    const auto counter = counter_of(*trace, reader, {track, record});
    for (std::size_t row = 0; counter && row < rows->size(); ++row)
      if ((*rows)[row].counter == *counter) return row;
    return std::nullopt;
  };
}

}  // namespace

void make_instructions_answer(const AnswerRequest& request, const Cancel& cancel,
                              const PublishAnswer& publish) {
  const std::shared_ptr<const trace::Trace>& trace = request.trace;
  const InstructionRows rows =
      std::make_shared<const std::vector<Instruction>>(instructions_of(*trace, cancel));
  if (cancel.requested()) return;
  const std::shared_ptr<Answer> answer = new_answer(request);
  const std::string u = "_" + unit_suffix(trace->unit);
  answer->table.columns = {
      text_column("Instruction", "instruction", 0), number_column("Counter", "pc", 100),
      number_column("Executed", "count", 88), number_column("In all", "total" + u, 100),
      number_column("Mean", "mean" + u, 100)};
  answer->table.row_count = rows->size();
  answer->table.number = [rows](std::size_t row, std::size_t column) {
    return number((*rows)[row], column);
  };
  answer->table.text = [rows, trace](std::size_t row, std::size_t column) {
    const Instruction& of = (*rows)[row];
    if (column == 0) return of.text;
    if (column == 1) return fmt::format("{:#x}", of.counter);
    if (column == 2) return trace::count_text(of.count);
    return units_text(number(of, column), trace->unit);
  };
  link(*answer, trace, rows);
  publish(answer);
}

}  // namespace bytescope::app
