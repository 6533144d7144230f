#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bytescope::trace {

/// A measured rate of a span.
struct Rate {
  std::optional<double> value;  ///< In SI base units; none where it is unknown.
  bool failed = false;          ///< The file says `ERR` instead of a number.
};

/// What was measured of a span, per second where the name says so.
struct InfoRates {
  Rate flops;            ///< Floating point operations per second.
  Rate mem_bytes_per_s;  ///< Bytes per second from and to the device's memory.
  Rate lds_bytes_per_s;  ///< Bytes per second counting every load and store.
  Rate bytes_per_s;      ///< Bytes per second of a copy.
  Rate bytes;            ///< Bytes that a copy moved.
};

/// One frame of a call stack, innermost first as in the file.
struct CallFrame {
  std::string file;
  std::uint64_t line = 0;
  std::string function;
  std::string code;  ///< The line itself.
};

/// "This span was caused by span number `index` of track `row`."
struct SpanLink {
  std::string row;  ///< Name of a track.
  std::uint64_t index = 0;
};

/// All that a span's info text says.
struct InfoFacts {
  InfoRates rates;
  std::vector<std::string> metadata;  ///< Names of the operations it came from, notes; as written.
  std::vector<CallFrame> call_stack;
  std::optional<std::uint64_t> program_counter;
  std::optional<SpanLink> link;
  std::vector<std::string> other;  ///< Lines and members that are none of these, as written.
};

/// Reads an info text of any dialect, by its own form: a JSON object, or lines. Whatever is not
/// understood lands in `other`. `info` is decoded text (StringTable::text).
InfoFacts parse_info(std::string_view info);

/// Only the rates of an info text: what parse_info() gives, quicker.
InfoRates parse_info_rates(std::string_view info);

/// A line of a list for people.
struct Fact {
  std::string label;
  std::string value;
};

/// The facts in the order of interest, with units: `Compute`, `1.29 TFLOPS`. A frame of a call
/// stack is a fact of its own.
std::vector<Fact> facts_for_display(const InfoFacts& facts);

}  // namespace bytescope::trace
