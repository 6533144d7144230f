#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/export/export.h"
#include "core/latest_worker.h"
#include "render/scene.h"

namespace bytescope::app {

/// Writes traces and pictures on a thread of its own, one at a time. For the window's thread.
class ExportDriver {
public:
  /// `wake` is called from the worker's thread when something came of it.
  explicit ExportDriver(std::function<void()> wake);

  /// Begins to write; must not be busy.
  void start(std::shared_ptr<const trace::Trace> trace, const std::string& path,
             exporting::Request request);
  /// The same with a picture, as PNG.
  void start(render::Picture picture, const std::string& path);
  /// Ends it, with nothing written; its end is told by take().
  void cancel() { worker_.cancel(); }
  bool is_busy() const { return under_way_.has_value(); }

  /// What became of it.
  struct Done {
    std::string sentence;
    bool is_good = false;
  };
  /// The same, once.
  std::optional<Done> take();
  /// `writing run.json · 34%`; must be busy.
  std::string status() const;
  /// How much of it is done, 0 to 1.
  float fraction_done() const;

private:
  struct Order {
    std::string path;
    std::shared_ptr<Progress> progress;
    std::function<Done(const Cancel& cancel)> write;
  };
  void start(Order order);

  std::optional<Order> under_way_;
  LatestWorker<Order, Done> worker_;
};

}  // namespace bytescope::app
