#include "app/demo_maker.h"

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "app/xdg_folder.h"
#include "core/generate/generate.h"

namespace bytescope::app {
namespace {

/// As in the guide (docs/five-questions.md), so that its answers are those of the demo.
constexpr std::uint64_t demo_events = 200'000;

Expected<std::string> made_demo(const std::string& path, const Cancel& cancel) {
  generate::Options options;
  options.events = demo_events;
  std::error_code error;  // what is wrong with the folder shows when the file is written
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  if (auto written = generate::write_trace(path, options, cancel); !written)
    return tl::make_unexpected(std::move(written.error()));
  return path;
}

}  // namespace

std::optional<std::string> demo_path() { return user_file("XDG_CACHE_HOME", ".cache", "demo.bin"); }

DemoMaker::DemoMaker(std::function<void()> wake)
    : worker_(
          [](const std::string& path, const Cancel& cancel,
             const LatestWorker<std::string, Expected<std::string>>::Publish& publish) {
            publish(std::make_shared<const Expected<std::string>>(made_demo(path, cancel)));
          },
          std::move(wake)) {}

void DemoMaker::start(std::string path) {
  is_busy_ = true;
  worker_.request(std::move(path));
}

std::optional<Expected<std::string>> DemoMaker::take() {
  if (!is_busy_) return std::nullopt;
  // In this order: what is idle has handed out all that it will.
  const bool is_over = worker_.idle();
  const auto made = worker_.take();
  if (!is_over && !made) return std::nullopt;
  is_busy_ = false;
  if (made) return *made;
  return failure(ErrorKind::machine, "The demo was not written: too little memory", {}, {});
}

}  // namespace bytescope::app
