#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

#include "tests/window/child.h"

namespace bytescope::tests {

/// A bus of a session of its own on which a desktop tells that it is set to a scheme of colours
/// (1 dark, 2 light, 0 no opinion).
class DesktopPortal {
public:
  /// A test failure when there is no bus.
  explicit DesktopPortal(std::uint32_t scheme);
  DesktopPortal(const DesktopPortal&) = delete;
  DesktopPortal& operator=(const DesktopPortal&) = delete;
  DesktopPortal(DesktopPortal&&) = delete;
  DesktopPortal& operator=(DesktopPortal&&) = delete;
  ~DesktopPortal();

  /// For DBUS_SESSION_BUS_ADDRESS.
  const std::string& address() const { return address_; }

private:
  void serve(std::uint32_t scheme);

  Child bus_;
  std::string address_;
  std::atomic<bool> ready_{false};
  std::atomic<bool> done_{false};
  std::thread thread_;
};

}  // namespace bytescope::tests
