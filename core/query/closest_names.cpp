#include "core/query/closest_names.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "core/query/fold_case.h"

namespace bytescope::query {
namespace {

constexpr std::size_t compared_bytes = 64;
constexpr std::size_t compared_names = 10'000;

std::string folded_head(std::string_view text) { return folded(text.substr(0, compared_bytes)); }

/// How many bytes must be inserted, deleted or replaced to make one text of the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

std::size_t distance(const std::string& wanted, const std::string& name) {
  const std::size_t edits = edit_distance(wanted, name);
  // Whoever types a part of a name usually means it.
  constexpr std::size_t of_a_part = 1;
  const bool is_part = !wanted.empty() && name.find(wanted) != std::string::npos;
  return is_part ? std::min(edits, of_a_part) : edits;
}

}  // namespace

std::vector<std::string> closest_names(std::string_view wanted,
                                       const std::vector<std::string>& names, std::size_t limit) {
  const std::string folded_wanted = folded_head(wanted);
  std::unordered_set<std::string_view> seen;
  std::vector<std::pair<std::size_t, const std::string*>> ranked;
  for (const std::string& name : names) {
    if (ranked.size() == compared_names) break;
    if (seen.insert(name).second)
      ranked.emplace_back(distance(folded_wanted, folded_head(name)), &name);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> closest;
  for (std::size_t i = 0; i < std::min(limit, ranked.size()); ++i)
    closest.push_back(*ranked[i].second);
  return closest;
}

std::string closest_names_text(std::string_view wanted, const std::vector<std::string>& names) {
  const std::vector<std::string> closest = closest_names(wanted, names);
  if (closest.empty()) return {};
  return fmt::format("; the closest {} \"{}\"", closest.size() == 1 ? "is" : "are",
                     fmt::join(closest, "\", \""));
}

}  // namespace bytescope::query
