#include "app/answers/answer_text.h"

#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include "app/timeline_hit.h"
#include "core/trace/ansi.h"
#include "core/trace/units.h"
#include "render/time_text.h"

namespace bytescope::app {

std::string units_text(double units, trace::Unit unit) {
  return render::duration_text(units * 1000, unit);
}

std::string moment_text(double units, trace::Unit unit) {
  return render::time_text(ns_of(units), unit);
}

std::string amount_text(const std::optional<double>& amount, std::string_view unit) {
  return amount ? trace::si_text(*amount, unit) : std::string();
}

double number_or_nan(const std::optional<double>& number) {
  return number.value_or(std::numeric_limits<double>::quiet_NaN());
}

std::string change_text(double units, trace::Unit unit) {
  std::string text = units_text(std::abs(units), unit);
  if (units == 0) return text;
  return (units > 0 ? "+" : "\u2212") + text;
}

std::string bytes_change_text(double bytes) {
  std::string text = trace::bytes_text(static_cast<std::uint64_t>(std::abs(bytes)));
  if (bytes == 0) return text;
  return (bytes > 0 ? "+" : "\u2212") + text;
}

std::string count_change_text(double count) {
  std::string text = trace::count_text(static_cast<std::uint64_t>(std::abs(count)));
  if (count == 0) return text;
  return (count > 0 ? "+" : "\u2212") + text;
}

std::string track_text(const trace::Trace& trace, std::uint32_t track) {
  return track < trace.tracks.size() ? trace::single_line(trace.tracks[track].head.name)
                                     : std::string();
}

std::string unit_suffix(trace::Unit unit) { return unit == trace::Unit::cycles ? "cycles" : "us"; }

std::int64_t ns_of(double units) {
  constexpr double most = 9.2e18;
  const double ns = units * 1000;
  return std::isfinite(ns) && std::abs(ns) < most ? std::llround(ns) : 0;
}

TableColumn text_column(std::string title, std::string copied_name, float width_px) {
  return {std::move(title), std::move(copied_name), width_px, false};
}

TableColumn number_column(std::string title, std::string copied_name, float width_px) {
  return {std::move(title), std::move(copied_name), width_px, true};
}

RowTarget span_target(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                      std::uint32_t record) {
  if (track >= trace.tracks.size() || !trace.tracks[track].spans ||
      record >= trace.tracks[track].head.count)
    return {};
  return span_selection(trace, reader, track, record);
}

RowTarget buffer_target(const trace::Trace& trace, std::uint32_t track, std::uint32_t ordinal) {
  if (track >= trace.tracks.size() || !trace.tracks[track].memory ||
      ordinal >= trace.tracks[track].memory->buffers.size())
    return {};
  return buffer_selection(trace, track, ordinal);
}

std::shared_ptr<Answer> new_answer(const AnswerRequest& request) {
  static std::atomic<std::uint64_t> last_version{0};
  auto answer = std::make_shared<Answer>();
  answer->request = request;
  answer->request.known_search = nullptr;  // a chain of all searches would stay in memory
  answer->version = ++last_version;
  return answer;
}

void publish_failure(const AnswerRequest& request, const Error& error,
                     const PublishAnswer& publish) {
  if (error.kind == ErrorKind::cancelled) return;
  const std::shared_ptr<Answer> answer = new_answer(request);
  answer->error = text(Warning{error.message, error.where});
  publish(answer);
}

}  // namespace bytescope::app
