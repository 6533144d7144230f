#include "core/net/http.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <string_view>
#include <utility>

#include <curl/curl.h>
#include <fmt/format.h>

#include "core/trace/units.h"

namespace bytescope::net {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int most_redirects = 5;
constexpr std::size_t most_head_bytes = std::size_t{256} << 10U;
constexpr long buffer_bytes = 256L << 10U;
/// A request to stop is noticed that soon.
constexpr int patience_ms = 50;
constexpr long status_ok = 200;

struct FreeEasy {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
struct FreeMulti {
  void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};

tl::unexpected<Error> refuse(std::string why) {
  return failure(ErrorKind::machine, std::move(why));
}

/// Asks once, without following where the answer sends us.
class Exchange {
public:
  Exchange(const Url& url, const HttpLimits& limits, const Cancel& cancel, const HttpSink& sink)
      : url_(url), limits_(limits), cancel_(cancel), sink_(sink) {}

  /// Nothing when the answer was taken, or where it sends us to.
  Expected<std::optional<std::string>> run();

private:
  static std::size_t on_head(char* bytes, std::size_t one, std::size_t count, void* self);
  static std::size_t on_body(char* bytes, std::size_t one, std::size_t count, void* self);
  void set_up();
  void set_up_limits();
  Expected<CURLcode> perform();
  Expected<void> begin();
  bool is_redirect() const;
  void take_status_line(std::string_view line);
  void take_head_line(std::string_view line);
  std::string told(CURLcode code) const;
  std::string told_timeout() const;
  long number(CURLINFO info) const;
  std::string text(CURLINFO info) const;

  const Url& url_;
  const HttpLimits& limits_;
  const Cancel& cancel_;
  const HttpSink& sink_;
  std::unique_ptr<CURL, FreeEasy> easy_;
  std::optional<Error> refusal_;
  std::string reason_;    // of the status, in the server's words
  std::string location_;  // where the server sends us to
  std::size_t head_bytes_ = 0;
  std::uint64_t body_bytes_ = 0;
  bool has_begun_ = false;
  Clock::time_point last_sign_ = Clock::now();
};

long Exchange::number(CURLINFO info) const {
  long value = 0;
  curl_easy_getinfo(easy_.get(), info, &value);
  return value;
}

std::string Exchange::text(CURLINFO info) const {
  const char* value = nullptr;
  curl_easy_getinfo(easy_.get(), info, &value);
  return value == nullptr ? std::string() : std::string(value);
}

void Exchange::take_status_line(std::string_view line) {
  constexpr std::size_t most_chars = 60;
  reason_.clear();
  location_.clear();
  const std::size_t code = line.find(' ');
  const std::size_t words = code == std::string_view::npos ? code : line.find(' ', code + 1);
  if (words == std::string_view::npos) return;
  for (const char c : line.substr(words + 1, most_chars))
    if (c >= ' ' && c < 0x7F) reason_ += c;
}

void Exchange::take_head_line(std::string_view line) {
  constexpr std::string_view name = "location:";
  if (line.starts_with("HTTP/")) return take_status_line(line);
  if (line.size() < name.size() || curl_strnequal(line.data(), name.data(), name.size()) == 0)
    return;
  line.remove_prefix(name.size());
  const std::size_t begin = line.find_first_not_of(" \t");
  const std::size_t end = line.find_last_not_of(" \t\r\n");
  location_ = begin > end || end == std::string_view::npos
                  ? std::string()
                  : std::string(line.substr(begin, end - begin + 1));
}

bool Exchange::is_redirect() const {
  const long status = number(CURLINFO_RESPONSE_CODE);
  return status >= 301 && status <= 308 && status != 304 && !location_.empty();
}

std::size_t Exchange::on_head(char* bytes, std::size_t one, std::size_t count, void* self) {
  auto& exchange = *static_cast<Exchange*>(self);
  const std::string_view line(bytes, one * count);
  exchange.last_sign_ = Clock::now();
  exchange.head_bytes_ += line.size();
  try {
    exchange.take_head_line(line);
  } catch (const std::bad_alloc&) {
    return 0;
  }
  return exchange.head_bytes_ > most_head_bytes ? 0 : line.size();
}

std::size_t Exchange::on_body(char* bytes, std::size_t one, std::size_t count, void* self) {
  auto& exchange = *static_cast<Exchange*>(self);
  const std::size_t size = one * count;
  exchange.last_sign_ = Clock::now();
  exchange.body_bytes_ += size;
  try {
    // What comes with a redirection is a page that says so.
    if (exchange.is_redirect()) return 0;
    Expected<void> done = exchange.begin();
    if (done) done = exchange.sink_.take(std::as_bytes(std::span(bytes, size)));
    if (done && !exchange.cancel_.requested()) return size;
    if (!done) exchange.refusal_ = done.error();
  } catch (const std::bad_alloc&) {
    exchange.refusal_ = Error{ErrorKind::machine, "There is not enough memory", {}, {}};
  }
  return 0;
}

/// What the head of the answer decides.
Expected<void> Exchange::begin() {
  if (std::exchange(has_begun_, true)) return {};
  const long status = number(CURLINFO_RESPONSE_CODE);
  if (status != status_ok) {
    return refuse(reason_.empty() ? fmt::format("The server answers {}", status)
                                  : fmt::format("The server answers {} ({})", status, reason_));
  }
  HttpHead head;
  curl_off_t length = -1;
  curl_easy_getinfo(easy_.get(), CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
  if (length >= 0) head.body_bytes = static_cast<std::uint64_t>(length);
  head.content_type = text(CURLINFO_CONTENT_TYPE);
  return sink_.begin(head);
}

void Exchange::set_up() {
  CURL* easy = easy_.get();
  curl_easy_setopt(easy, CURLOPT_URL, url_.text().c_str());
#if LIBCURL_VERSION_NUM >= 0x075500
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS, CURLPROTO_HTTP | CURLPROTO_HTTPS);
#endif
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L);
  curl_easy_setopt(easy, CURLOPT_USERAGENT, "bytescope");
  if (url_.is_loopback()) curl_easy_setopt(easy, CURLOPT_PROXY, "");
  curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, buffer_bytes);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, &Exchange::on_head);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &Exchange::on_body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, this);
}

void Exchange::set_up_limits() {
  CURL* easy = easy_.get();
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
#if LIBCURL_VERSION_NUM >= 0x075700
  // Else a cancelled request would wait until the name of its host is looked up.
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#endif
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(limits_.connect_s * 1000));
}

/// Runs the exchange to its end; what libcurl says of it.
Expected<CURLcode> Exchange::perform() {
  const std::unique_ptr<CURLM, FreeMulti> multi(curl_multi_init());
  if (!multi || curl_multi_add_handle(multi.get(), easy_.get()) != CURLM_OK)
    return refuse("There is not enough memory");
  const auto leave = [&] { curl_multi_remove_handle(multi.get(), easy_.get()); };
  last_sign_ = Clock::now();
  for (int running = 1; running != 0;) {
    if (curl_multi_perform(multi.get(), &running) != CURLM_OK) break;
    const bool is_silent =
        std::chrono::duration<double>(Clock::now() - last_sign_).count() > limits_.silence_s;
    if (cancel_.requested() || (is_silent && running != 0)) {
      leave();
      if (cancel_.requested()) return failure(ErrorKind::cancelled, "Cancelled");
      return refuse(fmt::format("The server sent nothing for {} s", limits_.silence_s));
    }
    if (running != 0) curl_multi_poll(multi.get(), nullptr, 0, patience_ms, nullptr);
  }
  int left = 0;
  const CURLMsg* message = curl_multi_info_read(multi.get(), &left);
  const CURLcode code = message == nullptr ? CURLE_FAILED_INIT : message->data.result;
  leave();
  return code;
}

Expected<std::optional<std::string>> Exchange::run() {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  easy_.reset(curl_easy_init());
  if (!easy_) return refuse("There is not enough memory");
  set_up();
  set_up_limits();
  const auto code = perform();
  if (!code) return tl::make_unexpected(code.error());
  if (cancel_.requested()) return failure(ErrorKind::cancelled, "Cancelled");
  if (refusal_) return tl::make_unexpected(*refusal_);
  if (is_redirect()) return location_;
  if (*code != CURLE_OK) return refuse(told(*code));
  if (const auto begun = begin(); !begun) return tl::make_unexpected(begun.error());
  return std::nullopt;
}

/// Why no answer came in time.
std::string Exchange::told_timeout() const {
  return fmt::format("{} does not answer: no connection within {} s", url_.host_and_port(),
                     limits_.connect_s);
}

std::string Exchange::told(CURLcode code) const {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return fmt::format("No machine is known by the name {}", url_.host);
    case CURLE_COULDNT_RESOLVE_PROXY: return "The proxy of the environment is not known";
    case CURLE_COULDNT_CONNECT: {
      const long reason = number(CURLINFO_OS_ERRNO);
      return fmt::format("No program answers at {}{}", url_.host_and_port(),
                         reason == 0 ? "" : fmt::format(" ({})", std::strerror(int(reason))));
    }
    case CURLE_OPERATION_TIMEDOUT: return told_timeout();
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
      return fmt::format("The answer is cut short after {}", trace::bytes_text(body_bytes_));
    case CURLE_GOT_NOTHING: return "The server closed the connection without an answer";
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_UNSUPPORTED_PROTOCOL: return "What answers there does not speak HTTP";
    case CURLE_WRITE_ERROR:
      return head_bytes_ > most_head_bytes ? "The head of the answer does not end"
                                           : "The answer cannot be taken";
    default: return fmt::format("The server cannot be read ({})", curl_easy_strerror(code));
  }
}

Expected<void> follow(Url url, const HttpLimits& limits, const Cancel& cancel,
                      const HttpSink& sink) {
  for (int i = 0; i <= most_redirects; ++i) {
    const auto next = Exchange(url, limits, cancel, sink).run();
    if (!next) return tl::make_unexpected(next.error());
    if (!*next) return {};
    const auto target = url_relative_to(url, **next);
    if (!target || !target->same_origin(url)) {
      return refuse(fmt::format("The server sends on to {}, which is not asked",
                                target ? target->origin() : "another place"));
    }
    url = *target;
  }
  return refuse("The server sends on in circles");
}

}  // namespace

Expected<void> http_get(const Url& url, const HttpLimits& limits, const Cancel& cancel,
                        const HttpSink& sink) {
  Expected<void> done = follow(url, limits, cancel, sink);
  if (!done) done.error().path = url.text();
  return done;
}

Expected<std::string> http_get_text(const Url& url, const HttpLimits& limits,
                                    std::size_t most_bytes, const Cancel& cancel) {
  std::string text;
  const auto too_long = [&] {
    return refuse(
        fmt::format("The server sends more than {} of text", trace::bytes_text(most_bytes)));
  };
  HttpSink sink;
  sink.begin = [&](const HttpHead& head) -> Expected<void> {
    if (head.body_bytes.value_or(0) > most_bytes) return too_long();
    return {};
  };
  sink.take = [&](std::span<const std::byte> piece) -> Expected<void> {
    if (piece.size() > most_bytes - text.size()) return too_long();
    text.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    return {};
  };
  const auto done = http_get(url, limits, cancel, sink);
  if (!done) return tl::make_unexpected(done.error());
  return text;
}

}  // namespace bytescope::net
