#include "app/key_bindings.h"

#include <algorithm>
#include <array>
#include <utility>

namespace bytescope::app {
namespace {

constexpr std::string_view typing = "type";

/// The words of a text; several blanks count as one.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

std::string lower(std::string_view word) {
  std::string out(word);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

struct ModifierName {
  std::string_view name;
  bool Modifiers::*modifier;
};
constexpr std::array<ModifierName, 4> modifier_names = {{
    {"ctrl", &Modifiers::command},
    {"cmd", &Modifiers::command},
    {"shift", &Modifiers::shift},
    {"alt", &Modifiers::alt},
}};

bool add_modifier(std::string_view word, Modifiers& modifiers) {
  for (const ModifierName& row : modifier_names) {
    if (lower(word) != row.name) continue;
    modifiers.*row.modifier = true;
    return true;
  }
  return false;
}

}  // namespace

std::span<const Chord> KeyBindings::chords_of(const WindowAction& action) const {
  const auto found = changed_.find(action.id);
  return found == changed_.end() ? action.chords : found->second;
}

void KeyBindings::bind(const std::string& action_id, std::vector<Chord> chords) {
  changed_[action_id] = std::move(chords);
}

std::string keys_text(std::span<const Chord> chords) {
  std::string keys;
  for (const Chord& chord : chords) keys += (keys.empty() ? "" : ", ") + chord.text();
  return keys;
}

std::string first_key_text(std::span<const Chord> chords) {
  return chords.empty() ? std::string() : chords[0].text();
}

std::string text_from_chord(const Chord& chord) {
  return chord.character == 0 ? chord.text() : std::string(typing) + " " + chord.text();
}

std::optional<Chord> chord_from_text(std::string_view text) {
  const std::vector<std::string_view> words = words_of(text);
  if (words.empty()) return std::nullopt;
  Chord chord;
  if (lower(words[0]) == typing) {
    if (words.size() != 2 || words[1].size() != 1 || words[1][0] <= ' ' || words[1][0] > '~')
      return std::nullopt;
    chord.character = static_cast<char32_t>(words[1][0]);
    return chord;
  }
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (!add_modifier(words[i], chord.modifiers)) return std::nullopt;
  chord.key = key_from_name(words.back());
  if (chord.key == Key::none || chord.key >= Key::left_shift) return std::nullopt;
  return chord;
}

}  // namespace bytescope::app
