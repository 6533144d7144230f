#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace bytescope::app {

/// Declares an option for a whole number of digits only, from 0 to what `value` holds. CLI11 itself
/// would wrap −1 around and take 010 for 8.
template <std::unsigned_integral Number, class Value>
CLI::Option* add_count(CLI::App& arguments, const std::string& name, Value& value,
                       const std::string& help) {
  const auto take = [name, &value](const std::string& text) {
    Number number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end)
      throw CLI::ValidationError(name, fmt::format("\"{}\" is not a whole number in range", text));
    value = number;
  };
  return arguments.add_option_function<std::string>(name, take, help)->type_name("N");
}

}  // namespace bytescope::app
