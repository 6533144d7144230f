#include "core/generate/kernel_names.h"

#include <array>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

namespace bytescope::generate {
namespace {

constexpr std::array<std::string_view, 8> by_hand = {
    "fa_fwd",      "fa_bwd_dq",   "fa_bwd_dkv",      "rmsnorm_fwd",
    "rmsnorm_bwd", "custom_gemm", "cast_amax_mxfp8", "zero_grad"};

// Colours of the axes of a kernel.
constexpr int global = 34, local = 36, loop = 97, upcast = 33, reduce = 31, group_reduce = 91,
              unroll = 35, grey = 90;

std::string colored(std::string_view text, int color) {
  return fmt::format("\x1b[{}m{}\x1b[0m", color, text);
}

void append_axis(std::string& name, int color, std::uint32_t size) {
  name += colored("_", grey);
  name += colored(std::to_string(size), color);
}

std::uint32_t global_size(Random& random) {
  constexpr std::array<std::uint32_t, 20> sizes = {
      2, 3, 4, 8, 12, 16, 24, 28, 32, 48, 64, 96, 128, 192, 256, 512, 768, 1024, 2048, 50257};
  return sizes[random.below(sizes.size())];
}

std::uint32_t small_size(Random& random, std::uint32_t most_bits) {
  return 2U << random.below(most_bits);
}

std::string elementwise(Random& random) {
  if (random.once_in(16)) return "E";
  std::string name = "E";
  for (std::uint32_t i = 1 + random.below(3); i != 0; --i) {
    append_axis(name, global, global_size(random));
  }
  if (!random.once_in(4)) append_axis(name, local, small_size(random, 5));
  if (random.once_in(5)) append_axis(name, loop, global_size(random));
  if (!random.once_in(3)) append_axis(name, upcast, 2 + random.below(3));
  return name;
}

std::string reduction(Random& random) {
  std::string name = "r";
  for (std::uint32_t i = 1 + random.below(3); i != 0; --i) {
    append_axis(name, global, global_size(random));
  }
  const bool in_group = random.once_in(4);
  append_axis(name, in_group ? group_reduce : local, small_size(random, 5));
  if (random.once_in(2)) append_axis(name, local, small_size(random, 3));
  append_axis(name, reduce, global_size(random));
  if (random.once_in(2)) append_axis(name, upcast, 4);
  if (random.once_in(2)) append_axis(name, upcast, 2 + random.below(3));
  if (!random.once_in(3)) append_axis(name, unroll, small_size(random, 3));
  return name;
}

}  // namespace

std::vector<std::string> kernel_names(Random& random, std::size_t count) {
  std::vector<std::string> names;
  std::unordered_map<std::string, std::uint32_t> variants;
  while (names.size() < count) {
    const std::size_t i = names.size();
    if (i % 29 == 11 && i / 29 < by_hand.size()) {
      names.emplace_back(by_hand[i / 29]);
      continue;
    }
    std::string name = random.below(5) < 3 ? elementwise(random) : reduction(random);
    // Other code for the same sizes is a numbered variant of the name.
    const std::uint32_t most_variants = random.once_in(4) ? 1 + random.below(5) : 1;
    for (std::uint32_t v = 0; v < most_variants && names.size() < count; ++v) {
      const std::uint32_t number = variants[name]++;
      names.push_back(number == 0 ? name : name + colored(fmt::format("n{}", number), grey));
    }
  }
  return names;
}

}  // namespace bytescope::generate
