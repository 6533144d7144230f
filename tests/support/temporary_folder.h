#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

#include <gtest/gtest.h>

namespace bytescope::tests {

/// A new empty folder that no other test knows, whatever runs at the same time; gone with its
/// content when the object is.
class TemporaryFolder {
public:
  /// Throws std::runtime_error where no folder can be made.
  TemporaryFolder() : path_(testing::TempDir() + "bytescope test XXXXXX") {
    if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no folder for a test");
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  TemporaryFolder(TemporaryFolder&&) = delete;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  /// Without a slash at its end.
  const std::string& path() const { return path_; }
  /// The path of an entry, which need not exist.
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

private:
  std::string path_;
};

}  // namespace bytescope::tests
