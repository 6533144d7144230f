#include "core/session/session.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <utility>

#include "core/io/large_pages.h"
#include "core/io/thread_clock.h"
#include "core/session/load_source.h"

namespace bytescope::session {
namespace {

/// Smaller traces are there as soon as their first picture.
constexpr std::uint64_t events_worth_a_wait = 1'000'000;
/// How often files are looked at that are not read again by themselves.
constexpr FileWatcher::Pace telling_pace{std::chrono::milliseconds(1000), std::nullopt};

}  // namespace

/// A trace with what is told about it.
struct Session::Shown {
  std::shared_ptr<const trace::Trace> trace;
  std::shared_ptr<const query::TraceSummary> summary;
  static Shown of(std::shared_ptr<const trace::Trace> trace, const Cancel& cancel) {
    auto summary = std::make_shared<const query::TraceSummary>(query::summarize(*trace, cancel));
    return {std::move(trace), std::move(summary)};
  }
};

/// A load in flight. The thread writes `stage` and `result` behind the lock; all else belongs to
/// the session.
struct Session::Load {
  /// Waits until the first stage is drawn; not for ever, as nobody might draw.
  void wait_for_picture() {
    constexpr std::chrono::milliseconds patience(100);
    std::unique_lock lock(mutex);
    drawn_or_cancelled.wait_for(lock, patience, [this] { return drawn || cancel.requested(); });
  }
  void note_drawn() {
    {
      const std::scoped_lock lock(mutex);
      drawn = true;
    }
    drawn_or_cancelled.notify_all();
  }
  void stop() {
    {
      // Behind the lock, or else one who is about to wait would miss it.
      const std::scoped_lock lock(mutex);
      cancel.request();
    }
    drawn_or_cancelled.notify_all();
  }

  std::uint64_t document = 0;
  Cancel cancel;
  std::shared_ptr<Progress> progress = std::make_shared<Progress>();
  std::mutex mutex;
  std::condition_variable drawn_or_cancelled;
  bool drawn = false;          // behind the lock; once that is set the load does not wait
  bool is_taken_over = false;  // whether the first stage is
  Shown stage;
  std::optional<Expected<Shown>> result;
  std::thread thread;
};

struct Session::Wanted {
  std::string path;
  std::vector<std::int64_t> offsets_us;
  bool previews = true;
  Accepts accepts = Accepts::any;
};

Expected<Session::Shown> Session::load_within_memory(const Wanted& wanted,
                                                     const trace::LoadOptions& options,
                                                     const Cancel& cancel, Progress& progress) {
  const std::string& path = wanted.path;
  try {
    return load_source(path, options, cancel, &progress, wanted.offsets_us)
        .map([&cancel](std::shared_ptr<const trace::Trace> trace) {
          return Shown::of(std::move(trace), cancel);
        });
  } catch (const std::bad_alloc&) {
    return failure(ErrorKind::machine, "There is not enough memory to open the file", {}, path);
  } catch (const std::exception& unexpected) {
    return failure(ErrorKind::machine,
                   std::string("The file cannot be opened: ") + unexpected.what(), {}, path);
  }
}

namespace {

bool is_whole(const trace::Trace& trace) {
  return trace.tracks.size() == trace.frame.track_count && !trace.file->changed();
}

}  // namespace

Session::Session(std::function<void()> wake)
    : wake_(std::move(wake)),
      looker_([](const Files& known, const Cancel&, const auto& publish) { look(known, publish); },
              wake_) {}

Session::~Session() {
  for (const auto& load : loads_) load->stop();
  for (const auto& load : loads_) load->thread.join();
}

const Document* Session::find(std::uint64_t id) const {
  const auto found = std::find_if(documents_.begin(), documents_.end(),
                                  [id](const Document& d) { return d.id == id; });
  return found == documents_.end() ? nullptr : &*found;
}

std::uint64_t Session::open(const std::string& path, std::vector<std::int64_t> offsets_us) {
  Document document;
  document.id = ++last_id_;
  document.path = path;
  document.offsets_us = std::move(offsets_us);
  documents_.push_back(std::move(document));
  start(documents_.back());
  return last_id_;
}

void Session::reload(std::uint64_t id) {
  cancel(id);
  for (Document& document : documents_) {
    if (document.id == id) start(document);
  }
}

void Session::set_offsets(std::uint64_t id, std::vector<std::int64_t> offsets_us) {
  const auto found = std::find_if(documents_.begin(), documents_.end(),
                                  [id](const Document& document) { return document.id == id; });
  if (found == documents_.end()) return;
  found->offsets_us = std::move(offsets_us);
  reload(id);
}

void Session::cancel(std::uint64_t id) {
  for (const auto& load : loads_) {
    if (load->document == id) load->stop();
  }
}

void Session::close(std::uint64_t id) {
  cancel(id);
  std::erase_if(documents_, [id](const Document& document) { return document.id == id; });
}

void Session::start(Document& document, Accepts accepts) {
  auto load = std::make_unique<Load>();
  document.loading = true;
  document.error.reset();
  document.progress = load->progress;
  load->document = document.id;
  loads_.reserve(loads_.size() + 1);
  try {
    load->thread =
        std::thread([this, shared = load.get(),
                     wanted = Wanted{document.path, document.offsets_us, document.trace == nullptr,
                                     accepts}] { run(*shared, wanted); });
    loads_.push_back(std::move(load));
  } catch (const std::system_error& refused) {
    document.loading = false;
    Error error;
    error.kind = ErrorKind::machine;
    error.message =
        std::string("The system gives no thread to open the file with: ") + refused.what();
    error.path = document.path;
    document.error = std::move(error);
  }
}

void Session::run(Load& load, const Wanted& wanted) const {
  trace::LoadOptions options;
  options.previews = wanted.previews;
  bool is_first = true;
  options.on_stage = [this, &load, &is_first](std::shared_ptr<const trace::Trace> stage) {
    const bool waits = std::exchange(is_first, false) && stage->event_count >= events_worth_a_wait;
    Shown shown = Shown::of(std::move(stage), load.cancel);
    {
      const std::scoped_lock lock(load.mutex);
      load.stage = std::move(shown);
    }
    wake_();
    if (waits) load.wait_for_picture();
  };
  auto result = load_within_memory(wanted, options, load.cancel, *load.progress);
  if (result && wanted.accepts == Accepts::whole && !is_whole(*result->trace))
    result = failure(ErrorKind::bad_input, "It is not whole; maybe it is still being written", {},
                     wanted.path);
  io::release_freed_memory();
  load.progress->cpu_us += static_cast<std::uint64_t>(io::thread_cpu_s() * 1e6);
  {
    const std::scoped_lock lock(load.mutex);
    load.result.emplace(std::move(result));
  }
  wake_();
}

void Session::look_at_files() {
  Files known;
  for (const Document& document : documents_) {
    if (document.trace) known.emplace_back(document.trace->file, document.on_disk);
  }
  if (!known.empty()) looker_.request(std::move(known));
}

void Session::look(const Files& known,
                   const std::function<void(std::shared_ptr<const Files>)>& publish) {
  auto seen = std::make_shared<Files>(known);
  for (auto& [file, on_disk] : *seen) on_disk = file->on_disk();
  if (*seen != known) publish(std::move(seen));
}

void Session::take_over(const Files& seen, bool& changed) {
  for (Document& document : documents_) {
    for (const auto& [file, on_disk] : seen) {
      // What was read anew since is the same again.
      if (!document.trace || document.trace->file != file || document.on_disk == on_disk) continue;
      document.on_disk = on_disk;
      changed = true;
    }
  }
}

void Session::tell_changes() {
  tells_changes_ = true;
  if (!watcher_) watcher_ = std::make_unique<FileWatcher>(wake_);
}

void Session::set_watching(bool watches, const FileWatcher::Pace& pace) {
  watches_ = watches;
  watching_pace_ = pace;
  if (watches && !watcher_) watcher_ = std::make_unique<FileWatcher>(wake_);
  rested_.clear();
}

/// Hands the files that are open to the watcher, and does what is to be done about those that have
/// changed.
bool Session::look_after_files() {
  if (!watcher_) return false;
  FileWatcher::Seen seen = watcher_->take();
  if (seen.any_changed && tells_changes_) look_at_files();
  const bool any = watches_ && read_again(std::move(seen.rested));
  FileWatcher::Files files;
  for (const Document& document : documents_) {
    if (document.trace && (watches_ || tells_changes_)) files.push_back(document.trace->file);
  }
  watcher_->watch(std::move(files), watches_ ? watching_pace_ : telling_pace);
  return any;
}

/// Starts to read those files again that have changed and rest. What is being read just now waits
/// for its turn.
bool Session::read_again(FileWatcher::Files rested) {
  for (auto& file : rested) rested_.push_back(std::move(file));
  bool any = false;
  FileWatcher::Files waiting;
  for (const auto& file : std::exchange(rested_, {})) {
    for (Document& document : documents_) {
      if (!document.trace || document.trace->file != file) continue;
      if (document.loading) {
        waiting.push_back(file);
        break;
      }
      document.on_disk = io::OnDisk::changed;
      start(document, Accepts::whole);
      any = true;
    }
  }
  rested_ = std::move(waiting);
  return any;
}

bool Session::poll() {
  bool changed = false;
  for (const auto& load : loads_) take_over(*load, changed);
  std::erase_if(loads_, [](const std::unique_ptr<Load>& load) { return !load->thread.joinable(); });
  if (const auto seen = looker_.take()) take_over(*seen, changed);
  return look_after_files() || changed;
}

void Session::note_drawn() {
  for (const auto& load : loads_) {
    if (load->is_taken_over) load->note_drawn();
  }
}

void Session::take_over(Load& load, bool& changed) {
  Shown stage;
  std::optional<Expected<Shown>> result;
  {
    const std::scoped_lock lock(load.mutex);
    stage = std::exchange(load.stage, {});
    result = std::move(load.result);
    load.result.reset();
  }
  if (result) load.thread.join();
  const auto document = std::find_if(documents_.begin(), documents_.end(),
                                     [&](const Document& d) { return d.id == load.document; });
  // A load that was cancelled for a newer one of the same document has nothing to say.
  if (document == documents_.end() || document->progress != load.progress) return;
  if (!stage.trace && !result) return;
  load.is_taken_over = true;
  changed = true;
  if (result) document->loading = false;
  if (result && !*result) {
    if (document->trace && !document->trace->complete) document->trace = nullptr;
    const bool is_as_before = document->trace && result->error().kind == ErrorKind::cancelled;
    if (!is_as_before) document->error = result->error();
    return;
  }
  const Shown& shown = result ? **result : stage;
  if (!document->trace || document->trace->file != shown.trace->file)
    document->on_disk = io::OnDisk::same;
  document->trace = shown.trace;
  document->summary = shown.summary;
  ++document->generation;
}

}  // namespace bytescope::session
