#include "tests/support/modernised.h"

#include <string>

#include "core/trace/info_facts.h"

namespace bytescope::tests {
namespace {

std::string facts_text(const std::string& info) {
  std::string text;
  for (const trace::Fact& fact : trace::facts_for_display(trace::parse_info(info))) {
    // What is free text elsewhere is metadata in the newest dialect.
    text += (fact.label == "Info" ? "From" : fact.label) + "=" + fact.value + "\n";
  }
  return text;
}

}  // namespace

DecodedEvent modernised(DecodedEvent event, const trace::Trace& source, bytepack::TrackKind kind) {
  const bytepack::UserLayout& user = source.dialect->user;
  event.lane = 0;
  if (kind == bytepack::TrackKind::spans) event.info = facts_text(event.info);
  for (DecodedUser& one : event.users) {
    if (user.run < 0) one.run = 0;
    if (user.name < 0) one.name.clear();
  }
  return event;
}

}  // namespace bytescope::tests
