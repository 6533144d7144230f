#pragma once

#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "app/answers/answer.h"
#include "core/cancel.h"

namespace bytescope::tests {

using Answers = std::vector<std::shared_ptr<const app::Answer>>;

/// All that is published.
inline Answers answers_to(const app::AnswerRequest& request, const Cancel& cancel = Cancel()) {
  Answers all;
  app::make_answer(request, cancel, [&](std::shared_ptr<const app::Answer> answer) {
    all.push_back(std::move(answer));
  });
  return all;
}

/// The last that is published; a failure when there is none.
inline std::shared_ptr<const app::Answer> answer_to(const app::AnswerRequest& request) {
  const Answers all = answers_to(request);
  if (all.empty()) throw std::runtime_error("nothing was published");
  return all.back();
}

}  // namespace bytescope::tests
