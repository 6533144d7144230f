#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "core/trace/category.h"
#include "core/trace/memory_index.h"
#include "render/color.h"

namespace bytescope::render {

/// The three tones of a category: `body` under labels, `dense` for narrow spans and busy columns,
/// `edge` for the top line.
struct Tones {
  Color body;
  Color dense;
  Color edge;
};

constexpr std::size_t type_fill_count = 8;
constexpr std::size_t size_fill_count = 8;

/// All colours of the window, dark or light. Immutable; every lookup is one array access.
struct Theme {
  bool dark = true;

  Color canvas;      ///< Behind the tracks.
  Color row_alt;     ///< Every second device.
  Color panel;       ///< Side panels, status bar, names.
  Color raised;      ///< Fields, tooltips, the chosen tab.
  Color border;      ///< Rules between parts.
  Color grid;        ///< Lines at ticks.
  Color grid_major;  ///< Lines at round ticks.
  Color text;        ///< What is read first.
  Color text_2;      ///< Labels of values, secondary text.
  Color text_3;      ///< Hints, units.
  Color accent;      ///< What can be acted on; the overview's window.
  Color hit;         ///< Search hits.
  Color warn;        ///< The worst device, memory peaks.
  Color error;
  Color ok;
  Color focus;  ///< Outline of the selection.
  Color ghost;  ///< The ceiling behind busy columns: canvas mixed 10 % with text 3.

  /// By Style::bits; what is no style has the colours of Category::tiny_other.
  std::array<Tones, 256> span_tones;
  /// By trace::Lifetime.
  std::array<Tones, trace::lifetime_count> buffer_tones;
  /// Stacked buffers alternate between two lightnesses by key: by trace::Lifetime, then key modulo
  /// 2.
  std::array<std::array<Color, 2>, trace::lifetime_count> buffer_fills;
  /// Stacked buffers by element type (render::type_slot), or by size (render::size_slot), then key
  /// modulo 2.
  std::array<std::array<Color, 2>, type_fill_count> type_fills;
  std::array<std::array<Color, 2>, size_fill_count> size_fills;
  Tones thin_buffers;  ///< Bands of buffers that are less than a pixel each.
  /// Text colours of ANSI codes: default, black, red, green, yellow, blue, magenta, cyan, white,
  /// then the eight bright ones (the order of trace::AnsiColor).
  std::array<Color, 17> ansi;

  Color body(trace::Style style) const { return span_tones[style.bits].body; }
  Color dense(trace::Style style) const { return span_tones[style.bits].dense; }
  Color edge(trace::Style style) const { return span_tones[style.bits].edge; }
  const Tones& tones(trace::Lifetime lifetime) const {
    return buffer_tones[static_cast<std::size_t>(lifetime)];
  }
};

/// The tones of a category without a variant, for legends and busy columns.
const Tones& category_tones(const Theme& theme, trace::Category category);

/// The theme with the colours that a shader trace tells for its spans (trace::wave_style): as they
/// are for narrow spans, dimmed under labels until those can be read.
Theme with_wave_colors(const Theme& theme,
                       std::span<const std::pair<std::string, std::uint32_t>> patterns);

const Theme& dark_theme();
const Theme& light_theme();

}  // namespace bytescope::render
