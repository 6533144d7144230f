#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/commands/bench_limits.h"
#include "core/bytepack/little_endian.h"
#include "core/io/thread_clock.h"
#include "core/trace/loader.h"

namespace bytescope::app {
namespace {

constexpr std::size_t piece_bytes = 1 << 20;

/// CPU time of a piece of work: the median of five, for single ones differ by half on some
/// machines.
template <class Work>
double typical_cpu_s(const Work& work) {
  std::array<double, 5> taken_s{};
  for (double& one_s : taken_s) {
    const double begin_s = io::process_cpu_s();
    work();
    one_s = io::process_cpu_s() - begin_s;
  }
  std::nth_element(taken_s.begin(), taken_s.begin() + 2, taken_s.end());
  return taken_s[2];
}

void read_all(int file, std::vector<std::byte>& piece) {
  ::lseek(file, 0, SEEK_SET);
  while (::read(file, piece.data(), piece.size()) > 0) {
  }
}

/// Touches the start of every span; the sum keeps the compiler from leaving it out.
std::uint64_t walk(const trace::Trace& trace, const std::byte* bytes) {
  std::uint64_t sum = 0;
  const bytepack::SpanLayout& layout = trace.dialect->span;
  for (const trace::Track& track : trace.tracks) {
    if (track.head.kind != bytepack::TrackKind::spans) continue;
    const std::byte* record = bytes + track.head.records_byte + layout.start;
    for (std::uint32_t i = 0; i < track.head.count; ++i, record += layout.stride)
      sum += bytepack::load<std::uint32_t>(record);
  }
  return sum;
}

MachineLimits measure(const std::string& path) {
  MachineLimits limits;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return limits;
  std::vector<std::byte> piece(piece_bytes);
  read_all(file, piece);  // so that it is in the page cache
  limits.read_cpu_s = typical_cpu_s([&] { read_all(file, piece); });
  const auto trace = trace::load_trace(path, {}, never);
  const off_t size = ::lseek(file, 0, SEEK_END);
  void* mapping = ::mmap(nullptr, static_cast<std::size_t>(size), PROT_READ, MAP_PRIVATE, file, 0);
  ::close(file);
  if (!trace || mapping == MAP_FAILED) return limits;
  const auto* bytes = static_cast<const std::byte*>(mapping);
  const std::uint64_t warm = walk(**trace, bytes);  // so that it is mapped
  bool same = true;
  limits.walk_cpu_s = typical_cpu_s([&] { same = walk(**trace, bytes) == warm && same; });
  if (!same) limits.walk_cpu_s = 0;
  ::munmap(mapping, static_cast<std::size_t>(size));
  return limits;
}

}  // namespace

MachineLimits measure_limits(const std::string& path) {
  MachineLimits limits;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return limits;
  const pid_t child = ::fork();
  if (child == 0) {
    const MachineLimits found = measure(path);
    const bool told = ::write(ends[1], &found, sizeof found) == sizeof found;
    ::_exit(told ? 0 : 1);
  }
  ::close(ends[1]);
  if (child > 0) {
    MachineLimits found;
    if (::read(ends[0], &found, sizeof found) == sizeof found) limits = found;
    ::waitpid(child, nullptr, 0);
  }
  ::close(ends[0]);
  return limits;
}

ResidentMemory resident_memory() {
  ResidentMemory memory;
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    unsigned long long kib = 0;
    if (std::sscanf(line.c_str(), "VmHWM: %llu", &kib) == 1) memory.peak_bytes = kib * 1024;
    if (std::sscanf(line.c_str(), "RssAnon: %llu", &kib) == 1) memory.anonymous_bytes = kib * 1024;
    if (std::sscanf(line.c_str(), "RssFile: %llu", &kib) == 1) memory.file_bytes = kib * 1024;
  }
  return memory;
}

}  // namespace bytescope::app
