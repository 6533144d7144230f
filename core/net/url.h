#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/error.h"

namespace bytescope::net {

/// Whether a text is meant as an address of the web and not as a path: it begins with http:// or
/// https://.
bool is_url(std::string_view text);

/// An http or https address, taken apart.
struct Url {
  std::string scheme;      ///< `http` or `https`.
  std::string host;        ///< In small letters; IPv6 in brackets.
  std::uint16_t port = 0;  ///< That of the scheme where none is told.
  std::string target;      ///< Path and query; begins with a slash.

  /// `http://127.0.0.1:8000`: who is asked.
  std::string origin() const;
  /// The whole address.
  std::string text() const { return origin() + target; }
  /// `127.0.0.1:8000`.
  std::string host_and_port() const;
  /// Whether it is this machine, which no proxy stands before.
  bool is_loopback() const;
  bool same_origin(const Url& other) const {
    return scheme == other.scheme && host == other.host && port == other.port;
  }
  bool operator==(const Url&) const = default;
};

/// Takes an address apart. Fails with ErrorKind::usage for other schemes, for names and passwords
/// in it, and for what is no address.
Expected<Url> url_from(const std::string& text);

/// Where a redirection leads that a server at `base` writes in full or in part. Fails as url_from()
/// does.
Expected<Url> url_relative_to(const Url& base, const std::string& text);

/// Where a trace is read from: an address of a server alone means tinygrad's viewer, which serves
/// the trace of its program at `/get_profile`. Fails as url_from() does.
Expected<Url> trace_url_from(const std::string& text);
/// How a trace of that address is called: the server alone where it is tinygrad's viewer. The same
/// for all spellings of an address.
std::string trace_name(const Url& trace_url);
/// The name of a trace at an address however it is spelled; the text itself when it is no address.
std::string trace_name(const std::string& text);
/// The viewer of tinygrad that a trace of that name comes from; none for files and for traces that
/// lie elsewhere on a server.
std::optional<Url> viewer_of(const std::string& trace_name);

}  // namespace bytescope::net
