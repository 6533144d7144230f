#include <memory>
#include <string>

#include <fmt/format.h>

#include "app/answers/answer.h"
#include "app/answers/answer_text.h"
#include "core/trace/ansi.h"
#include "core/trace/units.h"

namespace bytescope::app {
namespace {

void make_program_answer(const AnswerRequest& request, net::TextKind kind, const Cancel& cancel,
                         const PublishAnswer& publish) {
  if (!request.programs || !request.program) {
    const std::shared_ptr<Answer> answer = new_answer(request);
    answer->headline = "Select a kernel whose program is known";
    return publish(answer);
  }
  const auto text = request.programs->text(*request.program, kind, cancel);
  if (!text) {
    Error error = text.error();
    if (!error.path.empty()) error.message += ": " + error.path;
    return publish_failure(request, error, publish);
  }
  const std::shared_ptr<Answer> answer = new_answer(request);
  answer->lines = std::make_shared<const TextLines>((*text)->text);
  const std::string name = trace::single_line(trace::plain_text((*text)->program));
  const std::size_t lines = answer->lines->size();
  answer->headline = fmt::format("{}  \u00B7  program {}  \u00B7  {} {}", name, *request.program,
                                 trace::count_text(lines), lines == 1 ? "line" : "lines");
  publish(answer);
}

}  // namespace

void make_source_answer(const AnswerRequest& request, const Cancel& cancel,
                        const PublishAnswer& publish) {
  make_program_answer(request, net::TextKind::source, cancel, publish);
}

void make_disassembly_answer(const AnswerRequest& request, const Cancel& cancel,
                             const PublishAnswer& publish) {
  make_program_answer(request, net::TextKind::disassembly, cancel, publish);
}

}  // namespace bytescope::app
