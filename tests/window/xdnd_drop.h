#pragma once

#include <string>
#include <vector>

namespace bytescope::tests {

/// How far a drop got.
struct DropResult {
  bool accepted = false;  ///< The target's XdndStatus took it.
  bool asked = false;     ///< The target asked for the list of files and got it.
  bool finished = false;  ///< Its XdndFinished says that it was done.
};

/// Drops files onto a window as a file manager would: a client of its own that speaks version 5 of
/// the XDND protocol (enter, position, drop, the selection as text/uri-list). The files' paths are
/// absolute. `x` and `y` count from the screen's upper left corner. Waits at most ten seconds.
DropResult drop_files(const std::string& display, unsigned long target, int x, int y,
                      const std::vector<std::string>& paths);

}  // namespace bytescope::tests
