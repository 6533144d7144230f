#include "tests/support/trace_maker.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "core/trace/loader.h"
#include "tests/support/random_spans.h"

namespace bytescope::tests {

using bytepack::MemoryDescription;
using bytepack::SpanDescription;
using bytepack::TraceDescription;
using bytepack::TrackDescription;
using bytepack::TrackKind;

TemporaryFile::TemporaryFile(std::span<const std::byte> bytes) {
  static std::atomic<int> count{0};
  path_ = fmt::format("{}bytescope_{}_{}.bin", testing::TempDir(), ::getpid(), count++);
  write(bytes);
}

TemporaryFile::~TemporaryFile() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

void TemporaryFile::write(std::span<const std::byte> bytes) const {
  std::ofstream(path_, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

Expected<std::shared_ptr<const trace::Trace>> load_bytes(std::span<const std::byte> bytes) {
  const TemporaryFile file(bytes);
  trace::LoadOptions options;
  options.threads = 1;
  return trace::load_trace(file.path(), options, never);
}

std::shared_ptr<const trace::Trace> opened(const std::string& path) {
  trace::LoadOptions options;
  options.threads = 1;
  const auto loaded = trace::load_trace(path, options, never);
  if (loaded) return *loaded;
  ADD_FAILURE() << text(loaded.error());
  return nullptr;
}

std::shared_ptr<const trace::Trace> load_description(const TraceDescription& trace, char dialect) {
  const auto loaded = load_bytes(bytepack::encode(trace, *bytepack::dialect_of(dialect)));
  if (loaded) return *loaded;
  ADD_FAILURE() << text(loaded.error());
  return nullptr;
}

TraceDescription one_track(std::vector<SpanDescription> spans) {
  TrackDescription track;
  track.name = "AMD";
  track.spans = std::move(spans);
  TraceDescription trace;
  trace.tracks.push_back(std::move(track));
  return trace;
}

std::vector<std::byte> encode_in_one_lane(std::vector<SpanDescription> spans) {
  const bytepack::Dialect& dialect = *bytepack::dialect_of('A');
  const std::size_t count = spans.size();
  std::vector<std::byte> bytes = bytepack::encode(one_track(std::move(spans)), dialect);
  const std::size_t records = bytes.size() - count * dialect.span.stride;
  for (std::size_t i = 0; i < count; ++i)
    bytes[records + i * dialect.span.stride + static_cast<std::size_t>(dialect.span.depth)] = {};
  return bytes;
}

TraceDescription varied_trace(char dialect) {
  const bool is_json = dialect == 'L';
  const std::string rate = is_json ? R"({"FLOPS": 1.5e9, "metadata": "sum"})" : "1.5 GFLOPS\nsum";
  const std::string none = is_json ? "{}" : "";
  TraceDescription trace;
  trace.dtype_bytes = {{"float", 4}, {"unsigned char", 1}};
  trace.markers = {{12.5, "step 1", "gray"}, {std::nullopt, "", "#fff"}};
  TrackDescription device;
  device.name = "AMD";
  device.spans = {{"r_\x1b[34m64\x1b[0m", 2, 3.5F, rate, 1, 10, std::uint8_t{0}},
                  {"E_\x1b[36m8\x1b[0m", 6, 0.25F, none, 2, 11, std::nullopt},
                  {"r_\x1b[34m64\x1b[0m", 6, 2.0F, rate, 1, 12, std::uint8_t{3}}};
  TrackDescription compiler;
  compiler.name = "TINY";
  compiler.spans = {{"Schedule 2", 0, 9.0F, none},
                    {"do_to_program for r_64", 1, 4.0F, none, 1},
                    {"linearize", 2, 1.0F, none},
                    {"JIT", 9, 3.0F, none}};
  TrackDescription memory;
  memory.name = "AMD Memory";
  memory.kind = TrackKind::memory;
  memory.memory = {MemoryDescription{true, 1, 1, "float", 100},
                   MemoryDescription{true, 3, 2, "unsigned char", 50},
                   MemoryDescription{
                       false, 5, 1, "", 0, {{10, "r_\x1b[34m64\x1b[0m", 0, 1}, {11, "step", 2, 0}}},
                   MemoryDescription{true, 7, 1, "float", 25},
                   MemoryDescription{false, 9, 2, "", 0}};
  trace.tracks = {device, compiler, memory};
  if (bytepack::dialect_of(dialect)->memory == bytepack::MemoryForm::events_or_line) {
    TrackDescription clock;
    clock.name = "Shader Clock";
    clock.kind = TrackKind::line;
    clock.line = {{0, 5}, {4, 900}, {12, 7}};
    trace.tracks.push_back(clock);
  }
  return trace;
}

std::vector<std::byte> varied_bytes(char dialect) {
  return bytepack::encode(varied_trace(dialect), *bytepack::dialect_of(dialect));
}

std::vector<std::byte> nested_bytes(std::uint32_t spans, std::uint32_t seed) {
  return bytepack::encode(one_track(random_spans(SpanShape::nested, spans, seed)),
                          *bytepack::dialect_of('L'));
}

}  // namespace bytescope::tests
