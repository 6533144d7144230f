#include "app/notice.h"

#include <algorithm>
#include <utility>

namespace bytescope::app {
namespace {
/// Long enough to notice and read a sentence.
constexpr double shown_for_s = 6;
}  // namespace

void Notice::tell(std::string text, bool is_good) {
  text_ = std::move(text);
  is_good_ = is_good;
  shown_since_s_.reset();
}

void Notice::move_on(double now_s) {
  if (text_.empty()) return;
  if (!shown_since_s_) shown_since_s_ = now_s;
  if (is_good_ && now_s - *shown_since_s_ >= shown_for_s) clear();
}

std::optional<double> Notice::goes_in_s(double now_s) const {
  if (text_.empty() || !is_good_) return std::nullopt;
  return std::max(shown_since_s_.value_or(now_s) + shown_for_s - now_s, 0.0);
}

}  // namespace bytescope::app
