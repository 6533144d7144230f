#include "core/bytepack/string_scanner.h"

#include <bit>

#include "core/bytepack/string_table.h"
#include "core/io/byte_block.h"
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

struct Escapes {
  std::uint64_t escaped = 0;  ///< Bytes that follow an active backslash.
  bool carry = false;         ///< The byte behind the block is one, too.
};

/// Which bytes are escaped, given the backslashes: in a run of them every other one is active.
Escapes escapes_of(std::uint64_t backslashes, bool first_is_escaped) {
  const std::uint64_t first = first_is_escaped ? 1 : 0;
  if (backslashes == 0) return {first, false};
  constexpr std::uint64_t even_bits = 0x5555555555555555U;
  backslashes &= ~first;
  const std::uint64_t follows = backslashes << 1U | first;
  const std::uint64_t odd_starts = backslashes & ~even_bits & ~follows;
  const std::uint64_t sum = odd_starts + backslashes;
  const bool carry = sum < backslashes;
  return {(even_bits ^ (sum << 1U)) & follows, carry};
}

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
  const std::uint32_t in_group = count_ % StringTable::stride;
  if (in_group != 0 && in_group + found <= StringTable::stride) {
    count_ += found;
    return;
  }
  for (; opening_quotes != 0; opening_quotes &= opening_quotes - 1) {
    count_string(offset_ + static_cast<std::uint64_t>(std::countr_zero(opening_quotes)));
  }
}

bool StringScanner::take_block(const char* block) {
  const bool starts_inside = state_ == State::in_string || state_ == State::after_backslash;
  if (!starts_inside && state_ != State::after_string && state_ != State::after_comma) return false;
  const io::ByteBlock bytes(block);
  const std::uint64_t backslashes = bytes.equal('\\');
  const Escapes escapes = escapes_of(backslashes, state_ == State::after_backslash);
  const std::uint64_t all_quotes = bytes.equal('"');
  const std::uint64_t quotes = all_quotes & ~escapes.escaped;
  // From each opening quote up to, but without, the closing one.
  const std::uint64_t inside = running_xor(quotes) ^ (starts_inside ? ~std::uint64_t{0} : 0);
  const std::uint64_t closing = quotes & ~inside;
  const std::uint64_t outside = ~(inside | quotes);
  const std::uint64_t commas = bytes.equal(',') & outside;
  const std::uint64_t wanted = closing << 1U | (state_ == State::after_string ? 1U : 0U);
  const std::uint64_t strange = (outside & ~(commas | bytes.equal(' '))) | (commas ^ wanted);
  if ((strange | bytes.control()) != 0) return false;
  const std::uint64_t rare = escapes.escaped & ~(all_quotes | backslashes);
  if (rare != 0 && (rare & ~bytes.equal('n')) != 0) return false;

  count_strings(quotes & inside);
  constexpr std::uint64_t last = std::uint64_t{1} << 63U;
  if ((inside & last) != 0) {
    state_ = escapes.carry ? State::after_backslash : State::in_string;
  } else {
    state_ = (closing & last) != 0 ? State::after_string : State::after_comma;
  }
  offset_ += io::ByteBlock::bytes;
  return true;
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

std::size_t StringScanner::feed(const char* begin, std::size_t size) {
  constexpr std::size_t block_bytes = io::ByteBlock::bytes;
  std::size_t taken = 0;
  while (taken < size && !done() && error_ == nullptr) {
    const bool whole_block = size - taken >= block_bytes;
    if (whole_block && fast_ && take_block(begin + taken)) {
      taken += block_bytes;
      continue;
    }
    const std::size_t stop = whole_block ? taken + block_bytes : size;
    while (taken < stop && !done() && take_byte(begin[taken])) ++taken;
  }
  return taken;
}

}  // namespace bytescope::bytepack
