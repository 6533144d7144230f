#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace bytescope::io {

/// Appends `wtf8` as a JSON string that any parser takes: quotes, backslashes and control
/// characters escaped, a lone surrogate as `\udXXX`, bytes that are not UTF-8 as U+FFFD, everything
/// else as it is.
void append_json_string(std::string& out, std::string_view wtf8);

/// Appends the shortest text that reads back as `value`; `null` for infinities and NaN.
void append_json_number(std::string& out, double value);
void append_json_number(std::string& out, float value);

/// Writes JSON from front to back; puts the commas itself. Nesting and pairing of keys and values
/// are the caller's business. Into a text, or into a sink that gets pieces of about 64 kB, so that
/// millions of records need no memory.
///
///     json.begin_object().member("file", path).key("tracks").begin_array();
class JsonWriter {
public:
  using Sink = std::function<void(std::string_view)>;

  /// Appends to `out`, which must outlive the writer.
  explicit JsonWriter(std::string& out);
  /// Hands what is written to `sink`; the rest at flush() or in the destructor.
  explicit JsonWriter(Sink sink);
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;
  JsonWriter(JsonWriter&&) = delete;
  JsonWriter& operator=(JsonWriter&&) = delete;
  ~JsonWriter();

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  JsonWriter& key(std::string_view name);

  JsonWriter& null();
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(bool truth);
  JsonWriter& value(char) = delete;  // Would be written as a number.
  JsonWriter& value(double number);
  JsonWriter& value(float number);
  template <std::integral T>
  JsonWriter& value(T number) {
    if constexpr (std::is_signed_v<T>) {
      return signed_value(number);
    } else {
      return unsigned_value(number);
    }
  }
  /// A value that is JSON text already.
  JsonWriter& json_value(std::string_view json);
  /// `null` for none.
  template <class T>
  JsonWriter& value(const std::optional<T>& maybe) {
    return maybe ? value(*maybe) : null();
  }
  template <class T>
  JsonWriter& member(std::string_view name, const T& what) {
    return key(name).value(what);
  }
  /// Ends a line, for one value a line. No comma stands between values of the outermost level.
  JsonWriter& end_line();
  /// Hands everything written so far to the sink.
  void flush();

private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  JsonWriter& signed_value(std::int64_t number);
  JsonWriter& unsigned_value(std::uint64_t number);
  std::string& begin_value();
  JsonWriter& done();

  std::string own_;
  std::string& out_;
  Sink sink_;
  std::uint32_t depth_ = 0;
  bool comma_wanted_ = false;
};

}  // namespace bytescope::io
