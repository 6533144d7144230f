#include "core/query/compare.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/commands.h"
#include "app/commands/open_trace.h"
#include "app/commands/text_table.h"
#include "app/messages.h"
#include "app/standard_output.h"
#include "core/io/json_writer.h"
#include "core/query/time_argument.h"
#include "core/trace/units.h"
#include "render/time_text.h"

namespace bytescope::app {
namespace {

using query::ComparedBuffers;
using query::ComparedKernel;
using query::ComparedMemory;
using query::Comparison;

/// More rows than that are for --json.
constexpr std::size_t most_kernels = 40;
constexpr std::size_t most_groups = 12;

struct CompareArguments {
  std::string a;
  std::optional<std::string> b;
  std::vector<std::string> ranges;
  bool json = false;
};

/// Both sides, and how they are called.
struct OpenedSides {
  std::shared_ptr<const trace::Trace> a;
  std::shared_ptr<const trace::Trace> b;
  std::optional<query::TimeRange> range_a;
  std::optional<query::TimeRange> range_b;
  std::string name_a;
  std::string name_b;
};

Expected<OpenedSides> two_files(const CompareArguments& given, const Cancel& cancel) {
  const auto a = open_trace(given.a, cancel);
  if (!a) return tl::make_unexpected(a.error());
  const auto b = open_trace(*given.b, cancel);
  if (!b) return tl::make_unexpected(b.error());
  if ((*a)->unit != (*b)->unit) {
    return failure(ErrorKind::usage, "One trace is in microseconds, the other in clock cycles", {},
                   *given.b);
  }
  return OpenedSides{*a, *b, {}, {}, given.a, *given.b};
}

Expected<OpenedSides> two_ranges(const CompareArguments& given, const Cancel& cancel) {
  const auto trace = open_trace(given.a, cancel);
  if (!trace) return tl::make_unexpected(trace.error());
  const auto a = query::range_from_argument(**trace, given.ranges[0]);
  if (!a) return tl::make_unexpected(a.error());
  const auto b = query::range_from_argument(**trace, given.ranges[1]);
  if (!b) return tl::make_unexpected(b.error());
  return OpenedSides{*trace, *trace, *a, *b, given.ranges[0], given.ranges[1]};
}

Expected<OpenedSides> sides_of(const CompareArguments& given, const Cancel& cancel) {
  if (given.b && given.ranges.empty()) return two_files(given, cancel);
  if (!given.b && given.ranges.size() == 2) return two_ranges(given, cancel);
  return failure(ErrorKind::usage, "Either two files are needed, or one and --range twice", {},
                 given.a);
}

template <class Side, class Value>
void write_pair(io::JsonWriter& json, const char* key, const std::optional<Side>& a,
                const std::optional<Side>& b, Value value) {
  json.key(key).begin_array();
  for (const std::optional<Side>* side : {&a, &b}) {
    if (*side) {
      json.value(value(**side));
    } else {
      json.null();
    }
  }
  json.end_array();
}

void write_kernel(io::JsonWriter& json, const ComparedKernel& kernel) {
  json.begin_object().member("name", kernel.name);
  write_pair(json, "count", kernel.a, kernel.b, [](const auto& row) { return row.count; });
  write_pair(json, "total_us", kernel.a, kernel.b, [](const auto& row) { return row.total; });
  write_pair(json, "mean_us", kernel.a, kernel.b, [](const auto& row) { return row.mean; });
  json.member("delta_us", kernel.delta()).key("delta_mean_us");
  if (const auto delta = kernel.mean_delta()) {
    json.value(*delta);
  } else {
    json.null();
  }
  json.end_object().end_line();
}

void write_memory(io::JsonWriter& json, const ComparedMemory& memory) {
  json.begin_object().member("track", memory.track);
  write_pair(json, "peak", memory.a, memory.b, [](const auto& peak) { return peak.bytes; });
  json.key("at_peak").begin_array();
  for (const ComparedBuffers& group : memory.at_peak) {
    json.begin_object().member("dtype", group.dtype).member("length", group.length);
    write_pair(json, "count", group.a, group.b, [](const auto& side) { return side.count; });
    write_pair(json, "bytes", group.a, group.b, [](const auto& side) { return side.bytes; });
    json.member("delta_count", group.count_delta()).member("delta_bytes", group.bytes_delta());
    json.end_object();
  }
  json.end_array().end_object().end_line();
}

void write_json(const OpenedSides& sides, const Comparison& comparison, io::JsonWriter& json) {
  json.begin_object().member("a", sides.name_a).member("b", sides.name_b);
  json.key("kernels").begin_array().end_line();
  for (const ComparedKernel& kernel : comparison.kernels) write_kernel(json, kernel);
  json.end_array().key("memory").begin_array().end_line();
  for (const ComparedMemory& memory : comparison.memory) write_memory(json, memory);
  json.end_array().end_object().end_line();
}

/// `+1.2 ms`, `-3 us`.
std::string change_text(double units, trace::Unit unit) {
  const std::string text = render::duration_text(std::abs(units) * 1000, unit);
  return (units < 0 ? "-" : "+") + text;
}

std::string bytes_change_text(std::uint64_t a, std::uint64_t b) {
  return (b < a ? "-" : "+") + trace::bytes_text(b < a ? a - b : b - a);
}

/// `+3`, `-1`.
std::string count_change_text(std::int64_t change) {
  return (change < 0 ? "-" : "+") + trace::count_text(static_cast<std::uint64_t>(std::abs(change)));
}

std::string kernels_text(const OpenedSides& sides, const Comparison& comparison) {
  using Side = TextTable::Side;
  TextTable table({{""},
                   {"name"},
                   {"count A", Side::right},
                   {"count B", Side::right},
                   {"total A", Side::right},
                   {"total B", Side::right},
                   {"change", Side::right},
                   {"mean A", Side::right},
                   {"mean B", Side::right},
                   {"change", Side::right}});
  const trace::Unit unit = sides.a->unit;
  const auto cell = [](const std::optional<query::StatisticsRow>& row, auto text) {
    return row ? text(*row) : std::string("-");
  };
  const auto count = [](const auto& row) { return trace::count_text(row.count); };
  const auto total = [unit](const auto& row) {
    return render::duration_text(row.total * 1000, unit);
  };
  const auto mean = [unit](const auto& row) {
    return render::duration_text(row.mean * 1000, unit);
  };
  const std::size_t rows = std::min(comparison.kernels.size(), most_kernels);
  for (std::size_t i = 0; i < rows; ++i) {
    const ComparedKernel& kernel = comparison.kernels[i];
    table.add({kernel.a ? (kernel.b ? "" : "gone") : "new", name_cell(kernel.name),
               cell(kernel.a, count), cell(kernel.b, count), cell(kernel.a, total),
               cell(kernel.b, total), change_text(kernel.delta(), unit), cell(kernel.a, mean),
               cell(kernel.b, mean),
               kernel.mean_delta() ? change_text(*kernel.mean_delta(), unit) : "-"});
  }
  std::string text = table.text();
  if (rows < comparison.kernels.size())
    text += fmt::format("and {} more (--json tells all)\n",
                        trace::count_text(comparison.kernels.size() - rows));
  return text;
}

std::string memory_text(const ComparedMemory& memory) {
  using Side = TextTable::Side;
  const auto peak = [](const std::optional<query::PeakOf>& side) {
    return side ? trace::bytes_text(side->bytes) : std::string("none");
  };
  std::string text = fmt::format("\n{}: peak A {}, B {}", printable_line(memory.track),
                                 peak(memory.a), peak(memory.b));
  if (memory.a && memory.b) text += ", " + bytes_change_text(memory.a->bytes, memory.b->bytes);
  text += '\n';
  TextTable table({{"type"},
                   {"elements", Side::right},
                   {"count A", Side::right},
                   {"count B", Side::right},
                   {"change", Side::right},
                   {"bytes A", Side::right},
                   {"bytes B", Side::right},
                   {"change", Side::right}});
  const auto cell = [](const std::optional<query::BufferCount>& side, auto text_of) {
    return side ? text_of(*side) : std::string("-");
  };
  const auto count = [](const auto& side) { return trace::count_text(side.count); };
  const auto bytes = [](const auto& side) { return trace::bytes_text(side.bytes); };
  const std::size_t rows = std::min(memory.at_peak.size(), most_groups);
  for (std::size_t i = 0; i < rows; ++i) {
    const ComparedBuffers& group = memory.at_peak[i];
    table.add({name_cell(group.dtype), trace::count_text(group.length), cell(group.a, count),
               cell(group.b, count), count_change_text(group.count_delta()), cell(group.a, bytes),
               cell(group.b, bytes),
               bytes_change_text(group.a ? group.a->bytes : 0, group.b ? group.b->bytes : 0)});
  }
  if (rows > 0) text += table.text();
  if (rows < memory.at_peak.size())
    text += fmt::format("and {} more (--json tells all)\n",
                        trace::count_text(memory.at_peak.size() - rows));
  return text;
}

std::string to_text(const OpenedSides& sides, const Comparison& comparison) {
  const trace::Unit unit = sides.a->unit;
  std::string text = fmt::format("A: {}\nB: {}\nkernels and copies: A {}, B {}, {}\n\n",
                                 printable_line(sides.name_a), printable_line(sides.name_b),
                                 render::duration_text(comparison.total_a * 1000, unit),
                                 render::duration_text(comparison.total_b * 1000, unit),
                                 change_text(comparison.total_b - comparison.total_a, unit));
  text += kernels_text(sides, comparison);
  for (const ComparedMemory& memory : comparison.memory) text += memory_text(memory);
  return text;
}

Expected<void> print_comparison(const CompareArguments& given, const Cancel& cancel) {
  const auto sides = sides_of(given, cancel);
  if (!sides) return tl::make_unexpected(sides.error());
  const auto comparison =
      query::compare({*sides->a, sides->range_a}, {*sides->b, sides->range_b}, cancel);
  if (!comparison) return tl::make_unexpected(comparison.error());
  for (const auto& trace : {sides->a, sides->b}) {
    Warnings warnings;
    warn_of_change(*trace, warnings);
    print_warnings(warnings, trace->file->path());
    if (sides->a == sides->b) break;
  }
  StandardOutput output(cancel);
  if (given.json) {
    io::JsonWriter json([&output](std::string_view text) { output.write(text); });
    write_json(*sides, *comparison, json);
    json.flush();
  } else {
    output.write(to_text(*sides, *comparison));
  }
  return output.finish();
}

}  // namespace

Action make_compare(CLI::App& arguments, const Cancel& cancel) {
  const auto given = std::make_shared<CompareArguments>();
  arguments.add_option("A", given->a, "The trace before, or the only one")->required();
  arguments.add_option("B", given->b, "The trace after");
  arguments.add_option("--range", given->ranges, "A..B; twice with one file: compares the two")
      ->expected(1)
      ->allow_extra_args(false)  // Else CLI11 takes a name in brackets for a list.
      ->take_all();
  arguments.add_flag("--json", given->json, "Write one JSON object");
  arguments.footer(
      "Kernels by plain name, those whose total changed most first; memory tracks with both peaks\n"
      "and what lived at them, by type and length. JSON: {\"a\",\"b\",\"kernels\":[{\"name\",\n"
      "\"count\":[a,b],\"total_us\":[a,b],\"mean_us\":[a,b],\"delta_us\",\"delta_mean_us\"}],\n"
      "\"memory\":[{\"track\",\"peak\":[a,b],\"at_peak\":[{\"dtype\",\"length\",\"count\":[a,b],\n"
      "\"bytes\":[a,b],\"delta_count\",\"delta_bytes\"}]}]}; null where a side has none. Times are "
      "in cycles where the traces' unit is.");
  return [given, &cancel] { return print_comparison(*given, cancel); };
}

}  // namespace bytescope::app
