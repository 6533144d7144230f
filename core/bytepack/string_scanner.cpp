#include "core/bytepack/string_scanner.h"

#include <algorithm>
#include <bit>
#include <string_view>

#include "core/bytepack/string_table.h"
#include "core/io/byte_block.h"
#include "core/io/json_escapes.h"
#include "core/io/json_text.h"

// The fast way looks at 64 bytes at once, as masks with a bit a byte (the method of simdjson's
// first stage): quotes that no backslash escapes toggle between inside and outside; a running XOR
// turns them into a mask of what lies inside strings. A block is taken only when all of it is as
// usual: inside no control characters and no escapes but \" \\ \n, outside just commas and spaces,
// each comma right behind a closing quote. Everything else goes to the slow way, a state machine
// over bytes that knows all of JSON's grammar. Both leave the same state behind.

namespace bytescope::bytepack {
namespace {

/// Bit i is the XOR of bits 0 … i of `bits`.
std::uint64_t running_xor(std::uint64_t bits) {
  for (unsigned shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

/// What one block leaves for the next, as numbers so that nothing has to branch on it.
struct Carry {
  std::uint64_t inside = 0;        ///< All ones inside a string, else 0.
  std::uint64_t escaped = 0;       ///< 1 when the next byte follows an active backslash.
  std::uint64_t after_string = 0;  ///< 1 when the byte before was a closing quote.
};

/// Looks at one block: the opening quotes in it, and what is not as usual (0 when all is).
struct Block {
  std::uint64_t opening = 0;
  std::uint64_t strange = 0;

  Block(const char* begin, Carry& carry) {
    const io::ByteBlock bytes(begin);
    const std::uint64_t backslashes = bytes.equal('\\');
    const std::uint64_t all_quotes = bytes.equal('"');
    const std::uint64_t escaped = io::escaped_bytes(backslashes, carry.escaped);
    const std::uint64_t quotes = all_quotes & ~escaped;
    // From each opening quote up to, but without, the closing one.
    const std::uint64_t inside = running_xor(quotes) ^ carry.inside;
    const std::uint64_t closing = quotes & ~inside;
    const std::uint64_t outside = ~(inside | quotes);
    const std::uint64_t commas = bytes.equal(',') & outside;
    opening = quotes & inside;
    strange = (commas ^ (closing << 1U | carry.after_string)) |
              (outside & ~(commas | bytes.equal(' '))) |
              (escaped & ~(all_quotes | backslashes | bytes.equal('n'))) | bytes.control();
    carry.inside = 0 - (inside >> 63U);
    carry.after_string = closing >> 63U;
  }
};

}  // namespace

bool StringScanner::refuse(const char* error) {
  error_ = error;
  return false;
}

void StringScanner::count_string(std::uint64_t offset) {
  if (count_ % StringTable::stride == 0) offsets_.push_back(offset);
  ++count_;
}

void StringScanner::count_strings(std::uint64_t opening_quotes) {
  const auto found = static_cast<std::uint32_t>(std::popcount(opening_quotes));
  const std::uint32_t before_next = (0U - count_) % StringTable::stride;
  count_ += found;
  if (before_next >= found) return;
  // Conditional moves, because a loop of as many steps would be mispredicted each time.
  for (std::uint32_t i = 0; i + 1 < StringTable::stride; ++i) {
    const std::uint64_t without_lowest = opening_quotes & (opening_quotes - 1);
    opening_quotes = i < before_next ? without_lowest : opening_quotes;
  }
  offsets_.push_back(offset_ + static_cast<std::uint64_t>(std::countr_zero(opening_quotes)));
  static_assert(io::ByteBlock::bytes / 3 <
                std::size_t{2} * StringTable::stride);  // `"",` is the shortest.
  if (before_next + StringTable::stride >= found) return;
  for (std::uint32_t i = 0; i < StringTable::stride; ++i) opening_quotes &= opening_quotes - 1;
  offsets_.push_back(offset_ + static_cast<std::uint64_t>(std::countr_zero(opening_quotes)));
}

std::size_t StringScanner::take_blocks(const char* begin, std::size_t size) {
  const bool inside = state_ == State::in_string || state_ == State::after_backslash;
  if (!inside && state_ != State::after_string && state_ != State::after_comma) return 0;
  Carry carry{inside ? ~std::uint64_t{0} : 0, state_ == State::after_backslash ? 1U : 0U,
              state_ == State::after_string ? 1U : 0U};
  std::size_t taken = 0;
  for (; size - taken >= io::ByteBlock::bytes; taken += io::ByteBlock::bytes) {
    Carry next = carry;
    const Block block(begin + taken, next);
    if (block.strange != 0) break;
    count_strings(block.opening);
    offset_ += io::ByteBlock::bytes;
    carry = next;
  }
  if (carry.inside != 0) {
    state_ = carry.escaped != 0 ? State::after_backslash : State::in_string;
  } else {
    state_ = carry.after_string != 0 ? State::after_string : State::after_comma;
  }
  return taken;
}

bool StringScanner::take_outside(char c) {
  if (io::is_json_space(c)) return true;
  const bool string_may_follow = state_ == State::first_element || state_ == State::after_comma;
  if (c == '"' && string_may_follow) {
    count_string(offset_);
    state_ = State::in_string;
  } else if (c == ']' && state_ != State::after_comma) {
    state_ = State::done;
  } else if (c == ',' && state_ == State::after_string) {
    state_ = State::after_comma;
  } else {
    return refuse(string_may_follow ? "an element of `strings` is not a string"
                                    : "a comma is missing between two elements of `strings`");
  }
  return true;
}

bool StringScanner::take_inside(char c) {
  constexpr std::uint8_t unicode_digits = 4;
  switch (state_) {
    case State::after_backslash:
      if (c == 'u') {
        state_ = State::in_unicode_escape;
        hex_digits_left_ = unicode_digits;
        return true;
      }
      state_ = State::in_string;
      if (std::string_view("\"\\/bfnrt").find(c) != std::string_view::npos) return true;
      return refuse("a string of `strings` holds an unknown escape");
    case State::in_unicode_escape:
      if (io::hex_value(c) < 0) return refuse("a string of `strings` holds an unknown escape");
      if (--hex_digits_left_ == 0) state_ = State::in_string;
      return true;
    default:
      if (c == '"') state_ = State::after_string;
      if (c == '\\') state_ = State::after_backslash;
      if (static_cast<unsigned char>(c) >= 0x20) return true;
      return refuse("a string of `strings` holds a control character");
  }
}

bool StringScanner::take_byte(char c) {
  bool taken = false;
  switch (state_) {
    case State::before_array:
      taken = c == '[' || refuse("`strings` is not an array");
      state_ = State::first_element;
      break;
    case State::in_string:
    case State::after_backslash:
    case State::in_unicode_escape: taken = take_inside(c); break;
    default: taken = take_outside(c); break;
  }
  if (taken) ++offset_;
  return taken;
}

void StringScanner::expect(std::uint64_t bytes) {
  const auto seen = static_cast<double>(std::max<std::uint64_t>(offset_ - begin_, 1));
  const double more = static_cast<double>(offsets_.size()) * static_cast<double>(bytes) / seen;
  constexpr double margin = 1.1;
  constexpr double most = 8 << 20;  // A beginning that misleads must not cost much.
  offsets_.reserve(offsets_.size() + static_cast<std::size_t>(std::min(more * margin, most)) + 1);
}

std::size_t StringScanner::feed(const char* begin, std::size_t size) {
  std::size_t taken = 0;
  while (taken < size && !done() && error_ == nullptr) {
    if (fast_) taken += take_blocks(begin + taken, size - taken);
    const std::size_t stop = std::min(size, taken + io::ByteBlock::bytes);
    while (taken < stop && !done() && take_byte(begin[taken])) ++taken;
  }
  return taken;
}

}  // namespace bytescope::bytepack
