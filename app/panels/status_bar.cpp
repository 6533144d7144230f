#include "app/panels/status_bar.h"

#include <algorithm>
#include <chrono>

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
constexpr float button_padding_px = 20;
constexpr float button_gap_px = 6;
// The fields keep their places while their texts change.
constexpr float least_field_px = 190;
constexpr float least_notice_px = 160;
constexpr float least_name_px = 56;
constexpr float name_gap_px = 10;

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

/// Before anything is loaded: how much a server has sent.
std::string receive_status(const Progress& progress) {
  const std::uint64_t received = progress.received_bytes.load(std::memory_order_relaxed);
  const std::uint64_t expected = progress.expected_bytes.load(std::memory_order_relaxed);
  if (received == 0) return "opening";
  if (expected < received) return "received " + trace::bytes_text(received);
  return fmt::format("received {} of {}", trace::bytes_text(received), trace::bytes_text(expected));
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

/// The buttons beside the notice; answers where they end.
float draw_reload(PanelWindow& window, float x, StatusAnswer& answer) {
  const struct {
    const char* text;
    StatusAnswer answer;
  } buttons[] = {{"Read again  Ctrl R", StatusAnswer::reload}, {"Always", StatusAnswer::watch}};
  const Box& area = window.area();
  int number = 0;
  for (const auto& button : buttons) {
    const float width = window.width_of(Face::ui_12, button.text) + button_padding_px;
    const bool is_main = button.answer == StatusAnswer::reload;
    if (window.button({x, area.y0 + 3, x + width, area.y1 - 3}, number++, button.text, is_main))
      answer = button.answer;
    x += width + button_gap_px;
  }
  return x;
}

/// The least room for what is under the pointer: all of its value, some of its name.
float pointed_px(const PanelWindow& window, const StatusTexts& texts) {
  if (texts.value.empty()) return 0;
  return std::min(window.width_of(face, texts.pointer), least_name_px) + name_gap_px +
         window.width_of(face, texts.value) + gap_px;
}

/// The room for what else stands behind the notice.
float fields_px(const PanelWindow& window, const StatusTexts& texts) {
  float width = 0;
  for (const std::string* text : {&texts.trace, &texts.cursor, &texts.range})
    if (!text->empty()) width += window.width_of(face, *text) + gap_px;
  return width;
}

void draw_pointed(PanelWindow& window, float x, float y, float end, const StatusTexts& texts) {
  if (texts.value.empty()) return;
  const render::Theme& theme = window.theme();
  const float room = end - x - name_gap_px - window.width_of(face, texts.value);
  x += window.text_within(x, y, std::max(room, 0.0F), face, texts.pointer, theme.text);
  window.text_within(x + name_gap_px, y, std::max(end - x - name_gap_px, 0.0F), face, texts.value,
                     theme.text);
}

}  // namespace

std::string file_notice(const session::Document& document, bool is_watched) {
  if (!document.trace || document.loading) return "";
  const std::string again =
      is_watched ? "; it is read again as soon as nobody writes it" : "; Ctrl R reads it again";
  if (document.error)
    return "Reading it again failed: " +
           text(Warning{document.error->message, document.error->where});
  switch (document.on_disk) {
    case io::OnDisk::same: return "";
    case io::OnDisk::changed: return "The file has changed" + again;
    case io::OnDisk::gone: return "The file is gone";
  }
  return "";
}

bool is_file_amiss(const session::Document& document) {
  return document.error.has_value() || document.on_disk == io::OnDisk::gone;
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
  const std::uint64_t unpacked = progress.unpacked_bytes.load(std::memory_order_relaxed);
  if (unpacked != 0) return "unpacking " + trace::bytes_text(unpacked);
  if (total == 0) return receive_status(progress);
  std::string status =
      fmt::format("loading {} of {}", trace::bytes_text(done), trace::bytes_text(total));
  if (events == 0) return status;
  status += "  \u00B7  " + events_text(events);
  // The first moments tell nothing of the rest.
  constexpr double least_s = 0.1;
  const std::chrono::duration<double> so_far = std::chrono::steady_clock::now() - progress.begun;
  if (so_far.count() < least_s) return status;
  const double per_s = static_cast<double>(events) / so_far.count();
  return status + "  \u00B7  " + events_text(static_cast<std::uint64_t>(per_s)) + "/s";
}

float fraction_done(const Progress& progress) {
  std::uint64_t total = progress.bytes_total.load(std::memory_order_relaxed);
  std::uint64_t done = progress.bytes_done.load(std::memory_order_relaxed);
  if (total == 0) {
    total = progress.expected_bytes.load(std::memory_order_relaxed);
    done = progress.received_bytes.load(std::memory_order_relaxed);
  }
  if (total == 0) return 0;
  return static_cast<float>(std::min(static_cast<double>(done) / static_cast<double>(total), 1.0));
}

StatusAnswer status_bar(const PanelContext& context, const StatusTexts& texts) {
  PanelWindow window(context, "status", PanelWindow::Kind::part);
  const Box& area = context.area;
  const render::Theme& theme = context.theme;
  StatusAnswer answer = StatusAnswer::none;
  const float y = (area.y0 + area.y1 - render::size_px(face)) / 2;
  const float hints = window.width_of(hint_face, texts.hints);
  window.text(area.x1 - padding_px - hints, y, hint_face, texts.hints, theme.text_3);
  const float end = area.x1 - padding_px - (hints > 0 ? hints + gap_px : 0);
  float x = area.x0 + padding_px;
  if (texts.progress) x += draw_progress(window, x, *texts.progress) + padding_px;
  const float pointed = pointed_px(window, texts);
  if (!texts.notice.empty()) {
    // What is under the pointer changes with every move: it is looked at now, the notice was.
    const float told = std::max(end - x - pointed - fields_px(window, texts), least_notice_px);
    x += window.text_within(x, y, std::clamp(end - x, 0.0F, told), face, texts.notice,
                            texts.is_amiss ? theme.error : theme.text);
  }
  if (texts.offers_reload) x = draw_reload(window, x + padding_px, answer);
  if (!texts.notice.empty()) x += gap_px;
  const struct {
    const std::string& text;
    render::Color color;
    bool keeps_place = false;
  } fields[] = {{texts.trace, theme.text_2, false},
                {texts.cursor, theme.text, true},
                {texts.range, theme.text_2, true}};
  for (const auto& field : fields) {
    const float room = std::max(end - x - pointed, 0.0F);
    const bool keeps_place = field.keeps_place && texts.notice.empty() && room > least_field_px;
    if (field.text.empty() && !keeps_place) continue;
    const float width = window.text_within(x, y, room, face, field.text, field.color);
    x += std::max(width, keeps_place ? least_field_px : 0) + gap_px;
  }
  draw_pointed(window, x, y, end, texts);
  return answer;
}

}  // namespace bytescope::app
