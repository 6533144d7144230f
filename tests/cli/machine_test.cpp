#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_maker.h"

namespace bytescope::tests {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

/// The program on machines that lack something.
class Machine : public testing::Test {
protected:
  Machine() : file(varied_bytes('L')) {}

  std::string path() const { return "'" + file.path() + "'"; }
  std::string picture() const { return folder / "out.png"; }
  /// Expects one sentence on standard error and 3.
  static void expect_machine_fault(const Finished& run, const std::string& says) {
    EXPECT_EQ(run.exit_code, 3) << run.errors;
    EXPECT_EQ(run.output, "");
    EXPECT_THAT(run.errors, StartsWith("error: "));
    EXPECT_THAT(run.errors, HasSubstr(says));
    EXPECT_THAT(run.errors, EndsWith("\n"));
  }
  /// Draws a picture with these settings of the environment, and expects that it comes.
  void expect_picture(const std::string& environment) {
    std::filesystem::remove(picture());
    const Finished run = run_shell(environment + " $BYTESCOPE screenshot " + path() + " '" +
                                   picture() + "' --size 400x300");
    EXPECT_EQ(run.exit_code, 0) << environment << ": " << run.errors;
    EXPECT_TRUE(std::filesystem::exists(picture())) << environment;
  }

  TemporaryFolder folder;
  TemporaryFile file;
};

TEST_F(Machine, WithoutADisplayTheWindowSaysSo) {
  const Finished run = run_shell("env -u DISPLAY -u WAYLAND_DISPLAY $BYTESCOPE " + path());
  expect_machine_fault(run, "no display");
  EXPECT_THAT(run.errors, HasSubstr("bytescope screenshot"));
  expect_machine_fault(run_shell("DISPLAY=:987 $BYTESCOPE " + path()), "display");
}

TEST_F(Machine, WithoutOpenGLThePictureSaysSo) {
  for (const char* environment : {"__EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent",
                                  "MESA_GL_VERSION_OVERRIDE=2.1 MESA_GLSL_VERSION_OVERRIDE=120"}) {
    const Finished run = run_shell(std::string(environment) + " $BYTESCOPE screenshot " + path() +
                                   " '" + picture() + "'");
    SCOPED_TRACE(environment);
    expect_machine_fault(run, "OpenGL");
    EXPECT_FALSE(std::filesystem::exists(picture()));
  }
}

TEST_F(Machine, WithoutAHomeEverythingWorks) {
  expect_picture("env -u HOME -u XDG_CONFIG_HOME -u XDG_CACHE_HOME -u XDG_DATA_HOME");
  expect_picture("HOME=/dev/null XDG_CONFIG_HOME=/dev/null XDG_CACHE_HOME=/dev/null");
  expect_picture("HOME=/proc");  // read-only even for root
}

TEST_F(Machine, WithoutFontsItDrawsOrSaysSo) {
  std::ofstream(folder / "fonts.conf")
      << R"(<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>)"
         "<cachedir>"
      << folder.path() << "/cache</cachedir></fontconfig>";
  expect_picture("FONTCONFIG_FILE='" + (folder / "fonts.conf") + "'");
  expect_picture("FONTCONFIG_FILE=/nonexistent FONTCONFIG_PATH=/nonexistent");
}

TEST_F(Machine, WithoutMemoryItSaysSo) {
  const std::string big = folder / "big.bin";
  ASSERT_EQ(run_program({"generate", big, "--events", "300000"}).exit_code, 0);
  int refused = 0;
  // From too little for the program itself, which the system tells with 127, to enough.
  const auto try_with = [&](const std::string& limit) {
    for (const std::string& arguments : {"info '" + big + "'", "search '" + big + "' r_"}) {
      const std::string line = fmt::format("{}; $BYTESCOPE {}", limit, arguments);
      const Finished run = run_shell(line);
      SCOPED_TRACE(line);
      if (run.exit_code == 127) continue;
      EXPECT_THAT(run.exit_code, testing::AnyOf(0, 3)) << run.errors;
      if (run.exit_code == 0) continue;
      EXPECT_THAT(run.errors, HasSubstr("not enough memory"));
      EXPECT_EQ(run.output, "");
      ++refused;
    }
  };
  for (int kb = 22'000; kb <= 34'000; kb += 6000) try_with("ulimit -v " + std::to_string(kb));
  for (int kb = 1000; kb <= 4000; kb += 1000) try_with("ulimit -d " + std::to_string(kb));
  EXPECT_GT(refused, 0);
}

TEST_F(Machine, WhereNothingCanBeWrittenItSaysSo) {
  const Finished run = run_shell("$BYTESCOPE screenshot " + path() + " /proc/out.png");
  EXPECT_EQ(run.exit_code, 3) << run.errors;
  EXPECT_THAT(run.errors, EndsWith("/proc/out.png\n"));
}

}  // namespace
}  // namespace bytescope::tests
