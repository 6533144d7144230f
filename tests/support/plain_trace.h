#pragma once

#include <cstdint>
#include <string>

#include "core/bytepack/writer.h"
#include "tests/support/trace_maker.h"

namespace bytescope::tests {

constexpr std::uint32_t plain_kernels = 50;
constexpr std::uint32_t plain_period_us = 200;
constexpr std::uint32_t plain_kernel_us = 120;

/// A trace of 10 ms that can be done in the head. USER: "run" all along with "half" twice below it.
/// AMD: plain_kernels kernels, one every plain_period_us, of plain_kernel_us each; every fifth has
/// the same name; AMD:1: one long kernel. AMD Memory: a buffer of 1 MB more with each kernel, all
/// freed in the order of their allocation from 8 ms on. Markers at 1, 3 and 6 ms.
inline bytepack::TraceDescription plain_trace() {
  bytepack::TraceDescription trace;
  trace.dtype_bytes = {{"float", 4}};
  trace.markers = {{1000.0, "begin", "gray"}, {3000.0, "middle", "gray"}, {6000.0, "end", "gray"}};
  trace.duration_us = 10'000;
  bytepack::TrackDescription user;
  user.name = "USER";
  user.spans = {
      {"run", 0, 10'000.0F, "{}"}, {"half", 0, 5000.0F, "{}"}, {"half", 5000, 5000.0F, "{}"}};
  bytepack::TrackDescription device;
  device.name = "AMD";
  bytepack::TrackDescription memory;
  memory.name = "AMD Memory";
  memory.kind = bytepack::TrackKind::memory;
  for (std::uint32_t i = 0; i < plain_kernels; ++i) {
    const std::uint32_t start = i * plain_period_us;
    device.spans.push_back({"r_" + std::to_string(i % 5), start,
                            static_cast<float>(plain_kernel_us), "{}", std::nullopt, i});
    if (start < 8000) memory.memory.push_back({true, start, i, "float", 250'000});
  }
  for (std::uint32_t i = 0; i < 8000 / plain_period_us; ++i)
    memory.memory.push_back({false, 8000 + i * 10, i, "", 0});
  bytepack::TrackDescription second;
  second.name = "AMD:1";
  second.spans = {{"E_4", 100, 9000.0F, "{}"}};
  trace.tracks = {user, device, second, memory};
  return trace;
}

inline std::vector<std::byte> plain_bytes() {
  return bytepack::encode(plain_trace(), *bytepack::dialect_of('L'));
}

}  // namespace bytescope::tests
