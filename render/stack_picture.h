#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/query/memory_stack.h"
#include "core/trace/memory_index.h"
#include "render/buffer_colors.h"
#include "render/scene.h"
#include "render/theme.h"
#include "render/timeline_detail.h"

namespace bytescope::render {

/// Paints the cells of a stack: one pixel a column, `request.height_px` rows, with a seam in the
/// canvas colour where buffers are at least 4 px tall; bands of thin ones in their own colour.
std::shared_ptr<const Picture> stack_picture(const query::StackColumns& cells,
                                             BufferPalette& palette, const StackRequest& request,
                                             const Theme& theme);

/// Places where a buffer keeps at least 16 px of height over at least 64 columns. `type_name` tells
/// an element type.
std::vector<StackLabel> stack_labels(const query::StackColumns& cells,
                                     const trace::MemoryIndex& memory, const StackRequest& request,
                                     const std::function<std::string(std::uint32_t)>& type_name);

}  // namespace bytescope::render
