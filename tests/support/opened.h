#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "core/io/page_reader.h"
#include "core/trace/trace.h"

namespace bytescope::tests {

/// A trace with what it takes to ask it.
struct Opened {
  explicit Opened(std::shared_ptr<const trace::Trace> opened)
      : trace(std::move(opened)), reader(trace->file) {}
  std::uint32_t track(std::string_view name) const {
    for (std::uint32_t i = 0; i < trace->tracks.size(); ++i)
      if (trace->tracks[i].head.name == name) return i;
    ADD_FAILURE() << name;
    return 0;
  }
  std::shared_ptr<const trace::Trace> trace;
  mutable io::PageReader reader;
};

}  // namespace bytescope::tests
