#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include "app/standard_output.h"

namespace bytescope::app {

void StandardOutput::write(std::string_view text) {
  while (!text.empty() && !is_closed()) {
    const ssize_t put = ::write(STDOUT_FILENO, text.data(), text.size());
    if (put > 0) {
      text.remove_prefix(static_cast<std::size_t>(put));
    } else if (put < 0 && errno == EAGAIN) {
      // Somebody else made the pipe that we share with them non-blocking.
      pollfd wait{STDOUT_FILENO, POLLOUT, 0};
      ::poll(&wait, 1, -1);
    } else if (put < 0 && errno != EINTR) {
      error_number_ = errno;
    }
  }
}

Expected<void> StandardOutput::finish() const {
  if (error_number_ != 0 && error_number_ != EPIPE) {
    return failure(ErrorKind::machine, fmt::format("Cannot write to standard output ({})",
                                                   std::strerror(error_number_)));
  }
  if (error_number_ == 0 && cancel_.requested()) return failure(ErrorKind::cancelled, "Cancelled");
  return {};
}

}  // namespace bytescope::app
