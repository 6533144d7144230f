#include "app/fonts.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <ft2build.h>
#include <imgui.h>
#include <imgui_freetype.h>
#include FT_FREETYPE_H

#include "app/font_finder.h"
#include "core/io/utf8.h"

namespace bytescope::app {
namespace {

using io::CodePoint;
using io::first_code_point;
using io::replacement_character;
using render::Face;
using Bytes = std::vector<unsigned char>;
using Ranges = std::vector<ImWchar>;

// What labels and panels are made of; everything else comes on demand.
constexpr std::u32string_view punctuation =
    U"‐‑–—‘’“”†•…‰′″⁄₀₁₂₃€™←↑→↓↔↕⇧⌃⌘⌥⌫∆∑−√∞≈≠≤≥⌕─│■□▪▲△▴▵▶▷▸▹►▼▽▾▿◀◂●○✓✕";

// What stands for a character that no font has. Not U+FFFD itself: ImGui keeps tables up to the
// largest character that a font has, half a megabyte for each face.
constexpr char32_t placeholder = U'□';

constexpr std::size_t largest_font_file_bytes = 64U << 20U;

std::vector<char32_t> first_characters() {
  std::vector<char32_t> out;
  for (char32_t c = 0x20; c < 0x7F; ++c) out.push_back(c);
  for (char32_t c = 0xA0; c <= 0xFF; ++c) out.push_back(c);
  out.insert(out.end(), punctuation.begin(), punctuation.end());
  return out;
}

Bytes file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const auto size = static_cast<std::streamoff>(file.tellg());
  if (!file || size <= 0 || static_cast<std::size_t>(size) > largest_font_file_bytes) return {};
  Bytes out(static_cast<std::size_t>(size));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(out.data()), size);
  if (!file) out.clear();
  return out;
}

/// Line height over em: ImGui takes sizes as line heights, while LOOK's are those of the em square.
/// None when FreeType cannot read the font.
std::optional<float> line_per_em(const Bytes& font, int index) {
  FT_Library library = nullptr;
  if (font.empty() || FT_Init_FreeType(&library) != 0) return std::nullopt;
  std::optional<float> out;
  FT_Face face = nullptr;
  if (FT_New_Memory_Face(library, font.data(), static_cast<FT_Long>(font.size()), index, &face) ==
      0) {
    if (face->units_per_EM > 0 && face->ascender > face->descender)
      out = static_cast<float>(face->ascender - face->descender) /
            static_cast<float>(face->units_per_EM);
    FT_Done_Face(face);
  }
  FT_Done_FreeType(library);
  return out;
}

/// ImGui's way of listing characters: pairs of first and last, then 0.
Ranges ranges(std::vector<char32_t> characters) {
  std::sort(characters.begin(), characters.end());
  Ranges out;
  for (const char32_t c : characters) {
    const auto wide = static_cast<ImWchar>(c);
    if (!out.empty() && out.back() + 1 == wide)
      out.back() = wide;
    else
      out.insert(out.end(), {wide, wide});
  }
  out.push_back(0);
  return out;
}

void set_placeholder(ImFont& font) {
  if (font.FindGlyphNoFallback(static_cast<ImWchar>(placeholder)) == nullptr) return;
  font.FallbackChar = static_cast<ImWchar>(placeholder);
  font.BuildLookupTable();
}

}  // namespace

/// One building of the atlas: finds fonts, reads their files, and hands them to ImGui.
struct Fonts::Builder {
  struct Font {
    FontFile file;
    Bytes bytes;
    float line_per_em;
  };

  ImFontAtlas& atlas;
  float scale;
  std::vector<char32_t> characters;
  FontFinder finder;
  std::map<std::pair<std::string, int>, std::unique_ptr<Font>> fonts;
  std::vector<const Font*> fallbacks;
  std::vector<std::unique_ptr<Ranges>> kept_ranges;

  /// The font with its bytes, read once; null when it cannot be used.
  const Font* load(const std::optional<FontFile>& file) {
    if (!file) return nullptr;
    auto [at, is_new] = fonts.try_emplace({file->path(), file->index()});
    if (is_new) {
      Bytes bytes = file_bytes(file->path());
      if (const auto ratio = line_per_em(bytes, file->index()))
        at->second = std::make_unique<Font>(Font{*file, std::move(bytes), *ratio});
    }
    return at->second.get();
  }

  const Font* fallback_for(char32_t character) {
    for (const Font* font : fallbacks)
      if (font->file.has(character)) return font;
    const Font* found = load(finder.find_with(character));
    if (found != nullptr) fallbacks.push_back(found);
    return found;
  }

  ImFont* add(const Font& font, Face face, std::vector<char32_t> wanted, bool merge) {
    kept_ranges.push_back(std::make_unique<Ranges>(ranges(std::move(wanted))));
    ImFontConfig config;
    // As long as this says yes, ImGui does not copy the bytes; see give_back_bytes().
    config.FontDataOwnedByAtlas = true;
    config.FontNo = font.file.index();
    config.MergeMode = merge;
    config.PixelSnapH = true;
    // Half of FreeType's smallest unit more, since ImGui cuts the rest off.
    const float line_px = size_px(face) * scale * font.line_per_em + 0.5F / 64;
    // ImGui takes mutable bytes, but changes none.
    return atlas.AddFontFromMemoryTTF(const_cast<unsigned char*>(font.bytes.data()),
                                      static_cast<int>(font.bytes.size()), line_px, &config,
                                      kept_ranges.back()->data());
  }

  /// The bytes are ours, and die with this.
  void give_back_bytes() {
    for (ImFontConfig& config : atlas.ConfigData)
      if (shares_bytes(config)) config.FontDataOwnedByAtlas = false;
  }

  bool shares_bytes(const ImFontConfig& config) const {
    return std::any_of(fonts.begin(), fonts.end(), [&config](const auto& font) {
      return font.second != nullptr && font.second->bytes.data() == config.FontData;
    });
  }

  ImFont* add_built_in(Face face) {
    ImFontConfig config;
    config.SizePixels = std::round(size_px(face) * scale);
    return atlas.AddFontDefault(&config);
  }

  ImFont* add_face(Face face) {
    const Font* font = load(finder.find(face));
    if (font == nullptr) return add_built_in(face);
    std::vector<char32_t> own;
    std::map<const Font*, std::vector<char32_t>> others;
    for (const char32_t c : characters) {
      if (font->file.has(c))
        own.push_back(c);
      else if (const Font* other = fallback_for(c))
        others[other].push_back(c);
    }
    ImFont* out = add(*font, face, std::move(own), /*merge=*/false);
    for (const Font* other :
         fallbacks)  // in the order found, so that the same texts give the same atlas
      if (const auto at = others.find(other); at != others.end())
        add(*other, face, std::move(at->second), /*merge=*/true);
    return out;
  }
};

Fonts::Fonts(ImFontAtlas& atlas, float scale) : atlas_(atlas), scale_(scale), wanted_scale_(scale) {
  const std::vector<char32_t> first = first_characters();
  known_.insert(first.begin(), first.end());
  build();
}

bool Fonts::need(std::string_view utf8) {
  bool missing = false;
  while (!utf8.empty()) {
    const CodePoint next = first_code_point(utf8);
    utf8.remove_prefix(next.size_bytes);
    const bool impossible = next.value > IM_UNICODE_CODEPOINT_MAX || next.is_surrogate() ||
                            next.value == replacement_character;
    if (next.value < 0x7F || impossible) continue;
    if (added_.size() >= max_added_characters || !known_.insert(next.value).second) continue;
    added_.push_back(next.value);
    missing = true;
  }
  missing_ = missing_ || missing;
  return missing;
}

void Fonts::set_scale(float scale) { wanted_scale_ = scale; }

bool Fonts::rebuild_if_needed() {
  if (!rebuild_wanted()) return false;
  scale_ = wanted_scale_;
  build();
  return true;
}

void Fonts::build() {
  missing_ = false;
  atlas_.Clear();
  atlas_.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  atlas_.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
  // Neither mouse pointers nor lines are drawn from the texture, which is sampled without a filter.
  atlas_.Flags |= ImFontAtlasFlags_NoMouseCursors | ImFontAtlasFlags_NoBakedLines;
  Builder builder{atlas_, scale_, first_characters(), {}, {}, {}, {}};
  builder.characters.insert(builder.characters.end(), added_.begin(), added_.end());
  for (std::size_t i = 0; i < fonts_.size(); ++i)
    fonts_.at(i) = builder.add_face(static_cast<Face>(i));
  atlas_.Build();
  builder.give_back_bytes();
  // The font files are gone after this; the glyphs stay.
  atlas_.ClearInputData();
  for (ImFont* font : fonts_) set_placeholder(*font);
}

const ImFontGlyph* Fonts::glyph(Face face, char32_t character) const {
  const char32_t shown = character > IM_UNICODE_CODEPOINT_MAX ? replacement_character : character;
  return font(face)->FindGlyph(static_cast<ImWchar>(shown));
}

float Fonts::line_height(Face face) const { return font(face)->FontSize; }

float Fonts::advance_px(Face face, char32_t character) const {
  return glyph(face, character)->AdvanceX / scale_;
}

}  // namespace bytescope::app
