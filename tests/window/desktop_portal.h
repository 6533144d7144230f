#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>

#include "tests/window/child.h"

namespace bytescope::tests {

/// What a desktop is set to.
struct DesktopSettings {
  std::uint32_t scheme = 0;                     ///< Of colours: 1 dark, 2 light, 0 no opinion.
  std::optional<std::uint32_t> reduced_motion;  ///< None: its portal knows no such setting.
  std::optional<bool> animates;                 ///< As GNOME has it.
};

/// A bus of a session of its own on which a desktop tells what it is set to.
class DesktopPortal {
public:
  /// A test failure when there is no bus.
  explicit DesktopPortal(const DesktopSettings& settings);
  DesktopPortal(const DesktopPortal&) = delete;
  DesktopPortal& operator=(const DesktopPortal&) = delete;
  DesktopPortal(DesktopPortal&&) = delete;
  DesktopPortal& operator=(DesktopPortal&&) = delete;
  ~DesktopPortal();

  /// For DBUS_SESSION_BUS_ADDRESS.
  const std::string& address() const { return address_; }

private:
  void serve(DesktopSettings settings);

  Child bus_;
  std::string address_;
  std::atomic<bool> ready_{false};
  std::atomic<bool> done_{false};
  std::thread thread_;
};

}  // namespace bytescope::tests
