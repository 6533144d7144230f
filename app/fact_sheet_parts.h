#pragma once

#include <cstdint>
#include <string>

#include "app/fact_sheet.h"
#include "core/bytepack/records.h"
#include "core/query/links.h"
#include "core/trace/trace.h"

// What the sheets of spans, buffers and places are put together from.

namespace bytescope::app {

/// Rows of a section; what is beyond is only counted.
constexpr std::uint32_t most_fact_rows = 200;
/// Between facts in one line.
constexpr const char* fact_dot = " \u00B7 ";

/// A text, cut where nobody would read on.
std::string shown_text(std::string text);
void add_fact(FactSection& section, std::string label, std::string value);
/// The same for free text that may need several lines.
void add_text_fact(FactSection& section, std::string label, std::string value);
/// Real time of a stretch of a trace of clock cycles: how long it lasts, and when it begins after
/// the clock's first point. Nothing where no line tells the clock's rate there.
void add_real_time(FactSection& section, const trace::Trace& trace, std::int64_t begin_ns,
                   double length);
/// Makes the last row of a section lead somewhere.
void set_link(FactSection& section, const Selection& to, Tie tie);
/// Appends a section that has rows.
void append_section(FactSheet& sheet, FactSection section);
/// `write data0`; what the dialect lacks is left out.
std::string argument_text(const bytepack::UserRecord& user);

}  // namespace bytescope::app
