#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/bytepack/detect.h"
#include "core/bytepack/track_walk.h"
#include "core/cancel.h"
#include "core/error.h"
#include "core/trace/trace.h"

namespace bytescope::trace {

/// One pass over the tracks of a reading on several threads: the largest first, each track by one
/// thread.
class IndexPass {
public:
  /// `tracks` come with heads and roles; the pass fills their indexes. All references outlive the
  /// pass.
  IndexPass(const io::InputFile& file, const bytepack::Frame& frame,
            const bytepack::JsonIndex& index, const bytepack::Dialect& dialect,
            std::vector<Track>& tracks, const Cancel& cancel, Progress* progress);

  /// Called after each finished track, under a lock.
  void set_on_track(std::function<void()> on_track) { on_track_ = std::move(on_track); }
  /// Fills previews of all span tracks. Fails only without memory.
  Expected<void> preview(unsigned threads);
  /// Makes all indexes. The error is that of the first faulty track in file order, with its place.
  Expected<void> run(unsigned threads, Warnings& warnings);

private:
  struct Shared;
  struct Tools;

  /// Does the work on this thread and others, as many as the system gives. Out of memory becomes
  /// the fault of the pass.
  void on_threads(unsigned threads, const std::function<void()>& work);
  void work(const std::vector<std::uint32_t>& order);
  /// The next track that has to be indexed; none when no more have.
  std::optional<std::uint32_t> next_track(const std::vector<std::uint32_t>& order);
  Expected<void> index_track(Track& track, std::uint32_t number, Tools& tools, Warnings& warnings);

  const io::InputFile& file_;
  const bytepack::Frame& frame_;
  const bytepack::JsonIndex& index_;
  const bytepack::Dialect& dialect_;
  std::vector<Track>& tracks_;
  const Cancel& cancel_;
  Progress* progress_;
  std::uint32_t block_spans_;
  std::function<void()> on_track_;
  std::shared_ptr<Shared> shared_;
};

}  // namespace bytescope::trace
