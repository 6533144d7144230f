#include "core/export/info_json.h"

#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "core/io/json_reader.h"
#include "core/io/json_writer.h"

namespace bytescope::exporting {
namespace {

bool is_json_object(std::string_view text) {
  io::JsonReader json(text);
  json.enter_object();
  std::string key;
  while (json.next_key(key)) json.skip_value();
  json.finish();
  return json.ok();
}

void write_rate(io::JsonWriter& json, const char* key, const trace::Rate& rate) {
  if (rate.failed) json.member(key, "ERR");
  if (rate.value) json.member(key, *rate.value);
}

std::string joined(const std::vector<std::string>& first, const std::vector<std::string>& second) {
  std::string text;
  for (const auto* lines : {&first, &second}) {
    for (const std::string& line : *lines) {
      if (!text.empty()) text += '\n';
      text += line;
    }
  }
  return text;
}

std::string link_text(const trace::SpanLink& link) {
  return fmt::format("{}-{}", link.row, link.index);
}

}  // namespace

std::string json_info(std::string_view info) {
  if (is_json_object(info)) return std::string(info);
  const trace::InfoFacts facts = trace::parse_info(info);
  std::string text;
  io::JsonWriter json(text);
  json.begin_object();
  write_rate(json, "FLOPS", facts.rates.flops);
  write_rate(json, "B/s mem", facts.rates.mem_bytes_per_s);
  write_rate(json, "B/s lds", facts.rates.lds_bytes_per_s);
  write_rate(json, "B/s", facts.rates.bytes_per_s);
  write_rate(json, "B", facts.rates.bytes);
  const std::string metadata = joined(facts.metadata, facts.other);
  if (!metadata.empty()) json.member("metadata", metadata);
  if (!facts.call_stack.empty()) {
    json.key("tb").begin_array();
    for (const trace::CallFrame& frame : facts.call_stack) {
      json.begin_array()
          .value(frame.file)
          .value(frame.line)
          .value(frame.function)
          .value(frame.code)
          .end_array();
    }
    json.end_array();
  }
  if (facts.program_counter) json.member("pc", *facts.program_counter);
  if (facts.link) json.member("link", link_text(*facts.link));
  json.end_object();
  return text;
}

std::string relinked_info(std::string_view info, const std::optional<trace::SpanLink>& link) {
  io::JsonReader json(info);
  std::string text = "{";
  const auto append_key = [&text](std::string_view key) {
    if (text.size() > 1) text += ", ";
    io::append_json_string(text, key);
    text += ": ";
  };
  json.enter_object();
  std::string key;
  while (json.next_key(key)) {
    json.peek();  // Passes the space before the value.
    const auto begin = static_cast<std::size_t>(json.offset());
    json.skip_value();
    if (key == "link") continue;
    append_key(key);
    text += info.substr(begin, static_cast<std::size_t>(json.offset()) - begin);
  }
  if (link) {
    append_key("link");
    io::append_json_string(text, link_text(*link));
  }
  return text + '}';
}

}  // namespace bytescope::exporting
