#include <atomic>
#include <csignal>

#include "app/interrupt.h"

namespace bytescope::app {
namespace {

// A signal handler reaches nothing but what is global.
std::atomic<Cancel*> interrupted{nullptr};
static_assert(std::atomic<Cancel*>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

void on_signal(int) {
  if (Cancel* cancel = interrupted.load()) cancel->request();
}

}  // namespace

void cancel_on_interrupt(Cancel& cancel) {
  interrupted.store(&cancel);
  struct sigaction action {};
  action.sa_handler = on_signal;
  // The second signal finds the default again; no SA_RESTART, so that waiting calls return.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    // Who starts programs in the background may have said that interrupts are not for them.
    if (before.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
  }
}

void ignore_closed_pipes() { std::signal(SIGPIPE, SIG_IGN); }

}  // namespace bytescope::app
