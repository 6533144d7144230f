#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bytescope::merge {

/// Files that are shown as one trace. Like a file and a running program it has an address, by which
/// it is opened, listed and remembered.
struct FileSet {
  std::vector<std::string> paths;  ///< Absolute, or addresses of running programs.

  /// The address: `merge:/runs/a.bin+/runs/b.bin`; signs that mean something in it are escaped as
  /// in addresses of the web.
  std::string address() const;
  bool operator==(const FileSet&) const = default;
};

/// The set that an address tells; none for anything else, such as a path of one file.
std::optional<FileSet> file_set_from(std::string_view address);

/// A set of these files in a fixed order, so that the same files are always the same set.
FileSet file_set_of(std::vector<std::string> paths);

}  // namespace bytescope::merge
