#include "core/bytepack/json_index.h"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include "core/bytepack/little_endian.h"
#include "tests/support/index_file.h"
#include "tests/support/trace_files.h"

namespace bytescope::bytepack {
namespace {

using tests::all_texts;
using tests::IndexFile;

/// The byte that an index is refused for, counted from its beginning; none when it is accepted.
std::optional<std::uint64_t> refused_at(const std::string& json) {
  IndexFile source(json);
  const Expected<JsonIndex> index = source.read();
  if (index) return std::nullopt;
  EXPECT_EQ(index.error().kind, ErrorKind::bad_input);
  EXPECT_TRUE(index.error().where.byte) << text(index.error());
  return index.error().where.byte.value_or(0) - IndexFile::begin;
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
