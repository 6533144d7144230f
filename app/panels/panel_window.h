#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "app/panels/panel_context.h"
#include "render/text_fit.h"

struct ImDrawList;

namespace bytescope::app {

/// What panels are made of: an ImGui window without decoration, text in our faces, fills, and
/// places that can be clicked. All coordinates are the window's logical pixels, scrolling included:
/// (x, y) is where it lands on the screen.
class PanelWindow {
public:
  /// How the window lies over the others.
  enum class Kind : std::uint8_t {
    part,       ///< A part of the main window: behind everything, no background, no scrolling.
    scrolling,  ///< The same with a scroll bar where its content is higher.
    raised,     ///< In front, with a background and a border of its own.
    bubble,     ///< In front and raised, but takes no input.
  };

  /// Begins the window; `name` tells it from others.
  PanelWindow(const PanelContext& context, const char* name, Kind kind);
  PanelWindow(const PanelWindow&) = delete;
  PanelWindow& operator=(const PanelWindow&) = delete;
  PanelWindow(PanelWindow&&) = delete;
  PanelWindow& operator=(PanelWindow&&) = delete;
  ~PanelWindow();

  const render::Theme& theme() const { return context_.theme; }
  const render::TextMetrics& metrics() const { return context_.fonts; }
  ImFont* font(render::Face face) const { return context_.fonts.font(face); }
  const render::Box& area() const { return context_.area; }
  /// How far the content is scrolled up.
  float scrolled() const { return scrolled_; }
  /// Right edge of what is not under the scroll bar.
  float right() const { return right_; }
  /// Says how high the content of a scrolling window is.
  void set_content_height(float height);
  /// Limits text and fills to a part of the window (not what can be clicked).
  void set_clip(const render::Box& clip);

  void fill(const render::Box& box, render::Color color, float rounding = 0);
  void outline(const render::Box& box, render::Color color, float rounding = 0);
  void line(float x0, float y0, float x1, float y1, render::Color color, float thickness = 1);

  /// A line of text with its left edge at `x` and the top of its em box at `y`; answers its width.
  float text(float x, float y, render::Face face, std::string_view text, render::Color color);
  float text(float x, float y, render::Face face, std::vector<render::TextPiece> pieces);
  /// The same, cut with an ellipsis where it is wider than `room`.
  float text_within(float x, float y, float room, render::Face face, std::string_view text,
                    render::Color color);
  float text_within(float x, float y, float room, render::Face face,
                    std::vector<render::TextPiece> pieces);
  /// A line of text with its right edge at `x`.
  float text_right(float x, float y, render::Face face, std::string_view text, render::Color color);
  float text_middle(float x, float y, render::Face face, std::string_view text,
                    render::Color color);
  float width_of(render::Face face, std::string_view text) const {
    return render::text_width_px(metrics(), face, text);
  }

  /// What the pointer does over a place.
  struct Pointing {
    bool hovered = false;
    bool clicked = false;
    bool middle_clicked = false;
    bool right_clicked = false;
    bool double_clicked = false;
    bool by_key = false;  ///< Clicked by Enter or Space.
  };
  /// Who reaches a place.
  enum class Reach : std::uint8_t {
    pointer,   ///< The pointer only: keys reach the same in another way.
    keys_too,  ///< Tab as well: a ring shows that it has the keyboard, Enter and Space click it.
  };
  /// A place that can be clicked; `number` tells it from others of the window. The pointer becomes
  /// a hand over it.
  Pointing place(const render::Box& box, int number, Reach reach = Reach::keys_too);
  /// Something with parts that Left and Right step through and Enter and Space click; only keys
  /// reach it. The caller knows which part is meant, and shows that it has the keyboard by ring().
  ControlFocus::Standing stepped_place(int number) const;
  /// Shows that a part of the window has the keyboard.
  void ring(const render::Box& box);
  /// A button with a frame and a text in its middle; answers whether it was clicked.
  bool button(const render::Box& box, int number, std::string_view text, bool is_main = false);
  /// A small cross; answers whether it was clicked.
  bool cross(float center_x, float center_y, int number);

  /// Who of the window's controls has the keyboard; null where keys reach none.
  ControlFocus* focus() const { return context_.focus; }

private:
  static constexpr float raised_rounding_px = 6;

  void follow_keys(const render::Box& box, std::uint32_t id, Pointing& pointing);

  PanelContext context_;
  bool is_window_ = false;
  ImDrawList* list_ = nullptr;
  render::Box clip_;
  float scrolled_ = 0;
  float right_ = 0;
  std::optional<render::Box> ring_;  // around what has the keyboard
  bool scrolls_ = false;
};

/// Raw text with colour codes as pieces in the theme's colours, on one line; `standard` is what has
/// no colour of its own.
std::vector<render::TextPiece> colored_pieces(const render::Theme& theme, std::string_view raw,
                                              render::Color standard);

}  // namespace bytescope::app
