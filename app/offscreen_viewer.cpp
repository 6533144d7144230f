#include "app/offscreen_viewer.h"

#include <chrono>
#include <utility>

#include "app/view_picture.h"

namespace bytescope::app {
namespace {
constexpr double frame_s = 1.0 / 60;
/// Nothing wakes us when a file chooser or a fade wants a frame; look again after that long.
constexpr std::chrono::milliseconds settling_pause(20);
}  // namespace

Expected<std::unique_ptr<OffscreenViewer>> OffscreenViewer::create(render::gl::PixelSize size,
                                                                   float scale,
                                                                   const render::Theme& theme) {
  auto context = OffscreenContext::create(size);
  if (!context) return tl::make_unexpected(context.error());
  std::unique_ptr<OffscreenViewer> made(new OffscreenViewer(scale));
  made->context_ = std::move(*context);
  auto screen = Screen::create(made->clipboard_, scale);
  if (!screen) return tl::make_unexpected(screen.error());
  made->screen_ = std::move(*screen);
  made->viewer_ =
      std::make_unique<Viewer>(theme, made->clipboard_, [raw = made.get()] { raw->wake(); });
  return made;
}

void OffscreenViewer::wake() {
  {
    const std::scoped_lock lock(mutex_);
    awake_ = true;
  }
  woken_.notify_all();
}

void OffscreenViewer::wait_for_wake() {
  std::unique_lock lock(mutex_);
  woken_.wait_for(lock, settling_pause, [this] { return awake_; });
  awake_ = false;
}

void OffscreenViewer::feed(InputEvent event) {
  event.time_s = now_s_;
  viewer_->handle(event);
  events_.push_back(std::move(event));
}

void OffscreenViewer::build() {
  viewer_->poll();
  screen_->build(*viewer_, events_, context_->size(), scale_, now_s_);
  events_.clear();
  now_s_ += frame_s;
}

void OffscreenViewer::paint() {
  context_->bind();
  screen_->paint(*viewer_, context_->size(), scale_);
  context_->finish();
  viewer_->note_painted();
}

void OffscreenViewer::frame() {
  build();
  paint();
  if (save_wanted_picture(*screen_, *viewer_, context_->size(), scale_)) paint();
}

void OffscreenViewer::settle(const Cancel& cancel) {
  for (;;) {
    frame();
    if (cancel.requested()) return;
    const bool changed = viewer_->poll();
    if (!changed && viewer_->settled() && !screen_->wants_another_frame()) break;
    if (!changed && !screen_->wants_another_frame()) wait_for_wake();
  }
  // ImGui's windows know their size a frame late.
  frame();
  frame();
}

}  // namespace bytescope::app
