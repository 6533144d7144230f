#include "tests/window/desktop_portal.h"

#include <chrono>
#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <systemd/sd-bus.h>

namespace bytescope::tests {
namespace {

constexpr const char* path = "/org/freedesktop/portal/desktop";
constexpr const char* interface = "org.freedesktop.portal.Settings";

int answer_read(sd_bus_message* call, void* settings, sd_bus_error* error) {
  const auto& told = *static_cast<const DesktopSettings*>(settings);
  const char* space = nullptr;
  const char* key = nullptr;
  if (sd_bus_message_read(call, "ss", &space, &key) < 0) return -1;
  const std::string asked = std::string(space) + " " + key;
  if (asked == "org.freedesktop.appearance color-scheme")
    return sd_bus_reply_method_return(call, "v", "v", "u", told.scheme);
  if (asked == "org.freedesktop.appearance reduced-motion" && told.reduced_motion)
    return sd_bus_reply_method_return(call, "v", "v", "u", *told.reduced_motion);
  if (asked == "org.gnome.desktop.interface enable-animations" && told.animates)
    return sd_bus_reply_method_return(call, "v", "v", "b", *told.animates ? 1 : 0);
  return sd_bus_error_set(error, "org.freedesktop.portal.Error.NotFound", "No such setting");
}

const sd_bus_vtable methods[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("Read", "ss", "v", answer_read, SD_BUS_VTABLE_UNPRIVILEGED), SD_BUS_VTABLE_END};

}  // namespace

DesktopPortal::DesktopPortal(const DesktopSettings& settings) {
  constexpr int told_at = 3;
  constexpr double patience_s = 10;
  bus_ = Child({"dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=3"}, {}, {},
               told_at);
  address_ = bus_.told(patience_s).value_or("");
  EXPECT_NE(address_, "");
  thread_ = std::thread([this, settings] { serve(settings); });
  while (!ready_ && !done_) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

DesktopPortal::~DesktopPortal() {
  done_ = true;
  thread_.join();
}

void DesktopPortal::serve(DesktopSettings settings) {
  constexpr std::uint64_t glance_us = 20'000;
  sd_bus* opened = nullptr;
  EXPECT_GE(sd_bus_new(&opened), 0);
  const std::unique_ptr<sd_bus, sd_bus* (*)(sd_bus*)> bus(opened, sd_bus_flush_close_unref);
  const bool serves =
      sd_bus_set_address(bus.get(), address_.c_str()) >= 0 &&
      sd_bus_set_bus_client(bus.get(), 1) >= 0 && sd_bus_start(bus.get()) >= 0 &&
      sd_bus_add_object_vtable(bus.get(), nullptr, path, interface, methods, &settings) >= 0 &&
      sd_bus_request_name(bus.get(), "org.freedesktop.portal.Desktop", 0) >= 0;
  EXPECT_TRUE(serves);
  ready_ = true;
  while (serves && !done_) {
    if (sd_bus_process(bus.get(), nullptr) == 0) sd_bus_wait(bus.get(), glance_us);
  }
}

}  // namespace bytescope::tests
