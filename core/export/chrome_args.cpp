#include "core/export/chrome_args.h"

#include <fmt/format.h>

#include "core/io/json_writer.h"

namespace bytescope::exporting {
namespace {

void append_key(std::string& out, const char* key) {
  out += ",\"";
  out += key;
  out += "\":";
}

void append_rate(std::string& out, const char* key, const trace::Rate& rate) {
  if (!rate.value && !rate.failed) return;
  append_key(out, key);
  if (rate.value) {
    io::append_json_number(out, *rate.value);
  } else {
    out += "\"ERR\"";
  }
}

void append_lines(std::string& out, const char* key, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  std::string text;
  for (const std::string& line : lines) {
    if (!text.empty()) text += '\n';
    text += line;
  }
  append_key(out, key);
  io::append_json_string(out, text);
}

void append_call_stack(std::string& out, const std::vector<trace::CallFrame>& stack) {
  if (stack.empty()) return;
  append_key(out, "tb");
  char separator = '[';
  for (const trace::CallFrame& frame : stack) {
    out += separator;
    separator = ',';
    io::append_json_string(
        out, fmt::format("{}:{} {}: {}", frame.file, frame.line, frame.function, frame.code));
  }
  out += ']';
}

}  // namespace

void append_chrome_args(std::string& out, const trace::InfoFacts& facts) {
  append_rate(out, "FLOPS", facts.rates.flops);
  append_rate(out, "B/s mem", facts.rates.mem_bytes_per_s);
  append_rate(out, "B/s lds", facts.rates.lds_bytes_per_s);
  append_rate(out, "B/s", facts.rates.bytes_per_s);
  append_rate(out, "B", facts.rates.bytes);
  append_lines(out, "metadata", facts.metadata);
  if (facts.program_counter) {
    append_key(out, "pc");
    out += fmt::format("{}", *facts.program_counter);
  }
  if (facts.link) {
    append_key(out, "link");
    io::append_json_string(out, fmt::format("{}-{}", facts.link->row, facts.link->index));
  }
  append_call_stack(out, facts.call_stack);
  append_lines(out, "info", facts.other);
}

}  // namespace bytescope::exporting
