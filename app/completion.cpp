#include "app/completion.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace bytescope::app {
namespace {

using Commands = std::span<const CommandHelp>;

/// In single quotes for a POSIX shell and zsh; fish takes the same but for the quote itself.
std::string quoted(std::string_view text, std::string_view quote) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += quote;
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string words_of(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

std::vector<std::string> option_names(const CommandHelp& command) {
  std::vector<std::string> names{"--help"};
  for (const ArgumentHelp& option : command.options) names.push_back(option.name);
  return names;
}

std::vector<std::string> command_names(Commands commands) {
  std::vector<std::string> names;
  for (const CommandHelp& command : commands) names.push_back(command.name);
  return names;
}

/// Branches of a `case` over `COMMAND OPTION` that set the words to choose from.
std::string bash_choices(Commands commands) {
  std::string out;
  for (const CommandHelp& command : commands) {
    for (const ArgumentHelp& option : command.options) {
      if (option.value.empty()) continue;
      out += fmt::format("    \"{} {}\") words=\"{}\" ;;\n", command.name, option.name,
                         words_of(option.choices));
    }
  }
  return out;
}

std::string bash_arguments(Commands commands) {
  std::string out;
  for (const CommandHelp& command : commands) {
    std::vector<std::string> choices;
    for (const ArgumentHelp& argument : command.positionals)
      choices.insert(choices.end(), argument.choices.begin(), argument.choices.end());
    out += fmt::format("    {}) options=\"{}\" words=\"{}\" ;;\n", command.name,
                       words_of(option_names(command)), words_of(choices));
  }
  return out;
}

std::string bash_script(Commands commands) {
  return fmt::format(R"(# Completion of bytescope for bash.
_bytescope() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}"
  local command="${{COMP_WORDS[1]}}" options="" words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "{} --merge --help --version" -- "$word"
                             compgen -f -- "$word")
    return
  fi
  case "$command $before" in
{}    *) before="" ;;
  esac
  if [ -n "$before" ]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    return
  fi
  case "$command" in
{}  esac
  case "$word" in
    -*) mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word") ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word"; compgen -f -- "$word") ;;
  esac
}}
complete -o filenames -F _bytescope bytescope
)",
                     words_of(command_names(commands)), bash_choices(commands),
                     bash_arguments(commands));
}

/// What zsh's _arguments wants to know of a text: brackets and colours are its own.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_values(const ArgumentHelp& argument) {
  if (!argument.choices.empty()) return fmt::format("({})", words_of(argument.choices));
  return argument.is_file ? "_files" : "";
}

std::string zsh_command(const CommandHelp& command) {
  constexpr std::string_view quote = "'\\''";
  std::string out = fmt::format("    {}) _arguments '--help[Print help]'", command.name);
  for (const ArgumentHelp& option : command.options) {
    std::string spec = fmt::format("{}[{}]", option.name, zsh_text(option.description));
    if (!option.value.empty())
      spec += fmt::format(":{}:{}", zsh_text(option.value), zsh_values(option));
    out += " \\\n      " + quoted(spec, quote);
  }
  for (const ArgumentHelp& argument : command.positionals)
    out += " \\\n      " +
           quoted(fmt::format(":{}:{}", zsh_text(argument.name), zsh_values(argument)), quote);
  return out + " ;;\n";
}

std::string zsh_script(Commands commands) {
  std::string described;
  std::string cases;
  for (const CommandHelp& command : commands) {
    described +=
        "    " +
        quoted(fmt::format("{}:{}", command.name, zsh_text(command.description)), "'\\''") + "\n";
    cases += zsh_command(command);
  }
  return fmt::format(R"(#compdef bytescope
# Completion of bytescope for zsh.
_bytescope() {{
  local -a commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    compadd -- --merge --help --version
    _files
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}    *) _files ;;
  esac
}}
if [ "$funcstack[1]" = _bytescope ]; then _bytescope "$@"; else compdef _bytescope bytescope; fi
)",
                     described, cases);
}

std::string fish_script(Commands commands) {
  constexpr std::string_view quote = "\\'";
  std::string out =
      "# Completion of bytescope for fish.\n"
      "complete -c bytescope -n __fish_use_subcommand -l merge -d 'Show all files as one trace'\n";
  for (const CommandHelp& command : commands)
    out += fmt::format("complete -c bytescope -n __fish_use_subcommand -a {} -d {}\n", command.name,
                       quoted(command.description, quote));
  for (const CommandHelp& command : commands) {
    const std::string when = quoted("__fish_seen_subcommand_from " + command.name, quote);
    for (const ArgumentHelp& option : command.options) {
      out += fmt::format("complete -c bytescope -n {} -l {} -d {}", when, option.name.substr(2),
                         quoted(option.description, quote));
      if (!option.value.empty()) out += " -x";
      if (!option.choices.empty()) out += " -a " + quoted(words_of(option.choices), quote);
      out += "\n";
    }
    for (const ArgumentHelp& argument : command.positionals) {
      if (argument.choices.empty()) continue;
      out += fmt::format("complete -c bytescope -n {} -f -a {}\n", when,
                         quoted(words_of(argument.choices), quote));
    }
  }
  return out;
}

struct Shell {
  std::string_view name;
  std::string (*script)(Commands commands);
};
constexpr std::array shells = {
    Shell{"bash", bash_script},
    Shell{"zsh", zsh_script},
    Shell{"fish", fish_script},
};
constexpr std::array<std::string_view, shells.size()> names_of_shells() {
  std::array<std::string_view, shells.size()> names;
  for (std::size_t i = 0; i < shells.size(); ++i) names[i] = shells[i].name;
  return names;
}
constexpr auto shell_names = names_of_shells();

}  // namespace

std::span<const std::string_view> completed_shells() { return shell_names; }

std::optional<std::string> completion_script(std::string_view shell, Commands commands) {
  const auto* found = std::find_if(shells.begin(), shells.end(),
                                   [shell](const Shell& row) { return row.name == shell; });
  if (found == shells.end()) return std::nullopt;
  return found->script(commands);
}

}  // namespace bytescope::app
