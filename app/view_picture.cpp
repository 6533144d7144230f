#include "app/view_picture.h"

#include <chrono>
#include <thread>
#include <utility>

#include "app/steady_clock.h"
#include "render/gl/picture_target.h"

namespace bytescope::app {

Expected<render::Picture> view_picture(Screen& screen, Viewer& viewer, render::gl::PixelSize size,
                                       float scale, int factor) {
  constexpr double patience_s = 2;
  constexpr std::chrono::milliseconds pause(5);
  const render::gl::PixelSize larger{size.width * factor, size.height * factor};
  const auto target = render::gl::PictureTarget::create(larger);
  if (!target) return tl::make_unexpected(target.error());
  // What the pointer is over is no part of the view.
  viewer.handle({.kind = InputEvent::Kind::mouse_leave});
  const double begin_s = steady_seconds();
  const auto draw = [&] {
    viewer.poll();
    target->bind();
    screen.draw(viewer, {}, larger, scale * static_cast<float>(factor), steady_seconds());
  };
  do {
    draw();
    std::this_thread::sleep_for(pause);
  } while ((!viewer.settled() || screen.wants_another_frame()) &&
           steady_seconds() - begin_s < patience_s);
  // ImGui's windows know their size a frame late.
  draw();
  return target->pixels();
}

bool save_wanted_picture(Screen& screen, Viewer& viewer, render::gl::PixelSize size, float scale) {
  const auto wanted = viewer.take_wanted_picture();
  if (!wanted) return false;
  auto picture = view_picture(screen, viewer, size, scale, wanted->factor);
  if (picture) {
    viewer.write_picture(std::move(*picture), wanted->path);
  } else {
    viewer.tell(text(picture.error()));
  }
  return true;
}

}  // namespace bytescope::app
