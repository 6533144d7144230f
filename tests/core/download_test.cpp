#include "core/net/download.h"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/http_server.h"
#include "tests/support/set_variable.h"
#include "tests/support/temporary_folder.h"

namespace bytescope::net {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using tests::HttpServer;

/// Keeps what is downloaded in a folder of its own.
class Download : public testing::Test {
protected:
  static Expected<std::shared_ptr<const io::InputFile>> get(const HttpServer& server,
                                                            const DownloadLimits& limits = {}) {
    return download_trace(*trace_url_from(server.url()), Cancel(), nullptr, limits);
  }
  /// A server whose trace is this body.
  static HttpServer::Handler with(const std::string& body) {
    return tests::serving({{"/get_profile", body}});
  }
  static std::string content(const io::InputFile& file) {
    std::string text(file.size_bytes(), ' ');
    file.read_at(0, std::as_writable_bytes(std::span(text.data(), text.size())));
    return text;
  }

  tests::TemporaryFolder folder;
  tests::SetVariable cache_folder{"XDG_CACHE_HOME", folder / "cache"};
};

TEST_F(Download, LiesInAPrivateFileWithoutAName) {
  const HttpServer server(with("some bytes"));
  Progress progress;
  const auto file = download_trace(*trace_url_from(server.url()), Cancel(), &progress);
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(content(**file), "some bytes");
  EXPECT_EQ((*file)->path(), server.url());
  EXPECT_EQ((*file)->on_disk(), io::OnDisk::same);
  EXPECT_EQ(progress.received_bytes, 10U);
  EXPECT_EQ(progress.expected_bytes, 10U);
  const std::filesystem::path cache = folder / "cache/bytescope";
  ASSERT_TRUE(std::filesystem::is_directory(cache));
  EXPECT_TRUE(std::filesystem::is_empty(cache));
  EXPECT_EQ(std::filesystem::status(cache).permissions(), std::filesystem::perms::owner_all);
}

TEST_F(Download, TellsAWebPageFromATrace) {
  for (const std::string type : {"text/html; charset=utf-8", "application/octet-stream"}) {
    const HttpServer server([&](const HttpServer::Connection& connection) {
      connection.answer("\n<!DOCTYPE html><html>", type);
    });
    const auto file = get(server);
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().kind, ErrorKind::bad_input);
    EXPECT_EQ(text(file.error()), "The server answers with a web page, not with a trace: " +
                                      server.url() + "/get_profile");
  }
}

TEST_F(Download, TellsThatNothingCame) {
  const HttpServer server(with(""));
  EXPECT_EQ(get(server).error().message, "The server sends nothing");
}

TEST_F(Download, EndsWhereItIsTooLarge) {
  const HttpServer told(with(std::string(1000, 'x')));
  const HttpServer endless([](const HttpServer::Connection& connection) {
    const std::string much(1 << 16, 'x');
    connection.send("HTTP/1.1 200 OK\r\n\r\n");
    while (connection.send(much)) {
    }
  });
  DownloadLimits few;
  few.most_bytes = 999;
  DownloadLimits full_disk;
  full_disk.spare_bytes = UINT64_MAX;
  for (const HttpServer* server : {&told, &endless}) {
    const auto file = get(*server, few);
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().kind, ErrorKind::machine);
    EXPECT_THAT(file.error().message,
                HasSubstr("The server sends more than the 999 B that may be kept in "));
    EXPECT_THAT(file.error().path, EndsWith("/get_profile"));
    EXPECT_FALSE(get(*server, full_disk));
  }
  few.most_bytes = 1000;
  EXPECT_TRUE(get(told, few));
}

TEST_F(Download, SaysWhereItCannotKeepAnything) {
  ::setenv("XDG_CACHE_HOME", "/dev/null", /*overwrite=*/1);
  const HttpServer server(with("bytes"));
  const auto file = get(server);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().kind, ErrorKind::machine);
  EXPECT_THAT(file.error().message, HasSubstr("cannot be kept in /dev/null/bytescope"));
  EXPECT_THAT(server.targets(), testing::IsEmpty());
}

}  // namespace
}  // namespace bytescope::net
