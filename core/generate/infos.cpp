#include "core/generate/infos.h"

#include <iterator>

#include <fmt/compile.h>
#include <fmt/format.h>

#include "core/io/json_writer.h"

namespace bytescope::generate {
namespace {

double giga(std::uint64_t mega) { return static_cast<double>(mega) / 1000; }

std::string text_info(const Rates& rates, std::string_view metadata) {
  // The producer prints a tuple; a tuple of one ends in a comma.
  return fmt::format("{:.2f} GFLOPS {:4.1f}|{:.1f} GB/s\n({}{})", giga(rates.mflops),
                     giga(rates.memory_mb_s), giga(rates.local_mb_s), metadata,
                     metadata.empty() ? "" : ",");
}

std::string lines_info(char letter, const Rates& rates, std::string_view metadata) {
  const std::uint64_t memory = rates.memory_mb_s / 1000;
  const std::uint64_t local = rates.local_mb_s / 1000;
  std::string info = fmt::format("{} GFLOPS\n", rates.mflops / 1000);
  info += letter == 'I' ? fmt::format("{}|{} GB/s", memory, local)
                        : fmt::format("{} GB/s mem\n{} GB/s lds", memory, local);
  if (!metadata.empty()) fmt::format_to(std::back_inserter(info), "\n{}", metadata);
  return info;
}

std::string json_info(const Rates& rates, std::string_view metadata) {
  constexpr std::uint64_t mega = 1'000'000;
  std::string info =
      fmt::format(R"({{"FLOPS": {}, "B/s mem": {}, "B/s lds": {})", rates.mflops * mega,
                  rates.memory_mb_s * mega, rates.local_mb_s * mega);
  if (!metadata.empty()) {
    info += R"(, "metadata": )";
    io::append_json_string(info, metadata);
  }
  return info + "}";
}

}  // namespace

std::string kernel_info(char letter, const Rates& rates, std::string_view metadata) {
  if (letter < 'I') return text_info(rates, metadata);
  if (letter < 'L') return lines_info(letter, rates, metadata);
  return json_info(rates, metadata);
}

std::string own_kernel_info(char letter, const Rates& rates, std::uint64_t number) {
  const std::uint64_t gflops = rates.mflops / 1000;
  const std::uint64_t memory = rates.memory_mb_s / 1000;
  const std::uint64_t local = rates.local_mb_s / 1000;
  if (letter < 'I') {
    return fmt::format(FMT_COMPILE("{}.{:09} GFLOPS {}.{}|{}.0 GB/s\n()"), gflops, number, memory,
                       number % 10, local);
  }
  if (letter < 'L') {
    return fmt::format(FMT_COMPILE("{}.{:09} GFLOPS\n{} GB/s mem\n{} GB/s lds"), gflops, number,
                       memory, local);
  }
  constexpr std::uint64_t giga_ops = 1'000'000'000;
  return fmt::format(FMT_COMPILE(R"({{"FLOPS": {}, "B/s mem": {}}})"), gflops * giga_ops + number,
                     rates.memory_mb_s * 1'000'000);
}

std::string copy_info(char letter, std::uint64_t bytes, std::uint64_t mb_s) {
  if (letter < 'K') return empty_info(letter);
  if (letter < 'L') return fmt::format("{} GB/s\n{} bytes", mb_s / 1000, bytes);
  return fmt::format(R"({{"B/s": {}, "B": {}}})", mb_s * 1'000'000, bytes);
}

std::string empty_info(char letter) { return letter == 'L' ? "{}" : ""; }

std::string call_stack_info(char letter, std::string_view stack_json) {
  return letter == 'L' ? fmt::format(R"({{"tb": {}}})", stack_json)
                       : fmt::format("TB:{}", stack_json);
}

}  // namespace bytescope::generate
