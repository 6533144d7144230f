#pragma once

#include <optional>
#include <string>

#include "app/remembered.h"
#include "core/error.h"

namespace bytescope::app {

/// Where the program remembers: `bytescope/remembered.json` in $XDG_STATE_HOME, by default
/// ~/.local/state. None without a home folder.
std::optional<std::string> remembered_path();

/// What was remembered, and what there is to say about it.
struct Recalled {
  Remembered remembered;
  std::string notice;  ///< Empty, or a sentence: a broken file was set aside.
};

/// Reads the file; what cannot be read is moved to a name that ends in `.broken` and told of. A
/// missing file is an empty memory.
Recalled recall_from(const std::string& path);

/// Writes the file by rename, readable by its owner only; makes the folders on the way.
Expected<void> remember_in(const std::string& path, const Remembered& remembered);

}  // namespace bytescope::app
