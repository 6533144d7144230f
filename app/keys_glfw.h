#pragma once

#include "app/input.h"

struct GLFWwindow;

namespace bytescope::app {

/// Our key for one of GLFW's; Key::none for keys that we have no use for.
Key key_from_glfw(int glfw_key);
/// Our modifiers for GLFW's bits.
Modifiers modifiers_from_glfw(int bits);
/// The modifiers that are held at this moment.
Modifiers held_modifiers(GLFWwindow* window);

/// The modifiers of a key event. X11 tells those from before the event, which is wrong where the
/// key is a modifier itself.
Modifiers modifiers_with(GLFWwindow* window, int glfw_key, int bits);

}  // namespace bytescope::app
