#include "core/generate/run_keys.h"

#include <cstddef>

#include "core/generate/random.h"

namespace bytescope::generate {
namespace {

/// K: a run that buffers know begins; U: one that none knows; B: the batch; small letters: as the
/// kernel before.
constexpr std::string_view pattern = "KkkkkUuuKkkkkBbKkkkKkkkkUuuKkkkBb";
constexpr std::uint64_t known_in_pattern = 5;
constexpr std::uint32_t first_key = 100;
constexpr std::uint64_t run_key_stream = 2;

constexpr std::array<std::uint64_t, known_in_pattern> known_places() {
  std::array<std::uint64_t, known_in_pattern> places{};
  std::size_t count = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == 'K') places[count++] = i;
  }
  return places;
}

/// How many kernels back the announcement lies; none where the batch itself was announced.
constexpr std::array<std::optional<std::uint64_t>, pattern.size()> announced() {
  std::array<std::optional<std::uint64_t>, pattern.size()> back{};
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    std::size_t start = i;
    while (pattern[start] >= 'a') --start;
    if (pattern[start] != 'B') back[i] = i - start;
  }
  return back;
}

constexpr auto places = known_places();
constexpr auto announcement = announced();

/// Known runs before place `place` of the endless pattern.
std::uint64_t known_before(std::uint64_t place) {
  std::uint64_t count = place / pattern.size() * known_in_pattern;
  for (const std::uint64_t known : places) count += known < place % pattern.size() ? 1 : 0;
  return count;
}

}  // namespace

RunKeys::RunKeys(const Plan& plan, std::uint32_t device, std::uint32_t batch)
    : offset_(Random(plan.options().seed, run_key_stream + std::uint64_t{device} * 1'000'003, batch)
                  .below(pattern.size())) {
  const std::uint64_t most = plan.most_kernels_in_batch();
  const std::uint64_t keys_of_batch = 1 + plan.options().devices * most;
  batch_key_ = static_cast<std::uint32_t>(first_key + batch * keys_of_batch);
  device_key_ = static_cast<std::uint32_t>(batch_key_ + 1 + device * most);
  const std::uint64_t total = plan.devices()[device].kernels;
  const std::uint64_t count = plan.before(total, batch + 1) - plan.before(total, batch);
  known_before_ = known_before(offset_);
  known_ = known_before(offset_ + count) - known_before_;
}

std::uint32_t RunKeys::key(std::uint64_t i) const {
  const std::optional<std::uint64_t> back = announcement[(offset_ + i) % pattern.size()];
  // The batch is announced before its first kernel.
  if (!back || *back > i) return batch_key_;
  return static_cast<std::uint32_t>(device_key_ + i - *back);
}

std::uint64_t RunKeys::first_kernel(std::uint64_t run) const {
  const std::uint64_t number = known_before_ + run;
  return number / known_in_pattern * pattern.size() + places[number % known_in_pattern] - offset_;
}

}  // namespace bytescope::generate
