#pragma once

#include <fstream>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "core/generate/generate.h"
#include "tests/support/temporary_folder.h"
#include "tests/window/window_stage.h"

namespace bytescope::tests {

/// A folder with a few files to open, gone in the end.
class Files {
public:
  Files() {
    generate("first.bin", 20'000, 7);
    generate("second.bin", 3'000, 8);
    std::ofstream(path("broken.bin")) << "this is no trace";
  }
  std::string path(const std::string& name) const { return folder_ / name; }

private:
  void generate(const std::string& name, std::uint64_t events, std::uint64_t seed) const {
    generate::Options options;
    options.events = events;
    options.devices = 2;
    options.seed = seed;
    EXPECT_TRUE(generate::write_trace(path(name), options, Cancel()));
  }
  TemporaryFolder folder_;
};

class WindowTest : public testing::Test {
protected:
  static void SetUpTestSuite() {
    server = XServer::start();
    ASSERT_NE(server, nullptr) << "Xvfb does not start";
    files = std::make_unique<Files>();
    plan = std::make_unique<Plan>(files->path("first.bin"));
  }
  static void TearDownTestSuite() {
    plan.reset();
    files.reset();
    server.reset();
  }

  static std::string first() { return files->path("first.bin"); }
  static std::string second() { return files->path("second.bin"); }
  static std::string broken() { return files->path("broken.bin"); }
  /// A place over the tracks, away from any edge.
  static Place middle() {
    const ScreenPart tracks = plan->tracks();
    return {(tracks.x0 + tracks.x1) / 2, tracks.y0 + 40};
  }

  static inline std::unique_ptr<XServer> server;
  static inline std::unique_ptr<Files> files;
  static inline std::unique_ptr<Plan> plan;
};

}  // namespace bytescope::tests
