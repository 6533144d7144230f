#include "core/bytepack/string_table.h"

#include <cstdio>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "core/bytepack/json_index.h"
#include "core/bytepack/string_scanner.h"
#include "core/io/utf8.h"
#include "tests/support/index_file.h"

namespace bytescope::bytepack {
namespace {

using tests::all_texts;
using tests::IndexFile;

std::string random_text(std::mt19937& random, std::size_t longest) {
  std::string text;
  const std::size_t size = random() % (longest + 1);
  while (text.size() < size) {
    switch (random() % 8) {
      case 0: io::append_code_point(text, static_cast<char32_t>(random() % 0x20)); break;
      case 1: text += random() % 2 == 0 ? '"' : '\\'; break;
      case 2: io::append_code_point(text, static_cast<char32_t>(0x80 + random() % 0x700)); break;
      case 3:
        io::append_code_point(text, static_cast<char32_t>(0xE000 + random() % 0x102000));
        break;
      default: text += static_cast<char>(' ' + random() % 94); break;
    }
  }
  return text;
}

void append_unicode_escape(std::string& json, char32_t unit, std::mt19937& random) {
  char buffer[8];
  std::snprintf(buffer, sizeof buffer, random() % 2 == 0 ? "\\u%04x" : "\\u%04X",
                static_cast<unsigned>(unit));
  json += buffer;
}

void append_escaped(std::string& json, char32_t value, std::mt19937& random) {
  const std::string_view letters = "\"\\/\b\f\n\r\t";
  const std::size_t letter =
      value < 0x80 ? letters.find(static_cast<char>(value)) : std::string_view::npos;
  if (letter != std::string_view::npos && random() % 3 != 0) {
    json += '\\';
    json += "\"\\/bfnrt"[letter];
  } else if (value >= 0x10000) {
    append_unicode_escape(json, 0xD800 + ((value - 0x10000) >> 10U), random);
    append_unicode_escape(json, 0xDC00 + ((value - 0x10000) & 0x3FFU), random);
  } else {
    append_unicode_escape(json, value, random);
  }
}

/// JSON for `text`, with escapes where they must be and here and there where they need not.
std::string random_json_string(std::string_view text, std::mt19937& random) {
  std::string json = "\"";
  while (!text.empty()) {
    const io::CodePoint point = io::first_code_point(text);
    const bool must = point.value < 0x20 || point.value == '"' || point.value == '\\';
    if (must || random() % 16 == 0) {
      append_escaped(json, point.value, random);
    } else {
      json += text.substr(0, point.size_bytes);
    }
    text.remove_prefix(point.size_bytes);
  }
  return json + '"';
}

std::string random_strings_json(const std::vector<std::string>& texts, std::mt19937& random) {
  std::string json = R"({"strings":[)";
  const bool usual = random() % 2 == 0;
  const auto space = [&]() -> std::string {
    if (usual) return "";
    return std::vector<std::string>{"", " ", "\n\t", "   \r"}[random() % 4];
  };
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) json += space() + ',' + (usual ? " " : space());
    json += random_json_string(texts[i], random);
  }
  return json + space() + "]}";
}

}  // namespace

TEST(StringTable, GivesBackRandomTextsAcrossPieces) {
  std::mt19937 random(11);
  for (const std::size_t longest : {8UL, 60UL, 3000UL}) {
    for (int round = 0; round < (longest > 1000 ? 1 : 3); ++round) {
      std::vector<std::string> texts;
      const std::size_t count = longest > 1000 ? 500 : random() % 200;
      for (std::size_t i = 0; i < count; ++i) texts.push_back(random_text(random, longest));
      IndexFile source(random_strings_json(texts, random));
      const Expected<JsonIndex> index = source.read();
      ASSERT_TRUE(index) << text(index.error());
      ASSERT_EQ(all_texts(source, *index), texts);
    }
  }
}

TEST(StringCursor, GivesTheSameTextsInARow) {
  std::mt19937 random(12);
  std::vector<std::string> texts;
  texts.reserve(3000);
  while (texts.size() < 3000) texts.push_back(random_text(random, 200));
  IndexFile source(random_strings_json(texts, random));
  const Expected<JsonIndex> index = source.read();
  ASSERT_TRUE(index);
  io::PageReader reader(source.file(), 2);
  StringCursor cursor = index->strings.walk_from(reader, 37);
  std::string text;
  for (std::size_t i = 32; i < texts.size(); ++i) {
    ASSERT_TRUE(cursor.next(text));
    ASSERT_EQ(text, texts[i]);
    reader.at(random() % source.file()->size_bytes(), 1);
    reader.at(0, 1);
    reader.at(io::PageReader::page_bytes, 1);
  }
  EXPECT_FALSE(index->strings.walk_from(reader, 1'000'000).skip());
}

TEST(StringTable, CutsAtTheLimitAndIsEmptyOutOfRange) {
  IndexFile source(R"({"strings":["abcdef",")" + std::string(3'000'000, 'x') + R"(","a\u00e9"]})");
  const Expected<JsonIndex> index = source.read();
  ASSERT_TRUE(index);
  io::PageReader reader(source.file(), 2);
  EXPECT_EQ(index->strings.text(reader, 0, 3), "abc");
  EXPECT_EQ(index->strings.text(reader, 1), std::string(3'000'000, 'x'));
  EXPECT_EQ(index->strings.text(reader, 2, 4), "a");
  EXPECT_EQ(index->strings.text(reader, 3), "");
  EXPECT_EQ(StringTable({5, 1 << 30}, 32).text(reader, 31), "");
}

TEST(StringScanner, TheFastWayAgreesWithTheSlowOneOnAnyBytes) {
  std::mt19937 random(5);
  const std::string_view alphabet = "\"\"\"\"\\\\,,  nu0a]\n";
  std::size_t accepted = 0;
  for (int round = 0; round < 10'000; ++round) {
    std::string bytes = "[\"" + std::string(random() % 70, 'x');
    const bool sane = round % 2 == 0;
    for (std::size_t i = random() % 300; i-- > 0;) {
      if (sane) {
        const std::string_view tokens[] = {"\", \"", "ab",    "\\\"",   "\\\\",
                                           "\\n",    "\",\"", "\\u00e9"};
        bytes += tokens[random() % 7];
      } else {
        bytes += alphabet[random() % alphabet.size()];
      }
    }
    bytes += "\"] tail";
    StringScanner fast(100);
    StringScanner slow(100);
    slow.use_slow_way_only();
    const std::size_t cut = random() % bytes.size();
    std::size_t taken = fast.feed(bytes.data(), cut);
    if (taken == cut) taken += fast.feed(bytes.data() + cut, bytes.size() - cut);
    ASSERT_EQ(taken, slow.feed(bytes.data(), bytes.size())) << bytes;
    ASSERT_EQ(fast.done(), slow.done());
    ASSERT_EQ(fast.count(), slow.count());
    ASSERT_STREQ(fast.error(), slow.error());
    ASSERT_EQ(fast.take_offsets(), slow.take_offsets());
    accepted += fast.done() ? 1 : 0;
  }
  EXPECT_GT(accepted, 2500U);
}

}  // namespace bytescope::bytepack
