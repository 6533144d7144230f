#include "app/fact_sheet_parts.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/query/clock_time.h"
#include "core/trace/units.h"
#include "render/time_text.h"

namespace bytescope::app {
namespace {

// What is shown of a text, however long it is in the file.
constexpr std::size_t most_value_bytes = 4000;

}  // namespace

std::string shown_text(std::string text) {
  if (text.size() > most_value_bytes) text.resize(most_value_bytes);
  return text;
}

void add_fact(FactSection& section, std::string label, std::string value) {
  section.rows.push_back({std::move(label), shown_text(std::move(value)), false, std::nullopt});
}

void add_text_fact(FactSection& section, std::string label, std::string value) {
  section.rows.push_back({std::move(label), shown_text(std::move(value)), true, std::nullopt});
}

void add_real_time(FactSection& section, const trace::Trace& trace, std::int64_t begin_ns,
                   double length) {
  const trace::LineIndex* clock = query::clock_line(trace);
  if (clock == nullptr) return;
  const auto begin = query::real_ns(*clock, begin_ns);
  const auto end = query::real_ns(*clock, begin_ns + std::llround(length * 1000));
  if (!begin || !end) return;
  // A cycle lasts a fraction of a nanosecond.
  const auto text = [](double ns) {
    return ns < 10 ? fmt::format("{:.2f} ns", ns)
                   : render::duration_text(ns, trace::Unit::microseconds);
  };
  add_fact(section, "real time", text(*end - *begin) + fact_dot + "at " + text(*begin));
}

void set_link(FactSection& section, const Selection& to, Tie tie) {
  section.rows.back().link = to;
  section.rows.back().tie = tie;
}

void append_section(FactSheet& sheet, FactSection section) {
  // Buffers and users are cut before, with notes behind them.
  constexpr std::size_t most_with_notes = most_fact_rows + 2;
  if (section.rows.size() > most_with_notes) {
    const std::size_t more = section.rows.size() - most_fact_rows;
    section.rows.resize(most_fact_rows);
    add_fact(section, fmt::format("and {} more", trace::count_text(more)), "");
  }
  if (!section.rows.empty()) sheet.sections.push_back(std::move(section));
}

std::string argument_text(const bytepack::UserRecord& user) {
  static constexpr const char* modes[] = {"read", "write", "read, write"};
  std::string text = user.mode && *user.mode < 3 ? modes[*user.mode] : "used";
  if (user.arg) text += fmt::format(" data{}", *user.arg);
  return text;
}

}  // namespace bytescope::app
