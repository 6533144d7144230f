#include "core/generate/host_tracks.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "core/generate/device_tracks.h"
#include "core/generate/random.h"

namespace bytescope::generate {
namespace {

constexpr std::uint64_t user_stream = 3;
constexpr std::uint64_t compiler_stream = 4;

/// How a level of nested spans is cut up.
struct Level {
  std::uint64_t spans_in_group;  ///< A group is one span with so many below it, about.
  std::uint64_t most_groups;
};

constexpr std::array<Level, 3> user_levels = {{{60, 1}, {12, 4}, {6, 50}}};
constexpr std::array<Level, 5> compiler_levels = {{{60, 50}, {12, 8}, {8, 6}, {5, 5}, {3, 4}}};

/// Makes nested spans, depth first, which is the order of their starts.
class HostTrack {
public:
  HostTrack(const Catalog& catalog, const std::vector<std::vector<std::uint32_t>>& names,
            std::span<const Level> levels, Random random, Receiver& receiver)
      : catalog_(catalog), names_(names), levels_(levels), random_(random), receiver_(receiver) {}
  virtual ~HostTrack() = default;
  HostTrack(const HostTrack&) = delete;
  HostTrack& operator=(const HostTrack&) = delete;
  HostTrack(HostTrack&&) = delete;
  HostTrack& operator=(HostTrack&&) = delete;

  /// `count` spans inside `window`, the outermost at depth `level`.
  void fill(Window window, std::uint64_t count, std::size_t level) {
    const bool innermost = level >= levels_.size();
    const std::uint64_t groups =
        innermost ? count
                  : std::clamp<std::uint64_t>(count / levels_[level].spans_in_group, 1,
                                              levels_[level].most_groups);
    if (count == 0 || !receiver_.goes_on()) return;
    const std::int64_t slot = window.length_ns / static_cast<std::int64_t>(groups);
    for (std::uint64_t group = 0; group < groups; ++group) {
      const std::uint64_t below = count * (group + 1) / groups - count * group / groups - 1;
      const Window outer = shaken(
          {window.begin_ns + slot * static_cast<std::int64_t>(group), std::max(slot, min_ns)});
      span(outer, level);
      if (below == 0) continue;
      fill({outer.begin_ns + outer.length_ns / 64, outer.length_ns - outer.length_ns / 32}, below,
           level + 1);
    }
  }

protected:
  const Catalog& catalog() const { return catalog_; }
  Random& random() { return random_; }

  /// Gives a span at depth `level` its name and what else it has.
  virtual void describe(bytepack::SpanRecord& span, std::size_t level) {
    const std::vector<std::uint32_t>& names = names_[level];
    span.name = names[random_.below(static_cast<std::uint32_t>(names.size()))];
  }

private:
  static constexpr std::int64_t min_ns = 1;

  /// A part of `window` that leaves a little of it free at both ends.
  Window shaken(Window window) {
    const std::int64_t late = window.length_ns / 16 * random_.below(256) / 256;
    const std::int64_t early = window.length_ns / 4 * random_.below(256) / 256;
    return {window.begin_ns + late, std::max(window.length_ns - late - early, min_ns)};
  }

  void span(Window window, std::size_t level) {
    bytepack::SpanRecord span = span_of(window.begin_ns, window.length_ns);
    span.info = catalog_.no_info();
    describe(span, level);
    receiver_.span(span);
  }

  const Catalog& catalog_;
  const std::vector<std::vector<std::uint32_t>>& names_;
  std::span<const Level> levels_;
  Random random_;
  Receiver& receiver_;
};

class UserTrack final : public HostTrack {
public:
  UserTrack(const Plan& plan, const Catalog& catalog, Receiver& receiver)
      : HostTrack(catalog, catalog.user_names(), user_levels,
                  Random(plan.options().seed, user_stream), receiver),
        plan_(plan) {}

  void make() {
    const std::uint64_t count = plan_.user_spans();
    const std::uint64_t at_startup = count / 20;
    fill(plan_.startup(), at_startup, 0);
    for (std::uint32_t step = 0; step < plan_.steps(); ++step) {
      step_ = step;
      const std::uint64_t in_steps = count - at_startup;
      fill(plan_.step(step),
           in_steps * (step + 1) / plan_.steps() - in_steps * step / plan_.steps(), 0);
    }
  }

private:
  void describe(bytepack::SpanRecord& span, std::size_t level) override {
    HostTrack::describe(span, level);
    if (level == 0 && step_) span.name = catalog().step_name(*step_);
    const std::vector<std::uint32_t>& stacks = catalog().call_stacks();
    if (level == 0 || stacks.empty() || !random().once_in(8)) return;
    span.info = stacks[random().below(static_cast<std::uint32_t>(stacks.size()))];
  }

  const Plan& plan_;
  std::optional<std::uint32_t> step_;
};

class CompilerTrack final : public HostTrack {
public:
  CompilerTrack(const Plan& plan, const Catalog& catalog, Receiver& receiver)
      : HostTrack(catalog, catalog.compiler_names(), compiler_levels,
                  Random(plan.options().seed, compiler_stream), receiver),
        plan_(plan),
        next_ref_(catalog.kernels().empty() ? 0 : catalog.kernels().back().ref + 1) {}

  void make() {
    const std::uint64_t count = plan_.compiler_spans();
    const std::uint64_t at_startup = (count + 1) / 2;
    fill(plan_.startup(), at_startup, 0);
    for (std::uint32_t step = 0; step < plan_.steps(); ++step) {
      const std::uint64_t in_steps = count - at_startup;
      Window window = plan_.step(step);
      window.length_ns /= 3;
      fill(window, in_steps * (step + 1) / plan_.steps() - in_steps * step / plan_.steps(), 0);
    }
  }

private:
  void describe(bytepack::SpanRecord& span, std::size_t level) override {
    HostTrack::describe(span, level);
    if (level == 0) span.ref = schedules_ < 2 ? schedules_ : next_ref_++;
    if (level == 0) ++schedules_;
    // The first spans of this depth compile the kernels, each once.
    if (level != 1 || compiled_ == catalog().kernels().size()) return;
    const Kernel& kernel = catalog().kernels()[compiled_++];
    span.name = kernel.compile_name;
    span.ref = kernel.ref;
    if (plan_.dialect().span.category >= 0) span.category = std::uint8_t{0};
  }

  const Plan& plan_;
  std::uint32_t schedules_ = 0;
  std::uint32_t next_ref_;
  std::size_t compiled_ = 0;
};

}  // namespace

void make_user(const Plan& plan, const Catalog& catalog, Receiver& receiver) {
  UserTrack(plan, catalog, receiver).make();
}

void make_compiler(const Plan& plan, const Catalog& catalog, Receiver& receiver) {
  CompilerTrack(plan, catalog, receiver).make();
}

}  // namespace bytescope::generate
