#include "tests/support/http_server.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace bytescope::tests {
namespace {

constexpr int step_ms = 10;

#ifdef MSG_NOSIGNAL
constexpr int send_flags = MSG_NOSIGNAL | MSG_DONTWAIT;
#else
constexpr int send_flags = MSG_DONTWAIT;
#endif

bool is_ready(int socket, short what) {
  pollfd wanted{socket, what, 0};
  return ::poll(&wanted, 1, step_ms) > 0;
}

/// Reads until the empty line behind the head of a request.
std::string read_request(int socket, const std::atomic<bool>& stopping) {
  std::string request;
  while (request.find("\r\n\r\n") == std::string::npos && !stopping) {
    if (!is_ready(socket, POLLIN)) continue;
    char bytes[4096];
    const ssize_t got = ::recv(socket, bytes, sizeof(bytes), 0);
    if (got <= 0) return {};
    request.append(bytes, static_cast<std::size_t>(got));
  }
  return request;
}

std::string target_of(const std::string& request) {
  const std::size_t begin = request.find(' ');
  const std::size_t end = begin == std::string::npos ? begin : request.find(' ', begin + 1);
  return end == std::string::npos ? std::string() : request.substr(begin + 1, end - begin - 1);
}

}  // namespace

bool HttpServer::Connection::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    if (server_.stopping_) return false;
    if (!is_ready(socket_, POLLOUT)) continue;
    const ssize_t put = ::send(socket_, bytes.data(), bytes.size(), send_flags);
    if (put < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

bool HttpServer::Connection::answer(std::string_view body, std::string_view type) const {
  return send("HTTP/1.1 200 OK\r\nContent-Type: " + std::string(type) + "\r\nContent-Length: " +
              std::to_string(body.size()) + "\r\nConnection: close\r\n\r\n" + std::string(body));
}

bool HttpServer::Connection::wait_ms(int duration_ms) const {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(duration_ms);
  while (std::chrono::steady_clock::now() < end) {
    if (server_.stopping_) return false;
    if (!is_ready(socket_, POLLIN)) continue;
    char byte = 0;
    if (::recv(socket_, &byte, 1, MSG_DONTWAIT) <= 0) return false;
  }
  return true;
}

void HttpServer::Connection::wait_until_closed() const {
  while (wait_ms(1000)) {
  }
}

HttpServer::HttpServer(Handler handler) : handler_(std::move(handler)) {
  listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* general = reinterpret_cast<sockaddr*>(&address);
  if (listener_ < 0 || ::bind(listener_, general, size) != 0 || ::listen(listener_, 16) != 0 ||
      ::getsockname(listener_, general, &size) != 0)
    throw std::runtime_error("no port for a test");
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { loop(); });
}

HttpServer::~HttpServer() {
  stopping_ = true;
  thread_.join();
  for (std::thread& connection : connections_) connection.join();
  ::close(listener_);
}

void HttpServer::loop() {
  while (!stopping_) {
    if (!is_ready(listener_, POLLIN)) continue;
    const int socket = ::accept(listener_, nullptr, nullptr);
    if (socket >= 0) connections_.emplace_back([this, socket] { serve(socket); });
  }
}

void HttpServer::serve(int socket) {
  const std::string request = read_request(socket, stopping_);
  if (!request.empty()) {
    Connection connection(*this, socket, target_of(request));
    {
      const std::scoped_lock lock(mutex_);
      targets_.push_back(connection.target());
    }
    handler_(connection);
  }
  ::shutdown(socket, SHUT_WR);
  ::close(socket);
}

std::vector<std::string> HttpServer::targets() const {
  const std::scoped_lock lock(mutex_);
  return targets_;
}

std::size_t HttpServer::count(const std::string& target) const {
  const std::scoped_lock lock(mutex_);
  return static_cast<std::size_t>(std::count(targets_.begin(), targets_.end(), target));
}

HttpServer::Handler serving(std::map<std::string, std::string> bodies) {
  return [bodies = std::move(bodies)](const HttpServer::Connection& connection) {
    const auto found = bodies.find(connection.target());
    if (found != bodies.end()) {
      connection.answer(found->second);
    } else {
      connection.send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
    }
  };
}

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace bytescope::tests
