#include "render/theme.h"

#include <algorithm>

#include "render/oklch.h"

namespace bytescope::render {
namespace {

/// What one theme is made from: hex values as in the table of the look.
struct Palette {
  bool dark;
  std::uint32_t canvas, row_alt, panel, raised, border, grid, grid_major;
  std::uint32_t text, text_2, text_3, accent, hit, warn, error, ok, focus;
  std::uint32_t categories[trace::category_count][3];  // body, dense, edge by Category
  std::uint32_t lifetimes[trace::lifetime_count][3];   // by Lifetime
  std::uint32_t thin[3];
  std::uint32_t ansi[17];
};

// clang-format off
constexpr Palette dark_palette = {
  .dark = true,
  .canvas = 0x0D1015, .row_alt = 0x11151B, .panel = 0x161B22, .raised = 0x1E252E,
  .border = 0x2C3642, .grid = 0x1B222B, .grid_major = 0x2A3440,
  .text = 0xE8EDF4, .text_2 = 0xAEB9C7, .text_3 = 0x8592A3,
  .accent = 0x5AB0FF, .hit = 0xFFD23F, .warn = 0xFFB454, .error = 0xFF7B72, .ok = 0x57D38C,
  .focus = 0xFFFFFF,
  .categories = {
    { 0x164671, 0x3E84C8, 0x6AB0F6 },  // elementwise
    { 0x6A3908, 0xC27533, 0xF1A161 },  // reduce
    { 0x61284B, 0xA75084, 0xD57AAF },  // other kernel
    { 0x0A5145, 0x379986, 0x67C5B1 },  // copy
    { 0x3B414C, 0x6E7888, 0x98A2B4 },  // batch
    { 0x494B22, 0x8F9354, 0xBABF7F },  // schedule
    { 0x483365, 0x8060AD, 0xAB8ADB },  // codegen
    { 0x214B50, 0x4E8C93, 0x78B7BE },  // callify
    { 0x662F2C, 0xB25E59, 0xE18881 },  // JIT
    { 0x3C4045, 0x6F757D, 0x999FA7 },  // other compiler work
    { 0x484137, 0x84786A, 0xAEA393 },  // user
    { 0x264D28, 0x509654, 0x7BC27E },  // wave
  },
  .lifetimes = {
    { 0x3B356D, 0x6A63B8, 0x928DE7 },  // never freed
    { 0x0B4B5F, 0x338CAB, 0x62B8D8 },  // long-lived
    { 0x5E4408, 0xB28938, 0xDFB565 },  // transient
  },
  .thin = { 0x3E4248, 0x757B84, 0x9FA5AF },
  .ansi = {
    0xE8EDF4,                                                         // default
    0xBAC5D1, 0xFFABA5, 0x7ADB9A, 0xF0CD5C, 0xA3C7FF, 0xF4B8F8, 0x66DCE6, 0xFFFFFF,
    0xBAC5D1, 0xFFB7B1, 0xA4E8BA, 0xF7DF92, 0xB4D1FF, 0xF6C6FA, 0x9CEBF1, 0xFFFFFF,  // bright
  },
};

constexpr Palette light_palette = {
  .dark = false,
  .canvas = 0xFCFDFE, .row_alt = 0xF4F6F9, .panel = 0xEEF1F5, .raised = 0xFFFFFF,
  .border = 0xCDD5DF, .grid = 0xE6EAF0, .grid_major = 0xD3DAE3,
  .text = 0x18202A, .text_2 = 0x465364, .text_3 = 0x5C6979,
  .accent = 0x0B62C4, .hit = 0x8A5A00, .warn = 0x8F4E00, .error = 0xB42318, .ok = 0x1A6B3C,
  .focus = 0x000000,
  .categories = {
    { 0xCFE6FF, 0x5AA0E6, 0x3178BA },  // elementwise
    { 0xFDDCC3, 0xD98B4A, 0xAE631D },  // reduce
    { 0xFED6EB, 0xC46BA0, 0x9A4478 },  // other kernel
    { 0xC9ECE3, 0x55B3A0, 0x258B79 },  // copy
    { 0xDFE3EB, 0x8993A4, 0x636C7C },  // batch
    { 0xE3E6CC, 0xA1A666, 0x7A7E40 },  // schedule
    { 0xE8DCFE, 0x9B7BCA, 0x7554A0 },  // codegen
    { 0xD0E8EB, 0x69A7AE, 0x418087 },  // callify
    { 0xFDD9D6, 0xD07973, 0xA5524D },  // JIT
    { 0xE0E3E7, 0x8A9098, 0x646971 },  // other compiler work
    { 0xE7E2DB, 0x9F9384, 0x786D5E },  // user
    { 0xD1EED1, 0x66AC69, 0x3E8042 },  // wave
  },
  .lifetimes = {
    { 0xDFE0FD, 0x837ED6, 0x5F57AB },  // never freed
    { 0xC9E9F6, 0x51A8C8, 0x23809E },  // long-lived
    { 0xF2E1C3, 0xC29948, 0x997119 },  // transient
  },
  .thin = { 0xE0E3E7, 0x90969F, 0x696F78 },
  .ansi = {
    0x18202A,                                                         // default
    0x4A5665, 0xAD1F17, 0x14602F, 0x6E4A00, 0x1747B0, 0x80218F, 0x005B69, 0x18202A,
    0x4A5665, 0x8F1710, 0x0D4A22, 0x553800, 0x10367F, 0x641871, 0x00464F, 0x18202A,  // bright
  },
};
// clang-format on

constexpr double variant_hue_degrees = 10;
constexpr double variant_lightness = 0.02;
constexpr double buffer_lightness = 0.03;
/// Hues that are far apart, of the categories of spans: none of the greys.
constexpr std::size_t type_categories[type_fill_count] = {0, 1, 2, 11, 5, 3, 6, 8};
/// From the smallest buffers to the largest.
constexpr double size_lightness = 0.12;
constexpr double size_chroma = 0.06;
constexpr double size_hue_degrees = 150;

Tones tones_from(const std::uint32_t (&hex)[3]) { return {rgb(hex[0]), rgb(hex[1]), rgb(hex[2])}; }

/// The same colour with another hue and lightness.
Color shifted(Color color, double hue_degrees, double lightness) {
  Oklch coordinates = oklch_from_color(color);
  coordinates.hue_degrees += hue_degrees;
  coordinates.lightness += lightness;
  return color_from_oklch(coordinates);
}

/// Variant 0 to 8: hue by row, lightness by column; the fifth is the category itself.
Tones variant_of(const Tones& tones, unsigned variant) {
  const int row = static_cast<int>(variant / 3) - 1;
  const int column = static_cast<int>(variant % 3) - 1;
  const double hue = row * variant_hue_degrees;
  const double lightness = column * variant_lightness;
  return {shifted(tones.body, hue, lightness), shifted(tones.dense, hue, lightness),
          shifted(tones.edge, hue, lightness)};
}

void set_roles(Theme& theme, const Palette& from) {
  theme.dark = from.dark;
  theme.canvas = rgb(from.canvas);
  theme.row_alt = rgb(from.row_alt);
  theme.panel = rgb(from.panel);
  theme.raised = rgb(from.raised);
  theme.border = rgb(from.border);
  theme.grid = rgb(from.grid);
  theme.grid_major = rgb(from.grid_major);
  theme.text = rgb(from.text);
  theme.text_2 = rgb(from.text_2);
  theme.text_3 = rgb(from.text_3);
  theme.accent = rgb(from.accent);
  theme.hit = rgb(from.hit);
  theme.warn = rgb(from.warn);
  theme.error = rgb(from.error);
  theme.ok = rgb(from.ok);
  theme.focus = rgb(from.focus);
  theme.ghost = mix(theme.canvas, theme.text_3, 0.1F);
}

void set_spans(Theme& theme, const Palette& from) {
  constexpr auto fallback = static_cast<std::size_t>(trace::Category::tiny_other);
  theme.span_tones.fill(tones_from(from.categories[fallback]));
  for (std::size_t category = 0; category < trace::category_count; ++category) {
    const Tones base = tones_from(from.categories[category]);
    for (std::uint8_t variant = 0; variant < trace::Style::variants; ++variant) {
      const trace::Style style(static_cast<trace::Category>(category), variant);
      theme.span_tones[style.bits] = variant_of(base, variant);
    }
  }
}

/// Two lightnesses of a colour, for neighbours.
std::array<Color, 2> shades_of(Color color) {
  return {shifted(color, 0, -buffer_lightness), shifted(color, 0, buffer_lightness)};
}

void set_buffers(Theme& theme, const Palette& from) {
  for (std::size_t lifetime = 0; lifetime < trace::lifetime_count; ++lifetime) {
    const Tones tones = tones_from(from.lifetimes[lifetime]);
    theme.buffer_tones[lifetime] = tones;
    theme.buffer_fills[lifetime] = shades_of(tones.dense);
  }
  theme.thin_buffers = tones_from(from.thin);
  for (std::size_t i = 0; i < type_fill_count; ++i)
    theme.type_fills[i] = shades_of(tones_from(from.categories[type_categories[i]]).dense);
  const Oklch small = oklch_from_color(tones_from(from.lifetimes[1]).dense);
  for (std::size_t i = 0; i < size_fill_count; ++i) {
    const double share = static_cast<double>(i) / (size_fill_count - 1);
    theme.size_fills[i] = shades_of(color_from_oklch(
        {small.lightness + size_lightness * (share - 0.5), small.chroma + size_chroma * share,
         small.hue_degrees + size_hue_degrees * share}));
  }
}

Theme theme_from(const Palette& palette) {
  Theme theme;
  set_roles(theme, palette);
  set_spans(theme, palette);
  set_buffers(theme, palette);
  for (std::size_t i = 0; i < theme.ansi.size(); ++i) theme.ansi[i] = rgb(palette.ansi[i]);
  return theme;
}

/// As much of a colour on the canvas as all texts can be read on.
Color readable_body(const Theme& theme, Color color) {
  constexpr double least_contrast = 4.5;
  for (int twentieths = 12; twentieths > 0; --twentieths) {
    const Color body = mix(theme.canvas, color, static_cast<float>(twentieths) * 0.05F);
    const bool all_read = std::all_of(theme.ansi.begin(), theme.ansi.end(), [&](Color text) {
      return contrast(text, body) >= least_contrast;
    });
    if (all_read) return body;
  }
  return mix(theme.canvas, color, 0.05F);
}

/// A colour, towards that of text as far as it takes to be seen on the canvas: pastel on white, or
/// navy on black, would be seen by nobody.
Color seen_on_canvas(const Theme& theme, Color color) {
  constexpr double least_contrast = 1.8;
  Color seen = color;
  for (int twentieths = 1; twentieths < 20 && contrast(seen, theme.canvas) < least_contrast;
       ++twentieths)
    seen = mix(color, theme.text, static_cast<float>(twentieths) * 0.05F);
  return seen;
}

}  // namespace

const Tones& category_tones(const Theme& theme, trace::Category category) {
  constexpr std::uint8_t unchanged = 4;
  return theme.span_tones[trace::Style(category, unchanged).bits];
}

Theme with_wave_colors(const Theme& theme,
                       std::span<const std::pair<std::string, std::uint32_t>> patterns) {
  Theme own = theme;
  const std::size_t count =
      std::min<std::size_t>(patterns.size(), trace::Style::most_wave_patterns);
  for (std::size_t i = 0; i < count; ++i) {
    const Color color = rgb(patterns[i].second);
    const Color edge = seen_on_canvas(theme, color);
    const trace::Style style(trace::Category::wave, static_cast<std::uint8_t>(i + 1));
    own.span_tones[style.bits] = {readable_body(theme, color), edge, edge};
  }
  return own;
}

const Theme& dark_theme() {
  static const Theme theme = theme_from(dark_palette);
  return theme;
}

const Theme& light_theme() {
  static const Theme theme = theme_from(light_palette);
  return theme;
}

}  // namespace bytescope::render
