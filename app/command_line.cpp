#include "app/command_line.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <exception>
#include <filesystem>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/commands.h"
#include "app/interrupt.h"
#include "app/messages.h"
#include "app/standard_output.h"
#include "app/window_loop.h"
#include "core/query/closest_names.h"

namespace bytescope::app {
namespace {

// clang-format off
constexpr std::array command_table = {
  Command{ "info",       "Tell what a trace is: dialect, duration, tracks, markers",              make_info       },
  Command{ "dump",       "Write the decoded records of a track as JSON",                          make_dump       },
  Command{ "stats",      "Sum up spans by name or track: counts, times, percentiles, rates",          make_stats      },
  Command{ "gaps",       "List idle gaps of devices, and what host and compiler did meanwhile",         make_gaps       },
  Command{ "memory",     "Tell what lives on a memory track at a time or at its peak",            make_memory     },
  Command{ "search",     "Find spans and markers by name, info, track and duration",              make_search     },
  Command{ "compare",    "Compare two traces, or two ranges of one: kernels and memory",               make_compare    },
  Command{ "export",     "Write a trace or a range of it for Perfetto, as CSV or as bytepack",     make_export     },
  Command{ "merge",      "Write several traces as one, each with its name and its offset in time",  make_merge      },
  Command{ "screenshot", "Draw a trace into a PNG; needs no display",                             make_screenshot },
  Command{ "generate",   "Write a realistic synthetic trace",                                     make_generate   },
  Command{ "bench",      "Open a trace, drive the window's code through a fixed tour and measure", make_bench      },
  Command{ "settings",   "Write all settings as they are, to change them in the settings file",  make_settings   },
  Command{ "completion", "Write a script that completes commands in bash, zsh or fish",           make_completion },
  Command{ "manual",     "Write the manual page",                                                 make_manual     },
};
// clang-format on

const Command* command_named(std::string_view name) {
  const auto* found = std::find_if(command_table.begin(), command_table.end(),
                                   [name](const Command& command) { return command.name == name; });
  return found == command_table.end() ? nullptr : found;
}

/// Prints the error, if there is one, and tells the exit code.
int finished(const Expected<void>& result) {
  if (result) return 0;
  print_error(result.error());
  return exit_code(result.error().kind);
}

int wrong_usage(const std::string& name, std::string message) {
  return finished(
      failure(ErrorKind::usage, fmt::format("{} (see \"{} --help\")", std::move(message), name)));
}

/// What CLI11 throws is either a call for help or the version, or wrong usage.
int finished(const CLI::App& arguments, const CLI::ParseError& stop, const Cancel& cancel) {
  if (stop.get_exit_code() != 0) return wrong_usage(arguments.get_name(), stop.what());
  std::ostringstream text;
  arguments.exit(stop, text, text);
  StandardOutput output(cancel);
  output.write(text.str());
  return finished(output.finish());
}

/// Runs `action`; what the standard library throws is the machine's fault.
template <class Function>
int guarded(Function action) {
  try {
    return finished(action());
  } catch (const std::exception& thrown) {
    return finished(tl::make_unexpected(machine_fault(thrown)));
  }
}

/// Reads the arguments from `first` on; false when there is nothing more to do than to exit.
bool read_arguments(CLI::App& arguments, std::vector<std::string> given, const Cancel& cancel,
                    int& exit_code) {
  // CLI11 takes them from the end.
  std::reverse(given.begin(), given.end());
  try {
    arguments.parse(std::move(given));
    return true;
  } catch (const CLI::ParseError& stop) {
    exit_code = finished(arguments, stop, cancel);
    return false;
  }
}

/// Moves words such as `->` behind `--`: they begin like options, but none is called like that.
std::vector<std::string> with_arrows_last(std::vector<std::string> given) {
  const auto is_other = [](const std::string& word) {
    return word.size() < 2 || word[0] != '-' || word[1] == '-' ||
           std::ispunct(static_cast<unsigned char>(word[1])) == 0;
  };
  const auto end = std::find(given.begin(), given.end(), "--");
  const auto arrows = std::stable_partition(given.begin(), end, is_other);
  if (arrows == end) return given;
  if (end != given.end()) given.erase(end);
  given.insert(arrows, "--");
  return given;
}

int run_command(const Command& command, std::vector<std::string> given, Cancel& cancel) {
  CLI::App arguments(command.help, fmt::format("bytescope {}", command.name));
  const Action action = command.make(arguments, cancel);
  int exit_code = 0;
  if (!read_arguments(arguments, with_arrows_last(std::move(given)), cancel, exit_code))
    return exit_code;
  cancel_on_interrupt(cancel);
  return guarded(action);
}

std::string command_list() {
  std::string list = "Commands (each has its own --help):\n";
  for (const Command& command : command_table)
    list += fmt::format("  {:<26}{}\n", command.name, command.help);
  return list;
}

/// Whether a word looks like a command: no file has that name, and it is nothing but letters.
bool looks_like_command(const std::string& word) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  std::error_code ignored;
  return !word.empty() && std::all_of(word.begin(), word.end(), is_letter) &&
         !std::filesystem::exists(word, ignored);
}

int unknown_command(const std::string& word) {
  std::vector<std::string> names;
  names.reserve(command_table.size());
  for (const Command& command : command_table) names.emplace_back(command.name);
  return wrong_usage("bytescope", fmt::format("No command and no file is named \"{}\"{}", word,
                                              query::closest_names_text(word, names)));
}

int run_without_command(std::vector<std::string> given, const Cancel& cancel) {
  CLI::App arguments("A viewer for tinygrad's profiler traces", "bytescope");
  std::vector<std::string> files;
  arguments.set_version_flag("--version", fmt::format("bytescope {}", version()));
  arguments.footer(command_list());
  bool together = false;
  arguments.add_option("FILE", files, "Traces to open in the window, one tab each");
  arguments.add_flag("--merge", together,
                     "Show the files as one trace, each with the offset in time that it had last");
  // CLI11 would read the file name [a,b] as a list of two.
  for (std::string& word : given)
    if (word.starts_with('[')) word.insert(0, "./");
  int exit_code = 0;
  if (!read_arguments(arguments, std::move(given), cancel, exit_code)) return exit_code;
  return guarded([&files, together] { return run_window(files, together); });
}

}  // namespace

std::span<const Command> commands() { return command_table; }

std::string_view version() { return BYTESCOPE_VERSION; }

int run_command_line(int argc, const char* const* argv) {
  static Cancel cancel;
  ignore_closed_pipes();
  std::vector<std::string> given(argv + std::min(argc, 1), argv + argc);
  const Command* command = given.empty() ? nullptr : command_named(given.front());
  if (command == nullptr && !given.empty() && looks_like_command(given.front()))
    return unknown_command(given.front());
  if (command == nullptr) return run_without_command(std::move(given), cancel);
  given.erase(given.begin());
  return run_command(*command, std::move(given), cancel);
}

}  // namespace bytescope::app
