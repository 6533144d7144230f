#pragma once

#include <cstdint>
#include <span>

#include "core/bytepack/records.h"

namespace bytescope::generate {

/// An allocation as the generator makes it.
struct Allocation {
  std::uint32_t time_us = 0;
  std::uint32_t key = 0;
  std::uint32_t dtype = 0;  ///< Position in `strings`.
  std::uint64_t length = 0;
  std::uint64_t bytes = 0;
};

/// A free, with the size of what is freed.
struct Release {
  std::uint32_t time_us = 0;
  std::uint32_t key = 0;
  std::uint64_t bytes = 0;
  std::span<const bytepack::UserRecord> users;
};

/// Takes the events of one track, in the order of the file. Tracks are made twice, once to measure
/// them and once to write them, with the same events each time.
class Receiver {
public:
  Receiver() = default;
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;
  Receiver(Receiver&&) = delete;
  Receiver& operator=(Receiver&&) = delete;
  virtual ~Receiver() = default;

  virtual void span(const bytepack::SpanRecord& span) = 0;
  virtual void allocation(const Allocation& allocation) = 0;
  virtual void release(const Release& release) = 0;
  /// Asked between batches: whether to go on.
  virtual bool goes_on() = 0;
};

}  // namespace bytescope::generate
