#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace bytescope::app {

/// What a kind of device can do at most, as somebody typed it; 0 for what is not known. No trace
/// tells this.
struct CardLimits {
  double flops = 0;
  double bytes_per_s = 0;
  double memory_bytes = 0;
  bool operator==(const CardLimits&) const = default;
};

/// By family of devices: `AMD`.
using CardTable = std::map<std::string, CardLimits>;

/// One of the limits, for the table that they are typed into.
struct CardQuantity {
  const char* id;     ///< In the settings file.
  const char* title;  ///< For a reader.
  const char* unit;
  const char* example;  ///< Of what is typed.
  double CardLimits::*value;
};
std::span<const CardQuantity> card_quantities();

/// The families of devices of a trace, in file order: those that run kernels or hold memory.
std::vector<std::string> device_families(const trace::Trace& trace);

/// The limits of a family; all unknown where it has none.
CardLimits limits_of(const CardTable& cards, const std::string& family);

}  // namespace bytescope::app
