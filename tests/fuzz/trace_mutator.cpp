#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "core/bytepack/detect.h"
#include "core/bytepack/json_index.h"
#include "core/bytepack/records.h"
#include "tests/fuzz/choices.h"
#include "tests/fuzz/hostile_trace.h"
#include "tests/fuzz/memory_file.h"

// libFuzzer's own mutations seldom get past the head of a trace: a byte more in the index moves
// every track, and most values make a record that no dialect has. These know the format. They put
// hostile values where the format has fields, lengthen the index and tell the head of it, and now
// and then begin anew with a trace of another dialect.

// libFuzzer names them.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed);
// NOLINTEND(readability-identifier-naming)

namespace bytescope::fuzz {
namespace {

constexpr std::size_t index_length_byte = 12;

/// A field of a trace: where it stands and how many bytes it has.
struct Field {
  std::size_t byte = 0;
  std::size_t size = 4;
};

/// What the format makes of the bytes.
struct Parts {
  bytepack::Frame frame;
  bytepack::Reading reading;
};

std::optional<Parts> parts_of(const std::uint8_t* data, std::size_t size) {
  const MemoryFile memory(data, size);
  const auto file = io::InputFile::open(memory.path());
  if (!file) return std::nullopt;
  const auto frame = bytepack::read_frame(**file);
  if (!frame) return std::nullopt;
  Warnings ignored;
  const auto index = bytepack::read_json_index(**file, bytepack::Frame::head_bytes,
                                               frame->index_bytes, ignored, Cancel());
  if (!index) return Parts{*frame, {}};
  auto found = bytepack::detect(**file, *frame, *index, Cancel());
  if (!found) return Parts{*frame, {}};
  if (found->fitting.empty()) return Parts{*frame, std::move(found->furthest)};
  return Parts{*frame, std::move(found->fitting.front())};
}

Field field_of_span(const bytepack::SpanLayout& layout, std::size_t record, Choices& choices) {
  const std::array<std::int8_t, 8> offsets = {layout.name,  layout.ref,      layout.key,
                                              layout.start, layout.duration, layout.depth,
                                              layout.info,  layout.category};
  const std::int8_t offset = choices.of(offsets);
  if (offset < 0) return {record, 4};
  const bool is_byte = offset == layout.depth || offset == layout.category;
  return {record + static_cast<std::size_t>(offset), is_byte ? 1U : 4U};
}

Field field_of_event(std::size_t record, Choices& choices) {
  const std::array<Field, 6> fields = {{{record, 1},
                                        {record + 1, 4},
                                        {record + 5, 4},
                                        {record + 9, 4},
                                        {record + 13, 8},
                                        {record + 13, 4}}};
  return choices.of(fields);
}

/// A record of an event track: they differ in size, so that it is looked for from the front.
std::size_t event_byte(const std::uint8_t* data, const bytepack::TrackHead& head,
                       const bytepack::Dialect& dialect, std::size_t number) {
  std::size_t at = head.records_byte;
  for (; number > 0 && at + bytepack::free_bytes + 4 < head.end_byte; --number) {
    if (data[at] == 1) {
      at += bytepack::alloc_bytes;
      continue;
    }
    at += bytepack::free_bytes;
    if (dialect.user.stride == 0) continue;
    std::uint32_t users = 0;
    std::memcpy(&users, data + at, 4);
    at += 4 + std::size_t{users} * dialect.user.stride;
  }
  return at;
}

Field field_of_track(const std::uint8_t* data, const bytepack::Reading& reading, Choices& choices) {
  const bytepack::TrackHead& head = choices.of(reading.heads);
  if (choices.one_in(5)) {  // the head: length, name, kind, count, what follows
    const std::size_t name = head.head_byte + 1;
    const std::size_t kind = name + head.name.size();
    const std::array<Field, 5> fields = {
        {{head.head_byte, 1}, {name, 1}, {kind, 1}, {kind + 1, 4}, {kind + 5, 8}}};
    return choices.of(fields);
  }
  const std::size_t number = choices.below(std::max<std::size_t>(head.count, 1));
  if (head.kind == bytepack::TrackKind::spans) {
    const bytepack::SpanLayout& layout = reading.dialect->span;
    return field_of_span(layout, head.records_byte + number * layout.stride, choices);
  }
  if (head.kind == bytepack::TrackKind::line) {
    const std::size_t record = head.records_byte + number * bytepack::line_bytes;
    return choices.one_in(2) ? Field{record, 4} : Field{record + 4, 8};
  }
  if (reading.dialect->memory == bytepack::MemoryForm::polygons) {
    const std::size_t words = (head.end_byte - head.records_byte) / 4;
    return {head.records_byte + 4 * choices.below(std::max<std::size_t>(words, 1)), 4};
  }
  return field_of_event(event_byte(data, head, *reading.dialect, number), choices);
}

std::uint64_t value_for(std::uint64_t present, Choices& choices) {
  constexpr std::array<std::uint64_t, 16> values = {
      0,          1,          2,           3,          0x7F,       0xFF,
      0x7F800000, 0x7FC00000, 0xBF800000,  0xFF800000, 0x7FFFFFFF, 0x80000000,
      0xFFFFFFFE, 0xFFFFFFFF, 1ULL << 63U, UINT64_MAX};
  switch (choices.below(4)) {
    case 0: return present + 1;
    case 1: return present - 1;
    case 2: return present ^ (1ULL << choices.below(64));
    default: return choices.of(values);
  }
}

/// Another value where the format has a field.
std::size_t mutate_field(std::uint8_t* data, std::size_t size, const Parts& parts,
                         Choices& choices) {
  constexpr std::array<Field, 4> of_frame = {{{0, 4}, {4, 8}, {12, 4}, {16, 4}}};
  const bool in_frame = parts.reading.heads.empty() || choices.one_in(12);
  const Field field =
      in_frame ? choices.of(of_frame) : field_of_track(data, parts.reading, choices);
  if (field.byte + field.size > size) return size;
  std::uint64_t value = 0;
  std::memcpy(&value, data + field.byte, field.size);
  value = value_for(value, choices);
  std::memcpy(data + field.byte, &value, field.size);
  return size;
}

/// Other bytes in the index, with its length told to the head.
std::size_t mutate_index(std::uint8_t* data, std::size_t size, std::size_t max_size,
                         const Parts& parts) {
  const std::size_t begin = bytepack::Frame::head_bytes;
  const std::size_t end = parts.frame.tracks_begin();
  std::vector<std::uint8_t> index(data + begin, data + end);
  const std::size_t room = max_size - size;
  index.resize(index.size() + std::min<std::size_t>(room, 64));
  const std::size_t length = LLVMFuzzerMutate(index.data(), end - begin, index.size());
  std::memmove(data + begin + length, data + end, size - end);
  std::memcpy(data + begin, index.data(), length);
  const auto told = static_cast<std::uint32_t>(length);
  std::memcpy(data + index_length_byte, &told, sizeof told);
  return size - (end - begin) + length;
}

std::size_t begin_anew(std::uint8_t* data, std::size_t size, std::size_t max_size,
                       Choices& choices) {
  const std::vector<std::byte> trace = hostile_trace(choices);
  if (trace.size() > max_size) return size;
  std::memcpy(data, trace.data(), trace.size());
  return trace.size();
}

std::size_t mutated(std::uint8_t* data, std::size_t size, std::size_t max_size, Choices& choices) {
  if (choices.one_in(12)) return begin_anew(data, size, max_size, choices);
  if (choices.one_in(4)) return LLVMFuzzerMutate(data, size, max_size);
  const std::optional<Parts> parts = parts_of(data, size);
  if (!parts) return begin_anew(data, size, max_size, choices);
  if (choices.one_in(4)) return mutate_index(data, size, max_size, *parts);
  for (std::size_t count = 1 + choices.below(3); count-- > 0;)
    size = mutate_field(data, size, *parts, choices);
  return size;
}

}  // namespace
}  // namespace bytescope::fuzz

// NOLINTNEXTLINE(readability-identifier-naming)
std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                    unsigned seed) {
  bytescope::fuzz::Choices choices(seed);
  return bytescope::fuzz::mutated(data, size, max_size, choices);
}
