#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/cancel.h"
#include "core/io/piece_reader.h"

namespace bytescope::io {

/// What a JSON value is; `none` when none follows or reading failed.
enum class JsonType : std::uint8_t { none, object, array, string, number, boolean, null };

/// Reads JSON from front to back, from memory or from a file in pieces, checking its grammar on the
/// way. Needs no more memory than the texts that are taken; nesting costs one bit a level. After a
/// failure every call answers "nothing" and error() tells why.
///
///     reader.enter_object();
///     while (reader.next_key(key)) reader.skip_value();
///     reader.finish();
///
/// More lenient than the standard in one thing: bytes that are not UTF-8 are read as U+FFFD.
class JsonReader {
public:
  /// Values nested deeper than this are refused.
  static constexpr std::size_t max_depth = 1 << 20;
  /// Texts are cut to this many raw bytes unless told otherwise.
  static constexpr std::size_t default_limit = 1 << 20;

  struct Failure {
    std::string message;     ///< A half sentence such as "a string does not end".
    std::uint64_t byte = 0;  ///< In the file; from memory: in the text.
    bool cancelled = false;
  };

  /// Reads from memory; `text` must outlive the reader.
  explicit JsonReader(std::string_view text);
  /// Reads what remains of `pieces`; gives up when `cancel` asks for it.
  explicit JsonReader(PieceReader& pieces, const Cancel* cancel = nullptr);

  bool ok() const { return !failure_; }
  /// Why reading failed; must have failed.
  const Failure& error() const { return *failure_; }
  /// Offset of the next byte.
  std::uint64_t offset() const {
    return window_offset_ + static_cast<std::uint64_t>(at_ - window_);
  }

  /// What follows, judged by its first byte. Passes white space.
  JsonType peek();
  /// Steps into the object or array that follows; fails on anything else.
  void enter_object();
  void enter_array();
  /// Steps to the next member and takes its key, cut to `limit` bytes. False at the end of the
  /// object, which is passed. The value must be taken or skipped before the next call.
  bool next_key(std::string& key, std::size_t limit = default_limit);
  /// Steps to the next element. False at the end of the array, which is passed.
  bool next_element();
  /// The string that follows, decoded as append_decoded_json does; fails on anything else.
  std::string take_string(std::size_t limit = default_limit);
  /// The text of the number that follows, cut to 400 bytes; fails on anything else.
  std::string take_number_text();
  /// Passes any value.
  void skip_value();
  /// Fails unless only white space follows.
  void finish();
  /// Fails at offset(), unless reading failed already.
  void fail(std::string message);
  /// Fails because somebody asked to stop.
  void cancel();

  /// Hands the file over: its PieceReader stands at offset() after this, and the reader goes on
  /// from wherever that is left.
  void sync();

private:
  bool refill();
  bool has_byte() { return at_ != end_ || refill(); }
  bool skip_space();
  bool enter(char bracket);
  bool next(char closing);
  bool next_member(bool in_object);
  bool expect(char c, const char* message);
  void scan_string(std::string* raw, std::size_t limit);
  bool scan_escape(std::string* raw);
  void scan_number(std::string* text);
  void scan_literal(std::string_view word);
  void scan_scalar(JsonType type);
  std::size_t scan_digits(std::string* text);

  PieceReader* pieces_ = nullptr;
  const Cancel* cancel_ = nullptr;
  const char* window_ = nullptr;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  std::uint64_t window_offset_ = 0;
  bool fresh_ = false;  ///< Nothing was read since a bracket was opened.
  std::optional<Failure> failure_;
};

/// A number exactly, or none when it is negative, no integer or above 2^64 − 1. Takes what
/// take_number_text() gives.
std::optional<std::uint64_t> u64_from_json(std::string_view text);
/// The nearest double, or none when it is too large.
std::optional<double> double_from_json(std::string_view text);

}  // namespace bytescope::io
