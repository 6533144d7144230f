#include "app/settings.h"

#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

#include "core/io/json_writer.h"
#include "core/io/utf8.h"
#include "core/query/closest_names.h"

namespace bytescope::app {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

std::string shown(std::string_view text) { return io::printable_utf8(text); }

std::string unknown_action(std::string_view id) {
  std::vector<std::string> names;
  for (const WindowAction& action : window_actions()) names.emplace_back(action.id);
  return fmt::format("No action is named \"{}\"{}", shown(id),
                     query::closest_names_text(std::string(id), names));
}

/// Binds an action to a list of keys; those that make no sense are told of and left out.
void bind(SettingsRead& read, std::string_view id, const element& value) {
  array list;
  if (action_named(id) == nullptr) return read.complaints.push_back(unknown_action(id));
  if (value.get(list) != simdjson::SUCCESS)
    return read.complaints.push_back(fmt::format("The keys of \"{}\" are no list", shown(id)));
  std::vector<Chord> chords;
  for (const element& item : list) {
    std::string_view text;
    const bool is_text = item.get(text) == simdjson::SUCCESS;
    const auto chord = is_text ? chord_from_text(text) : std::nullopt;
    if (chord) {
      chords.push_back(*chord);
    } else {
      read.complaints.push_back(
          fmt::format(R"("{}" of "{}" is no key)", is_text ? shown(text) : "?", shown(id)));
    }
  }
  read.settings.keys.bind(std::string(id), std::move(chords));
}

std::string in_quotes(std::string_view text) {
  std::string out;
  io::append_json_string(out, text);
  return out;
}

}  // namespace

Expected<SettingsRead> settings_from_json(std::string_view json) {
  simdjson::dom::parser parser;
  element root;
  object members;
  const simdjson::padded_string padded(json);
  if (const auto error = parser.parse(padded).get(root); error != simdjson::SUCCESS)
    return failure(ErrorKind::bad_input,
                   fmt::format("It is no JSON: {}", simdjson::error_message(error)));
  if (root.get(members) != simdjson::SUCCESS)
    return failure(ErrorKind::bad_input, "It is no JSON object");
  SettingsRead read;
  for (const auto& [key, value] : members) {
    object keys;
    if (key != "keys") {
      read.complaints.push_back(fmt::format("There is no setting \"{}\"", shown(key)));
    } else if (value.get(keys) != simdjson::SUCCESS) {
      read.complaints.emplace_back("\"keys\" is no object");
    } else {
      for (const auto& [id, chords] : keys) bind(read, id, chords);
    }
  }
  return read;
}

std::string settings_as_json(const Settings& settings) {
  std::string out = "{\n  \"keys\": {\n";
  const auto actions = window_actions();
  for (std::size_t i = 0; i < actions.size(); ++i) {
    std::vector<std::string> texts;
    for (const Chord& chord : settings.keys.chords_of(actions[i]))
      texts.push_back(in_quotes(text_from_chord(chord)));
    out += fmt::format("    {}: [{}]{}\n", in_quotes(actions[i].id), fmt::join(texts, ", "),
                       i + 1 < actions.size() ? "," : "");
  }
  return out + "  }\n}\n";
}

}  // namespace bytescope::app
