#pragma once

#include "core/cancel.h"

namespace bytescope::app {

/// From now on an interrupt (Ctrl C) or a request to terminate asks for `cancel` the first time; a
/// second one ends the program at once. System calls that wait come back. `cancel` must live as
/// long as the program.
void cancel_on_interrupt(Cancel& cancel);

/// A reader that closes its end of a pipe does not end the program: writing fails instead.
void ignore_closed_pipes();

}  // namespace bytescope::app
