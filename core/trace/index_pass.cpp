#include "core/trace/index_pass.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "core/io/thread_clock.h"
#include "core/trace/memory_load.h"
#include "core/trace/name_styles.h"
#include "core/trace/span_load.h"

namespace bytescope::trace {

namespace {

/// Blocks of a whole trace are kept below this many (24 bytes each) by making them longer.
constexpr std::uint64_t most_blocks = 1'000'000;
constexpr std::uint32_t longest_block = 255;    // their count is a byte
constexpr std::uint32_t preview_samples = 512;  // of a track
constexpr std::uint32_t most_samples = 8'192;   // of all tracks

/// Spans a block, so that the blocks of a trace stay few.
std::uint32_t block_spans_for(const std::vector<Track>& tracks) {
  std::uint64_t spans = 0;
  for (const Track& track : tracks) {
    if (track.head.kind == bytepack::TrackKind::spans) spans += track.head.count;
  }
  std::uint32_t size = 16;
  while (size < longest_block && spans / size > most_blocks)
    size = std::min(size * 2, longest_block);
  return size;
}

}  // namespace

/// What the threads of a pass share; everything behind the lock.
struct IndexPass::Shared {
  std::mutex mutex;
  std::size_t next = 0;
  std::uint32_t first_fault_track = UINT32_MAX;
  std::optional<Error> fault;
  Warnings warnings;
  SortingRoom room;  // has a lock of its own
};

/// What each thread has to itself.
struct IndexPass::Tools {
  NameStyles styles;
  io::PieceBuffer buffer;
};

IndexPass::IndexPass(const io::InputFile& file, const bytepack::Frame& frame,
                     const bytepack::JsonIndex& index, const bytepack::Dialect& dialect,
                     std::vector<Track>& tracks, const Cancel& cancel, Progress* progress)
    : file_(file),
      frame_(frame),
      index_(index),
      dialect_(dialect),
      tracks_(tracks),
      cancel_(cancel),
      progress_(progress),
      block_spans_(block_spans_for(tracks)),
      shared_(std::make_shared<Shared>()) {}

namespace {

/// Context of one span track; `styles` must outlive it.
SpanLoadContext context_of(const Track& track, const bytepack::Frame& frame,
                           const bytepack::JsonIndex& index, NameStyles& styles,
                           std::uint32_t block_spans) {
  SpanLoadContext context;
  context.duration = frame.duration_us;
  context.string_count = index.strings.size();
  context.block_spans = block_spans;
  context.inherits_phase = track.role == TrackRole::tiny;
  context.style_of_name = [role = track.role, &styles](std::uint32_t name) {
    return styles(role, name);
  };
  return context;
}

}  // namespace

void IndexPass::on_threads(unsigned threads, const std::function<void()>& work) {
  const auto guarded = [&] {
    try {
      work();
    } catch (const std::bad_alloc&) {
      // Out of a thread's function it would end the program.
      const std::scoped_lock lock(shared_->mutex);
      shared_->first_fault_track = 0;
      shared_->fault =
          Error{ErrorKind::machine, "There is not enough memory to open the file", {}, {}};
    }
  };
  std::vector<std::thread> others;
  others.reserve(threads);
  try {
    for (unsigned i = 1; i < threads && i < tracks_.size(); ++i) {
      others.emplace_back([&] {
        guarded();
        if (progress_ != nullptr)
          progress_->cpu_us += static_cast<std::uint64_t>(io::thread_cpu_s() * 1e6);
      });
    }
  } catch (const std::system_error&) {
    // The system gives no more threads: those that there are do the work.
  }
  guarded();
  for (std::thread& thread : others) thread.join();
}

Expected<void> IndexPass::preview(unsigned threads) {
  // Ten thousand tracks shall not make the preview slower than a fiftieth of a second.
  const auto samples = static_cast<std::uint32_t>(std::clamp<std::size_t>(
      most_samples / std::max<std::size_t>(tracks_.size(), 1), 1, preview_samples));
  std::atomic<std::size_t> next = 0;
  on_threads(threads, [&] {
    NameStyles styles(file_, index_);
    for (std::size_t i = next++; i < tracks_.size() && !cancel_.requested(); i = next++) {
      Track& track = tracks_[i];
      if (track.head.kind != bytepack::TrackKind::spans) continue;
      const SpanLoadContext context = context_of(track, frame_, index_, styles, 16);
      track.spans = std::make_shared<const SpanIndex>(
          sample_spans(file_, dialect_, track.head, context, samples));
    }
  });
  if (shared_->fault) return tl::make_unexpected(*shared_->fault);
  return {};
}

Expected<void> IndexPass::run(unsigned threads, Warnings& warnings) {
  std::vector<std::uint32_t> order(tracks_.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto bytes = [this](std::uint32_t i) {
    return tracks_[i].head.end_byte - tracks_[i].head.head_byte;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return bytes(a) > bytes(b); });
  on_threads(threads, [&] { work(order); });
  warnings.append(shared_->warnings);
  if (shared_->fault) return tl::make_unexpected(*shared_->fault);
  return {};
}

void IndexPass::work(const std::vector<std::uint32_t>& order) {
  Tools tools{NameStyles(file_, index_), {}};
  while (const std::optional<std::uint32_t> number = next_track(order)) {
    Warnings warnings;
    Track track = tracks_[*number];
    Expected<void> done = index_track(track, *number, tools, warnings);
    const std::scoped_lock lock(shared_->mutex);
    shared_->warnings.append(warnings);
    if (done) {
      tracks_[*number] = std::move(track);
      if (on_track_) on_track_();
    } else if (*number < shared_->first_fault_track) {
      shared_->first_fault_track = done.error().kind == ErrorKind::cancelled ? 0 : *number;
      shared_->fault = std::move(done.error());
    }
  }
}

std::optional<std::uint32_t> IndexPass::next_track(const std::vector<std::uint32_t>& order) {
  const std::scoped_lock lock(shared_->mutex);
  // Behind a faulty track nothing is needed any more, before it everything.
  while (shared_->next < order.size() && order[shared_->next] > shared_->first_fault_track)
    ++shared_->next;
  if (shared_->next == order.size()) return std::nullopt;
  return order[shared_->next++];
}

Expected<void> IndexPass::index_track(Track& track, std::uint32_t number, Tools& tools,
                                      Warnings& warnings) {
  const auto placed = [&](Error error) {
    if (error.kind == ErrorKind::bad_input) {
      error.where.track = number;
      error.where.track_name = track.head.name;
    }
    return tl::make_unexpected(std::move(error));
  };
  if (track.head.kind == bytepack::TrackKind::spans) {
    SpanLoadContext context = context_of(track, frame_, index_, tools.styles, block_spans_);
    context.buffer = &tools.buffer;
    context.progress = progress_;
    auto spans = load_spans(file_, dialect_, track.head, context, warnings, cancel_);
    if (!spans) return placed(std::move(spans.error()));
    track.spans = std::make_shared<const SpanIndex>(std::move(*spans));
    return {};
  }
  bytepack::TypeTable types(file_, index_);
  MemoryLoadContext context;
  context.duration = frame_.duration_us;
  context.begin = track.file_begin;
  context.end = track.file_end;
  context.string_count = index_.strings.size();
  context.dtype_bytes = [&types](std::uint32_t dtype) { return types.bytes_per_element(dtype); };
  context.room = &shared_->room;
  context.buffer = &tools.buffer;
  Warnings of_track;
  Expected<void> done;
  if (track.head.kind == bytepack::TrackKind::line) {
    done = load_line(file_, track.head, context, of_track, cancel_).map([&](LineIndex&& line) {
      track.line = std::make_shared<const LineIndex>(std::move(line));
    });
  } else {
    done = load_memory(file_, dialect_, track.head, context, of_track, cancel_)
               .map([&](MemoryIndex&& memory) {
                 track.memory = std::make_shared<const MemoryIndex>(std::move(memory));
               });
  }
  for (const Warning& warning : of_track.list()) {
    warnings.add(warning.message,
                 {warning.where.byte, number, track.head.name, warning.where.record});
  }
  if (!done) return placed(std::move(done.error()));
  if (progress_ != nullptr) {
    progress_->events_done += track.head.count;
    progress_->bytes_done += track.head.end_byte - track.head.records_byte;
  }
  return {};
}

}  // namespace bytescope::trace
