#include "tests/window/child.h"

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bytescope::tests {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds glance(5);

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

/// What /proc tells of a process or thread, behind its name (which may hold anything).
std::istringstream stat_of(const std::string& folder) {
  std::ifstream file(folder + "/stat");
  const std::string stat{std::istreambuf_iterator<char>(file), {}};
  return std::istringstream(stat.substr(stat.find_last_of(')') + 1));
}

/// The test's environment with `changes` over it.
std::vector<std::string> environment_with(const std::vector<std::string>& changes) {
  std::vector<std::string> result = changes;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::string name = text.substr(0, text.find('=') + 1);
    bool changed = false;
    for (const std::string& change : changes) changed = changed || change.rfind(name, 0) == 0;
    if (!changed) result.push_back(text);
  }
  return result;
}

}  // namespace

Child::Child(const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
             const std::string& output_path, int told_at) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  const std::string output = output_path.empty() ? "/dev/null" : output_path;
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  std::array<int, 2> ends{-1, -1};
  if (told_at >= 0 && ::pipe2(ends.data(), O_CLOEXEC) == 0) {
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], told_at);
    pipe_ = ends[0];
  }
  std::vector<std::string> argument_texts = arguments;
  std::vector<std::string> environment_texts = environment_with(environment);
  const int failed =
      ::posix_spawnp(&pid_, arguments[0].c_str(), &actions, nullptr,
                     pointers(argument_texts).data(), pointers(environment_texts).data());
  if (failed != 0) pid_ = 0;
  EXPECT_EQ(failed, 0) << arguments[0];
  if (ends[1] >= 0) ::close(ends[1]);
  ::posix_spawn_file_actions_destroy(&actions);
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)),
      exit_code_(std::exchange(other.exit_code_, std::nullopt)),
      pipe_(std::exchange(other.pipe_, -1)) {}

Child& Child::operator=(Child&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(exit_code_, other.exit_code_);
  std::swap(pipe_, other.pipe_);
  return *this;
}

Child::~Child() {
  if (running()) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  if (pipe_ >= 0) ::close(pipe_);
}

bool Child::running() {
  if (pid_ == 0 || exit_code_) return false;
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return true;
  exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return false;
}

std::optional<int> Child::exit_code(double timeout_s) {
  const auto end = Clock::now() + std::chrono::duration<double>(timeout_s);
  while (running() && Clock::now() < end) std::this_thread::sleep_for(glance);
  return exit_code_;
}

std::optional<std::string> Child::told(double timeout_s) const {
  const auto end = Clock::now() + std::chrono::duration<double>(timeout_s);
  std::string line;
  while (Clock::now() < end) {
    pollfd readable{pipe_, POLLIN, 0};
    if (::poll(&readable, 1, 50) <= 0) continue;
    char c = 0;
    if (::read(pipe_, &c, 1) != 1) return std::nullopt;
    if (c == '\n') return line;
    line += c;
  }
  return std::nullopt;
}

bool Child::asleep() const {
  std::error_code error;
  const std::string threads = "/proc/" + std::to_string(pid_) + "/task";
  for (const auto& thread : std::filesystem::directory_iterator(threads, error)) {
    std::istringstream fields = stat_of(thread.path().string());
    char state = 0;
    fields >> state;
    if (state != 'S' && state != 0) return false;
  }
  return !error;
}

long Child::cpu_ticks() const {
  std::istringstream fields = stat_of("/proc/" + std::to_string(pid_));
  std::string field;
  // utime and stime are the 12th and 13th.
  for (int i = 0; i < 11; ++i) fields >> field;
  long user = 0;
  long system = 0;
  fields >> user >> system;
  return user + system;
}

std::size_t Child::resident_bytes() const {
  std::ifstream fields("/proc/" + std::to_string(pid_) + "/statm");
  std::size_t mapped_pages = 0;
  std::size_t resident_pages = 0;
  fields >> mapped_pages >> resident_pages;
  return resident_pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

int run_tool(const std::vector<std::string>& arguments,
             const std::vector<std::string>& environment) {
  Child tool(arguments, environment);
  return tool.exit_code(10).value_or(-1);
}

bool is_installed(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  std::string folder;
  while (std::getline(folders, folder, ':')) {
    folder += "/";
    folder += name;
    if (::access(folder.c_str(), X_OK) == 0) return true;
  }
  return false;
}

}  // namespace bytescope::tests
