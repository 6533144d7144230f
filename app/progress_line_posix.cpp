#include <chrono>
#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "app/progress_line.h"
#include "core/trace/units.h"

namespace bytescope::app {
namespace {

constexpr std::chrono::milliseconds line_patience(500);
constexpr std::chrono::milliseconds pause(100);
constexpr const char* wipe_line = "\r\x1b[K";

}  // namespace

ProgressLine::ProgressLine(std::string what, const Progress& progress)
    : what_(std::move(what)), progress_(progress) {
  if (::isatty(STDERR_FILENO) == 1) thread_ = std::thread([this] { show_until_done(); });
}

ProgressLine::~ProgressLine() {
  if (!thread_.joinable()) return;
  {
    const std::scoped_lock lock(mutex_);
    done_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void ProgressLine::show_until_done() {
  std::unique_lock lock(mutex_);
  if (changed_.wait_for(lock, line_patience, [this] { return done_; })) return;
  do {
    const std::uint64_t done = progress_.events_done;
    const std::uint64_t total = progress_.events_total;
    const std::uint64_t unpacked = progress_.unpacked_bytes;
    if (unpacked != 0) {
      fmt::print(stderr, "{}Unpacking: {}", wipe_line, trace::bytes_text(unpacked));
      std::fflush(stderr);
    } else if (total != 0) {
      fmt::print(stderr, "{}{}: {}% of {} events", wipe_line, what_, done * 100 / total,
                 trace::count_text(total));
      std::fflush(stderr);
    }
  } while (!changed_.wait_for(lock, pause, [this] { return done_; }));
  fmt::print(stderr, "{}", wipe_line);
}

}  // namespace bytescope::app
