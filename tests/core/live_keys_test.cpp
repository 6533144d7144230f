#include "core/trace/live_keys.h"

#include <random>
#include <unordered_map>

#include <gtest/gtest.h>

namespace bytescope::trace {

TEST(LiveKeys, BehavesLikeAPlainMap) {
  for (const std::uint32_t range : {50U, 3000U, UINT32_MAX}) {
    std::mt19937 random(range);
    LiveKeys keys;
    std::unordered_map<std::uint32_t, std::uint32_t> plain;
    for (std::uint32_t i = 0; i < 20'000; ++i) {
      const auto key = static_cast<std::uint32_t>(random() % range);
      if (random() % 2 == 0) {
        ASSERT_EQ(keys.insert(key, i), plain.emplace(key, i).second);
      } else {
        const auto found = plain.find(key);
        ASSERT_EQ(keys.take(key), found == plain.end() ? UINT32_MAX : found->second);
        plain.erase(key);
      }
    }
  }
}

}  // namespace bytescope::trace
