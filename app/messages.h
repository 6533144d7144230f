#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "core/error.h"

namespace bytescope::app {

/// `text` as one line of valid UTF-8 that no terminal takes for a command: control characters as
/// `\x1b`, bytes that are not UTF-8 and lone surrogates as U+FFFD.
std::string printable_line(std::string_view text);

/// `error: … at byte N, track I ("NAME"), record R: PATH` on standard error.
void print_error(const Error& error);
/// `warning: …: PATH`, one line each, on standard error.
void print_warnings(const Warnings& warnings, const std::string& path);

/// What somebody is told of what the standard library threw: the machine's fault, in a sentence.
Error machine_fault(const std::exception& thrown);

/// Says that there are more warnings than were kept; empty when there are not.
std::string dropped_text(const Warnings& warnings);

}  // namespace bytescope::app
