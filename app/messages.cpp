#include "app/messages.h"

#include <cstdio>
#include <iterator>
#include <new>
#include <system_error>

#include <fmt/format.h>

#include "core/io/utf8.h"

namespace bytescope::app {
namespace {

bool is_control(char32_t value) { return value < 0x20 || (value >= 0x7F && value < 0xA0); }

void print_line(std::string_view kind, std::string_view message) {
  const std::string line = fmt::format("{}: {}\n", kind, printable_line(message));
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

std::string printable_line(std::string_view text) {
  std::string line;
  const std::string valid = io::printable_utf8(text);
  for (std::string_view rest = valid; !rest.empty();) {
    const io::CodePoint point = io::first_code_point(rest);
    if (is_control(point.value)) {
      fmt::format_to(std::back_inserter(line), "\\x{:02x}", static_cast<unsigned>(point.value));
    } else {
      line += rest.substr(0, point.size_bytes);
    }
    rest.remove_prefix(point.size_bytes);
  }
  return line;
}

Error machine_fault(const std::exception& thrown) {
  std::string message = thrown.what();
  if (dynamic_cast<const std::bad_alloc*>(&thrown) != nullptr)
    message = "There is not enough memory";
  // Its own words are those for any resource, but it is only thrown where a thread should start.
  const auto* refused = dynamic_cast<const std::system_error*>(&thrown);
  if (refused != nullptr && refused->code() == std::errc::resource_unavailable_try_again)
    message = "The system starts no more threads here: it lacks memory, or allows no more of them";
  return {ErrorKind::machine, message, {}, {}};
}

std::string dropped_text(const Warnings& warnings) {
  return warnings.dropped() == 0 ? std::string()
                                 : fmt::format("{} more warnings", warnings.dropped());
}

void print_error(const Error& error) { print_line("error", text(error)); }

void print_warnings(const Warnings& warnings, const std::string& path) {
  for (const Warning& warning : warnings.list()) print_line("warning", text(warning) + ": " + path);
  if (warnings.dropped() != 0) print_line("warning", dropped_text(warnings) + ": " + path);
}

}  // namespace bytescope::app
