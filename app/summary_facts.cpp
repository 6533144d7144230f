#include "app/summary_facts.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/offset_text.h"
#include "core/io/utf8.h"
#include "core/trace/ansi.h"
#include "core/trace/units.h"
#include "render/time_text.h"

namespace bytescope::app {
namespace {

using Target = SummaryRow::Target;
using trace::count_text;

std::string length_text(double units, trace::Unit unit) {
  return render::duration_text(units * 1000, unit);
}

/// The end of a text that is too long for its place: names of files differ there.
std::string end_of(std::string_view text, std::size_t most_bytes) {
  if (text.size() <= most_bytes) return std::string(text);
  std::size_t begin = text.size() - most_bytes;
  // Not in the middle of a character.
  while (begin < text.size() && !io::begins_code_point(text[begin])) ++begin;
  return "\u2026" + std::string(text.substr(begin));
}

/// `AMD:3` of `AMD:3 Memory`; in a merged trace behind the end of its file's name.
std::string device_of(const trace::Track& track) {
  constexpr std::string_view ending = " Memory";
  constexpr std::size_t most_bytes_of_file = 12;
  std::string_view name = track.own_name();
  if (name.ends_with(ending)) name.remove_suffix(ending.size());
  const std::string_view file = std::string_view(track.head.name).substr(0, track.prefix_bytes);
  return trace::single_line(end_of(file, most_bytes_of_file) + std::string(name));
}

void add_busy(const trace::Trace& trace, const query::TraceSummary& summary,
              std::vector<SummaryRow>& rows) {
  if (summary.device_busy)
    rows.push_back({"device busy", trace::percent_text(*summary.device_busy)});
  if (!summary.slowest_device) return;
  const std::uint32_t track = *summary.slowest_device;
  rows.push_back({device_of(trace.tracks[track]) + " least busy",
                  trace::percent_text(summary.busy_share[track]), /*warn=*/true,
                  Target::slowest_device});
}

void add_memory(const trace::Trace& trace, const query::TraceSummary& summary,
                std::vector<SummaryRow>& rows) {
  if (!summary.peak_track || !trace.tracks[*summary.peak_track].memory) return;
  const trace::Track& track = trace.tracks[*summary.peak_track];
  rows.push_back({"peak", trace::bytes_text(track.memory->peak_bytes) + "  " + device_of(track),
                  /*warn=*/false, Target::peak});
  rows.push_back({"never freed", trace::bytes_text(summary.never_freed_bytes)});
}

SummaryKernel kernel_of(const query::TopKernel& top, trace::Unit unit) {
  SummaryKernel kernel;
  kernel.raw_name = top.raw_name;
  kernel.style = top.style;
  kernel.share = top.share;
  kernel.share_text = trace::percent_text(top.share);
  const double mean = top.count > 0 ? top.total / static_cast<double>(top.count) : 0;
  kernel.facts = {{"share of kernel time", kernel.share_text, false, std::nullopt},
                  {"in all", length_text(top.total, unit), false, std::nullopt},
                  {"spans", count_text(top.count), false, std::nullopt},
                  {"mean", length_text(mean, unit), false, std::nullopt}};
  return kernel;
}

/// The dialect, and which others the file could be as well.
std::string dialect_text(const trace::Trace& trace) {
  if (trace.dialect == nullptr) return {};
  std::string text(1, trace.dialect->letter);
  const std::string_view since = trace.dialect->since;
  text += fmt::format(", since {}", since.substr(0, since.find(' ')));
  return text;
}

}  // namespace

SummaryFacts summary_facts(const trace::Trace& trace, const query::TraceSummary& summary) {
  SummaryFacts facts;
  const double duration_ns = static_cast<double>(trace.frame.duration_us) * 1000;
  facts.rows.push_back({"duration", render::duration_text(duration_ns, trace.unit)});
  facts.rows.push_back({"events", count_text(trace.event_count)});
  if (summary.steps) {
    const std::string mean = length_text(summary.steps->mean_length, trace.unit);
    facts.rows.push_back({trace::single_line(summary.steps->family) + "\u2026",
                          fmt::format("{} \u00D7 {}", count_text(summary.steps->count), mean)});
  }
  add_busy(trace, summary, facts.rows);
  add_memory(trace, summary, facts.rows);
  for (const query::TopKernel& top : summary.top_kernels)
    facts.kernels.push_back(kernel_of(top, trace.unit));
  for (const Warning& warning : trace.warnings.list()) facts.warnings.push_back(text(warning));
  if (trace.warnings.dropped() > 0)
    facts.warnings.push_back(fmt::format("and {} more", count_text(trace.warnings.dropped())));
  if (trace.file) facts.file.push_back({"file", trace::bytes_text(trace.file->size_bytes())});
  facts.file.push_back({"dialect", dialect_text(trace)});
  facts.file.push_back({"tracks", count_text(trace.tracks.size())});
  // A set of thousands of files would fill the panel.
  constexpr std::size_t most_parts = 64;
  for (std::size_t i = 0; i < std::min(trace.parts.size(), most_parts); ++i) {
    const bytepack::MergedFile& file = trace.parts[i].file;
    const std::string sign = file.offset_us > 0 ? "+" : "";
    facts.file.push_back({trace::single_line(file.name), sign + offset_text(file.offset_us)});
  }
  return facts;
}

}  // namespace bytescope::app
