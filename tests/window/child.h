#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace bytescope::tests {

/// A program that runs beside the test and is killed with the object.
class Child {
public:
  Child() = default;
  /// Starts `arguments[0]`, looked up in PATH, with `environment` ("NAME=VALUE") over that of the
  /// test. Its output goes to `output_path`, or nowhere. With `told_at` the child's descriptor of
  /// that number is a pipe that told() reads. A test failure when it cannot be started.
  explicit Child(const std::vector<std::string>& arguments,
                 const std::vector<std::string>& environment = {},
                 const std::string& output_path = {}, int told_at = -1);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  ~Child();

  /// Whether it was started and has not ended yet.
  bool running();
  /// Its exit code once it ended within that time, −1 when a signal ended it.
  std::optional<int> exit_code(double timeout_s);
  /// A line that the child wrote to the pipe, waited for at most so long.
  std::optional<std::string> told(double timeout_s) const;
  /// Whether all of its threads sleep at this moment; from Linux's /proc.
  bool asleep() const;
  /// Clock ticks of CPU that it has used so far; from Linux's /proc.
  long cpu_ticks() const;
  /// What it has in memory at this moment; from Linux's /proc.
  std::size_t resident_bytes() const;

private:
  pid_t pid_ = 0;
  std::optional<int> exit_code_;
  int pipe_ = -1;
};

/// Runs a program to its end and answers its exit code; −1 when it did not end by itself in ten
/// seconds.
int run_tool(const std::vector<std::string>& arguments,
             const std::vector<std::string>& environment);

/// Whether a program of that name is in PATH.
bool is_installed(const std::string& name);

}  // namespace bytescope::tests
