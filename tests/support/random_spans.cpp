#include "tests/support/random_spans.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>

namespace bytescope::tests {
namespace {

using bytepack::SpanDescription;

/// Makes the spans of one track.
class Maker {
public:
  Maker(std::uint32_t count, std::uint32_t seed, std::string info, std::uint32_t origin)
      : count_(count), random_(seed), info_(std::move(info)), now_(origin) {}

  std::vector<SpanDescription> make(SpanShape shape) {
    switch (shape) {
      case SpanShape::one_lane: return sequence(20, 40, 0);
      case SpanShape::nested: return nested();
      case SpanShape::many_lanes: return sequence(3, 200, 0);
      case SpanShape::hundreds: return sequence(1, 900, 0);
      case SpanShape::heavy_tailed: return heavy_tailed();
      case SpanShape::short_spans: return sequence(1, 0.95, 0.7);
      case SpanShape::same_time: return sequence(0, 0.9, 0);
      case SpanShape::giant_over_all: return giant_over_all();
      case SpanShape::bursts: return bursts();
      case SpanShape::no_duration: return sequence(4, 3, 0.5);
    }
    return {};
  }

private:
  /// Between 0 and `end`, in steps of 1/64.
  float fraction(double end) {
    std::uniform_int_distribution<int> steps(0, static_cast<int>(end * 64));
    return static_cast<float>(steps(random_)) / 64;
  }
  std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(random_() % end); }

  void add(std::uint32_t start, float duration) {
    static constexpr std::array<const char*, 10> names = {
        "r_64_4", "E_128", "copy 4096", "r_8", "E_3n1", "batched 12", "gemm", "E_64", "r_5n2", "x"};
    spans_.push_back({names[below(10)], start, duration, info_});
  }

  /// Starts up to `step` apart (with probability `still` not at all), durations up to `longest`.
  std::vector<SpanDescription> sequence(std::uint32_t step, double longest, double still) {
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (below(1000) >= still * 1000) now_ += below(step + 1);
      add(now_, fraction(longest));
    }
    return std::move(spans_);
  }

  std::vector<SpanDescription> nested() {
    while (spans_.size() < count_) {
      nest(5, 10'000);
      now_ += 1 + below(50);
    }
    spans_.resize(count_);
    return std::move(spans_);
  }

  /// A span of up to `longest` whole units with others inside; time moves to its end.
  void nest(int depth, std::uint32_t longest) {
    const std::uint32_t begin = now_;
    const std::uint32_t duration = 1 + below(longest + 1);
    add(begin, static_cast<float>(duration) + fraction(0.9));
    if (depth > 0) {
      while (duration > 2 && now_ + duration / 4 + 2 < begin + duration) {
        nest(depth - 1, duration / 4);
        now_ += below(3);
      }
    }
    now_ = begin + duration;
  }

  std::vector<SpanDescription> heavy_tailed() {
    for (std::uint32_t i = 0; i < count_; ++i) {
      const double u = (1.0 + below(999'999)) / 1e6;
      const auto duration = static_cast<float>(std::min(0.1 / u, 1e6));
      add(now_, duration);
      now_ += 1 + (below(4) == 0 ? static_cast<std::uint32_t>(duration) : below(3));
    }
    return std::move(spans_);
  }

  std::vector<SpanDescription> giant_over_all() {
    add(now_, static_cast<float>(count_) * 4);
    for (std::uint32_t i = 1; i < count_; ++i) {
      add(now_, fraction(3.9));
      now_ += 3 + below(2);
    }
    return std::move(spans_);
  }

  std::vector<SpanDescription> bursts() {
    while (spans_.size() < count_) {
      const std::uint32_t length = 1 + below(60);
      for (std::uint32_t i = 0; i < length && spans_.size() < count_; ++i) {
        add(now_, fraction(6));
        now_ += 5 + below(5);
      }
      now_ += 1'000'000 + below(4'000'000);
    }
    return std::move(spans_);
  }

  std::uint32_t count_;
  std::mt19937 random_;
  std::string info_;
  std::uint32_t now_;
  std::vector<SpanDescription> spans_;
};

}  // namespace

std::vector<SpanShape> span_shapes() {
  return {SpanShape::one_lane,   SpanShape::nested,         SpanShape::many_lanes,
          SpanShape::hundreds,   SpanShape::heavy_tailed,   SpanShape::short_spans,
          SpanShape::same_time,  SpanShape::giant_over_all, SpanShape::bursts,
          SpanShape::no_duration};
}

std::string name_of(SpanShape shape) {
  static constexpr std::array<const char*, 10> names = {
      "one_lane",    "nested",    "many_lanes",     "hundreds", "heavy_tailed",
      "short_spans", "same_time", "giant_over_all", "bursts",   "no_duration"};
  return names[static_cast<std::size_t>(shape)];
}

std::vector<SpanDescription> random_spans(SpanShape shape, std::uint32_t count, std::uint32_t seed,
                                          const std::string& info, std::uint32_t origin) {
  return Maker(count, seed, info, origin).make(shape);
}

}  // namespace bytescope::tests
