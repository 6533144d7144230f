#pragma once

#include <string_view>

namespace bytescope::render::gl {

/// The text of assets/shaders/`name`, which is part of the program; empty when there is none.
std::string_view shader_text(std::string_view name);

}  // namespace bytescope::render::gl
