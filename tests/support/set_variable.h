#pragma once

#include <cstdlib>
#include <string>

namespace bytescope::tests {

/// Sets a variable of the environment for as long as the object lives; unsets it then.
class SetVariable {
public:
  SetVariable(const char* name, const std::string& value) : name_(name) {
    ::setenv(name, value.c_str(), /*overwrite=*/1);
  }
  SetVariable(const SetVariable&) = delete;
  SetVariable& operator=(const SetVariable&) = delete;
  SetVariable(SetVariable&&) = delete;
  SetVariable& operator=(SetVariable&&) = delete;
  ~SetVariable() { ::unsetenv(name_); }

private:
  const char* name_;
};

}  // namespace bytescope::tests
