#include "core/io/json_text.h"

#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include "core/io/byte_block.h"
#include "core/io/json_reader.h"
#include "core/io/json_writer.h"
#include "core/io/utf8.h"

namespace bytescope::io {
namespace {

std::string random_bytes(std::mt19937& random, std::size_t size) {
  const std::string_view likely = "\"\\,n \x1f\x20\xE2\x82\xAC\xED\xA0\x80\xF0\x9F\x98\x80";
  std::string bytes;
  while (bytes.size() < size) {
    bytes += random() % 4 == 0 ? static_cast<char>(random()) : likely[random() % likely.size()];
  }
  return bytes;
}

std::string json_string(std::string_view text) {
  std::string json;
  append_json_string(json, text);
  return json;
}

template <class T>
std::string json_number(T value) {
  std::string json;
  append_json_number(json, value);
  return json;
}

template <class Block>
void expect_masks(const std::string& bytes) {
  const Block block(bytes.data());
  for (const char wanted : {'"', '\\', ',', '\0', '\x80', '\xff'}) {
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < 64; ++i) mask |= std::uint64_t{bytes[i] == wanted} << i;
    ASSERT_EQ(block.equal(wanted), mask);
  }
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < 64; ++i) {
    mask |= std::uint64_t{static_cast<unsigned char>(bytes[i]) < 32} << i;
  }
  ASSERT_EQ(block.control(), mask);
  mask = 0;
  for (std::size_t i = 0; i < 64; ++i)
    mask |= std::uint64_t{static_cast<unsigned char>(bytes[i]) >= 128} << i;
  ASSERT_EQ(block.non_ascii(), mask);
}

}  // namespace

TEST(ByteBlock, MasksAreWhatALoopFinds) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    const std::string bytes = random_bytes(random, 64);
    expect_masks<PortableByteBlock>(bytes);
    expect_masks<ByteBlock>(bytes);
  }
}

TEST(FindJsonSpecial, FindsTheFirstAtAnyPlace) {
  for (std::size_t size = 0; size < 200; ++size) {
    const std::string plain(size, '\xE9');
    EXPECT_EQ(find_json_special(plain.data(), plain.data() + size), plain.data() + size);
    for (const char special : {'"', '\\', '\n'}) {
      std::string text = plain + special + '"';
      EXPECT_EQ(find_json_special(text.data(), text.data() + text.size()), text.data() + size);
    }
  }
}

TEST(Utf8, EveryCodePointSurvives) {
  for (char32_t value = 0; value < 0x110000; value += value < 0x3000 ? 1 : 61) {
    std::string text;
    append_code_point(text, value);
    const CodePoint point = first_code_point(text);
    ASSERT_TRUE(point.valid);
    ASSERT_EQ(point.value, value);
    ASSERT_EQ(point.size_bytes, text.size());
  }
}

TEST(Utf8, OverlongShortAndStrayBytesAreInvalidOneByOne) {
  for (const std::string_view bad : {"\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xF0\x80\x80\x80",
                                     "\x80", "\xE2\x82", "\xF4\x90\x80\x80", "\xFF", "\xC3("}) {
    const CodePoint point = first_code_point(bad);
    EXPECT_FALSE(point.valid);
    EXPECT_EQ(point.size_bytes, 1U);
  }
}

TEST(Utf8, PrintableReplacesSurrogatesAndBadBytes) {
  EXPECT_EQ(printable_utf8("a\xED\xA0\x80\xFFé"), "a\xEF\xBF\xBD\xEF\xBF\xBDé");
}

TEST(JsonString, EscapesWhatMustBeAndOnlyThat) {
  EXPECT_EQ(json_string(std::string_view("a\"\\\n\r\t\0\x1b/\x7Fé😀", 16)),
            "\"a\\\"\\\\\\n\\r\\t\\u0000\\u001b/\x7Fé😀\"");
  EXPECT_EQ(json_string("\xED\xA0\xBDx\xED\xB8\x80"), R"("\ud83dx\ude00")");
  EXPECT_EQ(json_string("\u0080\u009B\u00A0"), "\"\\u0080\\u009b\u00A0\"");
  EXPECT_EQ(json_string("\xFF\xC3"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

TEST(JsonString, ReplacesOverlongCutAndTooLargeSequencesByteByByte) {
  const std::string replaced = "\xEF\xBF\xBD";
  EXPECT_EQ(json_string("\xC0\x80"), '"' + replaced + replaced + '"');
  EXPECT_EQ(json_string("\xE2\x82"), '"' + replaced + replaced + '"');
  EXPECT_EQ(json_string("\xF4\x90\x80\x80x"),
            '"' + replaced + replaced + replaced + replaced + "x\"");
}

TEST(JsonString, AnyBytesAreValidJsonThatReadsBack) {
  std::mt19937 random(9);
  simdjson::dom::parser parser;
  for (int round = 0; round < 2000; ++round) {
    const std::string bytes = random_bytes(random, random() % 200);
    const std::string json = json_string(bytes);
    std::string expected;
    for (std::string_view rest = bytes; !rest.empty();) {
      const CodePoint point = first_code_point(rest);
      append_code_point(expected, point.value);
      rest.remove_prefix(point.size_bytes);
    }
    std::string decoded;
    append_decoded_json(decoded, std::string_view(json).substr(1, json.size() - 2));
    ASSERT_EQ(decoded, expected);
    const bool has_surrogate = expected != printable_utf8(expected);
    if (has_surrogate) continue;
    ASSERT_EQ(std::string_view(parser.parse(json)), expected);
  }
}

TEST(JsonNumber, IsTheShortestThatReadsBack) {
  EXPECT_EQ(json_number(0.1F), "0.1");
  EXPECT_EQ(json_number(5.0F), "5");
  EXPECT_EQ(json_number(16777216.0F), "16777216");
  EXPECT_EQ(json_number(5.699999809265137F), "5.7");
  EXPECT_EQ(json_number(1e300), "1e+300");
  EXPECT_EQ(json_number(std::numeric_limits<float>::quiet_NaN()), "null");
  EXPECT_EQ(json_number(-std::numeric_limits<double>::infinity()), "null");
}

TEST(JsonWriter, PutsCommasAndReadsBack) {
  std::string out;
  {
    JsonWriter json(out);
    json.begin_object().member("file", "a.bin").member("n", UINT64_MAX).member("i", -3);
    json.key("list").begin_array().value(true).null().value(0.5F).begin_array().end_array();
    json.begin_object().end_object().end_array().member("none", std::optional<std::uint32_t>());
    json.member("some", std::optional<std::string>("x")).end_object().end_line();
    json.value("second").end_line();
  }
  EXPECT_EQ(
      out,
      "{\"file\":\"a.bin\",\"n\":18446744073709551615,\"i\":-3,\"list\":[true,null,0.5,[],{}],"
      "\"none\":null,\"some\":\"x\"}\n\"second\"\n");
}

TEST(JsonWriter, StreamsPiecesIntoASink) {
  std::string all;
  std::size_t pieces = 0;
  std::size_t longest = 0;
  {
    JsonWriter json([&](std::string_view piece) {
      all += piece;
      ++pieces;
      longest = std::max(longest, piece.size());
    });
    json.begin_array();
    for (int i = 0; i < 50'000; ++i) json.begin_object().member("index", i).end_object();
    json.end_array();
  }
  EXPECT_GT(pieces, 5U);
  EXPECT_LT(longest, 70'000U);
  simdjson::dom::parser parser;
  EXPECT_EQ(simdjson::dom::array(parser.parse(all)).size(), 50'000U);
}

TEST(JsonReader, TakesEveryKindOfValue) {
  JsonReader json(
      R"( {"a": [1, -2.5e3, "x\u00e9", true, null, {}, []], "b": 18446744073709551615} )");
  std::string key;
  json.enter_object();
  ASSERT_TRUE(json.next_key(key));
  EXPECT_EQ(key, "a");
  json.enter_array();
  std::vector<JsonType> types;
  while (json.next_element()) {
    types.push_back(json.peek());
    switch (types.size()) {
      case 1: EXPECT_EQ(u64_from_json(json.take_number_text()), 1U); break;
      case 2: EXPECT_EQ(double_from_json(json.take_number_text()), -2500); break;
      case 3: EXPECT_EQ(json.take_string(), "xé"); break;
      default: json.skip_value();
    }
  }
  EXPECT_THAT(types, testing::ElementsAre(JsonType::number, JsonType::number, JsonType::string,
                                          JsonType::boolean, JsonType::null, JsonType::object,
                                          JsonType::array));
  ASSERT_TRUE(json.next_key(key));
  EXPECT_EQ(u64_from_json(json.take_number_text()), UINT64_MAX);
  EXPECT_FALSE(json.next_key(key));
  json.finish();
  EXPECT_TRUE(json.ok());
}

TEST(JsonReader, SkipsExactlyWhatSimdjsonAccepts) {
  std::mt19937 random(21);
  const std::string_view tokens[] = {"[",    "]",  "{",  "}",         "\"k\":", "\"v\"", ",",
                                     ":",    "1",  " ",  "0",         "true",   "false", "null",
                                     "-1.5", "1e", "01", R"("\u12")", ",",      "]",     "}",
                                     "[",    "1",  "\"", "-",         "[]",     "{}"};
  simdjson::dom::parser parser;
  std::size_t accepted = 0;
  for (int round = 0; round < 30'000; ++round) {
    std::string text = round % 2 == 0 ? "[" : R"({"k":)";
    for (std::size_t i = random() % 6; i-- > 0;) text += tokens[random() % std::size(tokens)];
    text += round % 2 == 0 ? "]" : "}";
    JsonReader json(text);
    json.skip_value();
    if (json.ok()) json.finish();
    const bool valid = parser.parse(text).error() == simdjson::SUCCESS;
    ASSERT_EQ(json.ok(), valid) << text;
    accepted += valid ? 1 : 0;
  }
  EXPECT_GT(accepted, 1000U);
}

TEST(JsonReader, AfterAFailureEverythingIsNothing) {
  JsonReader json("[1, x]");
  json.enter_array();
  EXPECT_TRUE(json.next_element());
  json.skip_value();
  EXPECT_FALSE(json.next_element());
  EXPECT_FALSE(json.ok());
  EXPECT_EQ(json.error().byte, 4U);
  EXPECT_EQ(json.peek(), JsonType::none);
  EXPECT_EQ(json.take_string(), "");
  json.skip_value();
  json.enter_object();
  EXPECT_EQ(json.error().byte, 4U);
}

TEST(JsonReader, CutsLongTextsAndRefusesEndlessNesting) {
  const std::string text = '"' + std::string(5000, 'x') + '"';
  JsonReader json(text);
  EXPECT_EQ(json.take_string(10), "xxxxxxxxxx");
  json.finish();
  EXPECT_TRUE(json.ok());
  const std::string nested(JsonReader::max_depth + 10, '[');
  JsonReader deep(nested);
  deep.skip_value();
  EXPECT_FALSE(deep.ok());
}

TEST(JsonReader, NumbersKnowTheirLimits) {
  EXPECT_EQ(u64_from_json("4.0"), 4U);
  EXPECT_EQ(u64_from_json("1e3"), 1000U);
  EXPECT_EQ(u64_from_json("-1"), std::nullopt);
  EXPECT_EQ(u64_from_json("0.5"), std::nullopt);
  EXPECT_EQ(u64_from_json("18446744073709551616"), std::nullopt);
  EXPECT_EQ(double_from_json("1e999"), std::nullopt);
  EXPECT_EQ(double_from_json("-0.25"), -0.25);
}

}  // namespace bytescope::io
