#include "app/merge_form.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/offset_text.h"

namespace bytescope::app {

void MergeForm::begin(const std::vector<std::string>& names,
                      const std::vector<std::int64_t>& offsets_us) {
  rows_.clear();
  before_us_.clear();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::int64_t offset_us = i < offsets_us.size() ? offsets_us[i] : 0;
    rows_.push_back({names[i], offset_text(offset_us), offset_us, false});
    before_us_.push_back(offset_us);
  }
}

void MergeForm::set_text(std::size_t row, std::string text) {
  if (row >= rows_.size()) return;
  Row& changed = rows_[row];
  changed.text = std::move(text);
  const auto offset_us = offset_from_text(changed.text);
  changed.is_wrong = !offset_us;
  if (offset_us) changed.offset_us = *offset_us;
}

bool MergeForm::is_changed() const {
  const auto offsets = offsets_us();
  return offsets && *offsets != before_us_;
}

std::string MergeForm::notice() const {
  const auto wrong =
      std::find_if(rows_.begin(), rows_.end(), [](const Row& row) { return row.is_wrong; });
  if (wrong == rows_.end()) return {};
  return fmt::format("The offset of {} is no time: a number with ns, us, ms or s", wrong->name);
}

std::optional<std::vector<std::int64_t>> MergeForm::offsets_us() const {
  std::vector<std::int64_t> offsets;
  for (const Row& row : rows_) {
    if (row.is_wrong) return std::nullopt;
    offsets.push_back(row.offset_us);
  }
  return offsets;
}

}  // namespace bytescope::app
