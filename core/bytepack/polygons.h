#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace bytescope::bytepack {

/// The outline of one buffer as dialects A and B write it: at time ts[x[i]] its lower edge is at
/// y[i] bytes.
struct Polygon {
  std::vector<std::uint32_t> x;
  std::vector<std::uint64_t> y;
  std::uint32_t dtype = 0;   ///< Position in `strings`.
  std::uint64_t length = 0;  ///< Elements.
};

/// A memory track of dialect A or B.
struct Polygons {
  std::uint64_t peak_bytes = 0;
  std::vector<std::uint32_t> times;  ///< One for each step, then the end of the trace.
  std::vector<Polygon> buffers;      ///< In the order of their allocation.
};

/// Makes polygons from allocations and frees told in time order, as the producer did: buffers lie
/// in key order; a free ends its buffer one step later and lowers everything above it. An
/// allocation below others (the producer never had one) raises what is above. Each event costs
/// O(live buffers above), time and memory.
class PolygonBuilder {
public:
  /// A buffer of `length` elements and `bytes` bytes; a key that is live already is ignored.
  void allocate(std::uint32_t time, std::uint32_t key, std::uint32_t dtype, std::uint64_t length,
                std::uint64_t bytes);
  /// A key that is not live is ignored.
  void free(std::uint32_t time, std::uint32_t key);
  /// The track of a trace that ends at `duration`. The builder is spent.
  Polygons finish(std::uint32_t duration);

private:
  struct Live {
    std::size_t buffer = 0;
    std::uint64_t bytes = 0;
  };
  void corner(std::size_t buffer, std::uint32_t x, std::uint64_t y);

  Polygons polygons_;
  std::map<std::uint32_t, Live> live_;
  std::uint64_t total_bytes_ = 0;
};

}  // namespace bytescope::bytepack
