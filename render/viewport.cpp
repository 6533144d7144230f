#include "render/viewport.h"

#include <algorithm>
#include <cmath>

namespace bytescope::render {
namespace {

constexpr double margin_share = 0.02;  // of the trace, beyond each of its ends
constexpr double far_ns = 9007199254740992.0;

// Sums of times so far out still fit 64 bits.
std::int64_t clamped(std::int64_t ns) {
  constexpr auto limit = static_cast<std::int64_t>(far_ns);
  return std::clamp(ns, -limit, limit);
}

double sane_width(double px) { return std::isfinite(px) ? std::max(px, 1.0) : 1.0; }

}  // namespace

Viewport::Viewport(query::TimeRange trace, double width_px)
    : trace_(trace), begin_ns_(trace.begin_ns), width_px_(sane_width(width_px)) {
  trace_.end_ns = std::max(trace_.end_ns, trace_.begin_ns + least_trace_ns);
  length_ns_ = static_cast<double>(trace_.length_ns());
}

query::TimeRange Viewport::window() const {
  return {begin_ns_, begin_ns_ + static_cast<std::int64_t>(std::ceil(fraction_ns_ + length_ns_))};
}

std::int64_t Viewport::ns_from_px(double px) const {
  const double offset = std::floor(fraction_ns_ + px * ns_per_px());
  if (std::isnan(offset)) return begin_ns_;
  return begin_ns_ + static_cast<std::int64_t>(std::clamp(offset, -far_ns, far_ns));
}

query::Columns Viewport::columns() const {
  const double count = std::ceil(width_px_ - columns_px());
  return {begin_ns_, ns_per_px(), static_cast<std::uint32_t>(std::min(count, 65536.0))};
}

Viewport Viewport::zoomed(double factor, double anchor_px) const {
  if (!std::isfinite(factor) || factor <= 0 || !std::isfinite(anchor_px)) return *this;
  const double length = std::clamp(length_ns_ / factor, least_length_ns, longest_ns());
  const double shift = anchor_px * (length_ns_ - length) / width_px_;
  return placed(begin_ns_, fraction_ns_ + shift, length);
}

Viewport Viewport::panned(double px) const {
  if (!std::isfinite(px)) return *this;
  return placed(begin_ns_, fraction_ns_ + px * ns_per_px(), length_ns_);
}

Viewport Viewport::showing(query::TimeRange window) const {
  window = {clamped(window.begin_ns), clamped(window.end_ns)};
  const auto wanted = static_cast<double>(window.length_ns());
  const double length = std::clamp(wanted, least_length_ns, longest_ns());
  return placed(window.begin_ns, (wanted - length) / 2, length);
}

Viewport Viewport::revealing(query::TimeRange range) const {
  const double room = length_ns_ / 10;
  const auto begin = static_cast<double>(range.begin_ns - begin_ns_) - fraction_ns_;
  const double end = begin + static_cast<double>(range.length_ns());
  if (begin >= 0 && end <= length_ns_) return *this;
  const bool from_begin = begin < 0 || end - begin > length_ns_ - 2 * room;
  const double shift = from_begin ? begin - room : end - length_ns_ + room;
  return placed(begin_ns_, fraction_ns_ + shift, length_ns_);
}

Viewport Viewport::beside(const Viewport& other, std::int64_t shift_ns) const {
  const double length = std::clamp(other.length_ns_, least_length_ns, longest_ns());
  return placed(clamped(other.begin_ns_) + clamped(shift_ns), other.fraction_ns_, length);
}

Viewport Viewport::level_with(const Viewport& other, std::int64_t shift_ns) const {
  Viewport result = *this;
  result.begin_ns_ = clamped(other.begin_ns_) + clamped(shift_ns);
  result.fraction_ns_ = other.fraction_ns_;
  result.length_ns_ = other.length_ns_;
  return result;
}

Viewport Viewport::on_way_from(const Viewport& from, double left) const {
  if (!(left > 0)) return *this;
  // Offsets are taken from the nearer end: so both ends of the way are exact.
  const Viewport& near = left < 0.5 ? *this : from;
  const Viewport& far = left < 0.5 ? from : *this;
  const double share = std::min(left, 1 - left);
  const double shift =
      static_cast<double>(far.begin_ns_ - near.begin_ns_) + far.fraction_ns_ - near.fraction_ns_;
  Viewport result = *this;
  result.length_ns_ = near.length_ns_ + (far.length_ns_ - near.length_ns_) * share;
  const double offset = near.fraction_ns_ + shift * share;
  const double whole = std::floor(offset);
  result.begin_ns_ = near.begin_ns_ + static_cast<std::int64_t>(whole);
  result.fraction_ns_ = std::min(offset - whole, std::nextafter(1.0, 0.0));
  return result;
}

Viewport Viewport::resized(double width_px) const {
  Viewport result = *this;
  result.width_px_ = sane_width(width_px);
  return result;
}

/// The view that begins `offset_ns` after `origin_ns`, moved back to the trace where it would leave
/// it. Offsets are taken from the trace's ends, so that nothing is lost far from the origin.
Viewport Viewport::placed(std::int64_t origin_ns, double offset_ns, double length_ns) const {
  const double margin = margin_ns(length_ns);
  const double from_begin = static_cast<double>(origin_ns - trace_.begin_ns) + offset_ns;
  const double from_end = static_cast<double>(origin_ns - trace_.end_ns) + offset_ns + length_ns;
  if (from_begin < -margin) {
    origin_ns = trace_.begin_ns;
    offset_ns = -margin;
  } else if (from_end > margin) {
    origin_ns = trace_.end_ns;
    offset_ns = margin - length_ns;
  }
  Viewport result = *this;
  const double whole = std::floor(offset_ns);
  result.begin_ns_ = origin_ns + static_cast<std::int64_t>(whole);
  result.fraction_ns_ = std::min(offset_ns - whole, std::nextafter(1.0, 0.0));
  result.length_ns_ = length_ns;
  return result;
}

/// How far the view may reach beyond the trace: a little of it, never more than half of the view.
double Viewport::margin_ns(double length_ns) const {
  return std::min(static_cast<double>(trace_.length_ns()) * margin_share, length_ns / 2);
}

double Viewport::longest_ns() const {
  return static_cast<double>(trace_.length_ns()) * (1 + 2 * margin_share);
}

}  // namespace bytescope::render
