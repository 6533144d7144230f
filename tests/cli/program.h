#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <simdjson.h>

#include "core/bytepack/writer.h"

namespace bytescope::tests {

/// What a run of the program left behind.
struct Finished {
  int exit_code = -1;  ///< −1 when a signal ended it.
  std::string output;  ///< Of standard output.
  std::string errors;  ///< Of standard error.
};

/// Runs the built program with these arguments to its end.
Finished run_program(const std::vector<std::string>& arguments);

/// Runs a line of the shell, in which `$BYTESCOPE` is the program.
Finished run_shell(const std::string& line);

/// A JSON text that simdjson takes; a test failure when it does not.
class Json {
public:
  explicit Json(std::string_view text);
  simdjson::dom::element root() const { return root_; }
  simdjson::dom::element operator[](std::string_view key) const { return root_[key].value(); }

private:
  simdjson::dom::parser parser_;
  simdjson::dom::element root_;
};

/// The text of a value as simdjson writes it: equal values, equal texts.
std::string text_of(simdjson::dom::element value);

/// Whether every line is one JSON value by its grammar; takes lone surrogates, which simdjson does
/// not.
bool is_json(std::string_view text);

/// The keys of an object in their order, a blank after each.
std::string keys_of(simdjson::dom::object object);

/// All bytes of a file.
std::string content_of(const std::string& path);

/// A trace of one span track of that name, with one span.
bytepack::TraceDescription named_track(std::string name);

}  // namespace bytescope::tests
