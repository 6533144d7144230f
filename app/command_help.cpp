#include "app/command_help.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>

namespace bytescope::app {
namespace {

/// The values in CLI11's `TEXT:{dark,light}`, or `TEXT:{a|b,c}`.
std::vector<std::string> choices_in(std::string_view type) {
  std::vector<std::string> choices;
  const std::size_t begin = type.find('{');
  if (begin == std::string_view::npos || !type.ends_with('}')) return choices;
  std::string_view rest = type.substr(begin + 1, type.size() - begin - 2);
  const char separator = rest.find('|') == std::string_view::npos ? ',' : '|';
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(separator), rest.size());
    choices.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return choices;
}

/// `TEXT:{dark,light}` without what CLI11 tells of the values.
std::string value_name(const std::string& type) { return type.substr(0, type.find(':')); }

ArgumentHelp help_of(const CLI::Option& option) {
  ArgumentHelp help;
  const bool is_option = option.nonpositional();
  const std::string type = option.get_type_name();
  help.name = is_option ? "--" + option.get_lnames().at(0) : option.get_name(true);
  if (is_option && option.get_expected_max() > 0) help.value = value_name(type);
  help.standard = option.get_default_str();
  help.choices = choices_in(type);
  help.description = option.get_description();
  help.is_required = option.get_required();
  help.is_file = !is_option && help.name != "TERMS" && help.name != "SHELL";
  return help;
}

CommandHelp help_of(const Command& command) {
  CommandHelp help{command.name, command.help, {}, {}, {}};
  CLI::App arguments(command.help, command.name);
  command.make(arguments, never);
  for (const CLI::Option* option : std::as_const(arguments).get_options()) {
    if (option->get_lnames() == std::vector<std::string>{"help"}) continue;
    (option->nonpositional() ? help.options : help.positionals).push_back(help_of(*option));
  }
  help.more = arguments.get_footer();
  return help;
}

}  // namespace

std::vector<CommandHelp> help_of(std::span<const Command> commands) {
  std::vector<CommandHelp> all;
  for (const Command& command : commands) all.push_back(help_of(command));
  return all;
}

}  // namespace bytescope::app
