#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "core/bytepack/json_index.h"
#include "core/bytepack/string_scanner.h"
#include "core/io/page_reader.h"
#include "tests/fuzz/memory_file.h"

// Reads any bytes as the index of a trace, and as an array of strings: fast and slow, in two
// pieces and in one, which must agree.
namespace {
using namespace bytescope;

void expect(bool holds) {
  if (!holds) std::abort();
}

void compare_scanners(const char* bytes, std::size_t size, std::size_t cut) {
  bytepack::StringScanner fast(0);
  bytepack::StringScanner slow(0);
  slow.use_slow_way_only();
  std::size_t taken = fast.feed(bytes, cut);
  if (taken == cut && !fast.done() && fast.error() == nullptr)
    taken += fast.feed(bytes + cut, size - cut);
  expect(taken == slow.feed(bytes, size));
  expect(fast.done() == slow.done() && fast.count() == slow.count());
  expect(fast.error() == slow.error());
  expect(fast.take_offsets() == slow.take_offsets());
}

/// Every string, alone and in a row, and one that is not there.
void read_strings(const bytepack::StringTable& strings,
                  const std::shared_ptr<const io::InputFile>& file) {
  io::PageReader reader(file, 2);
  expect(strings.text(reader, strings.size()).empty());
  if (strings.size() == 0) return;
  bytepack::StringCursor cursor = strings.walk_from(reader, 0);
  std::string in_a_row;
  io::PageReader other(file, 2);
  for (std::uint32_t id = 0; id < std::min(strings.size(), 200U); ++id) {
    expect(cursor.next(in_a_row));
    expect(strings.text(other, id) == in_a_row);
  }
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto* bytes = reinterpret_cast<const char*>(data);
  compare_scanners(bytes, size, data[0] % size);
  compare_scanners(bytes, size, size / 2);
  const fuzz::MemoryFile memory(bytes, size);
  const auto file = io::InputFile::open(memory.path());
  if (!file) return 0;
  Warnings warnings;
  const auto index = bytepack::read_json_index(**file, 0, size, warnings, Cancel());
  if (!index) {
    expect(index.error().where.byte && *index.error().where.byte <= size);
    return 0;
  }
  read_strings(index->strings, *file);
  return 0;
}
