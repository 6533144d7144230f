#pragma once

#include <string>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace bytescope::tests {

/// A number from the environment, or another where none is there.
int number_from(const char* name, int otherwise);

/// What somebody opens who has no plan: traces of several kinds, one that others write to, one that
/// is none, and one that is not there. Gone with the object.
class WalkFiles {
public:
  WalkFiles();

  /// The one that others write to.
  std::string plain() const { return folder_ / "plain.bin"; }
  std::vector<std::string> paths() const;
  /// Cuts the plain one short (0), writes it anew (1), replaces it (2) or takes it away (else).
  void disturb(int how) const;

private:
  TemporaryFolder folder_;
};

}  // namespace bytescope::tests
