#include "tests/cli/program.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/io/json_reader.h"
#include "tests/support/temporary_folder.h"

namespace bytescope::tests {
namespace {

Finished run(const std::string& executable, std::vector<std::string> arguments) {
  const TemporaryFolder folder;
  const std::string output = folder / "output";
  const std::string errors = folder / "errors";
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC;
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), flags, 0600);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(), flags, 0600);
  std::vector<char*> argv = {const_cast<char*>(executable.c_str())};
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  Finished result;
  int status = 0;
  const int failed =
      ::posix_spawn(&child, executable.c_str(), &actions, nullptr, argv.data(), environ);
  EXPECT_EQ(failed, 0) << executable;
  if (failed == 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status))
    result.exit_code = WEXITSTATUS(status);
  ::posix_spawn_file_actions_destroy(&actions);
  result.output = content_of(output);
  result.errors = content_of(errors);
  return result;
}

}  // namespace

Finished run_program(const std::vector<std::string>& arguments) {
  return run(BYTESCOPE_PROGRAM, arguments);
}

Finished run_shell(const std::string& line) {
  ::setenv("BYTESCOPE", BYTESCOPE_PROGRAM, 1);
  return run("/bin/sh", {"-c", line});
}

Json::Json(std::string_view text) {
  const simdjson::error_code error = parser_.parse(simdjson::padded_string(text)).get(root_);
  EXPECT_EQ(error, simdjson::SUCCESS) << simdjson::error_message(error) << ": " << text;
}

std::string text_of(simdjson::dom::element value) { return simdjson::minify(value); }

std::string keys_of(simdjson::dom::object object) {
  std::string keys;
  for (const auto field : object) keys += std::string(field.key) + " ";
  return keys;
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool is_json(std::string_view text) {
  while (!text.empty()) {
    const std::size_t line = text.find('\n') + 1;
    if (line == 0) return false;
    io::JsonReader reader(text.substr(0, line));
    reader.skip_value();
    reader.finish();
    if (!reader.ok()) return false;
    text.remove_prefix(line);
  }
  return true;
}

bytepack::TraceDescription named_track(std::string name) {
  bytepack::TrackDescription track;
  track.name = std::move(name);
  track.spans = {{"kernel", 1, 2.0F, "{}"}};
  bytepack::TraceDescription trace;
  trace.tracks.push_back(std::move(track));
  return trace;
}

}  // namespace bytescope::tests
