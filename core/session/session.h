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
#include "core/session/file_watcher.h"
#include "core/trace/loader.h"
#include "core/trace/trace.h"

namespace bytescope::session {

/// One open file: what there is of it so far.
struct Document {
  std::uint64_t id = 0;  ///< Never used twice in a session.
  std::string path;      ///< Or an address: of the web, or of files shown as one (merge::FileSet).
  std::vector<std::int64_t> offsets_us;  ///< Of those files, as many or fewer: the others have 0.
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

  /// Starts to open a file, or what a server has at an address (session::load_source); returns the
  /// id of its document, which is there at once. `offsets_us` are those of files shown as one.
  std::uint64_t open(const std::string& path, std::vector<std::int64_t> offsets_us = {});
  /// Reads the file of a document again; what is shown stays until the new trace is there.
  void reload(std::uint64_t id);
  /// Does so with other offsets of the files that are shown as one.
  void set_offsets(std::uint64_t id, std::vector<std::int64_t> offsets_us);
  /// Stops the load of a document; one that has nothing to show keeps an error "Cancelled", another
  /// is as if it had not been read again.
  void cancel(std::uint64_t id);
  /// Forgets a document.
  void close(std::uint64_t id);

  /// Asks, on a thread of its own, what became of the files of the traces that are shown; poll()
  /// takes the answer over. `wake` is called only when there is something new.
  void look_at_files();
  /// From now on asks by itself, once a second, what became of the files: `wake` is called when
  /// there is something new, and the next poll() has it. Starts a thread that sleeps otherwise.
  void tell_changes();
  /// Reads files again by themselves from now on (or no more) when they have changed and nobody
  /// writes them any more. Of one that is not whole then, what was shown stays, with an error. The
  /// first time starts that thread.
  void set_watching(bool watches, const FileWatcher::Pace& pace = {});
  bool is_watching() const { return watches_; }
  /// Takes over what the loads have produced; returns whether anything changed.
  bool poll();
  /// Tells that a picture of what poll() took over last has been drawn. Loads of large files wait
  /// for that a moment, so that the first picture has the processors to itself.
  void note_drawn();

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

  /// What a load reads.
  struct Wanted;
  static Expected<Shown> load_within_memory(const Wanted& wanted, const trace::LoadOptions& options,
                                            const Cancel& cancel, Progress& progress);
  /// Which traces a load may bring: also what is sound of a damaged file, or whole ones only.
  enum class Accepts : std::uint8_t { any, whole };
  void start(Document& document, Accepts accepts = Accepts::any);
  /// What a load does on its thread.
  void run(Load& load, const Wanted& wanted) const;
  bool look_after_files();
  bool read_again(FileWatcher::Files rested);
  void take_over(Load& load, bool& changed);
  static void look(const Files& known,
                   const std::function<void(std::shared_ptr<const Files>)>& publish);
  void take_over(const Files& seen, bool& changed);

  std::function<void()> wake_;
  std::vector<Document> documents_;
  std::vector<std::unique_ptr<Load>> loads_;
  std::uint64_t last_id_ = 0;
  LatestWorker<Files, Files> looker_;
  bool watches_ = false;
  bool tells_changes_ = false;
  FileWatcher::Pace watching_pace_;
  FileWatcher::Files rested_;  // to be read again as soon as they are not being read
  std::unique_ptr<FileWatcher> watcher_;
};

}  // namespace bytescope::session
