#include "tests/support/walk_files.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>

#include <gtest/gtest.h>

#include "core/generate/generate.h"
#include "tests/support/plain_trace.h"

namespace bytescope::tests {
namespace {

void write(const std::string& path, std::span<const std::byte> bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

int number_from(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoi(text);
}

WalkFiles::WalkFiles() {
  write(plain(), plain_bytes());
  write(folder_ / "old.bin", varied_bytes('A'));
  bytepack::TraceDescription shader = one_track({{"stall", 1, 2.0F, "{\"pc\": 4}"}});
  shader.tracks[0].name = "WAVE:0";
  shader.more_json = R"("pcMap": {"4": "s_nop"}, "waveColors": [["stall", "#ff0000"]])";
  write(folder_ / "shader.bin", bytepack::encode(shader, *bytepack::dialect_of('L')));
  write(folder_ / "empty.bin", bytepack::encode({}, *bytepack::dialect_of('L')));
  write(folder_ / "broken.bin", std::vector<std::byte>(100, std::byte{7}));
  generate::Options options;
  options.events = 5000;
  options.devices = 2;
  EXPECT_TRUE(generate::write_trace(folder_ / "generated.bin", options, Cancel()));
}

std::vector<std::string> WalkFiles::paths() const {
  std::vector<std::string> all;
  for (const char* name :
       {"generated.bin", "plain.bin", "old.bin", "shader.bin", "empty.bin", "broken.bin", "none"})
    all.push_back(folder_ / name);
  return all;
}

void WalkFiles::disturb(int how) const {
  std::error_code ignored;
  switch (how) {
    case 0: std::filesystem::resize_file(plain(), 500, ignored); break;
    case 1: write(plain(), plain_bytes()); break;
    case 2:
      write(folder_ / "next", varied_bytes('L'));
      std::filesystem::rename(folder_ / "next", plain(), ignored);
      break;
    default: std::filesystem::remove(plain(), ignored);
  }
}

}  // namespace bytescope::tests
