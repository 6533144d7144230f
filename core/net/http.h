#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "core/cancel.h"
#include "core/error.h"
#include "core/net/url.h"

namespace bytescope::net {

/// How long a server may take. There is no limit for the whole: a large trace on a slow line is
/// fine as long as it comes.
struct HttpLimits {
  double connect_s = 5;   ///< Until there is a connection.
  double silence_s = 30;  ///< Between two bytes, and until the first.
};

/// What a server says of what it will send.
struct HttpHead {
  std::optional<std::uint64_t> body_bytes;
  std::string content_type;
};

/// Who takes an answer: both are called on the thread that asked, and may refuse it.
struct HttpSink {
  /// Called once before anything is taken.
  std::function<Expected<void>(const HttpHead& head)> begin;
  std::function<Expected<void>(std::span<const std::byte> piece)> take;
};

/// Reads what a server has at an address. Only the status 200 counts; redirections are followed on
/// the same server only. Proxies of the environment are used except for this machine. Fails with
/// ErrorKind::machine for all that networks and servers do wrong, each told in a sentence with the
/// address as its path, with what the sink says, and within a twentieth of a second with
/// ErrorKind::cancelled. Any number may run at once.
Expected<void> http_get(const Url& url, const HttpLimits& limits, const Cancel& cancel,
                        const HttpSink& sink);

/// The whole of what a server has at an address. Fails as http_get() does, and beyond `most_bytes`.
Expected<std::string> http_get_text(const Url& url, const HttpLimits& limits,
                                    std::size_t most_bytes, const Cancel& cancel);

}  // namespace bytescope::net
