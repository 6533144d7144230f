#include "core/net/download.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <curl/curl.h>
#include <fmt/format.h>

#include "core/net/cache_file.h"
#include "core/trace/units.h"

namespace bytescope::net {
namespace {

/// Looks at the room on the disk again after that much.
constexpr std::uint64_t room_step_bytes = std::uint64_t{16} << 20U;

bool begins_with(std::string_view text, std::string_view with) {
  return text.size() >= with.size() && curl_strnequal(text.data(), with.data(), with.size()) != 0;
}

/// Whether bytes are the beginning of a web page. A trace that begins like that would be a longer
/// one than there can be.
bool is_web_page(std::span<const std::byte> bytes) {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  text.remove_prefix(first);
  return begins_with(text, "<!doctype html") || begins_with(text, "<html");
}

/// Takes a trace as it comes.
class Receiver {
public:
  Receiver(CacheFile file, Progress* progress, const DownloadLimits& limits)
      : file_(std::move(file)), progress_(progress), limits_(limits) {}

  Expected<void> begin(const HttpHead& head);
  Expected<void> take(std::span<const std::byte> piece);
  CacheFile& file() { return file_; }

private:
  /// How large the trace may get in all.
  std::uint64_t most_bytes() const {
    const std::uint64_t room = file_.room_bytes();
    const std::uint64_t free = room > limits_.spare_bytes ? room - limits_.spare_bytes : 0;
    return std::min(limits_.most_bytes, file_.size_bytes() + std::min(free, limits_.most_bytes));
  }
  tl::unexpected<Error> too_large() const {
    return failure(ErrorKind::machine,
                   fmt::format("The server sends more than the {} that may be kept in {}",
                               trace::bytes_text(allowed_), file_.folder()));
  }

  CacheFile file_;
  Progress* progress_;
  const DownloadLimits& limits_;
  std::uint64_t allowed_ = 0;
  std::uint64_t looked_at_ = 0;
};

Expected<void> Receiver::begin(const HttpHead& head) {
  if (begins_with(head.content_type, "text/html"))
    return failure(ErrorKind::bad_input, "The server answers with a web page, not with a trace");
  allowed_ = most_bytes();
  if (head.body_bytes.value_or(0) > allowed_) return too_large();
  if (progress_ != nullptr) progress_->expected_bytes = head.body_bytes.value_or(0);
  return {};
}

Expected<void> Receiver::take(std::span<const std::byte> piece) {
  if (file_.size_bytes() == 0 && is_web_page(piece))
    return failure(ErrorKind::bad_input, "The server answers with a web page, not with a trace");
  if (file_.size_bytes() - looked_at_ > room_step_bytes) {
    looked_at_ = file_.size_bytes();
    allowed_ = most_bytes();
  }
  if (file_.size_bytes() + piece.size() > allowed_) return too_large();
  auto written = file_.write(piece);
  if (progress_ != nullptr) progress_->received_bytes = file_.size_bytes();
  return written;
}

}  // namespace

Expected<std::shared_ptr<const io::InputFile>> download_trace(const Url& url, const Cancel& cancel,
                                                              Progress* progress,
                                                              const DownloadLimits& limits) {
  const auto fail = [&](Error error) {
    error.path = url.text();
    return tl::make_unexpected(std::move(error));
  };
  auto file = CacheFile::create();
  if (!file) return fail(file.error());
  Receiver receiver(std::move(*file), progress, limits);
  HttpSink sink;
  sink.begin = [&](const HttpHead& head) { return receiver.begin(head); };
  sink.take = [&](std::span<const std::byte> piece) { return receiver.take(piece); };
  const auto done = http_get(url, limits.http, cancel, sink);
  if (!done) return fail(done.error());
  if (receiver.file().size_bytes() == 0)
    return fail({ErrorKind::bad_input, "The server sends nothing", {}, {}});
  return receiver.file().release(trace_name(url));
}

}  // namespace bytescope::net
