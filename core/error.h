#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

namespace bytescope {

/// Who has to act on an error; decides the exit code of the command line.
enum class ErrorKind {
  bad_input,  ///< The file is not what it should be: exit code 1.
  usage,      ///< The request makes no sense for this file: exit code 2.
  machine,    ///< The system refused (no GL, cannot write, out of memory): exit code 3.
  cancelled,  ///< Somebody asked to stop: exit code 130.
};

/// Where in a trace something was found. Whatever is unknown or makes no sense is left out.
struct Where {
  std::optional<std::uint64_t> byte;    ///< Offset in the file.
  std::optional<std::uint32_t> track;   ///< Number of the track, from 0.
  std::string track_name;               ///< Its raw name, may be empty.
  std::optional<std::uint64_t> record;  ///< Number of the record in its track, from 0.
};

/// Why something could not be done, as a sentence without a full stop, and where.
struct Error {
  ErrorKind kind = ErrorKind::bad_input;
  std::string message;
  Where where;
  std::string path;  ///< The file concerned; shown last.
};

/// A result or the reason why there is none.
template <class T>
using Expected = tl::expected<T, Error>;

/// Something that is wrong with a trace that opens nevertheless.
struct Warning {
  std::string message;
  Where where;
};

/// Collects warnings; keeps the first `capacity` and counts the rest, so that a hostile file cannot
/// fill the memory with complaints.
class Warnings {
public:
  static constexpr std::size_t capacity = 100;

  void add(std::string message, Where where = {});
  const std::vector<Warning>& list() const { return list_; }
  /// How many were not kept.
  std::uint64_t dropped() const { return dropped_; }
  /// Appends everything that `other` holds.
  void append(const Warnings& other);

private:
  std::vector<Warning> list_;
  std::uint64_t dropped_ = 0;
};

/// "at byte 12, track 3 (\"NV Memory\"), record 17", or empty when nothing is known.
std::string text(const Where& where);
/// The whole message: what, where, and the path last.
std::string text(const Error& error);
/// The message with its place, without a path.
std::string text(const Warning& warning);
/// 1, 2, 3 or 130.
int exit_code(ErrorKind kind);

/// Shorthand for functions that return Expected<T>.
tl::unexpected<Error> failure(ErrorKind kind, std::string message, Where where = {},
                              std::string path = {});

}  // namespace bytescope
