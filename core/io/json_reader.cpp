#include "core/io/json_reader.h"

#include <charconv>
#include <cmath>
#include <utility>

#include "core/io/json_text.h"

namespace bytescope::io {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

JsonReader::JsonReader(std::string_view text)
    : window_(text.data()), at_(text.data()), end_(text.data() + text.size()) {}

JsonReader::JsonReader(PieceReader& pieces, const Cancel* cancel)
    : pieces_(&pieces), cancel_(cancel), window_offset_(pieces.offset()) {}

void JsonReader::fail(std::string message) {
  if (failure_) return;
  failure_ = Failure{std::move(message), offset(), false};
  window_offset_ = offset();
  window_ = at_ = end_;
}

void JsonReader::cancel() {
  fail("cancelled");
  failure_->cancelled = true;
}

void JsonReader::sync() {
  if (pieces_ == nullptr || !ok()) return;
  pieces_->skip(static_cast<std::uint64_t>(at_ - window_));
  window_offset_ = pieces_->offset();
  window_ = at_ = end_ = nullptr;
}

bool JsonReader::refill() {
  if (pieces_ == nullptr || failure_) return false;
  if (cancel_ != nullptr && cancel_->requested()) {
    cancel();
    return false;
  }
  sync();
  const std::span<const std::byte> fresh = pieces_->available();
  window_ = at_ = reinterpret_cast<const char*>(fresh.data());
  end_ = at_ + fresh.size();
  window_offset_ = pieces_->offset();
  return !fresh.empty();
}

bool JsonReader::skip_space() {
  while (has_byte()) {
    if (!is_json_space(*at_)) return true;
    ++at_;
  }
  return false;
}

JsonType JsonReader::peek() {
  if (!skip_space()) {
    fail("it ends where a value should stand");
    return JsonType::none;
  }
  switch (*at_) {
    case '{': return JsonType::object;
    case '[': return JsonType::array;
    case '"': return JsonType::string;
    case 't':
    case 'f': return JsonType::boolean;
    case 'n': return JsonType::null;
    default: break;
  }
  if (*at_ == '-' || is_digit(*at_)) return JsonType::number;
  fail("a value should stand here");
  return JsonType::none;
}

bool JsonReader::expect(char c, const char* message) {
  if (skip_space() && *at_ == c) {
    ++at_;
    return true;
  }
  fail(message);
  return false;
}

bool JsonReader::enter(char bracket) {
  fresh_ = expect(bracket,
                  bracket == '{' ? "an object should stand here" : "an array should stand here");
  return fresh_;
}

void JsonReader::enter_object() { enter('{'); }
void JsonReader::enter_array() { enter('['); }

bool JsonReader::next(char closing) {
  if (!skip_space()) {
    fail(closing == '}' ? "an object does not end" : "an array does not end");
    return false;
  }
  const bool first = std::exchange(fresh_, false);
  if (*at_ == closing) {
    ++at_;
    return false;
  }
  return first || expect(',', "a comma or the closing bracket is missing");
}

bool JsonReader::next_key(std::string& key, std::size_t limit) {
  if (!next('}')) return false;
  if (!skip_space() || *at_ != '"') {
    fail("a key should stand here");
    return false;
  }
  key = take_string(limit);
  return expect(':', "a colon is missing behind a key");
}

bool JsonReader::next_element() { return next(']') && peek() != JsonType::none; }

bool JsonReader::scan_escape(std::string* raw) {
  std::size_t digits = 0;
  for (std::size_t i = 0; i < 2 + digits; ++i) {
    if (!has_byte()) {
      fail("a string does not end");
      return false;
    }
    const bool letter_fits =
        i != 1 || std::string_view("\"\\/bfnrtu").find(*at_) != std::string::npos;
    if (!letter_fits || (i > 1 && hex_value(*at_) < 0)) {
      fail("a string holds an unknown escape");
      return false;
    }
    if (i == 1 && *at_ == 'u') digits = 4;
    if (raw != nullptr) raw->push_back(*at_);
    ++at_;
  }
  return true;
}

void JsonReader::scan_string(std::string* raw, std::size_t limit) {
  if (!expect('"', "a string should stand here")) return;
  while (has_byte()) {
    const char* stop = find_json_special(at_, end_);
    if (raw != nullptr) {
      raw->append(at_, stop);
      if (raw->size() > limit) {
        raw->resize(limit);
        raw = nullptr;
      }
    }
    at_ = stop;
    if (at_ == end_) continue;
    if (*at_ == '"') {
      ++at_;
      return;
    }
    if (*at_ != '\\') return fail("a string holds a control character");
    if (!scan_escape(raw)) return;
  }
  fail("a string does not end");
}

std::string JsonReader::take_string(std::size_t limit) {
  std::string raw;
  scan_string(&raw, limit);
  std::string text;
  append_decoded_json(text, raw);
  return text;
}

std::size_t JsonReader::scan_digits(std::string* text) {
  constexpr std::size_t longest_kept = 400;
  std::size_t count = 0;
  while (has_byte() && is_digit(*at_)) {
    if (text != nullptr && text->size() < longest_kept) text->push_back(*at_);
    ++at_;
    ++count;
  }
  return count;
}

void JsonReader::scan_number(std::string* text) {
  const auto take_if_in = [this, text](std::string_view set) {
    if (!has_byte() || set.find(*at_) == std::string_view::npos) return false;
    if (text != nullptr) text->push_back(*at_);
    ++at_;
    return true;
  };
  take_if_in("-");
  const bool leading_zero = has_byte() && *at_ == '0';
  const std::size_t digits = scan_digits(text);
  if (digits == 0 || (leading_zero && digits > 1)) return fail("a number is malformed");
  if (take_if_in(".") && scan_digits(text) == 0) return fail("a number is malformed");
  if (!take_if_in("eE")) return;
  take_if_in("+-");
  if (scan_digits(text) == 0) fail("a number is malformed");
}

std::string JsonReader::take_number_text() {
  std::string text;
  if (peek() != JsonType::number) fail("a number should stand here");
  if (ok()) scan_number(&text);
  return text;
}

void JsonReader::scan_literal(std::string_view word) {
  for (const char c : word) {
    if (!has_byte() || *at_ != c) return fail("a value should stand here");
    ++at_;
  }
}

void JsonReader::scan_scalar(JsonType type) {
  switch (type) {
    case JsonType::string: return scan_string(nullptr, 0);
    case JsonType::number: return scan_number(nullptr);
    case JsonType::null: return scan_literal("null");
    case JsonType::boolean: return scan_literal(*at_ == 't' ? "true" : "false");
    default: return;
  }
}

bool JsonReader::next_member(bool in_object) {
  if (!in_object) return next(']');
  if (!next('}')) return false;
  scan_string(nullptr, 0);
  return expect(':', "a colon is missing behind a key");
}

// Brackets that are open stand in a bit each, so that no nesting reaches the call stack.
void JsonReader::skip_value() {
  std::vector<bool> in_object;
  do {
    if (!in_object.empty() && !next_member(in_object.back())) {
      in_object.pop_back();
      continue;
    }
    const JsonType type = peek();
    if (type != JsonType::object && type != JsonType::array) {
      scan_scalar(type);
      continue;
    }
    if (in_object.size() == max_depth) return fail("it is nested too deeply");
    in_object.push_back(type == JsonType::object);
    enter(*at_);
  } while (ok() && !in_object.empty());
}

void JsonReader::finish() {
  if (skip_space()) fail("something follows its end");
}

std::optional<std::uint64_t> u64_from_json(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return value;
  const std::optional<double> number = double_from_json(text);
  // Up to 2^53 a double tells integers like 4.0 and 1e3 exactly.
  if (!number || *number < 0 || *number > 9007199254740992.0 || std::trunc(*number) != *number) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(*number);
}

std::optional<double> double_from_json(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace bytescope::io
