#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cards.h"
#include "app/document_notes.h"
#include "app/remembered_tracks.h"
#include "core/error.h"
#include "core/query/time_range.h"
#include "render/memory_look.h"

namespace bytescope::app {

/// How a file was looked at last, and what was noted on it. Tracks by their names, since numbers
/// change with the file.
struct RememberedView {
  std::string path;  ///< Absolute, or an address: of a program, of files that are shown as one.
  query::TimeRange window;
  RememberedTracks tracks;
  render::MemoryLook memory;
  DocumentNotes notes;
  std::vector<std::int64_t> offsets_us;  ///< Of files that are shown as one.
  bool operator==(const RememberedView&) const = default;
};

/// What the program remembers from one run to the next.
struct Remembered {
  static constexpr std::size_t most_recent = 20;
  static constexpr std::size_t most_views = 200;

  std::optional<bool> light;   ///< The theme that somebody chose; none: the desktop's.
  std::optional<bool> motion;  ///< Whether views glide, as somebody chose; none: the desktop's.
  float zoom = 1;              ///< Of all text.
  int window_width = 1600;
  int window_height = 1000;
  bool watches = false;  ///< Files are read again by themselves when they have changed.
  CardTable cards;
  std::vector<std::string> recent;    ///< Paths, newest first.
  std::vector<RememberedView> views;  ///< Newest first.
  bool operator==(const Remembered&) const = default;

  /// Puts a path in front of the recent ones.
  void note_recent(const std::string& path);
  /// Puts a view in front, in place of an earlier one of its file.
  void note_view(RememberedView view);
  const RememberedView* view_of(std::string_view path) const;
};

/// What is to be written when somebody else may have written meanwhile: `disk`, with what has
/// changed from `base` to `mine`. So two windows do not lose each other's notes.
Remembered merged(const Remembered& base, const Remembered& mine, Remembered disk);

/// As JSON, for reading it back.
std::string remembered_as_json(const Remembered& remembered);

/// What a JSON text tells; what it lacks, or has out of range, is as in a new Remembered. Fails for
/// what is no JSON object.
Expected<Remembered> remembered_from_json(std::string_view json);

}  // namespace bytescope::app
