#include "core/net/program_texts.h"

#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/http_server.h"

namespace bytescope::net {
namespace {

using testing::HasSubstr;
using tests::HttpServer;

constexpr const char* list = R"([
  {"name": "no program", "steps": []},
  {"name": "r_\u001b[34m4\u001b[0m", "steps": [
    {"name": "View UOp List", "query": "/uops?ctx=1&step=0"},
    {"name": "View Source", "query": "/code?ctx=1&step=1"},
    {"name": "View Disassembly", "query": "/asm?ctx=1&step=2"}]},
  {"name": "older", "steps": [{"name": "View Program", "query": "/code?ctx=2&step=0"}]},
  {"name": "elsewhere", "steps": [
    {"name": "View Source", "query": "//evil.org/code"},
    {"name": "View Disassembly", "query": "http://evil.org/asm"}]},
  7, null, {"name": 5, "steps": [5, {"name": []}]}])";

std::map<std::string, std::string> bodies() {
  return {{"/ctxs", list},
          {"/code?ctx=1&step=1", R"({"src": "void r_4() {\n}\n", "data": {"rows": []}})"},
          {"/asm?ctx=1&step=2", R"({"src": "s_endpgm\n"})"},
          {"/code?ctx=2&step=0", R"({"source": "x"})"}};
}

class Texts : public testing::Test {
protected:
  explicit Texts(std::map<std::string, std::string> served = bodies())
      : server(tests::serving(std::move(served))), texts(*url_from(server.url())) {}
  std::string error(std::uint32_t ref, TextKind kind = TextKind::source) {
    const auto found = texts.text(ref, kind, Cancel());
    return found ? "none" : text(found.error());
  }
  HttpServer server;
  ProgramTexts texts;
};

TEST_F(Texts, AreFetchedOnceEach) {
  for (int i = 0; i < 3; ++i) {
    const auto source = texts.text(1, TextKind::source, Cancel());
    ASSERT_TRUE(source) << text(source.error());
    EXPECT_EQ((*source)->text, "void r_4() {\n}\n");
    EXPECT_EQ((*source)->program, "r_\x1b[34m4\x1b[0m");
    EXPECT_EQ((*texts.text(1, TextKind::disassembly, Cancel()))->text, "s_endpgm\n");
  }
  EXPECT_EQ(server.targets(),
            (std::vector<std::string>{"/ctxs", "/code?ctx=1&step=1", "/asm?ctx=1&step=2"}));
}

/// The text of a program whose viewer answers that.
std::string text_told(const std::string& answer) {
  const HttpServer server(tests::serving({{"/ctxs", list}, {"/asm?ctx=1&step=2", answer}}));
  ProgramTexts texts(*url_from(server.url()));
  const auto found = texts.text(1, TextKind::disassembly, Cancel());
  return found ? (*found)->text : text(found.error());
}

TEST(DataOfPrograms, StandsBeneathTheTextOrInItsPlace) {
  EXPECT_EQ(text_told(R"({"src": "a\n", "data": "b\nc"})"), "a\n\nb\nc");
  EXPECT_EQ(text_told(R"({"src": "a", "data": "b"})"), "a\n\nb");
  EXPECT_EQ(text_told(R"({"data": "b\nc"})"), "b\nc");
  for (const char* nothing : {"null", "\"\"", "{}", "[]", R"({"cols": ["x"], "rows": []})"})
    EXPECT_EQ(text_told(R"({"src": "a", "data": )" + std::string(nothing) + "}"), "a") << nothing;
  EXPECT_THAT(text_told(R"({"data": {}})"), HasSubstr("without a text"));
}

TEST(DataOfPrograms, TablesAreWrittenInColumns) {
  EXPECT_EQ(text_told(R"({"data": {"cols": ["Opcode", {"title": "Latency"}, "Use"],
                                   "rows": [["s_mov", 1, [0, 1]], ["v_add_f32", 12, null], "end"],
                                   "summary": [{"label": "cycles", "value": 13}], "none": null}})"),
            "Opcode     Latency  Use\n"
            "s_mov      1        [0,1]\n"
            "v_add_f32  12\n"
            "end\n"
            "summary: [{\"label\":\"cycles\",\"value\":13}]\n");
}

TEST(DataOfPrograms, AWideCellDoesNotWidenAllOthers) {
  const std::string wide(5000, 'x');
  const std::string told = text_told(R"({"data": {"rows": [[")" + wide + R"(", 1], ["a", 2]]}})");
  EXPECT_EQ(told, wide + "  1\na" + std::string(63, ' ') + "  2\n");
}

TEST_F(Texts, WhatIsNotThereIsTold) {
  EXPECT_EQ(error(0), "The viewer has no source of this program: " + server.url());
  EXPECT_EQ(error(2, TextKind::disassembly),
            "The viewer has no disassembly of this program: " + server.url());
  EXPECT_EQ(error(7), "The viewer knows no program 7 (it knows 7): " + server.url());
  EXPECT_EQ(error(UINT32_MAX),
            "The viewer knows no program 4294967295 (it knows 7): " + server.url());
  EXPECT_EQ(error(2), "The viewer answers without a text: " + server.url() + "/code?ctx=2&step=0");
  for (std::uint32_t ref = 4; ref < 7; ++ref) EXPECT_THAT(error(ref), HasSubstr("has no source"));
}

TEST_F(Texts, NoOtherServerIsAsked) {
  for (const TextKind kind : {TextKind::source, TextKind::disassembly})
    EXPECT_THAT(error(3, kind), HasSubstr("The viewer has no "));
  EXPECT_EQ(server.targets(), std::vector<std::string>{"/ctxs"});
}

TEST(TextsOfOddViewers, AreNotTaken) {
  const std::string deep(10'000, '[');
  for (const std::string& answer : {std::string("<html>"), std::string("{}"), std::string("5"),
                                    deep, std::string(R"(["\ud800"])"), std::string()}) {
    const HttpServer server(tests::serving({{"/ctxs", answer}}));
    ProgramTexts texts(*url_from(server.url()));
    const auto found = texts.text(0, TextKind::source, Cancel());
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().kind, ErrorKind::bad_input) << answer.substr(0, 20);
    EXPECT_EQ(found.error().path, server.url() + "/ctxs");
  }
  const HttpServer none(tests::serving({}));
  ProgramTexts texts(*url_from(none.url()));
  EXPECT_THAT(text(texts.text(0, TextKind::source, Cancel()).error()), HasSubstr("404"));
}

TEST(TextsOfOddViewers, AFailureIsNotKept) {
  std::atomic<int> asked{0};
  const HttpServer server([&](const HttpServer::Connection& connection) {
    const bool is_list = connection.target() == "/ctxs";
    connection.answer(!is_list ? R"({"src": "x"})" : asked++ == 0 ? "[" : list);
  });
  ProgramTexts texts(*url_from(server.url()));
  EXPECT_FALSE(texts.text(1, TextKind::source, Cancel()));
  EXPECT_TRUE(texts.text(1, TextKind::source, Cancel()));
}

}  // namespace
}  // namespace bytescope::net
