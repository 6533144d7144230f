#include "app/font_finder.h"

#include <array>
#include <utility>

#include <fontconfig/fontconfig.h>

namespace bytescope::app {
namespace {

using render::Face;

template <auto destroy>
struct Destroy {
  template <class T>
  void operator()(T* object) const {
    destroy(object);
  }
};
using Pattern = std::unique_ptr<FcPattern, Destroy<FcPatternDestroy>>;
using CharSet = std::unique_ptr<FcCharSet, Destroy<FcCharSetDestroy>>;

struct Wanted {
  std::array<const char*, 3> families;
  int weight;
};

Wanted wanted(Face face) {
  constexpr std::array<const char*, 3> ui{"Inter", "DejaVu Sans", "sans-serif"};
  constexpr std::array<const char*, 3> mono{"JetBrains Mono", "DejaVu Sans Mono", "monospace"};
  switch (face) {
    case Face::ui_13_medium: return {ui, FC_WEIGHT_MEDIUM};
    case Face::ui_12_semibold: return {ui, FC_WEIGHT_DEMIBOLD};
    case Face::ui_12:
    case Face::ui_11: return {ui, FC_WEIGHT_REGULAR};
    case Face::mono_12:
    case Face::mono_11: return {mono, FC_WEIGHT_REGULAR};
  }
  return {ui, FC_WEIGHT_REGULAR};
}

void add_family(FcPattern* pattern, const char* family) {
  FcPatternAddString(pattern, FC_FAMILY, reinterpret_cast<const FcChar8*>(family));
}

}  // namespace

struct FontFile::Characters {
  CharSet set;
};

FontFile::FontFile(std::string path, int index, std::shared_ptr<const Characters> characters)
    : path_(std::move(path)), index_(index), characters_(std::move(characters)) {}

bool FontFile::has(char32_t character) const {
  return FcCharSetHasChar(characters_->set.get(), character) == FcTrue;
}

struct FontFinder::Config {
  std::unique_ptr<FcConfig, Destroy<FcConfigDestroy>> fontconfig;

  /// The font nearest to a pattern, which is completed on the way.
  std::optional<FontFile> match(FcPattern* pattern) const {
    FcPatternAddBool(pattern, FC_SCALABLE, FcTrue);
    FcPatternAddBool(pattern, FC_COLOR, FcFalse);
    FcConfigSubstitute(fontconfig.get(), pattern, FcMatchPattern);
    FcDefaultSubstitute(pattern);
    FcResult result = FcResultNoMatch;
    const Pattern found(FcFontMatch(fontconfig.get(), pattern, &result));
    FcChar8* path = nullptr;
    int index = 0;
    FcCharSet* characters = nullptr;
    if (found == nullptr || FcPatternGetString(found.get(), FC_FILE, 0, &path) != FcResultMatch ||
        FcPatternGetCharSet(found.get(), FC_CHARSET, 0, &characters) != FcResultMatch)
      return std::nullopt;
    FcPatternGetInteger(found.get(), FC_INDEX, 0, &index);
    return FontFile(reinterpret_cast<const char*>(path), index,
                    std::make_shared<FontFile::Characters>(
                        FontFile::Characters{CharSet(FcCharSetCopy(characters))}));
  }
};

FontFinder::FontFinder() : config_(std::make_unique<Config>()) {
  config_->fontconfig.reset(FcInitLoadConfigAndFonts());
}

FontFinder::~FontFinder() = default;

std::optional<FontFile> FontFinder::find(Face face) const {
  if (config_->fontconfig == nullptr) return std::nullopt;
  const Pattern pattern(FcPatternCreate());
  const Wanted want = wanted(face);
  for (const char* family : want.families) add_family(pattern.get(), family);
  FcPatternAddInteger(pattern.get(), FC_WEIGHT, want.weight);
  FcPatternAddInteger(pattern.get(), FC_SLANT, FC_SLANT_ROMAN);
  return config_->match(pattern.get());
}

std::optional<FontFile> FontFinder::find_with(char32_t character) const {
  if (config_->fontconfig == nullptr) return std::nullopt;
  const Pattern pattern(FcPatternCreate());
  const CharSet characters(FcCharSetCreate());
  FcCharSetAddChar(characters.get(), character);
  FcPatternAddCharSet(pattern.get(), FC_CHARSET, characters.get());
  add_family(pattern.get(), "sans-serif");
  auto found = config_->match(pattern.get());
  if (found && !found->has(character)) return std::nullopt;
  return found;
}

}  // namespace bytescope::app
