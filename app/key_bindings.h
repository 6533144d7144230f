#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/actions.h"

namespace bytescope::app {

/// Which keys do what: those of the table of actions, but for what somebody has changed. A value.
class KeyBindings {
public:
  /// The keys of an action; none where it is reached by its name alone. Valid as long as neither
  /// this nor the table changes.
  std::span<const Chord> chords_of(const WindowAction& action) const;
  /// Whether they are not those of the table.
  bool is_changed(const WindowAction& action) const { return changed_.contains(action.id); }
  /// Gives an action other keys, or none.
  void bind(const std::string& action_id, std::vector<Chord> chords);
  bool operator==(const KeyBindings&) const = default;

private:
  std::map<std::string, std::vector<Chord>, std::less<>> changed_;
};

/// As help and menus tell it: `Ctrl O, F3`; empty without keys.
std::string keys_text(std::span<const Chord> chords);
/// The first of them alone, where there is little room.
std::string first_key_text(std::span<const Chord> chords);

/// A chord as the settings file has it: `Ctrl Shift P`; `type ?` for a sign wherever it lies on the
/// keyboard.
std::string text_from_chord(const Chord& chord);
/// The chord of such a text; none where it is no such. Modifiers in any order and case.
std::optional<Chord> chord_from_text(std::string_view text);

}  // namespace bytescope::app
