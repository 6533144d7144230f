#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "core/io/large_pages.h"
#include "core/io/packed_numbers.h"

namespace bytescope::trace {

/// One lifetime of a buffer; a key that is allocated again after its free is another one.
struct Buffer {
  static constexpr std::uint32_t never = UINT32_MAX;
  std::uint32_t key = 0;        ///< Polygons have no keys: their number in the file.
  std::uint32_t allocated = 0;  ///< Time of the allocation, in the trace's unit.
  std::uint32_t freed = never;  ///< Time of the free record, `never` without one.
  std::uint32_t dtype = 0;      ///< Position in `strings`.
  std::uint64_t bytes = 0;
};

/// The buffers of a memory track, by ordinal. Most have a type and size that many others have, too,
/// and a key little above the one before: what is kept is mostly 10 to 12 bytes a buffer, and 16
/// for each pair of type and size. Looks like a vector whose elements are handed out as values.
class BufferTable {
public:
  /// A buffer as it is kept.
  struct Row {
    std::uint32_t key = 0;
    std::uint32_t allocated = 0;
    std::uint32_t freed = Buffer::never;
    std::uint32_t shape = 0;  ///< Place of its type and size.
  };

  /// Goes over the buffers in order.
  class Iterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Buffer;
    using difference_type = std::ptrdiff_t;
    using pointer = const Buffer*;
    using reference = Buffer;

    Iterator(const BufferTable& table, std::size_t at) : table_(&table), at_(at) {}
    Buffer operator*() const { return (*table_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++at_;
      return before;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

  private:
    const BufferTable* table_;
    std::size_t at_;
  };

  std::size_t size() const { return lives_.size(); }
  bool empty() const { return lives_.empty(); }
  Buffer operator[](std::size_t ordinal) const {
    const Life& life = lives_[ordinal];
    const Shape& shape = shapes_[shape_numbers_[ordinal]];
    return {key(ordinal), life.allocated, life.freed, shape.dtype, shape.bytes};
  }
  /// The same without looking up anything else.
  std::uint32_t key(std::size_t ordinal) const {
    return first_keys_.empty() ? keys_[ordinal] : first_keys_[ordinal / run] + keys_[ordinal];
  }
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, lives_.size()}; }
  /// Fetches what reading a buffer soon will need.
  void prefetch(std::size_t ordinal) const { __builtin_prefetch(&lives_[ordinal]); }

  void reserve(std::size_t count) {
    lives_.reserve(count);
    keys_.reserve(count);
    shape_numbers_.reserve(count);
  }
  /// Adds a buffer; not after finish(). Costs a look into a table of types and sizes.
  void push_back(const Buffer& buffer);
  void set_freed(std::size_t ordinal, std::uint32_t time) { lives_[ordinal].freed = time; }
  /// Rows as they are, for bringing them into another order before finish().
  Row row(std::size_t ordinal) const {
    const Life& life = lives_[ordinal];
    return {key(ordinal), life.allocated, life.freed, shape_numbers_[ordinal]};
  }
  void set_row(std::size_t ordinal, const Row& row) {
    keys_.set(ordinal, row.key);
    lives_[ordinal] = {row.allocated, row.freed};
    shape_numbers_.set(ordinal, row.shape);
  }
  /// Gives back what only adding and bringing into order need.
  void finish();

private:
  /// What each buffer has to itself.
  struct Life {
    std::uint32_t allocated = 0;
    std::uint32_t freed = Buffer::never;
  };
  /// Type and size of many buffers.
  struct Shape {
    std::uint64_t bytes = 0;
    std::uint32_t dtype = 0;
  };

  void shorten_keys();
  std::uint32_t shape_of(std::uint32_t dtype, std::uint64_t bytes);
  std::size_t home(const Shape& shape) const;
  void grow();

  /// So many keys are told by how far they are above the first of them.
  static constexpr std::size_t run = 16;

  io::LargeVector<Life> lives_;
  // When finished, the distances to the first keys of runs, if keys are in order.
  io::PackedNumbers keys_;
  std::vector<std::uint32_t> first_keys_;
  io::PackedNumbers shape_numbers_;  // places in shapes_
  io::LargeVector<Shape> shapes_;
  io::LargeVector<std::uint32_t> slots_;  // hash table: place in shapes_ + 1, 0 for none
  std::uint32_t findable_ = 0;            // shapes in slots_
  std::uint64_t seed_ = 0;
};

}  // namespace bytescope::trace
