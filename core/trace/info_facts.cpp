#include "core/trace/info_facts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "core/io/json_reader.h"
#include "core/io/trimmed.h"
#include "core/trace/units.h"

namespace bytescope::trace {
namespace {

using io::JsonReader;
using io::JsonType;
using io::trimmed;

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view failed_mark = "ERR";

std::optional<std::uint64_t> parse_u64(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// `ROW-INDEX`, where the row's name may itself hold a hyphen.
std::optional<SpanLink> parse_link(std::string_view text) {
  const std::size_t hyphen = text.rfind('-');
  if (hyphen == std::string_view::npos) return std::nullopt;
  const std::optional<std::uint64_t> index = parse_u64(text.substr(hyphen + 1));
  if (!index) return std::nullopt;
  return SpanLink{std::string(text.substr(0, hyphen)), *index};
}

// Lines: `12.3 GFLOPS  4.5|6.7 GB/s`, `18 GB/s mem`, `16.8 MB`.

/// Walks over the words of a line.
class Words {
public:
  explicit Words(std::string_view line) : rest_(trimmed(line)) {}
  bool empty() const { return rest_.empty(); }
  std::string_view peek() const { return rest_.substr(0, rest_.find_first_of(blanks)); }
  std::string_view take() {
    const std::string_view word = peek();
    rest_ = trimmed(rest_.substr(word.size()));
    return word;
  }

private:
  std::string_view rest_;
};

std::optional<Rate> parse_amount(std::string_view word, double unit) {
  if (word == failed_mark) return Rate{std::nullopt, true};
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return Rate{value * unit, false};
}

/// What an SI prefix multiplies with; 0 for a letter that is none.
double factor_of(char prefix) {
  switch (prefix) {
    case 'k':
    case 'K': return 1e3;
    case 'M': return 1e6;
    case 'G': return 1e9;
    case 'T': return 1e12;
    case 'P': return 1e15;
    case 'E': return 1e18;
    default: return 0;
  }
}

struct RateUnit {
  std::string_view base;  ///< "FLOPS", "B/s" or "B"; empty for anything else.
  double factor = 1;
};

RateUnit parse_unit(std::string_view word) {
  for (const std::string_view base : {"FLOPS", "B/s", "B"}) {
    if (word == base) return {base, 1};
    if (word.size() == base.size() + 1 && word.ends_with(base) && factor_of(word[0]) > 0) {
      return {base, factor_of(word[0])};
    }
  }
  return {};
}

/// Takes one amount with its unit off the line. False when the words are something else.
bool take_rate(Words& words, InfoRates& rates) {
  const std::string_view amounts = words.take();
  const RateUnit unit = parse_unit(words.empty() ? std::string_view() : words.take());
  const std::size_t bar = amounts.find('|');
  if (bar != std::string_view::npos) {
    const auto mem = parse_amount(amounts.substr(0, bar), unit.factor);
    const auto lds = parse_amount(amounts.substr(bar + 1), unit.factor);
    if (unit.base != "B/s" || !mem || !lds) return false;
    rates.mem_bytes_per_s = *mem;
    rates.lds_bytes_per_s = *lds;
    return true;
  }
  const std::optional<Rate> amount = parse_amount(amounts, unit.factor);
  if (!amount || unit.base.empty()) return false;
  Rate* target = unit.base == "FLOPS" ? &rates.flops : &rates.bytes;
  if (unit.base == "B/s") {
    target = &rates.bytes_per_s;
    if (words.peek() == "mem") target = &rates.mem_bytes_per_s;
    if (words.peek() == "lds") target = &rates.lds_bytes_per_s;
    if (target != &rates.bytes_per_s) words.take();
  }
  *target = *amount;
  return true;
}

/// Whether all of the line is amounts with units; only then they count.
bool parse_rate_line(std::string_view line, InfoRates& rates) {
  Words words(line);
  if (words.empty()) return false;
  InfoRates found = rates;
  while (!words.empty()) {
    if (!take_rate(words, found)) return false;
  }
  rates = found;
  return true;
}

// JSON: `{"FLOPS": 1454192, "B/s mem": 7755695, "tb": [["/src/a.py", 3, "main", "f()"]]}`.

/// A number, `ERR`, or nothing known.
Rate take_json_rate(JsonReader& json) {
  const JsonType type = json.peek();
  if (type == JsonType::number) return {io::double_from_json(json.take_number_text()), false};
  if (type == JsonType::string) return {std::nullopt, json.take_string() == failed_mark};
  json.skip_value();
  return {};
}

/// The rate that a key names, or null.
Rate* rate_of_key(InfoRates& rates, std::string_view key) {
  if (key == "FLOPS") return &rates.flops;
  if (key == "B/s mem") return &rates.mem_bytes_per_s;
  if (key == "B/s lds") return &rates.lds_bytes_per_s;
  if (key == "B/s") return &rates.bytes_per_s;
  return key == "B" ? &rates.bytes : nullptr;
}

CallFrame take_frame(JsonReader& json) {
  CallFrame frame;
  const std::array<std::string*, 4> texts = {&frame.file, nullptr, &frame.function, &frame.code};
  json.enter_array();
  for (std::size_t i = 0; json.next_element(); ++i) {
    const JsonType type = json.peek();
    if (i == 1 && type == JsonType::number) {
      frame.line = io::u64_from_json(json.take_number_text()).value_or(0);
    } else if (i < texts.size() && texts[i] != nullptr && type == JsonType::string) {
      *texts[i] = json.take_string();
    } else {
      json.skip_value();
    }
  }
  return frame;
}

std::vector<CallFrame> take_call_stack(JsonReader& json) {
  std::vector<CallFrame> stack;
  if (json.peek() != JsonType::array) {
    json.skip_value();
    return stack;
  }
  json.enter_array();
  while (json.next_element()) {
    if (json.peek() == JsonType::array) {
      stack.push_back(take_frame(json));
    } else {
      json.skip_value();
    }
  }
  return stack;
}

void append_lines(std::vector<std::string>& lines, std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = std::min(text.find('\n'), text.size());
    if (!trimmed(text.substr(0, size)).empty()) lines.emplace_back(text.substr(0, size));
    text.remove_prefix(std::min(size + 1, text.size()));
  }
}

/// Reads one member of the JSON form into the facts; false when it is none of the known.
bool take_json_fact(JsonReader& json, std::string_view key, InfoFacts& facts) {
  if (Rate* rate = rate_of_key(facts.rates, key); rate != nullptr) {
    *rate = take_json_rate(json);
    return true;
  }
  const JsonType type = json.peek();
  if (key == "metadata" && type == JsonType::string) {
    append_lines(facts.metadata, json.take_string());
  } else if (key == "tb" && type == JsonType::array) {
    facts.call_stack = take_call_stack(json);
  } else if (key == "pc" && type == JsonType::number) {
    facts.program_counter = io::u64_from_json(json.take_number_text());
  } else if (key == "link" && type == JsonType::string) {
    const std::string text = json.take_string();
    facts.link = parse_link(text);
    if (!facts.link) facts.other.push_back("link: " + text);
  } else {
    return false;
  }
  return true;
}

/// False when `info` is not a JSON object from front to back.
bool parse_json(std::string_view info, InfoFacts& facts) {
  JsonReader json(info);
  json.enter_object();
  std::string key;
  while (json.next_key(key)) {
    if (take_json_fact(json, key, facts)) continue;
    json.peek();  // Passes the space before the value.
    const auto begin = static_cast<std::size_t>(json.offset());
    json.skip_value();
    const auto size = static_cast<std::size_t>(json.offset()) - begin;
    facts.other.push_back(fmt::format("{}: {}", key, info.substr(begin, size)));
  }
  json.finish();
  return json.ok();
}

bool is_json_object(std::string_view info) { return trimmed(info).starts_with('{'); }

/// Reads a line that begins with `TB:`, `PC:` or `LINK:`; false for any other.
bool parse_tagged_line(std::string_view line, InfoFacts& facts) {
  if (line.starts_with("TB:")) {
    JsonReader json(line.substr(3));
    std::vector<CallFrame> stack = take_call_stack(json);
    json.finish();
    if (json.ok()) facts.call_stack = std::move(stack);
    return json.ok();
  }
  if (line.starts_with("PC:")) {
    facts.program_counter = parse_u64(trimmed(line.substr(3)));
    return facts.program_counter.has_value();
  }
  if (!line.starts_with("LINK:")) return false;
  facts.link = parse_link(trimmed(line.substr(5)));
  return facts.link.has_value();
}

InfoFacts parse_lines(std::string_view info) {
  InfoFacts facts;
  bool any_fact = false;
  std::vector<std::string> lines;
  append_lines(lines, info);
  for (std::string& line : lines) {
    if (parse_rate_line(line, facts.rates) || parse_tagged_line(line, facts)) {
      any_fact = true;
    } else if (trimmed(line) != "()") {  // How A to H say that there is no metadata.
      facts.other.push_back(std::move(line));
    }
  }
  // Behind measured rates stands what the kernel was made of.
  if (any_fact) facts.metadata = std::exchange(facts.other, {});
  return facts;
}

void add_rate(std::vector<Fact>& list, const char* label, const Rate& rate, const char* unit) {
  if (rate.failed) list.push_back({label, std::string(failed_mark)});
  if (rate.value) list.push_back({label, si_text(*rate.value, unit)});
}

std::string frame_text(const CallFrame& frame) {
  std::string text = fmt::format("{}:{}", frame.file, frame.line);
  if (!frame.function.empty()) text += " in " + frame.function;
  if (!frame.code.empty()) text += ": " + frame.code;
  return text;
}

}  // namespace

InfoFacts parse_info(std::string_view info) {
  if (is_json_object(info)) {
    InfoFacts facts;
    if (parse_json(info, facts)) return facts;
    facts = {};
    append_lines(facts.other, info);
    return facts;
  }
  return parse_lines(info);
}

InfoRates parse_info_rates(std::string_view info) {
  InfoRates rates;
  if (!is_json_object(info)) {
    while (!info.empty()) {
      const std::size_t size = std::min(info.find('\n'), info.size());
      parse_rate_line(info.substr(0, size), rates);
      info.remove_prefix(std::min(size + 1, info.size()));
    }
    return rates;
  }
  JsonReader json(info);
  json.enter_object();
  std::string key;
  while (json.next_key(key)) {
    if (Rate* rate = rate_of_key(rates, key); rate != nullptr) {
      *rate = take_json_rate(json);
    } else {
      json.skip_value();
    }
  }
  json.finish();
  return json.ok() ? rates : InfoRates();
}

std::vector<Fact> facts_for_display(const InfoFacts& facts) {
  std::vector<Fact> list;
  add_rate(list, "Compute", facts.rates.flops, "FLOPS");
  add_rate(list, "Memory", facts.rates.mem_bytes_per_s, "B/s");
  add_rate(list, "Loads and stores", facts.rates.lds_bytes_per_s, "B/s");
  add_rate(list, "Bandwidth", facts.rates.bytes_per_s, "B/s");
  add_rate(list, "Moved", facts.rates.bytes, "B");
  for (const std::string& line : facts.metadata) list.push_back({"From", line});
  if (facts.program_counter) {
    list.push_back({"Program counter", fmt::format("{:#x}", *facts.program_counter)});
  }
  if (facts.link) {
    list.push_back({"Caused by", fmt::format("{} #{}", facts.link->row, facts.link->index)});
  }
  const char* label = "Called at";
  for (const CallFrame& frame : facts.call_stack) {
    list.push_back({std::exchange(label, ""), frame_text(frame)});
  }
  for (const std::string& line : facts.other) list.push_back({"Info", line});
  return list;
}

}  // namespace bytescope::trace
