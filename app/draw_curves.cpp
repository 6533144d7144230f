#include "app/draw_curves.h"

#include <algorithm>
#include <cmath>

#include <imgui.h>

namespace bytescope::app {
namespace {

constexpr float width_px = 1.5F;
/// How far a curve keeps level at its ends.
constexpr float least_bend_px = 24;
constexpr float most_bend_px = 160;

}  // namespace

void draw_curves(ImDrawList& list, std::span<const render::CurveMark> curves) {
  for (const render::CurveMark& curve : curves) {
    const float bend = std::clamp(std::abs(curve.x1 - curve.x0) / 2, least_bend_px, most_bend_px);
    const render::Color color = curve.color;
    list.PushClipRect({curve.clip.x0, curve.clip.y0}, {curve.clip.x1, curve.clip.y1});
    list.AddBezierCubic({curve.x0, curve.y0}, {curve.x0 + bend, curve.y0},
                        {curve.x1 - bend, curve.y1}, {curve.x1, curve.y1},
                        IM_COL32(color.r, color.g, color.b, color.a), width_px);
    list.PopClipRect();
  }
}

}  // namespace bytescope::app
