#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/query/statistics.h"
#include "core/trace/trace.h"

namespace bytescope::query {

/// A row as brute force knows it.
struct PlainRow {
  std::vector<double> lengths;
  std::uint64_t cut = 0;
  double nested = 0;
  double flops_time = 0;
  double flops = 0;
};
using PlainKey = std::pair<std::string, std::optional<std::uint32_t>>;

/// What statistics() answers, found by looking at every span and every pair of them.
std::map<PlainKey, PlainRow> plain_rows(const trace::Trace& trace,
                                        const StatisticsRequest& request);

/// The time that counts of the tracks that have a row's name.
double plain_total_around(const trace::Trace& trace, const StatisticsRequest& request,
                          const StatisticsRow& row);

}  // namespace bytescope::query
