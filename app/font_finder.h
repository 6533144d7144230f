#pragma once

#include <memory>
#include <optional>
#include <string>

#include "render/scene.h"

namespace bytescope::app {

/// A font on this system and the characters that it has.
class FontFile {
public:
  struct Characters;

  FontFile(std::string path, int index, std::shared_ptr<const Characters> characters);
  const std::string& path() const { return path_; }
  /// Which font of the file, as FreeType counts them.
  int index() const { return index_; }
  bool has(char32_t character) const;

private:
  std::string path_;
  int index_;
  std::shared_ptr<const Characters> characters_;
};

/// Asks Fontconfig for fonts. Making one reads the system's font caches (some milliseconds); it
/// need not be kept.
class FontFinder {
public:
  FontFinder();
  FontFinder(const FontFinder&) = delete;
  FontFinder& operator=(const FontFinder&) = delete;
  FontFinder(FontFinder&&) = delete;
  FontFinder& operator=(FontFinder&&) = delete;
  ~FontFinder();

  /// The font of a face: Inter or JetBrains Mono in its weight, else DejaVu, else the nearest that
  /// there is; none on a system without fonts.
  std::optional<FontFile> find(render::Face face) const;
  /// A font that has this character, if any.
  std::optional<FontFile> find_with(char32_t character) const;

private:
  struct Config;
  std::unique_ptr<Config> config_;
};

}  // namespace bytescope::app
