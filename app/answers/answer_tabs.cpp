#include <algorithm>

#include "app/answers/answer.h"
#include "core/net/url.h"
#include "core/query/steps.h"
#include "core/trace/ansi.h"

namespace bytescope::app {
namespace {

using Names = std::vector<std::string>;

Names scopes(const trace::Trace&) { return {"Whole trace", "View", "Range"}; }
Names groupings(const trace::Trace&) {
  return {"Name", "Name without variant", "Name and track", "Track"};
}
Names statistics_of(const trace::Trace& trace) {
  Names names = {"Usual tracks"};
  for (const std::uint32_t track : statistics_tracks(trace))
    names.push_back(trace::single_line(trace.tracks[track].head.name));
  return names.size() > 2 ? names : Names();
}
Names gap_lengths(const trace::Trace& trace) {
  if (trace.unit == trace::Unit::cycles) return {"2 clk", "100 clk", "1 k clk", "10 k clk"};
  return {"2 \u00B5s", "10 \u00B5s", "100 \u00B5s", "1 ms"};
}
Names instants(const trace::Trace&) { return {"Peak", "Pinned time", "Allocated in range"}; }
Names live_groupings(const trace::Trace&) {
  return {"Buffer", "Type and size", "First writer", "Lifetime"};
}
Names memory_tracks(const trace::Trace& trace) {
  Names names;
  for (const trace::Track& track : trace.tracks)
    if (track.memory) names.push_back(trace::single_line(track.head.name));
  return names;
}
Names families(const trace::Trace& trace) {
  Names names;
  for (const query::MarkerFamily& family : query::marker_families(trace, 2))
    names.push_back(trace::single_line(family.name) + "\u2026");
  return names;
}
Names compared_things(const trace::Trace&) { return {"Kernels", "Memory"}; }
/// The other open traces come behind it, where they are known (Viewer::menus_of).
Names compared_with(const trace::Trace&) { return {"Another stretch"}; }
Names copy_views(const trace::Trace&) { return {"Routes", "Exposed time"}; }

bool always(const trace::Trace&) { return true; }
bool has_spans(const trace::Trace& trace) {
  return std::any_of(trace.tracks.begin(), trace.tracks.end(),
                     [](const trace::Track& track) { return track.spans != nullptr; });
}
bool has_memory(const trace::Trace& trace) {
  return std::any_of(trace.tracks.begin(), trace.tracks.end(),
                     [](const trace::Track& track) { return track.memory != nullptr; });
}
bool has_compared(const trace::Trace& trace) { return has_spans(trace) || has_memory(trace); }
bool has_devices(const trace::Trace& trace) {
  return std::any_of(trace.tracks.begin(), trace.tracks.end(), [](const trace::Track& track) {
    return track.role == trace::TrackRole::device && track.spans;
  });
}
bool has_cards(const trace::Trace& trace) { return !device_families(trace).empty(); }
bool has_steps(const trace::Trace& trace) { return !query::marker_families(trace, 2).empty(); }
bool has_instructions(const trace::Trace& trace) {
  return trace.index && !trace.index->pc_map.empty();
}

bool has_programs(const trace::Trace& trace) {
  return has_spans(trace) && trace.file && net::viewer_of(trace.file->path());
}

const std::vector<AnswerTab>& tab_table() {
  // clang-format off
  static const std::vector<AnswerTab> tabs = {
    { AnswerKind::search,       "search",       "Search",       nullptr,          true,  {},                                                                      always,           make_search_answer },
    { AnswerKind::statistics,   "statistics",   "Statistics",   "Filter names",   true,  { { "", scopes }, { "by", groupings }, { "of", statistics_of } },        has_spans,        make_statistics_answer },
    { AnswerKind::compare,      "compare",      "Compare",      "Filter names",   true,  { { "", compared_things }, { "with", compared_with } },                  has_compared,     make_compare_answer },
    { AnswerKind::gaps,         "gaps",         "Idle gaps",    "Filter devices", true,  { { "", scopes }, { "at least", gap_lengths } },                         has_devices,      make_gaps_answer },
    { AnswerKind::live,         "live",         "Live buffers", "Filter",         true,  { { "", instants }, { "by", live_groupings }, { "on", memory_tracks } }, has_memory,       make_live_answer },
    { AnswerKind::peaks,        "peaks",        "Peaks",        nullptr,          false, {},                                                                      has_memory,       make_peaks_answer },
    { AnswerKind::steps,        "steps",        "Steps",        "Filter",         true,  { { "", families } },                                                    has_steps,        make_steps_answer },
    { AnswerKind::copies,       "copies",       "Copies",       "Filter",         true,  { { "", scopes }, { "", copy_views } },                                  has_devices,      make_copies_answer },
    { AnswerKind::instructions, "instructions", "Instructions", "Filter",         true,  {},                                                                      has_instructions, make_instructions_answer },
    { AnswerKind::source,       "source",       "Source",       nullptr,          true,  {},                                                                      has_programs,     make_source_answer },
    { AnswerKind::disassembly,  "disassembly",  "Disassembly",  nullptr,          true,  {},                                                                      has_programs,     make_disassembly_answer },
    { AnswerKind::ranges,       "ranges",       "Ranges",       nullptr,          false, {},                                                                      always,           make_ranges_answer },
    { AnswerKind::markers,      "markers",      "Markers",      "Filter",         true,  {},                                                                      always,           make_markers_answer },
    { AnswerKind::cards,        "cards",        "Cards",        nullptr,          false, {},                                                                      has_cards,        make_cards_answer },
  };
  // clang-format on
  return tabs;
}

}  // namespace

bool AnswerRequest::same_question(const AnswerRequest& other) const {
  return kind == other.kind && trace == other.trace && choices == other.choices &&
         range == other.range && whole == other.whole && other_range == other.other_range &&
         other_trace == other.other_trace && time_ns == other.time_ns && text == other.text &&
         notes == other.notes && cards == other.cards && programs == other.programs &&
         program == other.program;
}

std::span<const AnswerTab> answer_tabs() { return tab_table(); }

const AnswerTab& answer_tab(AnswerKind kind) { return tab_table()[static_cast<std::size_t>(kind)]; }

TabMenus tab_menus(const trace::Trace& trace) {
  TabMenus menus;
  for (const AnswerTab& tab : tab_table()) {
    TabMenu& menu = menus[static_cast<std::size_t>(tab.kind)];
    menu.makes_sense = tab.makes_sense(trace);
    for (const ChoiceGroup& group : tab.choices) menu.options.push_back(group.options(trace));
  }
  return menus;
}

const AnswerTab* answer_tab_named(std::string_view id) {
  const auto found = std::find_if(tab_table().begin(), tab_table().end(),
                                  [id](const AnswerTab& tab) { return id == tab.id; });
  return found == tab_table().end() ? nullptr : &*found;
}

void make_answer(const AnswerRequest& request, const Cancel& cancel, const PublishAnswer& publish) {
  if (request.trace) answer_tab(request.kind).make(request, cancel, publish);
}

}  // namespace bytescope::app
