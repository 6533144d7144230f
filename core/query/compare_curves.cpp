#include "core/query/compare_curves.h"

#include <algorithm>
#include <cmath>

#include "core/query/memory_curve.h"

namespace bytescope::query {
namespace {

/// Events of memory may lie one unit behind the trace's end, and count.
TimeRange stretch_of(const CompareSide& side) {
  constexpr std::int64_t unit_ns = 1000;
  if (side.range) return *side.range;
  return {0, (std::int64_t{side.trace.frame.duration_us} + 1) * unit_ns + 1};
}

void append(const trace::MemoryIndex& memory, const Columns& columns, TotalCurve& curve) {
  for (const CurveColumn& column : memory_curve(memory, columns))
    curve.totals.push_back(column.total());
}

std::optional<TotalCurve> curve_of(const CompareSide& side, const std::optional<PeakOf>& peak,
                                   double ns_per_column) {
  if (!peak) return std::nullopt;
  TotalCurve curve =
      total_curve(*side.trace.tracks[peak->track].memory, stretch_of(side), ns_per_column);
  // What is freed just where a range begins was there before it.
  for (std::uint64_t& total : curve.totals) total = std::min(total, peak->bytes);
  return curve;
}

}  // namespace

TotalCurve total_curve(const trace::MemoryIndex& memory, TimeRange range, double ns_per_column) {
  TotalCurve curve{range, std::max(ns_per_column, 1.0), {}};
  const auto length_ns = static_cast<double>(std::max<std::int64_t>(range.length_ns(), 0));
  const double whole = std::floor(length_ns / curve.ns_per_column);
  append(memory, {range.begin_ns, curve.ns_per_column, static_cast<std::uint32_t>(whole)}, curve);
  const auto rest_from = static_cast<std::int64_t>(std::ceil(whole * curve.ns_per_column));
  const std::int64_t rest_ns = range.length_ns() - rest_from;
  if (rest_ns > 0)
    append(memory, {range.begin_ns + rest_from, static_cast<double>(rest_ns), 1}, curve);
  return curve;
}

ComparedCurves compare_curves(const CompareSide& a, const CompareSide& b, const ComparedMemory& of,
                              std::uint32_t most_columns) {
  const std::int64_t longest_ns =
      std::max(of.a ? stretch_of(a).length_ns() : 0, of.b ? stretch_of(b).length_ns() : 0);
  const double ns_per_column =
      static_cast<double>(longest_ns) / static_cast<double>(std::max(most_columns, 1U));
  return {curve_of(a, of.a, ns_per_column), curve_of(b, of.b, ns_per_column)};
}

}  // namespace bytescope::query
