#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace bytescope::tests {

/// A small HTTP server on a free port of this machine, which answers as well or as badly as it is
/// told. Each connection has a thread of its own; the destructor ends them all.
class HttpServer {
public:
  /// A connection whose request was read.
  class Connection {
  public:
    Connection(const HttpServer& server, int socket, std::string target)
        : server_(server), socket_(socket), target_(std::move(target)) {}
    /// Path and query that were asked for.
    const std::string& target() const { return target_; }
    /// Sends bytes as they are; false when nobody reads them any more, or the server ends.
    bool send(std::string_view bytes) const;
    /// Sends a whole answer with a true Content-Length.
    bool answer(std::string_view body, std::string_view type = "application/octet-stream") const;
    /// Waits so long; false when the other side or the server ended meanwhile.
    bool wait_ms(int duration_ms) const;
    /// Waits until the other side goes away.
    void wait_until_closed() const;

  private:
    const HttpServer& server_;
    int socket_;
    std::string target_;
  };

  /// Writes what it likes; the connection is closed when it returns.
  using Handler = std::function<void(Connection& connection)>;

  /// Throws std::runtime_error where there is no port.
  explicit HttpServer(Handler handler);
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  HttpServer(HttpServer&&) = delete;
  HttpServer& operator=(HttpServer&&) = delete;
  ~HttpServer();

  std::uint16_t port() const { return port_; }
  /// `http://127.0.0.1:PORT`.
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  /// All that was asked for so far, in order.
  std::vector<std::string> targets() const;
  /// How often a target was asked for.
  std::size_t count(const std::string& target) const;

private:
  void loop();
  void serve(int socket);

  Handler handler_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<bool> stopping_{false};
  mutable std::mutex mutex_;
  std::vector<std::string> targets_;
  std::list<std::thread> connections_;  // of the thread that accepts
  std::thread thread_;                  // last: it uses all of the above
};

/// Answers each target with its text, and all others with 404.
HttpServer::Handler serving(std::map<std::string, std::string> bodies);
/// Bytes as text.
std::string text_of(std::span<const std::byte> bytes);

}  // namespace bytescope::tests
