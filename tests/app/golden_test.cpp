// The window as it was once looked at and found right, in tests/golden. After a change of the look:
//
//     BYTESCOPE_UPDATE_GOLDEN=1 build/dev/tests/app_tests --gtest_filter='Golden*'
//
// writes the pictures anew; look at them before they are committed. A picture that differs is left
// in the folder for temporary files, to be compared by eye.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <png.h>

#include "app/png.h"
#include "core/generate/generate.h"
#include "tests/app/viewer_stage.h"
#include "tests/support/plain_trace.h"
#include "tests/support/temporary_folder.h"

namespace bytescope::tests {
namespace {

using render::Color;
using render::Picture;

constexpr int channel_tolerance = 24;
/// Letters may be set a little differently on another machine, rows of tracks may not.
constexpr double most_unlike = 0.01;
constexpr double most_unlike_of_a_band = 0.2;
constexpr std::uint32_t band_px = 8;

std::string golden_path(const std::string& name) {
  return std::string(BYTESCOPE_SOURCE_DIR) + "/tests/golden/" + name + ".png";
}

bool is_to_be_updated() { return std::getenv("BYTESCOPE_UPDATE_GOLDEN") != nullptr; }

Picture picture_of_file(const std::string& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_file(&image, path.c_str()) == 0) return {};
  image.format = PNG_FORMAT_RGBA;
  Picture picture{image.width, image.height,
                  std::vector<Color>(std::size_t{image.width} * image.height)};
  if (png_image_finish_read(&image, nullptr, picture.pixels.data(), 0, nullptr) == 0) return {};
  return picture;
}

bool differ(Color a, Color b) {
  const auto far = [](std::uint8_t x, std::uint8_t y) {
    return std::abs(int{x} - int{y}) > channel_tolerance;
  };
  return far(a.r, b.r) || far(a.g, b.g) || far(a.b, b.b);
}

/// How many pixels of a box differ.
std::size_t unlike(const Picture& a, const Picture& b, const render::Box& box) {
  std::size_t count = 0;
  for (auto y = static_cast<std::uint32_t>(box.y0); y < static_cast<std::uint32_t>(box.y1); ++y) {
    for (auto x = static_cast<std::uint32_t>(box.x0); x < static_cast<std::uint32_t>(box.x1); ++x)
      count += differ(a.pixels[y * a.width + x], b.pixels[y * a.width + x]) ? 1 : 0;
  }
  return count;
}

double share_unlike(const Picture& a, const Picture& b, const render::Box& box) {
  return static_cast<double>(unlike(a, b, box)) / static_cast<double>(box.width() * box.height());
}

/// The largest share of pixels that differ in a band of a few lines across `box`: a row of tracks
/// that is missing is a small part of the window, but nearly all of a band.
double worst_band(const Picture& a, const Picture& b, const render::Box& box) {
  double worst = 0;
  for (float y = box.y0; y + band_px <= box.y1; y += band_px)
    worst = std::max(worst, share_unlike(a, b, {box.x0, y, box.x1, y + band_px}));
  return worst;
}

/// A generated trace in a folder of its own: of a name that is always the same, since the picture
/// shows it, and yet no other test's.
class GeneratedFile {
public:
  explicit GeneratedFile(char dialect)
      : path_(folder_ / (std::string("bytescope_golden_") + dialect + ".bin")) {
    generate::Options options;
    options.events = 20'000;
    options.devices = 3;
    options.seed = 5;
    options.dialect = dialect;
    EXPECT_TRUE(generate::write_trace(path_, options, Cancel()));
  }
  const std::string& path() const { return path_; }

private:
  TemporaryFolder folder_;
  std::string path_;
};

/// A file of these bytes, likewise.
class WrittenFile {
public:
  WrittenFile(const std::string& name, const std::vector<std::byte>& bytes)
      : path_(folder_ / ("bytescope_golden_" + name + ".bin")) {
    std::ofstream file(path_, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  const std::string& path() const { return path_; }

private:
  TemporaryFolder folder_;
  std::string path_;
};

/// Compares what the stage shows with the picture of that name, or makes it the picture.
void expect_golden(ViewerStage& stage, const std::string& name, float scale = 1) {
  stage.settle();
  const Picture now = stage.offscreen().pixels();
  if (is_to_be_updated()) {
    std::filesystem::create_directories(std::filesystem::path(golden_path(name)).parent_path());
    ASSERT_TRUE(app::write_png(now, golden_path(name)));
    return;
  }
  const Picture golden = picture_of_file(golden_path(name));
  ASSERT_EQ(golden.width, now.width) << golden_path(name);
  ASSERT_EQ(golden.height, now.height);
  const render::Box whole = {0, 0, static_cast<float>(now.width), static_cast<float>(now.height)};
  const double all = share_unlike(golden, now, whole);
  const render::Box& tracks = stage.areas().tracks;
  const double band = worst_band(
      golden, now, {tracks.x0 * scale, tracks.y0 * scale, tracks.x1 * scale, tracks.y1 * scale});
  if (all < most_unlike && band < most_unlike_of_a_band) return;
  const std::string kept = testing::TempDir() + "bytescope_golden_" + name + ".png";
  EXPECT_TRUE(app::write_png(now, kept));
  ADD_FAILURE() << "of all pixels " << all << " differ, of a band " << band << ": " << kept
                << " is not " << golden_path(name);
}

/// The largest buffer of a track that was freed again.
std::uint32_t largest_freed(const trace::Trace& trace, std::uint32_t track) {
  const auto& buffers = trace.tracks[track].memory->buffers;
  std::uint32_t largest = 0;
  std::uint64_t bytes = 0;
  for (std::uint32_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].freed == trace::Buffer::never || buffers[i].bytes <= bytes) continue;
    largest = i;
    bytes = buffers[i].bytes;
  }
  return largest;
}

/// What a tracer of shaders writes: times in cycles, a counter, units and waves.
bytepack::TraceDescription shader_trace() {
  bytepack::TraceDescription trace;
  trace.more_json =
      R"("waveColors": [["VALU", "#ffffc0"], ["SALU", "#cef263"], ["LDS", "#9fb4a6"], ["VMEM", "#b2b7c9"]], "pcMap": {"256": "s_load_b64 s[0:1], s[2:3]", "264": "v_add_f32 v0, v0, v1"})";
  bytepack::TrackDescription clock;
  clock.name = "Shader Clock";
  clock.kind = bytepack::TrackKind::line;
  for (std::uint32_t i = 0; i < 40; ++i)
    clock.line.push_back({i * 100, 2'000'000'000 + (i * 7 % 11) * 50'000'000ULL});
  trace.tracks.push_back(clock);
  const std::vector<std::string> names = {"VALU", "SALU", "LDS", "VMEM"};
  for (const char* row : {"ALUEXEC:0 SALU", "ALUEXEC:0 VALU", "WAVE:0", "WAVE:1", "WAVE:2"}) {
    bytepack::TrackDescription track;
    track.name = row;
    const auto seed = static_cast<std::uint32_t>(trace.tracks.size());
    for (std::uint32_t i = 0; i < 90; ++i) {
      track.spans.push_back({names[(i * seed + i / 3) % names.size()], i * 44 + seed * 5,
                             static_cast<float>(8 + (i * 13 + seed) % 30),
                             i % 2 == 0 ? R"({"pc": 256})" : R"({"pc": 264, "link": "WAVE:0-3"})"});
    }
    trace.tracks.push_back(track);
  }
  return trace;
}

TEST(Golden, WholeTrace) {
  const GeneratedFile file('L');
  ViewerStage stage;
  stage.open(file.path());
  expect_golden(stage, "whole");
}

TEST(Golden, WholeTraceInTheLight) {
  const GeneratedFile file('L');
  ViewerStage stage(render::light_theme());
  stage.open(file.path());
  expect_golden(stage, "whole-light");
}

TEST(Golden, StatisticsOnALargeScreenInTheLight) {
  const WrittenFile file("plain", plain_bytes());
  ViewerStage stage(render::light_theme(), {1920, 1080});
  stage.open(file.path());
  stage.viewer().open_tab(app::AnswerKind::statistics);
  expect_golden(stage, "large-light");
}

TEST(Golden, WholeTraceAtTwiceTheScale) {
  constexpr float scale = 2;
  const WrittenFile file("plain", plain_bytes());
  ViewerStage stage(render::dark_theme(), {1600, 1000}, scale);
  stage.open(file.path());
  expect_golden(stage, "twice", scale);
}

TEST(Golden, SelectedKernelUpClose) {
  const GeneratedFile file('A');
  ViewerStage stage;
  stage.open(file.path());
  const std::uint32_t track = stage.track("AMD");
  const app::Selection span = stage.span(track, 2000);
  stage.state().viewport =
      stage.state().viewport.showing({span.begin_ns - 300'000, span.begin_ns + 700'000});
  stage.viewer().select_and_reveal(span);
  expect_golden(stage, "selected");
}

TEST(Golden, OpenedMemoryInTheLight) {
  const GeneratedFile file('L');
  ViewerStage stage(render::light_theme());
  stage.open(file.path());
  const std::uint32_t memory = stage.track("AMD Memory");
  stage.viewer().set_expanded(memory, true);
  stage.viewer().reveal_track(memory);
  stage.viewer().select_and_reveal(
      app::buffer_selection(stage.trace(), memory, largest_freed(stage.trace(), memory)));
  expect_golden(stage, "memory-light");
}

TEST(Golden, MemoryByTypeUnderACapacity) {
  const GeneratedFile file('L');
  ViewerStage stage;
  stage.open(file.path());
  stage.viewer().set_cards({{"AMD", {0, 0, 24e9}}});
  stage.viewer().color_buffers(render::BufferColors::type);
  const std::uint32_t memory = stage.track("AMD Memory");
  stage.viewer().set_expanded(memory, true);
  stage.viewer().reveal_track(memory);
  expect_golden(stage, "memory-types");
}

TEST(Golden, TooltipAndRange) {
  const WrittenFile file("plain", plain_bytes());
  ViewerStage stage;
  stage.open(file.path());
  stage.state().range = query::TimeRange{3'000'000, 6'000'000};
  stage.move(stage.place_of(stage.track("AMD"), 20));
  expect_golden(stage, "tooltip");
}

TEST(Golden, ShaderTrace) {
  const WrittenFile file("shader", bytepack::encode(shader_trace(), *bytepack::dialect_of('L')));
  ViewerStage stage;
  stage.open(file.path());
  stage.viewer().select_and_reveal(stage.span(stage.track("WAVE:1"), 20));
  expect_golden(stage, "shader");
}

TEST(GoldenComparison, SeesThatARowIsMissing) {
  const GeneratedFile file('L');
  ViewerStage stage;
  stage.open(file.path());
  const Picture whole = stage.offscreen().pixels();
  for (const char* name : {"USER", "AMD Graph", "AMD", "AMD:1:SDMA:0", "AMD Memory"}) {
    Picture without = whole;
    const render::TrackRow& row = stage.row(stage.track(name));
    const auto y0 = static_cast<std::uint32_t>(stage.top_of(row));
    const auto y1 = y0 + static_cast<std::uint32_t>(row.height_px);
    for (std::uint32_t y = y0; y < y1; ++y) {
      for (auto x = static_cast<std::uint32_t>(stage.areas().tracks.x0);
           x < static_cast<std::uint32_t>(stage.areas().tracks.x1); ++x)
        without.pixels[y * whole.width + x] = render::dark_theme().canvas;
    }
    EXPECT_GT(worst_band(whole, without, stage.areas().tracks), most_unlike_of_a_band) << name;
  }
}

}  // namespace
}  // namespace bytescope::tests
