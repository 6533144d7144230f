#include "app/commands/user_json.h"

#include <cstdint>

namespace bytescope::app {

void UserJson::write(trace::MemoryCursor& cursor) {
  // A record may have any number of users; so many are held at once.
  constexpr std::uint32_t users_at_once = 4096;
  json_.begin_array();
  for (std::uint64_t first = 0; first < cursor.event().user_count; first += users_at_once) {
    users_.clear();
    cursor.append_users(static_cast<std::uint32_t>(first), users_at_once, users_);
    if (users_.empty()) break;
    for (const bytepack::UserRecord& user : users_) {
      json_.begin_object();
      if (user.run) json_.member("run", *user.run);
      if (user.name) json_.member("name", texts_.text(*user.name));
      if (user.arg) json_.member("arg", *user.arg);
      if (user.mode) json_.member("mode", *user.mode);
      json_.end_object();
    }
  }
  json_.end_array();
}

}  // namespace bytescope::app
