#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "app/remembered.h"
#include "app/settings.h"

// Reads any bytes as the settings file and as what was remembered: what is taken over has to come
// back from what is written of it.
namespace {
using namespace bytescope;

void expect(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto read = app::settings_from_json(text)) {
    const std::string written = app::settings_as_json(read->settings);
    const auto again = app::settings_from_json(written);
    expect(again && again->complaints.empty());
    expect(app::settings_as_json(again->settings) == written);
  }
  if (const auto remembered = app::remembered_from_json(text)) {
    const auto again = app::remembered_from_json(app::remembered_as_json(*remembered));
    expect(again && *again == *remembered);
  }
  return 0;
}
