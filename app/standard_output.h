#pragma once

#include <string_view>

#include "core/cancel.h"
#include "core/error.h"

namespace bytescope::app {

/// Results on their way to standard output, unbuffered: hand over large pieces.
class StandardOutput {
public:
  /// Gives up when `cancel`, which must outlive it, asks for it.
  explicit StandardOutput(const Cancel& cancel) : cancel_(cancel) {}

  /// A failure is remembered and told by finish(); what follows one is dropped.
  void write(std::string_view text);
  /// Whether more writing is useless: it failed, the reader has gone, somebody asked to stop.
  bool is_closed() const { return error_number_ != 0 || cancel_.requested(); }
  /// What went wrong, if anything. A reader that has gone (`| head`) has all it wanted.
  Expected<void> finish() const;

private:
  const Cancel& cancel_;
  int error_number_ = 0;
};

}  // namespace bytescope::app
