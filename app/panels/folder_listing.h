#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/cancel.h"

namespace bytescope::app {

/// A folder or a trace in a folder.
struct FolderEntry {
  std::string name;
  bool is_folder = false;
  std::uint64_t bytes = 0;  ///< Of a file.
};

/// What lies in a folder, as far as the chooser cares: folders first, then `.bin` files
/// (compressed ones too), each in the order of their names with numbers read as numbers.
struct FolderListing {
  static constexpr std::size_t most_entries = 20'000;
  std::string folder;
  std::vector<FolderEntry> entries;
  std::string error;      ///< Why it could not be read, as a sentence without a full stop.
  bool has_more = false;  ///< There are more than most_entries.
};

/// Reads a folder; may take as long as its file system does.
FolderListing list_folder(const std::string& folder, const Cancel& cancel);

/// A path that is being typed: the folder up to the last slash, and what follows it. One that
/// begins anew behind a folder (`/home/me//tmp/x`, `/home/me/~/x`) is meant from there.
struct TypedPath {
  std::string folder;  ///< Ends with a slash, `~` resolved, as typed otherwise; empty: none.
  std::string filter;
};
TypedPath typed_path(std::string_view text);

/// The text of the folder above what is typed, with a slash at its end.
std::string text_of_parent(std::string_view text);
/// A folder's path with a slash at its end.
std::string with_slash(std::string path);

/// Whether an entry is shown while `filter` is typed: it holds it, capitals do not matter; hidden
/// ones only for a filter that begins with a point.
bool matches(std::string_view name, std::string_view filter);

/// `filter` grown by what all entries beginning with it (else all matching ones, when there is only
/// one) have in common; a slash follows when that is one folder.
std::string completed(const std::vector<FolderEntry>& entries, std::string_view filter);

}  // namespace bytescope::app
