#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"
#include "tests/support/http_server.h"
#include "tests/support/trace_maker.h"

// Commands that read the trace of a running program.

namespace bytescope::tests {
namespace {

using testing::HasSubstr;

TEST(Address, CommandsTakeItForAFile) {
  const HttpServer server(serving({{"/get_profile", text_of(varied_bytes('L'))}}));
  const Finished info = run_program({"info", server.url(), "--json"});
  ASSERT_EQ(info.exit_code, 0) << info.errors;
  EXPECT_EQ(std::string(Json(info.output)["file"]), server.url());
  EXPECT_EQ(run_program({"stats", server.url() + "/get_profile"}).exit_code, 0);
}

TEST(Address, EachFaultHasItsExitCode) {
  const HttpServer missing(serving({}));
  const HttpServer page(serving({{"/get_profile", "<!doctype html>"}}));
  const HttpServer nonsense(serving({{"/get_profile", std::string(100, 'x')}}));
  const HttpServer cut([](const HttpServer::Connection& connection) {
    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc");
  });
  const struct {
    std::string address;
    int exit_code;
    std::string error;
  } cases[] = {
      {missing.url(), 3, "The server answers 404 (Not Found): " + missing.url() + "/get_profile\n"},
      {page.url(), 1, "a web page, not with a trace: " + page.url() + "/get_profile\n"},
      {nonsense.url(), 1, ": " + nonsense.url() + "\n"},
      {cut.url(), 3, "cut short after 3 B: " + cut.url() + "/get_profile\n"},
      {"http://127.0.0.1:1", 3, ": http://127.0.0.1:1/get_profile\n"},
      {"http://me:word@127.0.0.1/", 2, ": http://me:word@127.0.0.1/\n"}};
  for (const auto& at : cases) {
    const Finished run = run_program({"info", at.address});
    EXPECT_EQ(run.exit_code, at.exit_code) << at.address;
    EXPECT_EQ(run.output, "");
    EXPECT_THAT(run.errors, HasSubstr(at.error));
  }
}

}  // namespace
}  // namespace bytescope::tests
