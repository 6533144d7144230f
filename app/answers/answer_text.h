#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/answers/answer.h"
#include "core/trace/trace.h"

namespace bytescope::app {

/// A length in the trace's unit: `22.4 µs`.
std::string units_text(double units, trace::Unit unit);
/// A point in time given in the trace's unit.
std::string moment_text(double units, trace::Unit unit);
/// A rate or an amount in SI units; empty where it is unknown.
std::string amount_text(const std::optional<double>& amount, std::string_view unit);
/// The number; NaN where it is unknown.
double number_or_nan(const std::optional<double>& number);
/// A change with its sign: `+22.4 µs`.
std::string change_text(double units, trace::Unit unit);
std::string bytes_change_text(double bytes);
std::string count_change_text(double count);
/// The name of a track on one line.
std::string track_text(const trace::Trace& trace, std::uint32_t track);
/// `us`, or `cycles`: how names of copied columns end.
std::string unit_suffix(trace::Unit unit);
/// A length in the trace's unit as nanoseconds; 0 for what is no number.
std::int64_t ns_of(double units);

/// A column of text, and one of numbers.
TableColumn text_column(std::string title, std::string copied_name, float width_px);
TableColumn number_column(std::string title, std::string copied_name, float width_px = 80);

/// Selects a span; nothing when it is not there (any more).
RowTarget span_target(const trace::Trace& trace, io::PageReader& reader, std::uint32_t track,
                      std::uint32_t record);
/// Selects a buffer.
RowTarget buffer_target(const trace::Trace& trace, std::uint32_t track, std::uint32_t ordinal);

/// The beginning of every answer: the request and a version that no other answer has.
std::shared_ptr<Answer> new_answer(const AnswerRequest& request);
/// Publishes an answer without rows that says what went wrong; nothing when it was cancelled.
void publish_failure(const AnswerRequest& request, const Error& error,
                     const PublishAnswer& publish);

}  // namespace bytescope::app
