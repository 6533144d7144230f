#include "core/io/json_writer.h"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/io/utf8.h"

namespace bytescope::io {
namespace {

constexpr std::size_t flush_bytes = std::size_t{64} * 1024;

bool stands_for_itself(char c) {
  return c != '"' && c != '\\' && static_cast<signed char>(c) >= 0x20;
}

void append_escape(std::string& out, char32_t unit) {
  switch (unit) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(unit));
  }
}

template <class T>
void append_number(std::string& out, T value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  std::array<char, 64> digits{};
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  out.append(digits.data(), result.ptr);
}

}  // namespace

void append_json_string(std::string& out, std::string_view wtf8) {
  out.push_back('"');
  while (!wtf8.empty()) {
    std::size_t plain = 0;
    while (plain < wtf8.size() && stands_for_itself(wtf8[plain])) ++plain;
    out.append(wtf8.substr(0, plain));
    wtf8.remove_prefix(plain);
    if (wtf8.empty()) break;
    const CodePoint point = first_code_point(wtf8);
    // Terminals obey the control characters from 0x80 to 0x9F, too.
    if (point.value < 0xA0 || point.is_surrogate()) {
      append_escape(out, point.value);
    } else {
      append_code_point(out, point.value);
    }
    wtf8.remove_prefix(point.size_bytes);
  }
  out.push_back('"');
}

void append_json_number(std::string& out, double value) { append_number(out, value); }
void append_json_number(std::string& out, float value) { append_number(out, value); }

JsonWriter::JsonWriter(std::string& out) : out_(out) {}
JsonWriter::JsonWriter(Sink sink) : out_(own_), sink_(std::move(sink)) {}
JsonWriter::~JsonWriter() { flush(); }

void JsonWriter::flush() {
  if (!sink_ || own_.empty()) return;
  sink_(own_);
  own_.clear();
}

std::string& JsonWriter::begin_value() {
  if (comma_wanted_) out_.push_back(',');
  return out_;
}

JsonWriter& JsonWriter::done() {
  comma_wanted_ = depth_ > 0;
  if (sink_ && own_.size() >= flush_bytes) flush();
  return *this;
}

JsonWriter& JsonWriter::open(char bracket) {
  begin_value().push_back(bracket);
  ++depth_;
  comma_wanted_ = false;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  out_.push_back(bracket);
  --depth_;
  return done();
}

JsonWriter& JsonWriter::key(std::string_view name) {
  append_json_string(begin_value(), name);
  out_.push_back(':');
  comma_wanted_ = false;
  return *this;
}

JsonWriter& JsonWriter::null() {
  begin_value() += "null";
  return done();
}

JsonWriter& JsonWriter::value(std::string_view text) {
  append_json_string(begin_value(), text);
  return done();
}

JsonWriter& JsonWriter::value(bool truth) {
  begin_value() += truth ? "true" : "false";
  return done();
}

JsonWriter& JsonWriter::value(double number) {
  append_number(begin_value(), number);
  return done();
}

JsonWriter& JsonWriter::value(float number) {
  append_number(begin_value(), number);
  return done();
}

JsonWriter& JsonWriter::json_value(std::string_view json) {
  begin_value() += json;
  return done();
}

JsonWriter& JsonWriter::signed_value(std::int64_t number) {
  fmt::format_to(std::back_inserter(begin_value()), "{}", number);
  return done();
}

JsonWriter& JsonWriter::unsigned_value(std::uint64_t number) {
  fmt::format_to(std::back_inserter(begin_value()), "{}", number);
  return done();
}

JsonWriter& JsonWriter::end_line() {
  out_.push_back('\n');
  if (sink_ && own_.size() >= flush_bytes) flush();
  return *this;
}

}  // namespace bytescope::io
