#include "core/net/url.h"

#include <gtest/gtest.h>

namespace bytescope::net {
namespace {

TEST(Url, IsTakenApart) {
  const auto url = url_from("HTTP://Example.ORG:8000/a/b?c=1&d=/2#part");
  ASSERT_TRUE(url);
  EXPECT_EQ(*url, (Url{"http", "example.org", 8000, "/a/b?c=1&d=/2"}));
  EXPECT_EQ(url->text(), "http://example.org:8000/a/b?c=1&d=/2");
  EXPECT_EQ(url_from("https://example.org")->text(), "https://example.org/");
  EXPECT_EQ(url_from("http://[::1]:80/")->origin(), "http://[::1]");
}

TEST(Url, WhatIsNoAddressIsRefusedAsWrongUsage) {
  for (const char* text :
       {"", "http://", "ftp://example.org/", "file:///etc/passwd", "trace.bin",
        "http://exa mple.org/", "http://example.org:0/", "http://example.org:70000/",
        "http://example.org/\n", "http://name@example.org/", "http://name:word@example.org/",
        "http://exam%0aple.org/", "http://example.org/\xC3\xA4"}) {
    const auto url = url_from(text);
    ASSERT_FALSE(url) << text;
    EXPECT_EQ(url.error().kind, ErrorKind::usage) << text;
    EXPECT_EQ(url.error().path, text);
    EXPECT_FALSE(url.error().message.empty());
  }
  EXPECT_FALSE(url_from("http://example.org/" + std::string(10'000, 'a')));
}

TEST(Url, RedirectionsMayLeaveOutWhatStaysTheSame) {
  const Url base{"http", "127.0.0.1", 8000, "/a/b?c"};
  EXPECT_EQ(url_relative_to(base, "d?e")->text(), "http://127.0.0.1:8000/a/d?e");
  EXPECT_EQ(url_relative_to(base, "/d")->text(), "http://127.0.0.1:8000/d");
  EXPECT_EQ(url_relative_to(base, "//evil.org/d")->origin(), "http://evil.org");
  EXPECT_EQ(url_relative_to(base, "https://evil.org/")->origin(), "https://evil.org");
  EXPECT_FALSE(url_relative_to(base, "file:///etc/passwd"));
}

TEST(Url, AServerAloneMeansTheViewersTrace) {
  for (const char* text : {"http://127.0.0.1:8000", "http://127.0.0.1:8000/",
                           "http://127.0.0.1:8000/?ctx=3", "HTTP://127.0.0.1:8000/get_profile"}) {
    const auto url = trace_url_from(text);
    ASSERT_TRUE(url) << text;
    EXPECT_EQ(url->target, "/get_profile") << text;
    EXPECT_EQ(trace_name(*url), "http://127.0.0.1:8000");
    EXPECT_EQ(trace_name(std::string(text)), "http://127.0.0.1:8000");
    ASSERT_TRUE(viewer_of(text));
    EXPECT_EQ(viewer_of(text)->host_and_port(), "127.0.0.1:8000");
  }
  EXPECT_EQ(trace_name(std::string("http://a.org/x.bin")), "http://a.org/x.bin");
  EXPECT_FALSE(viewer_of("http://a.org/x.bin"));
  EXPECT_FALSE(viewer_of("/tmp/x.bin"));
  EXPECT_EQ(trace_name(std::string("/tmp/x.bin")), "/tmp/x.bin");
  EXPECT_EQ(trace_name(std::string("http://")), "http://");
}

TEST(Url, KnowsThisMachine) {
  for (const char* text : {"http://127.0.0.1", "http://127.3.2.1:80", "http://localhost:1",
                           "http://LOCALHOST", "http://a.localhost/", "http://[::1]:8000"})
    EXPECT_TRUE(url_from(text)->is_loopback()) << text;
  for (const char* text : {"http://example.org", "http://128.0.0.1", "http://notlocalhost/"})
    EXPECT_FALSE(url_from(text)->is_loopback()) << text;
}

}  // namespace
}  // namespace bytescope::net
