#include "core/error.h"

#include <utility>

#include <fmt/format.h>

namespace bytescope {

void Warnings::add(std::string message, Where where) {
  if (list_.size() < capacity) {
    list_.push_back({std::move(message), std::move(where)});
  } else {
    ++dropped_;
  }
}

void Warnings::append(const Warnings& other) {
  for (const Warning& warning : other.list_) add(warning.message, warning.where);
  dropped_ += other.dropped_;
}

std::string text(const Where& where) {
  std::string out;
  const auto part = [&out](const std::string& piece) {
    out += out.empty() ? "at " : ", ";
    out += piece;
  };
  if (where.byte) part(fmt::format("byte {}", *where.byte));
  if (where.track) part(fmt::format("track {} (\"{}\")", *where.track, where.track_name));
  if (where.record) part(fmt::format("record {}", *where.record));
  return out;
}

std::string text(const Warning& warning) {
  const std::string place = text(warning.where);
  return place.empty() ? warning.message : warning.message + " " + place;
}

std::string text(const Error& error) {
  std::string out = text(Warning{error.message, error.where});
  if (!error.path.empty()) out += ": " + error.path;
  return out;
}

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::bad_input: return 1;
    case ErrorKind::usage: return 2;
    case ErrorKind::machine: return 3;
    case ErrorKind::cancelled: return 130;
  }
  return 3;
}

tl::unexpected<Error> failure(ErrorKind kind, std::string message, Where where, std::string path) {
  return tl::make_unexpected(Error{kind, std::move(message), std::move(where), std::move(path)});
}

}  // namespace bytescope
