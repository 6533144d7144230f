#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "core/bytepack/string_scanner.h"
#include "tests/bench/bench_support.h"

namespace bytescope {
namespace {

constexpr std::size_t string_count = 100'000;

/// An array of strings as a JSON library writes it; `escaped`: with quotes and backslashes in them.
std::string array_text(bool escaped) {
  std::string text = "[";
  for (std::size_t i = 0; i < string_count; ++i)
    text += fmt::format("{}\"r_{}_4_4_16{}\"", i == 0 ? "" : ", ", i,
                        escaped ? R"({\"flops\": 12, \"path\": \"a\\b\"})" : " of a plain name");
  return text + "]";
}

void string_scanner(benchmark::State& state) {
  const std::string text = array_text(state.range(0) != 0);
  for ([[maybe_unused]] const auto iteration : state) {
    bytepack::StringScanner scanner(0);
    benchmark::DoNotOptimize(scanner.feed(text.data(), text.size()));
    if (!scanner.done()) state.SkipWithError("The array was not understood");
  }
  bench::tell_bytes(state, static_cast<double>(text.size()));
}
BENCHMARK(string_scanner)->ArgName("escaped")->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace bytescope
