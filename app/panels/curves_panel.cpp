#include "app/panels/curves_panel.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>

#include "app/answers/answer_text.h"
#include "core/trace/units.h"
#include "render/memory_paint.h"
#include "render/time_axis.h"
#include "render/time_text.h"
#include "render/viewport.h"

namespace bytescope::app {
namespace {

using query::PeakOf;
using query::TotalCurve;
using render::Box;
using render::Color;
using render::Face;

constexpr float line_px = 16;
constexpr float side_px = 12;
constexpr float least_height_px = 110;
constexpr float dash_px = 5;
constexpr float dash_gap_px = 3;
constexpr float peak_px = 3;
/// Air above the higher peak, for its mark.
constexpr float air_px = 8;
/// Left of the plot, for what bytes are called; they stand at least so far apart.
constexpr float byte_labels_px = 56;
constexpr double byte_step_px = 24;
/// What a key moves by.
constexpr float key_step_px = 8;

/// Draws one chart: both sides on the time of B.
class ChartPainter {
public:
  ChartPainter(PanelWindow& window, const Box& box, const MemoryCharts& charts,
               const MemoryChart& chart, std::int64_t shift_ns);

  void axes();
  void area_of_b();
  void line_of_a();
  void peaks();
  /// The last line tells how both lie beside each other, or what they have at a place of the
  /// screen.
  void legend(const std::string& last_line);
  std::string placing_text(bool moves_together, std::int64_t shift_ns) const;
  std::string text_at(float x) const;
  std::int64_t time_at(float x) const {
    return begin_ns_ + static_cast<std::int64_t>(static_cast<double>(x - plot_.x0) * ns_per_px_);
  }
  const Box& plot() const { return plot_; }

private:
  Color color_a() const { return window_.theme().text; }
  Color color_b() const { return window_.theme().accent; }
  float x_of(double ns) const {
    return plot_.x0 + static_cast<float>((ns - static_cast<double>(begin_ns_)) / ns_per_px_);
  }
  float y_of(std::uint64_t bytes) const {
    const double share = static_cast<double>(bytes) / static_cast<double>(most_bytes_);
    return plot_.y1 - static_cast<float>(share) * (plot_.height() - air_px);
  }
  void byte_axis();
  void time_axis();
  void peak(const std::optional<PeakOf>& of, std::int64_t shift_ns, Color color, bool filled);
  std::string peak_text(char side, const std::optional<PeakOf>& of) const;
  template <class Draw>
  void for_each_pixel(const TotalCurve& curve, std::int64_t shift_ns, Draw draw) const;

  PanelWindow& window_;
  const MemoryCharts& charts_;
  const MemoryChart& chart_;
  Box box_;
  Box plot_;
  std::int64_t shift_a_ns_ = 0;
  std::int64_t begin_ns_ = 0;
  double ns_per_px_ = 1;
  std::uint64_t most_bytes_ = 1;
};

ChartPainter::ChartPainter(PanelWindow& window, const Box& box, const MemoryCharts& charts,
                           const MemoryChart& chart, std::int64_t shift_ns)
    : window_(window),
      charts_(charts),
      chart_(chart),
      box_{box.x0 + side_px, box.y0, box.x1 - side_px / 2, box.y1},
      plot_{box_.x0 + byte_labels_px, box_.y0 + 4 * line_px + 4, box_.x1, box_.y1 - line_px - 2},
      shift_a_ns_(shift_ns) {
  const auto& [a, b] = chart.curves;
  std::int64_t end_ns = 0;
  if (b) {
    begin_ns_ = b->range.begin_ns;
    end_ns = b->range.end_ns;
  }
  if (a) {
    const std::int64_t a_begin_ns = a->range.begin_ns + shift_a_ns_;
    begin_ns_ = b ? std::min(begin_ns_, a_begin_ns) : a_begin_ns;
    end_ns = b ? std::max(end_ns, a->range.end_ns + shift_a_ns_) : a->range.end_ns + shift_a_ns_;
  }
  ns_per_px_ = static_cast<double>(std::max<std::int64_t>(end_ns - begin_ns_, 1)) /
               static_cast<double>(std::max(plot_.width(), 1.0F));
  for (const auto& of : {chart.peak_a, chart.peak_b})
    if (of) most_bytes_ = std::max(most_bytes_, of->bytes);
}

void ChartPainter::axes() {
  byte_axis();
  time_axis();
  window_.fill({plot_.x0, plot_.y1, plot_.x1, plot_.y1 + 1}, window_.theme().border);
}

void ChartPainter::byte_axis() {
  const double bytes_per_px = static_cast<double>(most_bytes_) /
                              static_cast<double>(std::max(plot_.height() - air_px, 1.0F));
  const double step = std::max(render::round_bytes_step(bytes_per_px * byte_step_px), 1.0);
  const render::Theme& theme = window_.theme();
  const auto steps = static_cast<int>(static_cast<double>(most_bytes_) / step);
  for (int i = 0; i <= steps; ++i) {
    const double bytes = i * step;
    const float y = std::round(y_of(static_cast<std::uint64_t>(bytes)));
    if (bytes > 0) window_.fill({plot_.x0, y, plot_.x1, y + 1}, theme.grid_major);
    window_.text_right(plot_.x0 - 6, y - 6, Face::mono_11,
                       trace::bytes_text(static_cast<std::uint64_t>(bytes)), theme.text_3);
  }
}

/// In the time of B. What its labels count from, if anything, stands left of them.
void ChartPainter::time_axis() {
  const auto length_ns = static_cast<std::int64_t>(ns_per_px_ * static_cast<double>(plot_.width()));
  const render::Viewport view({begin_ns_, begin_ns_ + length_ns},
                              static_cast<double>(plot_.width()));
  const render::TimeAxis axis = render::time_axis(view, charts_.unit);
  const render::Theme& theme = window_.theme();
  const float y = plot_.y1 + 4;
  float free_x = box_.x0;
  if (!axis.anchor.empty())
    free_x += window_.text(box_.x0, y, Face::mono_11, axis.anchor, theme.text_2) + 8;
  for (const render::Tick& tick : axis.ticks) {
    const float x = plot_.x0 + static_cast<float>(tick.px);
    if (x < plot_.x0 || x >= plot_.x1) continue;
    window_.fill({x, plot_.y1, x + 1, plot_.y1 + 4}, theme.text_3);
    const float width = window_.width_of(Face::mono_11, tick.label);
    const float label_x = std::min(x - width / 2, plot_.x1 - width);
    if (label_x < free_x) continue;
    window_.text(label_x, y, Face::mono_11, tick.label, theme.text_3);
    free_x = label_x + width + 8;
  }
}

/// Calls draw(x, largest total) for each pixel that a curve touches, from left to right.
template <class Draw>
void ChartPainter::for_each_pixel(const TotalCurve& curve, std::int64_t shift_ns, Draw draw) const {
  const std::size_t columns = curve.totals.size();
  if (columns == 0) return;
  const auto begin = static_cast<double>(curve.range.begin_ns + shift_ns);
  const float first = std::floor(x_of(begin));
  const float last = std::ceil(x_of(static_cast<double>(curve.range.end_ns + shift_ns)));
  const float left = std::max(first, plot_.x0);
  const auto pixels = static_cast<int>(std::ceil(std::min(last, plot_.x1) - left));
  for (int i = 0; i < pixels; ++i) {
    const float x = left + static_cast<float>(i);
    const double from =
        static_cast<double>(begin_ns_) + static_cast<double>(x - plot_.x0) * ns_per_px_ - begin;
    const auto column = [&](double ns) {
      const double at = std::clamp(ns / curve.ns_per_column, 0.0, static_cast<double>(columns - 1));
      return static_cast<std::size_t>(at);
    };
    const std::size_t begin_column = column(from);
    // A column that ends where the pixel does belongs to it alone.
    const std::size_t end_column =
        std::max(column(std::nextafter(from + ns_per_px_, from)), begin_column);
    draw(x, *std::max_element(curve.totals.begin() + static_cast<std::ptrdiff_t>(begin_column),
                              curve.totals.begin() + static_cast<std::ptrdiff_t>(end_column) + 1));
  }
}

void ChartPainter::area_of_b() {
  if (!chart_.curves.b) return;
  const Color area = render::faded(color_b(), 0.35F);
  float run_x = -1;
  float run_y = 0;
  const auto finish = [&](float x) {
    if (run_x < 0) return;
    window_.fill({run_x, run_y, x, plot_.y1}, area);
    window_.fill({run_x, run_y, x, run_y + 1.5F}, color_b());
  };
  float end = plot_.x0;
  for_each_pixel(*chart_.curves.b, 0, [&](float x, std::uint64_t bytes) {
    const float y = y_of(bytes);
    end = x + 1;
    if (run_x >= 0 && y == run_y) return;
    finish(x);
    run_x = x;
    run_y = y;
  });
  finish(end);
}

/// Dashed along its length, so that it is told apart without its colour.
void ChartPainter::line_of_a() {
  if (!chart_.curves.a) return;
  float before = -1;
  for_each_pixel(*chart_.curves.a, shift_a_ns_, [&](float x, std::uint64_t bytes) {
    const float y = y_of(bytes);
    const bool is_gap = std::fmod(x - plot_.x0, dash_px + dash_gap_px) >= dash_px;
    const bool steps = before >= 0 && std::abs(before - y) > 1.5F;
    if (steps)
      window_.fill({x, std::min(before, y), x + 1, std::max(before, y) + 1.5F},
                   render::faded(color_a(), 0.5F));
    if (!is_gap) window_.fill({x, y, x + 1, y + 1.5F}, color_a());
    before = y;
  });
}

void ChartPainter::peak(const std::optional<PeakOf>& of, std::int64_t shift_ns, Color color,
                        bool filled) {
  if (!of) return;
  const float x = std::clamp(x_of(static_cast<double>(trace::ns_from_unit(of->time) + shift_ns)),
                             plot_.x0, plot_.x1);
  const float y = y_of(of->bytes);
  window_.line(x, y, x, plot_.y1, render::faded(color, 0.6F));
  const Box mark{x - peak_px, y - peak_px, x + peak_px, y + peak_px};
  window_.fill(mark, filled ? color : window_.theme().panel, peak_px);
  window_.outline(mark, color, peak_px);
}

void ChartPainter::peaks() {
  peak(chart_.peak_a, shift_a_ns_, color_a(), /*filled=*/false);
  peak(chart_.peak_b, 0, color_b(), /*filled=*/true);
}

std::string ChartPainter::peak_text(char side, const std::optional<PeakOf>& of) const {
  if (!of) return fmt::format("{}  has no such memory", side);
  return fmt::format("{}  peak {} at {}", side, trace::bytes_text(of->bytes),
                     moment_text(static_cast<double>(of->time), charts_.unit));
}

/// Title, and what each line is with its peak.
void ChartPainter::legend(const std::string& last_line) {
  const render::Theme& theme = window_.theme();
  float y = box_.y0 + 2;
  window_.text_within(box_.x0, y, box_.width(), Face::ui_12, chart_.track, theme.text);
  constexpr float swatch_px = 22;
  const auto row = [&](const std::string& text) {
    y += line_px;
    window_.text_within(box_.x0 + swatch_px + 6, y, box_.width() - swatch_px - 6, Face::ui_11, text,
                        theme.text_2);
    return y + 6;
  };
  const float a = row(peak_text('A', chart_.peak_a));
  for (float x = 0; x + dash_px < swatch_px; x += dash_px + dash_gap_px)
    window_.fill({box_.x0 + x, a, box_.x0 + x + dash_px, a + 1.5F}, color_a());
  const float b = row(peak_text('B', chart_.peak_b));
  window_.fill({box_.x0, b - 3, box_.x0 + swatch_px, b + 4}, render::faded(color_b(), 0.35F));
  window_.fill({box_.x0, b - 3, box_.x0 + swatch_px, b - 1.5F}, color_b());
  y += line_px;
  window_.text_within(box_.x0, y, box_.width(), Face::ui_11, last_line, theme.text_3);
}

std::string ChartPainter::placing_text(bool moves_together, std::int64_t shift_ns) const {
  std::string placing = "Both begin together";
  if (charts_.is_of_two_traces && shift_ns != 0) {
    placing =
        fmt::format("A is shown {} {}",
                    render::duration_text(std::abs(static_cast<double>(shift_ns)), charts_.unit),
                    shift_ns > 0 ? "later" : "earlier");
  }
  return moves_together ? placing + "; views move together" : placing;
}

/// What both sides have at a place.
std::string ChartPainter::text_at(float x) const {
  const std::int64_t at_ns = time_at(x);
  const auto total = [&](const std::optional<TotalCurve>& curve, std::int64_t shift_ns) {
    std::optional<std::uint64_t> found;
    if (curve) {
      for_each_pixel(*curve, shift_ns, [&](float at, std::uint64_t bytes) {
        if (at <= x && x < at + 1) found = bytes;
      });
    }
    return found ? trace::bytes_text(*found) : std::string("\u2013");
  };
  return fmt::format("A {}  \u00B7  B {}  at {}", total(chart_.curves.a, shift_a_ns_),
                     total(chart_.curves.b, 0),
                     moment_text(static_cast<double>(at_ns) / 1000, charts_.unit));
}

/// Two stretches of one trace begin together; two traces lie as they were aligned.
std::int64_t shift_of(const MemoryCharts& charts, const MemoryChart& chart,
                      const ChartPlacing& placing) {
  if (charts.is_of_two_traces) return placing.shift_ns;
  const auto& [a, b] = chart.curves;
  return a && b ? b->range.begin_ns - a->range.begin_ns : 0;
}

}  // namespace

std::optional<std::int64_t> curves_panel(PanelWindow& window, const Box& box,
                                         const ShownChart& shown, float& moment, int place) {
  const auto& [charts, chart, placing] = shown;
  if (box.height() < least_height_px) return std::nullopt;
  const render::Theme& theme = window.theme();
  const std::int64_t shift_ns = shift_of(charts, chart, placing);
  window.fill({box.x0 - 1, box.y0, box.x0, box.y1}, theme.border);
  ChartPainter painter(window, box, charts, chart, shift_ns);
  const Box& plot = painter.plot();
  const auto over =
      window.place({plot.x0, plot.y0, plot.x1, plot.y1}, place, PanelWindow::Reach::pointer);
  const ControlFocus::Standing keys = window.stepped_place(place + 1);
  moment =
      std::clamp(moment + static_cast<float>(keys.steps) * key_step_px / plot.width(), 0.0F, 1.0F);
  const float wanted = over.hovered ? ImGui::GetMousePos().x : plot.x0 + moment * plot.width();
  const float x = std::clamp(std::floor(wanted), plot.x0, plot.x1 - 1);
  const bool tells = over.hovered || keys.has_focus;
  const bool moves_together = placing.moves_together && charts.is_of_two_traces;
  painter.legend(tells ? painter.text_at(x) : painter.placing_text(moves_together, shift_ns));
  painter.axes();
  painter.area_of_b();
  painter.line_of_a();
  painter.peaks();
  if (tells) window.fill({x, plot.y0, x + 1, plot.y1}, theme.text_3);
  if (keys.has_focus) window.ring(plot);
  return over.clicked || keys.is_pressed ? std::optional(painter.time_at(x)) : std::nullopt;
}

}  // namespace bytescope::app
