#include "core/query/needle.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "core/io/byte_block.h"

namespace bytescope::query {
namespace {

using io::ByteBlock;

char small_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }
char capital_letter(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
}

/// Whether a character always stands for itself in JSON without `\u`.
bool stands_as_it_is(char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '/'; }

/// The longest stretch of such characters.
std::string_view longest_usual_part(std::string_view text) {
  std::string_view longest;
  while (!text.empty()) {
    const auto* const begin = std::find_if(text.begin(), text.end(), stands_as_it_is);
    const auto* const end = std::find_if_not(begin, text.end(), stands_as_it_is);
    if (static_cast<std::size_t>(end - begin) > longest.size())
      longest = {begin, static_cast<std::size_t>(end - begin)};
    text.remove_prefix(static_cast<std::size_t>(end - text.begin()));
  }
  return longest;
}

std::uint64_t either(const ByteBlock& block, char small, char capital) {
  const std::uint64_t found = block.equal(small);
  return small == capital ? found : found | block.equal(capital);
}

}  // namespace

Needle::Needle(std::string_view folded_text)
    : core_(longest_usual_part(folded_text)), is_whole_(core_.size() == folded_text.size()) {
  if (core_.empty()) return;
  first_capital_ = capital_letter(core_.front());
  last_capital_ = capital_letter(core_.back());
}

bool Needle::is_at(const char* at) const {
  return std::equal(core_.begin(), core_.end(), at,
                    [](char wanted, char c) { return wanted == small_letter(c); });
}

std::size_t Needle::find(std::string_view raw, std::size_t from) const {
  if (core_.empty()) return from;
  if (raw.size() < core_.size()) return nowhere;
  const std::size_t stop = raw.size() - core_.size() + 1;  // of places to begin at
  const std::size_t to_last = core_.size() - 1;
  while (from < stop) {
    const char* at = raw.data() + from;
    // Written where it is read; to clear it would cost for every string.
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init)
    std::array<char, 2 * ByteBlock::bytes> padded;
    const bool is_near_end = raw.size() - from < to_last + ByteBlock::bytes;
    if (is_near_end) {
      if (core_.size() > ByteBlock::bytes) break;
      const std::size_t left = raw.size() - from;
      std::copy_n(at, left, padded.begin());
      std::fill(padded.begin() + static_cast<std::ptrdiff_t>(left), padded.end(), '\0');
      at = padded.data();
    }
    std::uint64_t places = either(ByteBlock(at), core_.front(), first_capital_) &
                           either(ByteBlock(at + to_last), core_.back(), last_capital_);
    for (; places != 0; places &= places - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(places));
      if (from + i < stop && is_at(at + i)) return from + i;
    }
    from += ByteBlock::bytes;
  }
  for (; from < stop; ++from) {
    if (is_at(raw.data() + from)) return from;
  }
  return nowhere;
}

bool has_unusual_letters(std::string_view raw) {
  const char* at = raw.data();
  const char* const end = at + raw.size();
  // One byte more than a block is looked at each time.
  while (end - at > static_cast<std::ptrdiff_t>(ByteBlock::bytes)) {
    const ByteBlock block(at);
    if ((block.non_ascii() | (block.equal('\\') & ByteBlock(at + 1).equal('u'))) != 0) return true;
    at += ByteBlock::bytes;
  }
  for (; at != end; ++at) {
    if (static_cast<signed char>(*at) < 0) return true;
    if (*at == '\\' && at + 1 != end && at[1] == 'u') return true;
  }
  return false;
}

}  // namespace bytescope::query
