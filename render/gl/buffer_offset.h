#pragma once

#include <bit>
#include <cstddef>

namespace bytescope::render::gl {

/// Where a vertex attribute begins in the bound buffer, in the form in which OpenGL takes it: a
/// pointer that points nowhere, whose bits are the number of bytes.
inline const void* buffer_offset(std::size_t bytes) { return std::bit_cast<const void*>(bytes); }

}  // namespace bytescope::render::gl
