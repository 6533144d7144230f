#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/cancel.h"
#include "core/error.h"
#include "core/net/http.h"
#include "core/net/url.h"

namespace bytescope::net {

/// What tinygrad's viewer knows of a compiled program.
enum class TextKind : std::uint8_t { source, disassembly };

/// A text of a program.
struct ProgramText {
  std::string program;  ///< Its name, as the viewer tells it; colour codes and all.
  std::string text;     ///< Lines, ended by line feeds.
};

/// The texts of the programs that a running viewer of tinygrad knows, fetched when asked for and
/// kept: the list of programs, and the latest texts up to 64 MB. Safe to use from any thread; asks
/// one after another. What the viewer answers may be anything: sizes, nesting and addresses have
/// bounds, and no other server is asked.
class ProgramTexts {
public:
  explicit ProgramTexts(Url viewer, HttpLimits limits = {})
      : viewer_(std::move(viewer)), limits_(limits) {}

  /// A text of the program that spans refer to by `ref`. Fails as http_get() does, and with
  /// ErrorKind::bad_input when the viewer knows no such program or text, or answers with something
  /// else.
  Expected<std::shared_ptr<const ProgramText>> text(std::uint32_t ref, TextKind kind,
                                                    const Cancel& cancel);

private:
  /// Where the viewer has the texts of a program; an empty target: it has none.
  struct Program {
    std::string name;
    std::string source;
    std::string disassembly;
  };
  struct Known {
    std::uint32_t ref = 0;
    TextKind kind = TextKind::source;
    std::shared_ptr<const ProgramText> text;
  };

  Expected<void> fetch_programs(const Cancel& cancel);
  Expected<std::shared_ptr<const ProgramText>> fetch(const Program& program,
                                                     const std::string& target,
                                                     const Cancel& cancel) const;
  void keep(Known known);
  static Expected<std::vector<Program>> programs_from_json(const std::string& json);
  static Expected<std::string> text_from_json(const std::string& json);

  Url viewer_;
  HttpLimits limits_;
  std::mutex mutex_;
  std::vector<Program> programs_;
  bool has_programs_ = false;
  std::list<Known> known_;  // the last one asked for comes first
  std::size_t known_bytes_ = 0;
};

}  // namespace bytescope::net
