#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/io/json_text.h"
#include "core/io/utf8.h"
#include "core/query/fold_case.h"
#include "core/trace/ansi.h"
#include "core/trace/category.h"
#include "core/trace/css_color.h"
#include "core/trace/info_facts.h"
#include "core/trace/kernel_name.h"

// Reads any text as everything that a text of a trace may be: an info, a coloured name, a colour.
namespace {
using namespace bytescope;

void expect(bool holds) {
  if (!holds) std::abort();
}

/// Whether two rates are the same, no number included.
bool same(const trace::Rate& a, const trace::Rate& b) {
  return a.failed == b.failed && a.value == b.value;
}

void read_info(std::string_view text) {
  const trace::InfoFacts facts = trace::parse_info(text);
  const trace::InfoRates rates = trace::parse_info_rates(text);
  expect(same(facts.rates.flops, rates.flops) && same(facts.rates.bytes, rates.bytes));
  expect(same(facts.rates.mem_bytes_per_s, rates.mem_bytes_per_s));
  expect(same(facts.rates.lds_bytes_per_s, rates.lds_bytes_per_s));
  expect(same(facts.rates.bytes_per_s, rates.bytes_per_s));
  trace::facts_for_display(facts);
}

void read_name(std::string_view text) {
  std::string joined;
  for (const trace::AnsiPiece& piece : trace::ansi_pieces(text)) {
    expect(!piece.text.empty());
    joined += piece.text;
  }
  const std::string plain = trace::plain_text(text);
  expect(plain == joined);
  trace::single_line(plain);
  trace::without_variant(plain);
  trace::dimensions(text);
}

void read_characters(std::string_view text) {
  const std::string printable = io::printable_utf8(text);
  expect(io::printable_utf8(printable) == printable);
  expect(query::folded(query::folded(text)) == query::folded(text));
  std::string decoded;
  io::append_decoded_json(decoded, text);
  for (std::string_view rest = decoded; !rest.empty();)
    rest.remove_prefix(io::first_code_point(rest).size_bytes);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read_info(text);
  read_name(text);
  read_characters(text);
  trace::parse_css_color(text);
  return 0;
}
