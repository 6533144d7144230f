#include <cstdint>
#include <memory>

#include <systemd/sd-bus.h>

#include "app/desktop_theme.h"

// The XDG desktop portal: Settings.Read("org.freedesktop.appearance", key) answers a number in a
// variant in a variant. "color-scheme": 1 for dark, 2 for light; "reduced-motion": 1 for less.

namespace bytescope::app {
namespace {

constexpr const char* appearance = "org.freedesktop.appearance";
constexpr std::uint64_t patience_us = 200'000;
constexpr std::uint32_t dark = 1;
constexpr std::uint32_t light = 2;
constexpr std::uint32_t reduced = 1;

struct Release {
  void operator()(sd_bus* bus) const { sd_bus_flush_close_unref(bus); }
  void operator()(sd_bus_message* message) const { sd_bus_message_unref(message); }
};

using Bus = std::unique_ptr<sd_bus, Release>;

/// A setting of one type: 'u' for a number, 'b' for yes or no, which sd-bus both reads as 32 bits.
std::optional<std::uint32_t> setting(const Bus& bus, const char* space, const char* key,
                                     char type) {
  const char types[] = {type, '\0'};
  sd_bus_message* answered = nullptr;
  const int refused = sd_bus_call_method(
      bus.get(), "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop",
      "org.freedesktop.portal.Settings", "Read", nullptr, &answered, "ss", space, key);
  const std::unique_ptr<sd_bus_message, Release> answer(answered);
  std::uint32_t value = 0;
  if (refused < 0 || sd_bus_message_enter_container(answer.get(), 'v', "v") < 0 ||
      sd_bus_message_read(answer.get(), "v", types, &value) < 0)
    return std::nullopt;
  return value;
}

/// Portals before 2025 know nothing of motion, but hand on what GNOME says.
std::optional<bool> less_motion(const Bus& bus) {
  if (const auto wish = setting(bus, appearance, "reduced-motion", 'u')) return wish == reduced;
  const auto animates = setting(bus, "org.gnome.desktop.interface", "enable-animations", 'b');
  return animates ? std::optional(*animates == 0) : std::nullopt;
}

}  // namespace

DesktopWishes portal_wishes() {
  DesktopWishes wishes;
  sd_bus* opened = nullptr;
  const int failed = sd_bus_open_user(&opened);
  const Bus bus(opened);
  if (failed < 0) return wishes;
  sd_bus_set_method_call_timeout(bus.get(), patience_us);
  const auto scheme = setting(bus, appearance, "color-scheme", 'u');
  if (!scheme) return wishes;  // nobody answers: the window does not wait for it once more
  if (scheme == dark) wishes.light = false;
  if (scheme == light) wishes.light = true;
  wishes.less_motion = less_motion(bus);
  return wishes;
}

}  // namespace bytescope::app
