#include "render/stack_picture.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/trace/units.h"

namespace bytescope::render {
namespace {

using query::StackCell;
using query::StackColumns;

/// From bytes to rows of a picture, counted from the lower edge.
struct ByteScale {
  double begin_bytes;
  double rows_per_byte;
  explicit ByteScale(const StackRequest& request)
      : begin_bytes(static_cast<double>(request.begin_bytes)),
        rows_per_byte(static_cast<double>(request.height_px) /
                      static_cast<double>(
                          std::max<std::uint64_t>(request.end_bytes - request.begin_bytes, 1))) {}
  double row(std::uint64_t bytes) const {
    return (static_cast<double>(bytes) - begin_bytes) * rows_per_byte;
  }
};

/// Paints one column of pixels.
class ColumnPainter {
public:
  ColumnPainter(Picture& picture, BufferPalette& palette, const StackRequest& request,
                const Theme& theme)
      : picture_(picture), palette_(palette), scale_(request), theme_(theme) {}

  void paint(std::uint32_t column, const StackCell* begin, const StackCell* end) {
    for (const StackCell* cell = begin; cell != end; ++cell) {
      const auto height = static_cast<double>(picture_.height);
      const double top_row = std::clamp(scale_.row(cell->end_bytes), 0.0, height);
      const double bottom_row = std::clamp(scale_.row(cell->begin_bytes), 0.0, height);
      const auto bottom = static_cast<std::uint32_t>(std::lround(bottom_row));
      auto top = static_cast<std::uint32_t>(std::lround(top_row));
      // The topmost cell keeps its outline however thin it is.
      if (top == bottom && cell + 1 == end && top_row > bottom_row)
        top = std::min(top + 1, picture_.height);
      const bool seam = cell->ordinal != StackCell::thin && top >= bottom + 4;
      fill(column, bottom, seam ? top - 1 : top, color(*cell));
      if (seam) fill(column, top - 1, top, theme_.canvas);
    }
  }

private:
  void fill(std::uint32_t column, std::uint32_t bottom, std::uint32_t top, Color color) {
    for (std::uint32_t row = bottom; row < top; ++row) {
      picture_.pixels[std::size_t{picture_.height - 1 - row} * picture_.width + column] = color;
    }
  }

  Color color(const StackCell& cell) const {
    return cell.ordinal == StackCell::thin ? theme_.thin_buffers.dense
                                           : palette_.color(cell.ordinal);
  }

  Picture& picture_;
  BufferPalette& palette_;
  ByteScale scale_;
  const Theme& theme_;
};

/// A buffer that has kept enough height since some column.
struct OpenLabel {
  std::uint32_t begin_column;
  std::uint32_t last_column;
  std::uint64_t begin_bytes;
  std::uint64_t end_bytes;
};

constexpr std::uint32_t least_label_columns = 64;
constexpr double least_label_rows = 16;

/// Finds where buffers keep enough height for a label, column after column.
class LabelSearch {
public:
  LabelSearch(const trace::MemoryIndex& memory, const StackRequest& request,
              const std::function<std::string(std::uint32_t)>& type_name)
      : memory_(memory), request_(request), scale_(request), type_name_(type_name) {}

  /// Columns come in their order.
  void add(std::uint32_t column, const StackCell& cell) {
    if (cell.ordinal == StackCell::thin) return;
    const std::uint64_t bottom = std::max(cell.begin_bytes, request_.begin_bytes);
    const std::uint64_t top = std::min(cell.end_bytes, request_.end_bytes);
    if (!is_high(bottom, top)) return;
    const auto [entry, fresh] =
        open_.try_emplace(cell.ordinal, OpenLabel{column, column, bottom, top});
    OpenLabel& label = entry->second;
    if (fresh) return;
    const std::uint64_t low = std::max(label.begin_bytes, bottom);
    const std::uint64_t high = std::min(label.end_bytes, top);
    if (label.last_column + 1 == column && is_high(low, high)) {
      label = {label.begin_column, column, low, high};
    } else {
      close(cell.ordinal, label);
      label = {column, column, bottom, top};
    }
  }
  /// All that were found, by buffer.
  std::vector<StackLabel> finish() {
    for (const auto& [ordinal, label] : open_) close(ordinal, label);
    std::sort(labels_.begin(), labels_.end(),
              [](const StackLabel& a, const StackLabel& b) { return a.ordinal < b.ordinal; });
    return std::move(labels_);
  }

private:
  bool is_high(std::uint64_t bottom, std::uint64_t top) const {
    return top > bottom && scale_.row(top) - scale_.row(bottom) >= least_label_rows;
  }
  void close(std::uint32_t ordinal, const OpenLabel& label) {
    if (label.last_column + 1 - label.begin_column < least_label_columns) return;
    const trace::Buffer& buffer = memory_.buffers[ordinal];
    labels_.push_back({ordinal, label.begin_column, label.last_column + 1, label.begin_bytes,
                       label.end_bytes,
                       type_name_(buffer.dtype) + "  " + trace::bytes_text(buffer.bytes)});
  }

  const trace::MemoryIndex& memory_;
  const StackRequest& request_;
  ByteScale scale_;
  const std::function<std::string(std::uint32_t)>& type_name_;
  std::vector<StackLabel> labels_;
  std::unordered_map<std::uint32_t, OpenLabel> open_;
};

}  // namespace

std::shared_ptr<const Picture> stack_picture(const StackColumns& cells, BufferPalette& palette,
                                             const StackRequest& request, const Theme& theme) {
  auto picture = std::make_shared<Picture>();
  picture->width = cells.columns.count;
  picture->height = request.height_px;
  picture->pixels.assign(std::size_t{picture->width} * picture->height, Color{});
  ColumnPainter painter(*picture, palette, request, theme);
  for (std::uint32_t c = 0; c + 1 < cells.first_cell.size(); ++c) {
    painter.paint(c, cells.cells.data() + cells.first_cell[c],
                  cells.cells.data() + cells.first_cell[c + 1]);
  }
  return picture;
}

std::vector<StackLabel> stack_labels(const StackColumns& cells, const trace::MemoryIndex& memory,
                                     const StackRequest& request,
                                     const std::function<std::string(std::uint32_t)>& type_name) {
  LabelSearch search(memory, request, type_name);
  for (std::uint32_t c = 0; c + 1 < cells.first_cell.size(); ++c) {
    for (std::uint32_t i = cells.first_cell[c]; i < cells.first_cell[c + 1]; ++i)
      search.add(c, cells.cells[i]);
  }
  return search.finish();
}

}  // namespace bytescope::render
