#include "core/session/session.h"

#include <algorithm>
#include <exception>
#include <new>
#include <system_error>
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

Session::Session(std::function<void()> wake)
    : wake_(std::move(wake)),
      looker_([](const Files& known, const Cancel&, const auto& publish) { look(known, publish); },
              wake_) {}

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
  loads_.reserve(loads_.size() + 1);
  try {
    load->thread =
        std::thread([this, shared = load.get(), path = document.path,
                     previews = document.trace == nullptr] { run(*shared, path, previews); });
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

void Session::run(Load& load, const std::string& path, bool previews) const {
  trace::LoadOptions options;
  options.previews = previews;
  options.on_stage = [this, &load](std::shared_ptr<const trace::Trace> stage) {
    Shown shown = Shown::of(std::move(stage), load.cancel);
    {
      const std::scoped_lock lock(load.mutex);
      load.stage = std::move(shown);
    }
    wake_();
  };
  auto result = load_within_memory(path, options, load.cancel, *load.progress);
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

bool Session::poll() {
  bool changed = false;
  for (const auto& load : loads_) take_over(*load, changed);
  std::erase_if(loads_, [](const std::unique_ptr<Load>& load) { return !load->thread.joinable(); });
  if (const auto seen = looker_.take()) take_over(*seen, changed);
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
  if (!document->trace || document->trace->file != shown.trace->file)
    document->on_disk = io::OnDisk::same;
  document->trace = shown.trace;
  document->summary = shown.summary;
  ++document->generation;
}

}  // namespace bytescope::session
