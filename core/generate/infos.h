#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bytescope::generate {

/// What a kernel or a copy reached; texts of it in the form of each dialect.
struct Rates {
  std::uint64_t mflops = 0;  ///< 10^6 operations a second.
  std::uint64_t memory_mb_s = 0;
  std::uint64_t local_mb_s = 0;
};

/// The info of a kernel as dialect `letter` writes it.
std::string kernel_info(char letter, const Rates& rates, std::string_view metadata);
/// The info of a kernel that nobody else has: `number` (below 10^9) stands in the last digits of
/// the operations a second.
std::string own_kernel_info(char letter, const Rates& rates, std::uint64_t number);
/// The info of a copy of `bytes` bytes at `mb_s`; before dialect K copies have none.
std::string copy_info(char letter, std::uint64_t bytes, std::uint64_t mb_s);
/// The info of a span without any fact.
std::string empty_info(char letter);
/// The info that holds a call stack, given as JSON; from dialect I on.
std::string call_stack_info(char letter, std::string_view stack_json);

}  // namespace bytescope::generate
