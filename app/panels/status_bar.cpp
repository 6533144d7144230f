#include "app/panels/status_bar.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/panels/panel_window.h"
#include "core/trace/units.h"
#include "render/time_text.h"

namespace bytescope::app {
namespace {

using render::Box;
using render::Face;

constexpr float padding_px = 12;
constexpr float gap_px = 28;
constexpr Face face = Face::mono_11;
constexpr Face hint_face = Face::ui_11;
constexpr float progress_px = 120;
// The fields keep their places while their texts change.
constexpr float least_field_px = 190;

/// `4:32.4 s`, or what duration_text() says of shorter ones and of cycles.
std::string length_text(std::int64_t ns, trace::Unit unit) {
  constexpr std::int64_t minute_ns = 60'000'000'000;
  constexpr std::int64_t tenth_ns = 100'000'000;
  return unit == trace::Unit::microseconds && ns >= minute_ns
             ? render::time_text(ns, unit, tenth_ns)
             : render::duration_text(static_cast<double>(ns), unit);
}

std::string events_text(std::uint64_t count) {
  constexpr std::uint64_t exact_below = 100'000;
  return count < exact_below ? trace::count_text(count) + " events"
                             : trace::si_text(static_cast<double>(count), "") + " events";
}

float draw_progress(PanelWindow& window, float x, float fraction) {
  const Box& area = window.area();
  const float y = (area.y0 + area.y1) / 2 - 2;
  const Box track{x, y, x + progress_px, y + 4};
  window.fill(track, window.theme().border, 2);
  const float done = std::clamp(fraction, 0.0F, 1.0F) * progress_px;
  if (done >= 1) window.fill({x, y, x + done, y + 4}, window.theme().accent, 2);
  return progress_px;
}

}  // namespace

std::string file_notice(const session::Document& document) {
  if (!document.trace || document.loading) return "";
  const std::string again = "; Ctrl R reads it again";
  if (document.error && document.error->kind != ErrorKind::cancelled)
    return "Reading it again failed: " +
           text(Warning{document.error->message, document.error->where});
  switch (document.on_disk) {
    case io::OnDisk::same: return "";
    case io::OnDisk::changed: return "The file has changed" + again;
    case io::OnDisk::gone: return "The file is gone";
  }
  return "";
}

std::string trace_status(const trace::Trace& trace) {
  std::string status = length_text(trace::ns_from_unit(trace.frame.duration_us), trace.unit) +
                       "  \u00B7  " + events_text(trace.event_count);
  if (trace.file) status += "  \u00B7  " + trace::bytes_text(trace.file->size_bytes());
  return status;
}

std::string load_status(const Progress& progress) {
  const std::uint64_t total = progress.bytes_total.load(std::memory_order_relaxed);
  const std::uint64_t done = std::min(progress.bytes_done.load(std::memory_order_relaxed), total);
  const std::uint64_t events = progress.events_done.load(std::memory_order_relaxed);
  if (total == 0) return "opening";
  std::string status =
      fmt::format("loading {} of {}", trace::bytes_text(done), trace::bytes_text(total));
  if (events > 0) status += "  \u00B7  " + events_text(events);
  return status;
}

float fraction_done(const Progress& progress) {
  const std::uint64_t total = progress.bytes_total.load(std::memory_order_relaxed);
  const std::uint64_t done = progress.bytes_done.load(std::memory_order_relaxed);
  if (total == 0) return 0;
  return static_cast<float>(std::min(static_cast<double>(done) / static_cast<double>(total), 1.0));
}

void status_bar(const PanelContext& context, const StatusTexts& texts) {
  PanelWindow window(context, "status", PanelWindow::Kind::part);
  const Box& area = context.area;
  const render::Theme& theme = context.theme;
  const float y = (area.y0 + area.y1 - render::size_px(face)) / 2;
  const float hints = window.width_of(hint_face, texts.hints);
  window.text(area.x1 - padding_px - hints, y, hint_face, texts.hints, theme.text_3);
  const float end = area.x1 - padding_px - (hints > 0 ? hints + gap_px : 0);
  float x = area.x0 + padding_px;
  if (texts.progress) x += draw_progress(window, x, *texts.progress) + padding_px;
  const struct {
    const std::string& text;
    render::Color color;
    bool keeps_place = false;
  } fields[] = {{texts.notice, theme.error, false},
                {texts.trace, theme.text_2, false},
                {texts.cursor, theme.text, true},
                {texts.range, theme.text_2, true},
                {texts.pointer, theme.text, false}};
  for (const auto& field : fields) {
    if (field.text.empty() && !field.keeps_place) continue;
    const float room = std::max(end - x, 0.0F);
    const float width = window.text_within(x, y, room, face, field.text, field.color);
    x += std::max(width, field.keeps_place ? least_field_px : 0) + gap_px;
  }
}

}  // namespace bytescope::app
