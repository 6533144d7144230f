#include "app/panels/histogram_panel.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/answers/answer_text.h"
#include "core/trace/units.h"

namespace bytescope::app {
namespace {

using query::DurationHistogram;
using query::DurationRange;
using render::Box;
using render::Face;

constexpr float title_px = 24;
constexpr float buttons_px = 28;
constexpr float scale_px = 20;
constexpr float least_height_px = 90;
constexpr int keys_place = 9;
constexpr int bars_place = 10;

/// Buttons that lead to the spans at the ends and in the middle.
std::optional<DurationPick> buttons(PanelWindow& window, const Box& box,
                                    const query::StatisticsRow& row, int first_place) {
  const std::array<std::pair<const char*, double>, 3> all = {
      {{"Shortest", row.shortest}, {"Median", row.p50}, {"Longest", row.longest}}};
  const float width = (box.width() - 16) / 3;
  std::optional<DurationPick> clicked;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const float x = box.x0 + static_cast<float>(i) * (width + 8);
    if (window.button({x, box.y0, x + width, box.y0 + 22}, first_place + static_cast<int>(i),
                      all[i].first))
      clicked = DurationPick{{all[i].second, all[i].second}};
  }
  return clicked;
}

/// Under the bars: what the one under the pointer, or under the keys, is, or the ends of the scale.
void scale(PanelWindow& window, const Box& box, trace::Unit unit,
           const DurationHistogram& histogram, const DurationHistogram::Bin* told) {
  const render::Theme& theme = window.theme();
  window.fill({box.x0, box.y1, box.x1, box.y1 + 1}, theme.border);
  const float y = box.y1 + 5;
  if (told != nullptr) {
    const DurationRange& durations = told->durations;
    window.text(
        box.x0, y, Face::ui_11,
        fmt::format("{} spans, {} to {}", trace::count_text(told->count),
                    units_text(durations.shortest, unit), units_text(durations.longest, unit)),
        theme.text);
    return;
  }
  window.text(box.x0, y, Face::ui_11, units_text(histogram.bin.front().durations.shortest, unit),
              theme.text_3);
  window.text_right(box.x1, y, Face::ui_11,
                    units_text(histogram.bin.back().durations.longest, unit), theme.text_3);
}

/// The bar that is `steps` bars with spans right of `bar`, which may have none itself: then the
/// nearest that has.
std::size_t stepped_bar(const DurationHistogram& histogram, std::size_t bar, int steps) {
  std::vector<std::size_t> with_spans;
  for (std::size_t i = 0; i < DurationHistogram::bins; ++i)
    if (histogram.bin[i].count > 0) with_spans.push_back(i);
  if (with_spans.empty()) return bar;
  const auto at = std::lower_bound(with_spans.begin(), with_spans.end(), bar) - with_spans.begin();
  const auto last = static_cast<std::ptrdiff_t>(with_spans.size()) - 1;
  return with_spans[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at + steps, 0, last))];
}

std::optional<DurationPick> bars(PanelWindow& window, const Box& box, trace::Unit unit,
                                 const DurationHistogram& histogram, std::size_t& at,
                                 int first_place) {
  const render::Theme& theme = window.theme();
  std::uint64_t most = 1;
  for (const auto& bin : histogram.bin) most = std::max(most, bin.count);
  const float step = box.width() / static_cast<float>(DurationHistogram::bins);
  const ControlFocus::Standing keys = window.stepped_place(first_place + keys_place);
  at = stepped_bar(histogram, at, keys.steps);
  std::optional<DurationPick> clicked;
  if (keys.is_pressed) clicked = DurationPick{histogram.bin[at].durations, histogram.bin[at].count};
  const DurationHistogram::Bin* told = keys.has_focus ? &histogram.bin[at] : nullptr;
  for (std::size_t i = 0; i < DurationHistogram::bins; ++i) {
    const auto& bin = histogram.bin[i];
    if (bin.count == 0) continue;
    const float x = box.x0 + static_cast<float>(i) * step;
    const Box place{x, box.y0, x + step, box.y1};
    const auto over = window.place(place, first_place + bars_place + static_cast<int>(i),
                                   PanelWindow::Reach::pointer);
    if (over.clicked) clicked = DurationPick{bin.durations, bin.count};
    if (over.hovered) told = &bin;
    if (keys.has_focus && i == at) window.ring({x - 2, place.y0, x + step + 1, place.y1});
    // A single span among millions is still seen.
    const float height =
        std::max(box.height() * static_cast<float>(bin.count) / static_cast<float>(most), 2.0F);
    window.fill({x, box.y1 - height, x + std::max(step - 1, 1.0F), box.y1},
                told == &bin ? theme.text : theme.accent);
  }
  scale(window, box, unit, histogram, told);
  return clicked;
}

}  // namespace

std::optional<DurationPick> histogram_panel(PanelWindow& window, const Box& box,
                                            const ShownHistogram& shown, std::size_t& bar,
                                            int first_place) {
  const auto& [answer, row, histogram] = shown;
  if (!answer.statistics || row >= answer.statistics->rows.size() || box.height() < least_height_px)
    return std::nullopt;
  const query::StatisticsRow& of = answer.statistics->rows[row];
  const render::Theme& theme = window.theme();
  window.fill({box.x0 - 1, box.y0, box.x0, box.y1}, theme.border);
  const Box inner{box.x0 + 12, box.y0, box.x1 - 8, box.y1};
  window.text_within(inner.x0, inner.y0 + 6, inner.width(), Face::mono_11,
                     colored_pieces(theme, of.raw_name, theme.text));
  const Box button_row{inner.x0, inner.y0 + title_px, inner.x1, inner.y0 + title_px + buttons_px};
  const auto by_button = buttons(window, button_row, of, first_place);
  const Box bar_box{inner.x0, button_row.y1 + 2, inner.x1, inner.y1 - scale_px};
  if (histogram == nullptr) {
    window.text(inner.x0, bar_box.y0 + 8, Face::ui_11, "working\u2026", theme.text_3);
    return by_button;
  }
  const auto by_bar =
      bars(window, bar_box, answer.request.trace->unit, *histogram, bar, first_place);
  return by_bar ? by_bar : by_button;
}

}  // namespace bytescope::app
