#include "render/time_axis.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "core/query/clock_time.h"
#include "render/time_text.h"

namespace bytescope::render {
namespace {

constexpr std::int64_t microsecond = 1000;
constexpr std::int64_t millisecond = 1000 * microsecond;
constexpr std::int64_t second = 1000 * millisecond;
constexpr std::int64_t minute = 60 * second;
constexpr std::int64_t cycle = 1000;

constexpr std::int64_t least_step = 10;
constexpr std::int64_t greatest_step = 1'000'000'000'000'000'000;

/// The step after `step` in 1, 2, 5, 10 …; a step's first digit tells where it stands.
std::int64_t next_decimal_step(std::int64_t step) {
  std::int64_t digit = step;
  while (digit >= 10) digit /= 10;
  return digit == 2 ? step / 2 * 5 : step * 2;
}

/// The same until 5 s, then in parts and multiples of minutes.
std::int64_t next_clock_step(std::int64_t step) {
  constexpr std::array<std::int64_t, 9> clock = {10 * second, 20 * second, 30 * second,
                                                 minute,      2 * minute,  5 * minute,
                                                 10 * minute, 20 * minute, 30 * minute};
  if (step < clock.front()) return next_decimal_step(step);
  const auto* const found = std::upper_bound(clock.begin(), clock.end(), step);
  return found == clock.end() ? step * 2 : *found;
}

std::int64_t next_step(std::int64_t step, trace::Unit unit) {
  return unit == trace::Unit::cycles ? next_decimal_step(step) : next_clock_step(step);
}

std::int64_t step_for(double least_ns, trace::Unit unit) {
  std::int64_t step = least_step;
  while (static_cast<double>(step) < least_ns && step < greatest_step) step = next_step(step, unit);
  return step;
}

std::int64_t major_step(std::int64_t step, trace::Unit unit) {
  std::int64_t major = step;
  while (major < 5 * step || major % step != 0) major = next_step(major, unit);
  return major;
}

/// How the labels of one axis are written: as times, or as multiples of a unit since an anchor.
struct LabelForm {
  std::int64_t unit_ns = 0;  ///< 0: as times.
  const char* unit_text = "";
  int decimals = 0;
  std::int64_t anchor_ns = 0;
  std::int64_t anchor_step_ns = second;  ///< The anchor is a multiple of it.
};

int decimals_for(std::int64_t step, std::int64_t unit_ns) {
  if (step >= unit_ns) return 0;
  return step % (unit_ns / 10) == 0 ? 1 : 2;
}

LabelForm clock_form(std::int64_t step) {
  if (step >= 100 * millisecond) return {};
  if (step >= millisecond) return {millisecond, " ms"};
  return {microsecond, " µs", decimals_for(step, microsecond)};
}

LabelForm cycle_form(std::int64_t step, std::int64_t end_ns) {
  constexpr std::int64_t readable = 100'000'000;
  if (step >= 1'000'000 * cycle && end_ns >= readable * cycle) return {1'000'000 * cycle, " Mclk"};
  if (step >= 1000 * cycle && end_ns >= readable * cycle) return {1000 * cycle, " kclk"};
  return {cycle, " clk", decimals_for(step, cycle)};
}

/// Far from the origin, offsets from a round time nearby are shorter than times.
LabelForm form_for(std::int64_t step, std::int64_t begin_ns, std::int64_t end_ns,
                   trace::Unit unit) {
  const bool cycles = unit == trace::Unit::cycles;
  LabelForm form = cycles ? cycle_form(step, end_ns) : clock_form(step);
  const std::int64_t readable = cycles ? (form.decimals > 0 ? 1'000'000 : 100'000'000) : 100'000;
  if (form.unit_ns == 0 || end_ns / form.unit_ns < readable) return form;
  form.anchor_step_ns = form.decimals > 0 ? form.unit_ns : 1000 * form.unit_ns;
  form.anchor_ns = begin_ns / form.anchor_step_ns * form.anchor_step_ns;
  return form;
}

std::string label_of(std::int64_t time_ns, std::int64_t step, const LabelForm& form,
                     trace::Unit unit) {
  if (form.unit_ns == 0) return time_text(time_ns, unit, std::min(step, second));
  const std::string number =
      decimal_text(time_ns - form.anchor_ns, form.unit_ns, form.decimals) + form.unit_text;
  return form.anchor_ns > 0 ? "+" + number : number;
}

/// In a unit that suits it, with so many digits that `step_ns` makes a difference.
std::string real_time_text(double ns, double step_ns) {
  constexpr int most_decimals = 4;
  const double unit_ns = ns >= 1e6 ? 1e6 : ns >= 1e3 ? 1e3 : 1;
  const char* unit_text = ns >= 1e6 ? "ms" : ns >= 1e3 ? "µs" : "ns";
  int decimals = 0;
  double digit_ns = unit_ns;
  while (digit_ns > step_ns / 2 && decimals < most_decimals) {
    digit_ns /= 10;
    ++decimals;
  }
  return fmt::format("{:.{}f} {}", ns / unit_ns, decimals, unit_text);
}

void add_real_times(const trace::LineIndex& clock, TimeAxis& axis) {
  for (Tick& tick : axis.ticks) {
    const std::optional<double> real = query::real_ns(clock, tick.time_ns);
    if (!real) continue;
    const std::optional<double> next = query::real_ns(clock, tick.time_ns + axis.step_ns);
    const std::optional<double> before = query::real_ns(clock, tick.time_ns - axis.step_ns);
    const double step_ns = next ? *next - *real : before ? *real - *before : 1;
    tick.real = real_time_text(*real, step_ns);
  }
}

std::string anchor_text(const LabelForm& form, trace::Unit unit) {
  if (form.anchor_ns == 0) return {};
  return time_text(form.anchor_ns, unit, std::min(form.anchor_step_ns, second));
}

}  // namespace

TimeAxis time_axis(const Viewport& view, trace::Unit unit, const trace::LineIndex* clock) {
  TimeAxis axis;
  const double spacing_px =
      clock == nullptr ? TimeAxis::least_spacing_px : TimeAxis::least_clock_spacing_px;
  axis.step_ns = step_for(spacing_px * view.ns_per_px(), unit);
  const query::TimeRange window = view.window();
  const std::int64_t begin = std::max<std::int64_t>(window.begin_ns, 0);
  const LabelForm form = form_for(axis.step_ns, begin, window.end_ns, unit);
  axis.anchor = anchor_text(form, unit);
  const std::int64_t major = major_step(axis.step_ns, unit);
  std::int64_t time = (begin + axis.step_ns - 1) / axis.step_ns * axis.step_ns;
  for (; time < window.end_ns; time += axis.step_ns) {
    const double px = view.px_from_ns(time);
    if (px < 0) continue;
    if (px >= view.width_px()) break;
    axis.ticks.push_back(
        {px, time, label_of(time, axis.step_ns, form, unit), {}, time % major == 0});
  }
  if (clock != nullptr) add_real_times(*clock, axis);
  return axis;
}

}  // namespace bytescope::render
