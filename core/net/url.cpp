#include "core/net/url.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <memory>
#include <utility>

#include <curl/curl.h>
#include <fmt/format.h>

namespace bytescope::net {
namespace {

constexpr std::string_view profile_target = "/get_profile";
constexpr std::size_t most_bytes = 8000;

struct FreeUrl {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(c < 0x80 ? std::tolower(c) : c); });
  return text;
}

/// A part of a parsed address; empty where it has none.
std::string part_of(CURLU* url, CURLUPart part, unsigned flags = 0) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, flags) != CURLUE_OK || text == nullptr) return {};
  const std::unique_ptr<char, void (*)(void*)> owner(text, curl_free);
  return text;
}

bool is_visible_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7F; });
}

bool is_host(std::string_view host) {
  return !host.empty() && std::all_of(host.begin(), host.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("-._:[]").find(c) != std::string_view::npos;
  });
}

std::uint16_t default_port(std::string_view scheme) { return scheme == "https" ? 443 : 80; }

tl::unexpected<Error> no_address(std::string why, const std::string& text) {
  return failure(ErrorKind::usage, std::move(why), {}, text);
}

/// Parses `text`; what it leaves out is as in `base`, which may be empty.
Expected<Url> parsed_url(const std::string& base, const std::string& text) {
  if (text.size() > most_bytes || !is_visible_ascii(text))
    return no_address("This is not an address", text);
  const std::unique_ptr<CURLU, FreeUrl> parsed(curl_url());
  if (!parsed) return failure(ErrorKind::machine, "There is not enough memory", {}, text);
  if (!base.empty()) curl_url_set(parsed.get(), CURLUPART_URL, base.c_str(), 0);
  const CURLUcode refused =
      curl_url_set(parsed.get(), CURLUPART_URL, text.c_str(), CURLU_DISALLOW_USER);
  if (refused == CURLUE_USER_NOT_ALLOWED)
    return no_address("Addresses with a name or password in them are not taken", text);
  if (refused != CURLUE_OK) return no_address("This is not an address", text);
  Url url;
  url.scheme = lower(part_of(parsed.get(), CURLUPART_SCHEME));
  url.host = lower(part_of(parsed.get(), CURLUPART_HOST));
  const std::string port = part_of(parsed.get(), CURLUPART_PORT, CURLU_DEFAULT_PORT);
  const auto read = std::from_chars(port.data(), port.data() + port.size(), url.port);
  url.target = part_of(parsed.get(), CURLUPART_PATH);
  const std::string query = part_of(parsed.get(), CURLUPART_QUERY);
  if (!query.empty()) url.target += "?" + query;
  const bool is_web = url.scheme == "http" || url.scheme == "https";
  if (!is_web || !is_host(url.host) || read.ec != std::errc() || url.port == 0 ||
      !url.target.starts_with('/'))
    return no_address("This is not an address", text);
  return url;
}

}  // namespace

bool is_url(std::string_view text) {
  const auto begins = [&](std::string_view with) {
    return text.size() >= with.size() && lower(std::string(text.substr(0, with.size()))) == with;
  };
  return begins("http://") || begins("https://");
}

std::string Url::host_and_port() const {
  return port == default_port(scheme) ? host : fmt::format("{}:{}", host, port);
}

std::string Url::origin() const { return scheme + "://" + host_and_port(); }

bool Url::is_loopback() const {
  constexpr std::string_view local = ".localhost";
  return host == "localhost" || host == "[::1]" || host.starts_with("127.") ||
         (host.size() > local.size() && host.ends_with(local));
}

Expected<Url> url_from(const std::string& text) {
  if (!is_url(text))
    return no_address("This is not an address that begins with http:// or https://", text);
  return parsed_url({}, text);
}

Expected<Url> url_relative_to(const Url& base, const std::string& text) {
  return parsed_url(base.text(), text);
}

Expected<Url> trace_url_from(const std::string& text) {
  auto url = url_from(text);
  // The page of the viewer keeps what it shows behind the question mark.
  if (url && (url->target == "/" || url->target.starts_with("/?"))) url->target = profile_target;
  return url;
}

std::string trace_name(const Url& trace_url) {
  return trace_url.target == profile_target ? trace_url.origin() : trace_url.text();
}

std::string trace_name(const std::string& text) {
  if (!is_url(text)) return text;
  const auto url = trace_url_from(text);
  return url ? trace_name(*url) : text;
}

std::optional<Url> viewer_of(const std::string& trace_name) {
  if (!is_url(trace_name)) return std::nullopt;
  const auto url = trace_url_from(trace_name);
  if (!url || url->target != profile_target) return std::nullopt;
  return *url;
}

}  // namespace bytescope::net
