#include "app/export_driver.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "app/png.h"
#include "core/trace/units.h"

namespace bytescope::app {
namespace {

std::string name_of(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

ExportDriver::Done export_done(const trace::Trace& trace, const std::string& path,
                               const exporting::Request& request, const Cancel& cancel,
                               Progress& progress) {
  const auto outcome = exporting::export_trace(trace, path, request, cancel, &progress);
  if (!outcome) return {text(outcome.error()), false};
  std::string sentence =
      fmt::format("Wrote {}: {} events, {}", name_of(path), trace::count_text(outcome->events),
                  trace::bytes_text(outcome->size_bytes));
  for (const Warning& warning : outcome->warnings.list()) sentence += ". " + text(warning);
  return {std::move(sentence), true};
}

}  // namespace

ExportDriver::ExportDriver(std::function<void()> wake)
    : worker_(
          [](const Order& order, const Cancel& cancel,
             const LatestWorker<Order, Done>::Publish& publish) {
            publish(std::make_shared<const Done>(order.write(cancel)));
          },
          std::move(wake)) {}

void ExportDriver::start(Order order) {
  under_way_ = std::move(order);
  worker_.request(*under_way_);
}

void ExportDriver::start(std::shared_ptr<const trace::Trace> trace, const std::string& path,
                         exporting::Request request) {
  const auto progress = std::make_shared<Progress>();
  start({path, progress,
         [trace = std::move(trace), path, request = std::move(request),
          progress](const Cancel& cancel) {
           return export_done(*trace, path, request, cancel, *progress);
         }});
}

void ExportDriver::start(render::Picture picture, const std::string& path) {
  // Orders are copied, pictures shall not be.
  const auto shared = std::make_shared<const render::Picture>(std::move(picture));
  start({path, std::make_shared<Progress>(), [shared, path](const Cancel&) {
           const auto done = write_png(*shared, path);
           return done ? Done{"Wrote " + path, true} : Done{text(done.error()), false};
         }});
}

std::optional<ExportDriver::Done> ExportDriver::take() {
  if (!under_way_) return std::nullopt;
  // In this order: what is idle has handed out all that it will.
  const bool is_over = worker_.idle();
  const auto done = worker_.take();
  if (!is_over && !done) return std::nullopt;
  const std::string path = std::exchange(under_way_, std::nullopt)->path;
  if (done) return *done;
  return Done{fmt::format("{} was not written", name_of(path)), false};
}

std::string ExportDriver::status() const {
  return fmt::format("writing {}  \u00B7  {:.0f}%  \u00B7  Esc cancels", name_of(under_way_->path),
                     static_cast<double>(fraction_done()) * 100);
}

float ExportDriver::fraction_done() const {
  const std::uint64_t total = under_way_->progress->events_total.load(std::memory_order_relaxed);
  const std::uint64_t done = under_way_->progress->events_done.load(std::memory_order_relaxed);
  if (total == 0) return 0;
  return std::min(static_cast<float>(static_cast<double>(done) / static_cast<double>(total)), 1.0F);
}

}  // namespace bytescope::app
