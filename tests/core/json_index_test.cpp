#include "core/bytepack/json_index.h"

#include <fstream>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include "core/bytepack/little_endian.h"
#include "core/bytepack/string_scanner.h"
#include "core/io/utf8.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_files.h"

namespace bytescope::bytepack {
namespace {

/// An index in a file of its own, behind a few bytes that do not belong to it.
class IndexFile {
public:
  static constexpr std::uint64_t begin = 7;

  explicit IndexFile(const std::string& json) : size_(json.size()) {
    const std::string path = folder_ / "index.bin";
    std::ofstream(path, std::ios::binary) << std::string(begin, '"') << json << "\"tail\"";
    file_ = *io::InputFile::open(path);
  }

  Expected<JsonIndex> read() {
    return read_json_index(*file_, begin, size_, warnings, cancel, &progress);
  }
  std::string text(const JsonIndex& index, std::uint32_t id) const {
    io::PageReader reader(file_, 2);
    return index.strings.text(reader, id);
  }
  std::shared_ptr<const io::InputFile> file() const { return file_; }

  Warnings warnings;
  Cancel cancel;
  Progress progress;

private:
  tests::TemporaryFolder folder_;
  std::uint64_t size_;
  std::shared_ptr<const io::InputFile> file_;
};

std::vector<std::string> all_texts(const IndexFile& source, const JsonIndex& index) {
  io::PageReader reader(source.file(), 2);
  std::vector<std::string> texts;
  for (std::uint32_t i = 0; i < index.strings.size(); ++i) {
    texts.push_back(index.strings.text(reader, i));
  }
  return texts;
}

/// The byte that an index is refused for, counted from its beginning; none when it is accepted.
std::optional<std::uint64_t> refused_at(const std::string& json) {
  IndexFile source(json);
  const Expected<JsonIndex> index = source.read();
  if (index) return std::nullopt;
  EXPECT_EQ(index.error().kind, ErrorKind::bad_input);
  EXPECT_TRUE(index.error().where.byte) << text(index.error());
  return index.error().where.byte.value_or(0) - IndexFile::begin;
}

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

TEST(JsonIndex, ReadsEveryKnownKey) {
  IndexFile source(
      R"( {"strings": ["a", "b\n\u001b[34m", "", "€"], "dtypeSize": {"float": 4, "half": 2},
    "markers": [{"ts": 12.5, "name": "step 0", "color": "gray", "more": [1, {"x": null}]}, {}],
    "waveColors": [["WMMA", "#1F7857"]], "pcMap": {"256": "s_nop", "18446744073709551615": "s_end"},
    "new": {"nested": [[[1e5, -0.5, true, false, null, "\u00e9"]]]}} )");
  const Expected<JsonIndex> index = source.read();
  ASSERT_TRUE(index) << text(index.error());
  EXPECT_TRUE(source.warnings.list().empty());
  EXPECT_THAT(index->keys, testing::ElementsAre("strings", "dtypeSize", "markers", "waveColors",
                                                "pcMap", "new"));
  EXPECT_THAT(all_texts(source, *index), testing::ElementsAre("a", "b\n\033[34m", "", "€"));
  EXPECT_EQ(index->dtype_bytes.at("float"), 4U);
  EXPECT_EQ(index->dtype_bytes.size(), 2U);
  ASSERT_EQ(index->markers.size(), 2U);
  EXPECT_EQ(index->markers[0].time_us, 12.5);
  EXPECT_EQ(index->markers[0].name, "step 0");
  EXPECT_EQ(index->markers[0].color, "gray");
  EXPECT_FALSE(index->markers[1].time_us || index->markers[1].name || index->markers[1].color);
  EXPECT_THAT(index->wave_colors, testing::ElementsAre(testing::Pair("WMMA", 0x1F7857U)));
  EXPECT_EQ(index->pc_map.at(UINT64_MAX), "s_end");
  EXPECT_TRUE(index->has_pc_map && index->has_wave_colors);
}

TEST(JsonIndex, AnEmptyObjectIsAnIndex) {
  IndexFile source("{}");
  const Expected<JsonIndex> index = source.read();
  ASSERT_TRUE(index);
  EXPECT_EQ(index->strings.size(), 0U);
  EXPECT_TRUE(index->keys.empty());
  EXPECT_FALSE(index->has_pc_map || index->has_wave_colors);
  EXPECT_EQ(source.progress.bytes_done, 2U);
}

TEST(JsonIndex, RefusesWhatIsNoObjectAndNamesTheByte) {
  EXPECT_EQ(refused_at(""), 0U);
  EXPECT_EQ(refused_at("  "), 2U);
  EXPECT_EQ(refused_at("[1]"), 0U);
  EXPECT_EQ(refused_at(" null"), 1U);
  EXPECT_EQ(refused_at("{} x"), 3U);
  EXPECT_EQ(refused_at("{}{}"), 2U);
  EXPECT_EQ(refused_at(R"({"a":1,})"), 7U);
  EXPECT_EQ(refused_at(R"({"a" 1})"), 5U);
  EXPECT_EQ(refused_at(R"({a:1})"), 1U);
  EXPECT_EQ(refused_at(R"({"a":01})"), 7U);
  EXPECT_EQ(refused_at(R"({"a":1.})"), 7U);
  EXPECT_EQ(refused_at(R"({"a":nul})"), 8U);
  EXPECT_EQ(refused_at(R"({"a":[1,]})"), 8U);
  EXPECT_EQ(refused_at(R"({"a":[1}})"), 7U);
  EXPECT_EQ(refused_at(R"({"a":"\q"})"), 7U);
}

TEST(JsonIndex, RefusesBrokenStringsAndNamesTheByte) {
  EXPECT_EQ(refused_at(R"({"strings":["a",5]})"), 16U);
  EXPECT_EQ(refused_at(R"({"strings":["a",["b"]]})"), 16U);
  EXPECT_EQ(refused_at(R"({"strings":["a",null]})"), 16U);
  EXPECT_EQ(refused_at(R"({"strings":["a""b"]})"), 15U);
  EXPECT_EQ(refused_at(R"({"strings":["a",,"b"]})"), 16U);
  EXPECT_EQ(refused_at(R"({"strings":["a",]})"), 16U);
  EXPECT_EQ(refused_at(R"({"strings":[,"a"]})"), 12U);
  EXPECT_EQ(refused_at(R"({"strings":["\x"]})"), 14U);
  EXPECT_EQ(refused_at(R"({"strings":["\u12g4"]})"), 17U);
  EXPECT_EQ(refused_at("{\"strings\":[\"a\nb\"]}"), 14U);
  EXPECT_EQ(refused_at(R"({"strings":["a")"), 15U);
  EXPECT_EQ(refused_at(R"({"strings":["a)"), 14U);
}

TEST(JsonIndex, RefusesEveryTruncation) {
  const std::string whole =
      R"({"strings":["a\n","\u00e9b"],"dtypeSize":{"f":4},"markers":[{"ts":1,"name":"x"}],"z":[[{}]]})";
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_EQ(refused_at(whole.substr(0, size)), size);
  }
  EXPECT_EQ(refused_at(whole), std::nullopt);
}

TEST(JsonIndex, RefusesAnIndexLongerThanTheFile) {
  IndexFile source("{}");
  const std::uint64_t file_bytes = source.file()->size_bytes();
  const auto index =
      read_json_index(*source.file(), 7, UINT64_MAX - 3, source.warnings, source.cancel);
  ASSERT_FALSE(index);
  EXPECT_EQ(index.error().where.byte, file_bytes);
}

TEST(JsonIndex, OfDuplicateKeysTheLastCountsWithAWarning) {
  IndexFile source(
      R"({"strings":["a"],"dtypeSize":{"f":4},"strings":["b","c"],"dtypeSize":{"g":2}})");
  const Expected<JsonIndex> index = source.read();
  ASSERT_TRUE(index);
  EXPECT_THAT(all_texts(source, *index), testing::ElementsAre("b", "c"));
  EXPECT_EQ(index->dtype_bytes, (std::unordered_map<std::string, std::uint64_t>{{"g", 2}}));
  EXPECT_THAT(index->keys, testing::ElementsAre("strings", "dtypeSize"));
  EXPECT_EQ(source.warnings.list().size(), 2U);
}

TEST(JsonIndex, IgnoresWhatHasAWrongTypeWithAWarning) {
  IndexFile source(R"({"strings":5,"dtypeSize":{"f":"4","g":-1,"h":1e99,"i":2,"j":4.0},"markers":[3,
    {"ts":"now","name":7,"color":null},{"ts":1e999}],"waveColors":[["a"],["b","red"],["c","#000001"]],
    "pcMap":{"x":"y","1":2,"3":"z"}})");
  const Expected<JsonIndex> index = source.read();
  ASSERT_TRUE(index) << text(index.error());
  EXPECT_EQ(index->strings.size(), 0U);
  EXPECT_EQ(index->dtype_bytes,
            (std::unordered_map<std::string, std::uint64_t>{{"i", 2}, {"j", 4}}));
  EXPECT_EQ(index->markers.size(), 2U);
  EXPECT_THAT(index->wave_colors, testing::ElementsAre(testing::Pair("c", 1U)));
  EXPECT_THAT(index->pc_map, testing::ElementsAre(testing::Pair(3U, "z")));
  ASSERT_EQ(source.warnings.list().size(), 5U);
  EXPECT_EQ(text(source.warnings.list()[1]),
            "3 values in `dtypeSize` of the index are ignored: too many or not what they should be "
            "at byte 37");
}

TEST(JsonIndex, DtypeSizeWinsOverDtypes) {
  IndexFile source(R"({"dtypeSize":{"f":4},"dtypes":{"f":5,"g":6}})");
  const Expected<JsonIndex> index = source.read();
  ASSERT_TRUE(index);
  EXPECT_EQ(index->dtype_bytes,
            (std::unordered_map<std::string, std::uint64_t>{{"f", 4}, {"g", 6}}));
}

TEST(JsonIndex, SkipsUnknownKeysOfAnyDepth) {
  const std::size_t depth = 100'000;
  for (const std::string& key : {std::string("x"), std::string("markers"), std::string("pcMap")}) {
    const std::string json = R"({")" + key + R"(":[)" + std::string(depth, '[') +
                             std::string(depth, ']') + R"(],"strings":["a"]})";
    IndexFile source(json);
    const Expected<JsonIndex> index = source.read();
    ASSERT_TRUE(index) << text(index.error());
    EXPECT_EQ(index->strings.size(), 1U);
  }
  EXPECT_TRUE(refused_at("{\"x\":" + std::string(depth, '[')));
}

TEST(JsonIndex, KeepsLoneSurrogatesAndReplacesBadBytes) {
  IndexFile source(
      "{\"strings\":[\"\\ud83d\\ude00\",\"\\ud83d\",\"\\ude00x\",\"\xff\xc3(\",\"\\ud83d\\u0041\"],"
      "\"markers\":[{\"name\":\"\\udc80\xff\"}]}");
  const Expected<JsonIndex> index = source.read();
  ASSERT_TRUE(index);
  EXPECT_THAT(all_texts(source, *index),
              testing::ElementsAre("\xF0\x9F\x98\x80", "\xED\xA0\xBD", "\xED\xB8\x80x",
                                   "\xEF\xBF\xBD\xEF\xBF\xBD(",
                                   "\xED\xA0\xBD"
                                   "A"));
  EXPECT_EQ(index->markers[0].name, "\xED\xB2\x80\xEF\xBF\xBD");
}

TEST(JsonIndex, AHostileNumberOfKeysAndMarkersIsBounded) {
  std::string json = "{\"markers\":[{}";
  for (int i = 0; i < 600'000; ++i) json += ",{}";
  json += "]";
  for (int i = 0; i < 5000; ++i) json += ",\"k" + std::to_string(i) + "\":0";
  IndexFile source(json + "}");
  const Expected<JsonIndex> index = source.read();
  ASSERT_TRUE(index);
  EXPECT_EQ(index->keys.size(), 4096U);
  EXPECT_EQ(index->markers.size(), (64U << 20U) / 128U);
  EXPECT_EQ(source.warnings.list().size(), 2U);
}

TEST(JsonIndex, AnyDamageIsReadOrRefusedAtAByteInside) {
  std::mt19937 random(8);
  const std::string whole =
      R"({"strings":["a\n","\u00e9b","{\"FLOPS\": 1}"],"dtypeSize":{"f":4},"markers":[{"ts":1.5,)"
      R"("name":"x","color":"gray"}],"waveColors":[["a","#010203"]],"pcMap":{"1":"s"},"z":[[{}],-1e5]})";
  const std::string_view likely = "\"\\[]{},:0-e \n";
  std::size_t refused = 0;
  for (int round = 0; round < 500; ++round) {
    std::string json = whole;
    for (std::size_t i = 1 + random() % 3; i-- > 0;) {
      const bool any = random() % 4 == 0;
      json[random() % json.size()] =
          any ? static_cast<char>(random()) : likely[random() % likely.size()];
    }
    IndexFile source(json);
    const Expected<JsonIndex> index = source.read();
    if (index) {
      for (const std::string& text : all_texts(source, *index))
        EXPECT_LE(text.size(), 3 * json.size());
      continue;
    }
    ++refused;
    const std::uint64_t byte = index.error().where.byte.value_or(0);
    EXPECT_GE(byte, IndexFile::begin);
    EXPECT_LE(byte, IndexFile::begin + json.size());
  }
  EXPECT_GT(refused, 100U);
  EXPECT_LT(refused, 500U);
}

TEST(JsonIndex, StopsWhenAsked) {
  IndexFile source(R"({"strings":["a"]})");
  source.cancel.request();
  const Expected<JsonIndex> index = source.read();
  ASSERT_FALSE(index);
  EXPECT_EQ(index.error().kind, ErrorKind::cancelled);
}

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

TEST(JsonIndex, AgreesWithTheTruthOfEveryRealTrace) {
  const std::vector<std::string> paths = tests::real_traces();
  if (paths.empty()) GTEST_SKIP() << "no real traces here (BYTESCOPE_TRACES)";
  for (const std::string& path : paths) {
    SCOPED_TRACE(path);
    const auto file = *io::InputFile::open(path);
    std::array<std::byte, 20> head{};
    file->read_at(0, head);
    Warnings warnings;
    const auto index =
        read_json_index(*file, 20, load<std::uint32_t>(head.data() + 12), warnings, Cancel());
    ASSERT_TRUE(index) << text(index.error());
    EXPECT_TRUE(warnings.list().empty());

    simdjson::dom::parser parser;
    const std::string truth_path = path.substr(0, path.size() - 4) + ".truth.json";
    const simdjson::dom::element truth = parser.load(truth_path);
    EXPECT_EQ(index->strings.size(), std::uint64_t{truth["strings"]});
    std::vector<std::string> keys;
    for (const simdjson::dom::element key : truth["index_keys"]) {
      keys.emplace_back(std::string_view(key));
    }
    EXPECT_EQ(index->keys, keys);
    for (const auto& [name, size] : simdjson::dom::object(truth["dtypeSize"])) {
      EXPECT_EQ(index->dtype_bytes.at(std::string(name)), std::uint64_t{size});
    }
    simdjson::dom::array markers;
    if (truth["markers"].get(markers) != simdjson::SUCCESS) continue;
    ASSERT_EQ(index->markers.size(), markers.size());
    std::size_t i = 0;
    for (const simdjson::dom::element marker : markers) {
      EXPECT_EQ(index->markers[i].time_us, double{marker["ts"]});
      EXPECT_EQ(index->markers[i].name, std::string_view(marker["name"]));
      std::string_view color;
      if (marker["color"].get(color) == simdjson::SUCCESS) {
        EXPECT_EQ(index->markers[i].color, color);
      }
      ++i;
    }
  }
}

}  // namespace bytescope::bytepack
