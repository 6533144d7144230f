#pragma once

#include <bitset>
#include <deque>
#include <span>
#include <string>

#include "app/input.h"
#include "render/gl/device_box.h"

namespace bytescope::app {

/// Feeds the current ImGui context from our list of events, of a window or made up. Only ImGui's
/// own widgets see these keys; actions read the list itself.
class ImGuiInput {
public:
  /// Connects ImGui to a clipboard, which must live as long as this.
  explicit ImGuiInput(Clipboard& clipboard);

  /// To be called right before ImGui::NewFrame(): the events since the last frame, how large the
  /// framebuffer is, device pixels per logical pixel, and the time since the last frame. ImGui sees
  /// one state a frame, so an event that would hide an earlier one (the release of a key that was
  /// pressed since the last frame) waits, with all after it, for the next frame.
  void begin_frame(std::span<const InputEvent> events, render::gl::PixelSize framebuffer,
                   float scale, double delta_s);
  /// Whether events wait, so that another frame is wanted soon.
  bool wants_another_frame() const { return !waiting_.empty(); }

private:
  /// What ImGui has been told since the last frame.
  struct Told {
    std::bitset<key_count> keys;
    std::bitset<mouse_button_count> buttons;
    Modifiers modifiers;
    bool editing_key = false;
    bool character = false;
  };

  bool must_wait(const InputEvent& event) const;
  void feed(const InputEvent& event);
  static const char* clipboard_text(void* self);
  static void set_clipboard_text(void* self, const char* text);

  Clipboard& clipboard_;
  std::string clipboard_copy_;
  std::deque<InputEvent> waiting_;
  Told told_;
};

}  // namespace bytescope::app
