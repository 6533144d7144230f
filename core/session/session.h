#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/cancel.h"
#include "core/error.h"
#include "core/io/input_file.h"
#include "core/latest_worker.h"
#include "core/query/summary.h"
#include "core/trace/loader.h"
#include "core/trace/trace.h"

namespace bytescope::session {

/// One open file: what there is of it so far.
struct Document {
  std::uint64_t id = 0;  ///< Never used twice in a session.
  std::string path;
  std::shared_ptr<const trace::Trace> trace;           ///< Null until there is something to show.
  std::shared_ptr<const query::TraceSummary> summary;  ///< Of that trace; there whenever it is.
  std::optional<Error> error;  ///< Why it could not be opened, or read again.
  bool loading = false;
  std::shared_ptr<const Progress> progress;  ///< Of the load in flight, or of the last one.
  std::uint64_t generation = 0;              ///< Grows whenever `trace` is replaced.
  io::OnDisk on_disk = io::OnDisk::same;     ///< What look_at_files() found of its file.
};

/// The open files and the loads in flight; the only owner of such state. All functions are for one
/// thread (the window's); loads run on threads of their own and hand their results over in poll().
class Session {
public:
  /// `wake` is called from loading threads when poll() has something to do; it must outlive the
  /// session.
  explicit Session(std::function<void()> wake);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  Session(Session&&) = delete;
  Session& operator=(Session&&) = delete;
  /// Cancels what is in flight and waits for it.
  ~Session();

  /// Starts to open a file; returns the id of its document, which is there at once.
  std::uint64_t open(const std::string& path);
  /// Reads the file of a document again; what is shown stays until the new trace is there.
  void reload(std::uint64_t id);
  /// Stops the load of a document; one that has nothing to show keeps an error "Cancelled".
  void cancel(std::uint64_t id);
  /// Forgets a document.
  void close(std::uint64_t id);

  /// Asks, on a thread of its own, what became of the files of the traces that are shown; poll()
  /// takes the answer over. `wake` is called only when there is something new.
  void look_at_files();
  /// Takes over what the loads have produced; returns whether anything changed.
  bool poll();

  /// In the order of opening. Valid until the next call of a function that is not const.
  const std::vector<Document>& documents() const { return documents_; }
  const Document* find(std::uint64_t id) const;
  /// Whether a load is in flight, also of a document that was closed since.
  bool busy() const { return !loads_.empty(); }

private:
  struct Shown;
  struct Load;
  /// What is known of the files of traces.
  using Files = std::vector<std::pair<std::shared_ptr<const io::InputFile>, io::OnDisk>>;

  static Expected<Shown> load_within_memory(const std::string& path,
                                            const trace::LoadOptions& options, const Cancel& cancel,
                                            Progress& progress);
  void start(Document& document);
  /// What a load does on its thread.
  void run(Load& load, const std::string& path, bool previews) const;
  void take_over(Load& load, bool& changed);
  static void look(const Files& known,
                   const std::function<void(std::shared_ptr<const Files>)>& publish);
  void take_over(const Files& seen, bool& changed);

  std::function<void()> wake_;
  std::vector<Document> documents_;
  std::vector<std::unique_ptr<Load>> loads_;
  std::uint64_t last_id_ = 0;
  LatestWorker<Files, Files> looker_;
};

}  // namespace bytescope::session
