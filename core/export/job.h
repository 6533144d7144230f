#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/export/export.h"
#include "core/io/output_file.h"

namespace bytescope::exporting {

/// An export under way: what all formats need.
struct Job {
  const trace::Trace& trace;
  const Request& request;
  io::OutputFile& out;
  const Cancel& cancel;
  Progress* progress = nullptr;
  Outcome& outcome;
  std::uint32_t since_look = 0;  ///< Steps since somebody was asked whether to go on.

  /// Whether to go on: nobody asked to stop and everything could be written so far.
  bool goes_on() const { return !cancel.requested() && out.ok(); }
  /// Counts a record as written; false to stop.
  bool count_event() {
    ++outcome.events;
    return step();
  }
  /// Counts a step of work that writes no record; false to stop.
  bool step() {
    constexpr std::uint32_t steps_between_looks = 4096;
    if (++since_look < steps_between_looks) return true;
    since_look = 0;
    if (progress != nullptr) {
      progress->events_done = outcome.events;
      progress->bytes_done = out.size_bytes();
    }
    return goes_on();
  }
};

/// Writes one format each. What stops them early (Job::goes_on, a file that changed) is for the
/// caller to tell; they fail with what else makes it impossible.
Expected<void> write_chrome_json(Job& job);
Expected<void> write_csv(Job& job);
Expected<void> write_bytepack(Job& job);

/// Pieces of text made from strings that occur again and again. Holds at most 8 MB of them (one,
/// where that is larger).
class PieceCache {
public:
  /// The piece for string `id`, made by `make()` where it is not known; valid until the next call.
  template <class Make>
  const std::string& of(std::uint32_t id, Make make) {
    const auto known = pieces_.find(id);
    if (known != pieces_.end()) return known->second;
    std::string piece = make();
    size_bytes_ += piece.size() + entry_bytes;
    // Dropping all of them is rare and costs less than remembering which was used when.
    if (size_bytes_ > capacity_bytes) {
      pieces_.clear();
      size_bytes_ = piece.size() + entry_bytes;
    }
    return pieces_.emplace(id, std::move(piece)).first->second;
  }

private:
  static constexpr std::size_t capacity_bytes = std::size_t{8} << 20U;
  static constexpr std::size_t entry_bytes = 64;
  std::unordered_map<std::uint32_t, std::string> pieces_;
  std::size_t size_bytes_ = 0;
};

}  // namespace bytescope::exporting
