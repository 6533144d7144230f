#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/io/page_reader.h"

namespace bytescope::bytepack {

/// Walks over the strings of a JSON array, one after another, through a reader of one's own. Any
/// bytes give texts, and the walk ends at `end` at the latest.
class StringCursor {
public:
  /// Begins at the first quote at or behind file offset `begin`.
  StringCursor(io::PageReader& reader, std::uint64_t begin, std::uint64_t end);

  /// Passes the next string and makes `text` what it says, decoded like StringTable::text. False
  /// when none follows.
  bool next(std::string& text, std::size_t limit_bytes = 1 << 24);
  /// The same without decoding: `raw` becomes the bytes between the quotes.
  bool next_raw(std::string& raw, std::size_t limit_bytes = 1 << 24);
  /// Passes the next string unread.
  bool skip();

private:
  bool fill();
  bool pass_opening_quote();
  void pass_inside(std::string* raw, std::size_t limit);
  void add(std::string* raw, std::size_t limit, const char* until);
  bool pass(std::string* raw, std::size_t limit);

  io::PageReader& reader_;
  std::uint64_t offset_;  ///< Of the next byte to be asked of the reader.
  std::uint64_t end_;
  const char* at_ = nullptr;  ///< What was read but not passed; empty between two calls.
  const char* stop_ = nullptr;
  std::string raw_;
};

/// Where the texts of `strings` lie in the file: one offset for every 16 of them; nothing is
/// copied. Immutable once made; text() may be called from any thread, each with a reader of its
/// own.
class StringTable {
public:
  static constexpr std::uint32_t stride = 16;

  StringTable() = default;
  /// `offsets[i]` is the file offset of the opening quote of string i × stride.
  StringTable(std::vector<std::uint64_t> offsets, std::uint32_t count);

  std::uint32_t size() const { return count_; }
  /// Groups of `stride` strings (the last may have fewer).
  std::size_t group_count() const { return offsets_.size(); }
  /// File offset of the opening quote of the first string of a group. Groups lie one behind the
  /// other, with nothing but commas and white space between their strings.
  std::uint64_t group_byte(std::size_t group) const { return offsets_[group]; }
  /// A walk that begins with string number `id` rounded down to a multiple of `stride` and goes to
  /// the last one (behind which other strings of the index may follow: count along). Far quicker
  /// than text() for many strings in a row.
  StringCursor walk_from(io::PageReader& reader, std::uint32_t id) const;
  /// String number `id` decoded to UTF-8: escapes resolved, lone surrogates kept as three bytes
  /// (WTF-8), bytes that are not UTF-8 as U+FFFD. Empty for an id out of range. Reads at most
  /// `limit_bytes` of text.
  std::string text(io::PageReader& reader, std::uint32_t id,
                   std::size_t limit_bytes = 1 << 24) const;

private:
  std::vector<std::uint64_t> offsets_;
  std::uint32_t count_ = 0;
};

}  // namespace bytescope::bytepack
