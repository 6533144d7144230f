#include "core/net/http.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/http_server.h"

namespace bytescope::net {
namespace {

using tests::HttpServer;
using Connection = HttpServer::Connection;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::size_t plenty = 1 << 20;
constexpr HttpLimits quick{5, 0.3};
constexpr const char* ok = "HTTP/1.1 200 OK\r\n";

Expected<std::string> get(const HttpServer& server, const std::string& target = "/",
                          const HttpLimits& limits = {}, std::size_t most_bytes = plenty) {
  return http_get_text(*url_from(server.url() + target), limits, most_bytes, never);
}

/// What is said of a server that answers like this and closes the connection.
Error error_of(const std::string& answer) {
  const HttpServer server([&](const Connection& connection) { connection.send(answer); });
  const auto text = get(server, "/x", quick);
  if (text) {
    ADD_FAILURE() << "it was taken: " << *text;
    return {};
  }
  EXPECT_EQ(text.error().kind, ErrorKind::machine);
  EXPECT_EQ(text.error().path, server.url() + "/x");
  return text.error();
}

TEST(Http, ReadsWhatIsThere) {
  const HttpServer server(tests::serving({{"/a?b=1", "hello"}, {"/empty", ""}}));
  EXPECT_EQ(*get(server, "/a?b=1"), "hello");
  EXPECT_EQ(*get(server, "/empty"), "");
  EXPECT_EQ(server.targets(), (std::vector<std::string>{"/a?b=1", "/empty"}));
}

TEST(Http, TakesWhatComesSlowlyAndInPieces) {
  const HttpServer server([](const Connection& connection) {
    for (const char* piece :
         {"HTTP/1.0 2", "00 OK\r\nContent-", "Length: 6\r\n\r\nab", "cd", "ef"}) {
      if (!connection.send(piece) || !connection.wait_ms(60)) return;
    }
  });
  EXPECT_EQ(*get(server), "abcdef");
}

TEST(Http, TakesAnswersWithoutALengthAndInChunks) {
  const HttpServer server([](const Connection& connection) {
    connection.send(connection.target() == "/chunks"
                        ? std::string(ok) +
                              "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
                        : std::string(ok) + "\r\nabcde");
  });
  EXPECT_EQ(*get(server, "/chunks"), "abcde");
  EXPECT_EQ(*get(server), "abcde");
}

TEST(Http, TellsOtherStatuses) {
  EXPECT_EQ(error_of("HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nsorry").message,
            "The server answers 404 (Not Found)");
  EXPECT_EQ(error_of("HTTP/1.1 500\r\nContent-Length: 0\r\n\r\n").message,
            "The server answers 500");
  EXPECT_EQ(error_of("HTTP/1.1 204 No \x1b[2JContent\r\n\r\n").message,
            "The server answers 204 (No [2JContent)");
  EXPECT_EQ(error_of("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n").message,
            "The server answers 302 (Found)");
}

TEST(Http, TellsWhatIsCutShort) {
  EXPECT_EQ(error_of(std::string(ok) + "Content-Length: 100\r\n\r\n0123456789").message,
            "The answer is cut short after 10 B");
  EXPECT_EQ(error_of(std::string(ok) + "Transfer-Encoding: chunked\r\n\r\n9\r\nabc").message,
            "The answer is cut short after 3 B");
  EXPECT_EQ(error_of("").message, "The server closed the connection without an answer");
}

TEST(Http, TakesNoMoreThanTheLengthTells) {
  const HttpServer server([](const Connection& connection) {
    connection.send(std::string(ok) + "Content-Length: 3\r\n\r\nabcdef");
  });
  EXPECT_EQ(*get(server), "abc");
}

TEST(Http, TellsWhatIsNoHttp) {
  EXPECT_EQ(error_of("SSH-2.0-OpenSSH_9.2\r\n").message, "What answers there does not speak HTTP");
  EXPECT_THAT(error_of(std::string(ok) + "Content-Length: many\r\n\r\nabc").message,
              testing::AnyOf(HasSubstr("does not speak HTTP"), HasSubstr("cannot be read")));
}

TEST(Http, TellsThatNobodyAnswers) {
  std::string address;
  {
    const HttpServer gone([](const Connection&) {});
    address = gone.url() + "/x";
  }
  const auto text = http_get_text(*url_from(address), {}, plenty, Cancel());
  ASSERT_FALSE(text);
  EXPECT_THAT(text.error().message, StartsWith("No program answers at 127.0.0.1:"));
  EXPECT_EQ(text.error().path, address);
  EXPECT_EQ(exit_code(text.error().kind), 3);
}

TEST(Http, GivesUpWhenNothingComes) {
  const HttpServer server([](const Connection& connection) {
    if (connection.target() == "/midway")
      connection.send(std::string(ok) + "Content-Length: 100\r\n\r\nabc");
    connection.wait_until_closed();
  });
  for (const char* target : {"/never", "/midway"}) {
    const auto text = get(server, target, quick);
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().message, "The server sent nothing for 0.3 s");
  }
}

TEST(Http, CanBeCancelledAtOnce) {
  const HttpServer server([](const Connection& connection) { connection.wait_until_closed(); });
  Cancel cancel;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    cancel.request();
  });
  const auto begin = std::chrono::steady_clock::now();
  const auto text = http_get_text(*url_from(server.url()), {}, plenty, cancel);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  other.join();
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().kind, ErrorKind::cancelled);
  EXPECT_LT(took.count(), 2);
}

TEST(Http, StopsWhatDoesNotEnd) {
  const HttpServer server([](const Connection& connection) {
    const std::string much(1 << 16, 'x');
    if (connection.target() == "/body") connection.send(std::string(ok) + "\r\n");
    if (connection.target() == "/head") connection.send(ok);
    if (connection.target() == "/length")
      connection.send(std::string(ok) + "Content-Length: 4000000000000000000\r\n\r\n");
    while (connection.send(connection.target() == "/head" ? "X-Name: value\r\n" : much)) {
    }
  });
  EXPECT_EQ(get(server, "/body").error().message, "The server sends more than 1.05 MB of text");
  EXPECT_EQ(get(server, "/length").error().message, "The server sends more than 1.05 MB of text");
  EXPECT_FALSE(get(server, "/head"));
}

TEST(Http, FollowsRedirectionsOnTheSameServer) {
  const HttpServer server([](const Connection& connection) {
    if (connection.target() == "/b") {
      connection.answer("here");
    } else {
      connection.send("HTTP/1.1 302 Found\r\nlocation: /b\r\nContent-Length: 100000\r\n\r\nno");
    }
  });
  EXPECT_EQ(*get(server, "/a"), "here");
}

TEST(Http, DoesNotAskAnotherServer) {
  const HttpServer other(tests::serving({{"/b", "secret"}}));
  const HttpServer server([&](const Connection& connection) {
    connection.send("HTTP/1.1 301 Moved\r\nLocation: " + other.url() + "/b\r\n\r\n");
  });
  const auto text = get(server);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().message, "The server sends on to " + other.url() + ", which is not asked");
  EXPECT_THAT(other.targets(), testing::IsEmpty());
  EXPECT_EQ(error_of("HTTP/1.1 301 Moved\r\nLocation: file:///etc/passwd\r\n\r\n").message,
            "The server sends on to another place, which is not asked");
}

TEST(Http, DoesNotRunInCircles) {
  const HttpServer server([](const Connection& connection) {
    connection.send("HTTP/1.1 307 There\r\nLocation: /\r\nContent-Length: 0\r\n\r\n");
  });
  EXPECT_EQ(get(server).error().message, "The server sends on in circles");
  EXPECT_LE(server.targets().size(), 10U);
}

TEST(Http, UsesNoProxyForThisMachine) {
  const HttpServer proxy(tests::serving({}));
  const HttpServer server(tests::serving({{"/", "direct"}}));
  for (const char* name : {"http_proxy", "all_proxy"})
    ::setenv(name, proxy.url().c_str(), /*overwrite=*/1);
  const auto text = get(server);
  for (const char* name : {"http_proxy", "all_proxy"}) ::unsetenv(name);
  EXPECT_EQ(text.value_or("none"), "direct");
  EXPECT_THAT(proxy.targets(), testing::IsEmpty());
}

TEST(Http, ManyMayAskAtOnce) {
  const HttpServer server(tests::serving({{"/", std::string(100'000, 'a')}}));
  std::array<std::thread, 8> readers;
  std::atomic<int> good{0};
  for (std::thread& reader : readers) {
    reader = std::thread([&] {
      const auto text = get(server);
      if (text && text->size() == 100'000) ++good;
    });
  }
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(good, 8);
}

}  // namespace
}  // namespace bytescope::net
