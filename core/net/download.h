#pragma once

#include <cstdint>
#include <memory>

#include "core/cancel.h"
#include "core/error.h"
#include "core/io/input_file.h"
#include "core/net/http.h"
#include "core/net/url.h"

namespace bytescope::net {

/// How much a server may send: no trace is larger than `most_bytes`, and the disk keeps
/// `spare_bytes`.
struct DownloadLimits {
  HttpLimits http;
  std::uint64_t most_bytes = std::uint64_t{64} << 30U;
  std::uint64_t spare_bytes = std::uint64_t{512} << 20U;
};

/// Reads a trace from a server into a private file without a name (CacheFile), which stands under
/// trace_name() in messages. `progress` tells the bytes received. Fails as http_get() does; with
/// ErrorKind::machine when there is more than may be kept or the disk is full; and with
/// ErrorKind::bad_input when the server answers with a web page or with nothing.
Expected<std::shared_ptr<const io::InputFile>> download_trace(const Url& url, const Cancel& cancel,
                                                              Progress* progress = nullptr,
                                                              const DownloadLimits& limits = {});

}  // namespace bytescope::net
