#include "core/session/session.h"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include "core/io/large_pages.h"
#include "core/io/thread_clock.h"
#include "core/trace/loader.h"

namespace bytescope::session {

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
  std::uint64_t document = 0;
  Cancel cancel;
  std::shared_ptr<Progress> progress = std::make_shared<Progress>();
  std::mutex mutex;
  Shown stage;
  std::optional<Expected<Shown>> result;
  std::thread thread;
};

Expected<Session::Shown> Session::load_within_memory(const std::string& path,
                                                     const trace::LoadOptions& options,
                                                     const Cancel& cancel, Progress& progress) {
  try {
    return trace::load_trace(path, options, cancel, &progress)
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

Session::Session(std::function<void()> wake) : wake_(std::move(wake)) {}

Session::~Session() {
  for (const auto& load : loads_) load->cancel.request();
  for (const auto& load : loads_) load->thread.join();
}

const Document* Session::find(std::uint64_t id) const {
  const auto found = std::find_if(documents_.begin(), documents_.end(),
                                  [id](const Document& d) { return d.id == id; });
  return found == documents_.end() ? nullptr : &*found;
}

std::uint64_t Session::open(const std::string& path) {
  Document document;
  document.id = ++last_id_;
  document.path = path;
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

void Session::cancel(std::uint64_t id) {
  for (const auto& load : loads_) {
    if (load->document == id) load->cancel.request();
  }
}

void Session::close(std::uint64_t id) {
  cancel(id);
  std::erase_if(documents_, [id](const Document& document) { return document.id == id; });
}

void Session::start(Document& document) {
  auto load = std::make_unique<Load>();
  document.loading = true;
  document.error.reset();
  document.progress = load->progress;
  load->document = document.id;
  Load* shared = load.get();
  load->thread =
      std::thread([this, shared, path = document.path, previews = document.trace == nullptr] {
        trace::LoadOptions options;
        options.previews = previews;
        options.on_stage = [this, shared](std::shared_ptr<const trace::Trace> stage) {
          Shown shown = Shown::of(std::move(stage), shared->cancel);
          {
            const std::scoped_lock lock(shared->mutex);
            shared->stage = std::move(shown);
          }
          wake_();
        };
        auto result = load_within_memory(path, options, shared->cancel, *shared->progress);
        io::release_freed_memory();
        shared->progress->cpu_us += static_cast<std::uint64_t>(io::thread_cpu_s() * 1e6);
        {
          const std::scoped_lock lock(shared->mutex);
          shared->result.emplace(std::move(result));
        }
        wake_();
      });
  loads_.push_back(std::move(load));
}

bool Session::poll() {
  bool changed = false;
  for (const auto& load : loads_) take_over(*load, changed);
  std::erase_if(loads_, [](const std::unique_ptr<Load>& load) { return !load->thread.joinable(); });
  return changed;
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
  changed = true;
  if (result) document->loading = false;
  if (result && !*result) {
    document->error = result->error();
    if (document->trace && !document->trace->complete) document->trace = nullptr;
    return;
  }
  const Shown& shown = result ? **result : stage;
  document->trace = shown.trace;
  document->summary = shown.summary;
  ++document->generation;
}

}  // namespace bytescope::session
