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

}  // namespace bytescope::app
