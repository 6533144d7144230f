#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_maker.h"

namespace bytescope::tests {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

/// Every command that reads a trace, on that path.
std::vector<std::vector<std::string>> commands_on(const std::string& path) {
  return {{"info", path},
          {"info", path, "--json"},
          {"dump", path, "--list"},
          {"dump", path, "--track", "AMD"},
          {"stats", path},
          {"memory", path, "--track", "AMD Memory"},
          {"search", path, "r_"},
          {"gaps", path},
          {"screenshot", path, path + ".png"}};
}

/// Expects that every command refuses `path` with 1, for that reason, and the path last.
void expect_refused(const std::string& path, const std::string& reason) {
  for (const std::vector<std::string>& arguments : commands_on(path)) {
    SCOPED_TRACE(arguments[0] + " " + path);
    const Finished run = run_program(arguments);
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(run.output, "");
    EXPECT_THAT(run.errors, StartsWith("error: "));
    EXPECT_THAT(run.errors, HasSubstr(reason));
    EXPECT_THAT(run.errors, EndsWith(": " + path + "\n"));
    EXPECT_FALSE(std::filesystem::exists(path + ".png"));
  }
}

class OddInputs : public testing::Test {
protected:
  std::string in_folder(const std::string& name) const { return folder / name; }
  TemporaryFolder folder;
};

TEST_F(OddInputs, AFolderIsNoTrace) { expect_refused(folder.path(), "This is a folder"); }

TEST_F(OddInputs, APipeIsRefusedAtOnceThoughNobodyWritesToIt) {
  const std::string path = in_folder("pipe");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  expect_refused(path, "not a regular file");
}

TEST_F(OddInputs, ADeviceIsRefusedThoughItNeverEnds) {
  // A link, so that nothing is written beside the device.
  std::filesystem::create_symlink("/dev/zero", in_folder("zeros"));
  expect_refused(in_folder("zeros"), "not a regular file");
}

TEST_F(OddInputs, AnEmptyFileIsNoTrace) {
  std::ofstream(in_folder("empty")).close();
  expect_refused(in_folder("empty"), "The file is empty");
}

TEST_F(OddInputs, AFileWithoutPermissionIsRefused) {
  const std::string path = in_folder("secret");
  std::ofstream(path) << "text";
  ASSERT_EQ(::chmod(path.c_str(), 0), 0);
  if (::geteuid() != 0) return expect_refused(path, "Permission denied");
  // Root may read everything, so somebody else asks.
  ASSERT_EQ(::chmod(folder.path().c_str(), 0711), 0);
  const std::string as_nobody = "setpriv --reuid 65534 --regid 65534 --clear-groups $BYTESCOPE ";
  if (run_shell(as_nobody + "--version").exit_code != 0)
    GTEST_SKIP() << "nobody else may run the program";
  const Finished run = run_shell(as_nobody + "info '" + path + "'");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.output, "");
  EXPECT_THAT(run.errors, HasSubstr("Permission denied"));
  EXPECT_THAT(run.errors, EndsWith(": " + path + "\n"));
}

TEST_F(OddInputs, ALinkToNowhereOrToItselfIsRefused) {
  std::filesystem::create_symlink("nowhere", in_folder("lost"));
  expect_refused(in_folder("lost"), "No such file");
  std::filesystem::create_symlink("circle", in_folder("circle"));
  expect_refused(in_folder("circle"), "Cannot open the file");
}

TEST_F(OddInputs, APathThatIsTooLongIsRefused) {
  const std::string path = in_folder(std::string(300, 'x'));
  const Finished run = run_program({"info", path});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.errors, EndsWith(": " + path + "\n"));
}

TEST_F(OddInputs, ADashIsNotStandardInput) {
  const TemporaryFile file(varied_bytes('L'));
  for (const char* command : {"info", "stats", "dump --list", "gaps"}) {
    const Finished run = run_shell("cd '" + folder.path() + "' && $BYTESCOPE " + command +
                                   " - < '" + file.path() + "'");
    EXPECT_EQ(run.exit_code, 1) << command;
    EXPECT_EQ(run.output, "") << command;
    EXPECT_EQ(run.errors, "error: Standard input cannot be opened; save it to a file first: -\n");
  }
  // A file of that name is one.
  std::filesystem::copy_file(file.path(), in_folder("-"));
  EXPECT_EQ(run_shell("cd '" + folder.path() + "' && $BYTESCOPE info ./-").exit_code, 0);
}

TEST_F(OddInputs, NamesOfFilesMayBeAnyBytes) {
  const std::string path = in_folder("a\nb\x1b[31m \xff.bin");
  std::ofstream(path, std::ios::binary) << "no trace";
  const Finished run = run_program({"info", path});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.errors, EndsWith("a\\x0ab\\x1b[31m \xef\xbf\xbd.bin\n"));
}

}  // namespace
}  // namespace bytescope::tests
