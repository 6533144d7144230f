#include "core/export/chrome_spans.h"

#include <array>
#include <charconv>
#include <cmath>

#include "core/export/chrome_args.h"
#include "core/io/json_writer.h"
#include "core/trace/ansi.h"

namespace bytescope::exporting {
namespace {

/// By trace::Category.
constexpr std::array<const char*, trace::category_count> category_names = {
    "elementwise", "reduce",  "kernel", "copy",     "batch", "schedule",
    "codegen",     "callify", "jit",    "compiler", "user",  "wave"};

void append_number(std::string& out, std::uint32_t number) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  out.append(digits.data(), end.ptr);
}

void append_member(std::string& out, const char* name, std::uint32_t number) {
  out += name;
  append_number(out, number);
}

}  // namespace

ChromeSpans::ChromeSpans(Job& job, ChromeThreads& threads, ChromeText& text)
    : job_(job),
      trace_(job.trace),
      threads_(threads),
      text_(text),
      reader_(trace_.file),
      written_(trace_.tracks.size()) {}

void ChromeSpans::write(std::uint32_t track) {
  Written& written = written_[track];
  written.kept = kept_spans(trace_, reader_, track, job_.request.range);
  trace::LaneFit lanes;
  std::uint32_t place = 0;
  for_each_kept(trace_, track, written.kept,
                [&](std::uint32_t record, const bytepack::SpanRecord& span) {
                  const std::uint32_t lane = lane_of(written, place++, span, lanes);
                  append(track, record, span, threads_.tid(track, lane, text_.text()));
                  text_.may_flush();
                  return job_.count_event();
                });
}

std::uint32_t ChromeSpans::lane_of(Written& written, std::uint32_t place,
                                   const bytepack::SpanRecord& span, trace::LaneFit& lanes) const {
  // Starts are whole: what ends within a unit makes room for what starts at the next one.
  const std::uint32_t lane =
      lanes.place(span.start, static_cast<std::uint64_t>(std::ceil(span.end())));
  if (lane != 0 && written.lanes.empty()) written.lanes.resize(written.kept.count());
  if (!written.lanes.empty()) written.lanes[place] = static_cast<std::uint16_t>(lane);
  return lane;
}

const char* ChromeSpans::category(std::uint32_t track, std::uint32_t record,
                                  std::uint32_t name) const {
  const trace::SpanIndex& index = *trace_.tracks[track].spans;
  trace::Style style;
  if (record < index.styles.size()) {
    style = index.styles[record];
  } else if (const std::uint32_t slot = index.slots.find(name); slot < index.names.size()) {
    style = index.names[slot].style;
  }
  const auto category = static_cast<std::size_t>(style.category());
  return category < category_names.size() ? category_names[category] : "";
}

void ChromeSpans::append(std::uint32_t track, std::uint32_t record,
                         const bytepack::SpanRecord& span, std::uint32_t tid) {
  std::string& out = text_.text();
  out += R"({"ph":"X","name":)";
  out += names_.of(span.name, [&] {
    std::string name;
    io::append_json_string(name, trace::plain_text(trace_.text(reader_, span.name)));
    return name;
  });
  out += R"(,"cat":")";
  out += category(track, record, span.name);
  append_member(out, R"(","pid":)", threads_.pid(track));
  append_member(out, R"(,"tid":)", tid);
  append_member(out, R"(,"ts":)", span.start);
  out += R"(,"dur":)";
  io::append_json_number(out, span.duration);
  append_member(out, R"(,"args":{"index":)", record);
  if (span.ref) append_member(out, R"(,"ref":)", *span.ref);
  if (span.key) append_member(out, R"(,"key":)", *span.key);
  if (span.category) append_member(out, R"(,"category":)", *span.category);
  out += args_.of(span.info, [&] {
    std::string args;
    const trace::InfoFacts facts = trace::parse_info(trace_.text(reader_, span.info));
    has_links_ = has_links_ || facts.link;
    append_chrome_args(args, facts);
    return args;
  });
  out += "}},\n";
}

std::optional<ChromePoint> ChromeSpans::point(query::TrackRecord span) {
  const Written& written = written_[span.track];
  const auto place = written.kept.place(span.record);
  if (!place) return std::nullopt;
  const std::uint32_t lane = written.lanes.empty() ? 0 : written.lanes[*place];
  return ChromePoint{threads_.pid(span.track), threads_.known_tid(span.track, lane),
                     trace_.span(reader_, span.track, span.record).start};
}

}  // namespace bytescope::exporting
