#include "core/query/search.h"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/query/fold_case.h"
#include "core/query/search_columns.h"
#include "core/trace/ansi.h"
#include "core/trace/loader.h"
#include "tests/support/plain_search.h"
#include "tests/support/random_spans.h"
#include "tests/support/trace_files.h"
#include "tests/support/trace_maker.h"

namespace bytescope::query {
namespace {

using bytepack::TraceDescription;
using tests::parsed;
using tests::PlainSearch;
using tests::SpanShape;

std::shared_ptr<const SearchResult> search(const std::shared_ptr<const trace::Trace>& trace,
                                           const std::string& line,
                                           std::shared_ptr<const SearchResult> known = nullptr,
                                           std::size_t listed = 1000) {
  const SearchRequest request{trace, parsed(line), std::move(known), listed, 2};
  return run_search(request, never, nullptr);
}

void expect_same(const SearchResult& result, const PlainSearch& plain, const std::string& line) {
  SCOPED_TRACE(line);
  ASSERT_TRUE(result.complete);
  EXPECT_EQ(result.hits(), plain.hits.size());
  EXPECT_EQ(result.records_searched, result.records_total);
  const std::size_t listed = std::min<std::size_t>(1000, plain.hits.size());
  EXPECT_TRUE(std::equal(result.by_time.begin(), result.by_time.end(), plain.hits.begin(),
                         plain.hits.begin() + static_cast<std::ptrdiff_t>(listed)));
  std::vector<SearchHit> longest = plain.by_duration();
  longest.resize(std::min<std::size_t>(1000, longest.size()));
  EXPECT_EQ(result.by_duration, longest);
  std::map<std::uint32_t, std::uint64_t> counts;
  for (const SearchHit& hit : plain.hits) ++counts[hit.track];
  for (std::uint32_t track = 0; track < result.tracks.size(); ++track)
    EXPECT_EQ(result.tracks[track].count(), counts[track]) << track;
  EXPECT_EQ(result.markers.size(), counts[SearchHit::marker]);
  for (const SearchHit& hit : plain.hits) {
    if (!hit.is_marker()) {
      EXPECT_TRUE(result.contains(hit.track, hit.record));
    }
  }
}

/// Texts that are hard to search: escapes, colours, other alphabets, bytes that are not UTF-8.
std::vector<std::string> odd_texts() {
  return {"r_\x1b[34m64\x1b[0m_\x1b[31m4\x1b[0m",
          "E_128",
          "Größe ΣΑΣ",
          "a\nnew\tline",
          R"({"FLOPS": 1.5e9, "metadata": "sum\n\"quoted\" /usr/lib"})",
          "\xED\xA0\x80 surrogate",
          "漢字🙂",
          "KELVIN \u212A",
          "",
          "back\\slash",
          std::string(3000, 'x') + "Needle" + std::string(100, 'y'),
          "copy 4096 -> AMD:1",
          "\x1b[",
          "nested \x1b[1mbo\x1b[0mld n"};
}

/// Several tracks of random spans whose names and infos are odd.
TraceDescription odd_trace(std::uint32_t seed, std::uint32_t spans_per_track) {
  std::mt19937 random(seed);
  const std::vector<std::string> texts = odd_texts();
  const auto any = [&] { return texts[random() % texts.size()]; };
  TraceDescription trace;
  const std::vector<std::string> names = {"AMD", "AMD:1", "TINY", "Größe \x1b[31mrot\x1b[0m"};
  for (std::size_t t = 0; t < names.size(); ++t) {
    bytepack::TrackDescription track;
    track.name = names[t];
    const SpanShape shape = tests::span_shapes()[(seed + t) % tests::span_shapes().size()];
    track.spans = tests::random_spans(shape, spans_per_track, seed + static_cast<std::uint32_t>(t));
    for (bytepack::SpanDescription& span : track.spans) {
      if (random() % 2 == 0) span.name = any();
      if (random() % 4 == 0) span.info = any() + std::to_string(random() % 300);
    }
    trace.tracks.push_back(std::move(track));
  }
  trace.markers = {{12.5, "step \x1b[34m1\x1b[0m", "gray"},
                   {3.0, "GRÖSSE", ""},
                   {std::nullopt, "step 2", ""},
                   {3.0, "größe", ""},
                   {-4.0, "step 3", ""},
                   {9.0, std::nullopt, ""}};
  return trace;
}

const std::vector<std::string>& odd_lines() {
  static const std::vector<std::string> lines = {"r_64_4",
                                                 "R_6",
                                                 "e",
                                                 "größe",
                                                 "GRÖSSE σασ",
                                                 "new",
                                                 "nnew",
                                                 "\"a\nnew\"",
                                                 "quoted",
                                                 "\"/usr\"",
                                                 R"("\"quoted")",
                                                 "k",
                                                 "kelvin",
                                                 "bold",
                                                 "1mbo",
                                                 "slash",
                                                 "\\slash",
                                                 "needle",
                                                 "xneedley",
                                                 "zzz",
                                                 "字",
                                                 "name:64",
                                                 "info:64",
                                                 "track:amd",
                                                 "track:rot e",
                                                 "dur>3us",
                                                 "dur<=0",
                                                 "e dur>1us dur<5us",
                                                 "step",
                                                 "name:step",
                                                 "info:step",
                                                 "/^r_\\d+/",
                                                 "/x{50}n/",
                                                 "info:/\\d$/ name:e",
                                                 "a e",
                                                 "copy name:-",
                                                 "track:amd:1 64",
                                                 "7 4 info:2",
                                                 "\x1b",
                                                 ""};
  return lines;
}

TEST(Search, FindsWhatReadingEverythingFinds) {
  for (const char letter : {'A', 'D', 'K'}) {
    const auto trace =
        tests::load_description(odd_trace(static_cast<unsigned char>(letter), 250), letter);
    ASSERT_NE(trace, nullptr);
    std::size_t found = 0;
    for (const std::string& line : odd_lines()) {
      const SearchTerms terms = parsed(line);
      const PlainSearch plain(*trace, terms);
      expect_same(*search(trace, line), plain, line);
      found += plain.hits.empty() ? 0 : 1;
    }
    EXPECT_GT(found, odd_lines().size() / 2);
  }
}

/// Many strings, so that they lie in several groups, with and without unusual letters.
TEST(Search, MatchesStringsOfAllLengths) {
  std::mt19937 random(4);
  bytepack::TraceDescription description = tests::one_track({});
  const std::vector<std::string> parts = {"a",  "B", "n",  "\n", "\"",
                                          "\\", "/", "12", " ",  "long stretch of text"};
  for (std::uint32_t i = 0; i < 1500; ++i) {
    std::string info;
    for (std::size_t n = random() % 12; n > 0; --n) info += parts[random() % parts.size()];
    if (i / 100 % 5 == 0 && i % 10 == 0) info += "\x1b[1mé\x1b[0m";
    description.tracks[0].spans.push_back({"k", i, 1, info + std::to_string(i)});
  }
  const auto trace = tests::load_description(description, 'K');
  for (const std::string& line :
       {std::string("n"), std::string("ab"), std::string("\"n12\""), std::string(R"("\"")"),
        std::string(R"("\\")"), std::string("\"/\""), std::string("\" 1\""), std::string("nn a"),
        std::string("É"), std::string("/n\\n/"), std::string("text12 n"), std::string("99")}) {
    const SearchTerms terms = parsed(line);
    const PlainSearch plain(*trace, terms);
    EXPECT_FALSE(plain.hits.empty()) << line;
    expect_same(*search(trace, line), plain, line);
  }
}

TEST(Search, NarrowingFromWhatIsKnownFindsTheSame) {
  const auto trace = tests::load_description(odd_trace(5, 1000), 'K');
  const std::vector<std::vector<std::string>> typed = {
      {"r", "r_", "r_6", "r_64", "r_64 e"},
      {"e", "e dur>1us", "e dur>2us track:amd", "el"},
      {"name:e", "name:e_", "e_"},
      {"/r_\\d/", "/r_\\d/ 4"},
      {"a e", "ab e", "a"},
      {"track:a", "track:am dur>1us"},
      {"info:2", "2", "22 info:2"}};
  for (const std::vector<std::string>& lines : typed) {
    std::shared_ptr<const SearchResult> known;
    for (const std::string& line : lines) {
      known = search(trace, line, known);
      const SearchTerms terms = parsed(line);
      expect_same(*known, PlainSearch(*trace, terms), line);
    }
  }
}

TEST(Search, GoesFromHitToHitOverTheWholeTrace) {
  const auto trace = tests::load_description(odd_trace(3, 400), 'K');
  io::PageReader reader(trace->file);
  for (const std::string& line : {std::string("64"), std::string("step"), std::string("größe"),
                                  std::string("e"), std::string("zzz")}) {
    const SearchTerms terms = parsed(line);
    const PlainSearch plain(*trace, terms);
    const auto result = search(trace, line);
    std::vector<SearchHit> forward;
    for (auto hit = hit_at_or_after(*result, reader, INT64_MIN); hit;
         hit = next_hit(*result, reader, *hit))
      forward.push_back(*hit);
    EXPECT_EQ(forward, plain.hits);
    std::vector<SearchHit> backward;
    for (auto hit = hit_before(*result, reader, INT64_MAX); hit;
         hit = previous_hit(*result, reader, *hit)) {
      EXPECT_EQ(hits_before(*result, reader, *hit), plain.hits.size() - 1 - backward.size());
      backward.push_back(*hit);
    }
    std::reverse(backward.begin(), backward.end());
    EXPECT_EQ(backward, plain.hits);
    for (std::int64_t time = -5000; time < 40'000; time += 500) {
      const auto at = std::find_if(plain.hits.begin(), plain.hits.end(),
                                   [time](const SearchHit& hit) { return hit.start_ns >= time; });
      const auto next = hit_at_or_after(*result, reader, time);
      EXPECT_EQ(next, at == plain.hits.end() ? std::nullopt : std::optional(*at));
      const auto before = hit_before(*result, reader, time);
      EXPECT_EQ(before, at == plain.hits.begin() ? std::nullopt : std::optional(*(at - 1)));
    }
  }
}

TEST(Search, ColumnsTellWhereHitsBegin) {
  const auto trace = tests::load_description(odd_trace(11, 3000), 'K');
  io::PageReader reader(trace->file);
  const std::int64_t end = trace::ns_from_unit(trace->frame.duration_us);
  const std::vector<Columns> windows = {{0, static_cast<double>(end) / 50, 51},
                                        {-2000, 700, 400},
                                        {end / 2, 1000.0 / 3, 900},
                                        {end / 3, static_cast<double>(end) / 9000, 500},
                                        {0, static_cast<double>(end) * 3, 2},
                                        {end * 2, 10, 5},
                                        {0, 1, 0}};
  for (const std::string& line : {std::string("r_64_4"), std::string("e"), std::string("new")}) {
    const SearchTerms terms = parsed(line);
    const PlainSearch plain(*trace, terms);
    const auto result = search(trace, line);
    for (const Columns& columns : windows) {
      std::vector<std::vector<std::uint8_t>> expected(trace->tracks.size(),
                                                      std::vector<std::uint8_t>(columns.count));
      for (const SearchHit& hit : plain.hits) {
        const double at = std::floor(columns.at(hit.start_ns));
        if (hit.is_marker() || at < 0 || at >= columns.count) continue;
        expected[hit.track][static_cast<std::size_t>(at)] = 1;
      }
      for (std::uint32_t track = 0; track < trace->tracks.size(); ++track)
        EXPECT_EQ(hit_columns(*result, reader, track, columns), expected[track]);
    }
  }
  EXPECT_EQ(marker_columns(*search(trace, "step"), {0, 5000, 3}),
            (std::vector<std::uint8_t>{0, 0, 1}));
}

TEST(Search, CountsAreExactInPiecesOfAnySize) {
  bytepack::TraceDescription description = tests::one_track({});
  std::vector<bytepack::SpanDescription>& spans = description.tracks[0].spans;
  const std::uint32_t count = SearchPiece::records + 777;
  for (std::uint32_t i = 0; i < count; ++i)
    spans.push_back({i % 1000 == 7 || i + 1 == count ? "wanted" : "other", i / 3, 1, "{}"});
  const auto trace = tests::load_description(description);
  const auto result = search(trace, "wanted");
  ASSERT_EQ(result->tracks[0].count(), count / 1000 + 2);
  EXPECT_EQ(result->tracks[0].before(UINT32_MAX), count - 1);
  EXPECT_EQ(result->tracks[0].at_or_after(SearchPiece::records - 144), SearchPiece::records - 137);
  EXPECT_EQ(result->tracks[0].rank(count - 1), count / 1000 + 1);
  EXPECT_EQ(result->tracks[0].rank(UINT32_MAX), count / 1000 + 2);
  EXPECT_EQ(result->tracks[0].at_or_after(UINT32_MAX), std::nullopt);
  EXPECT_FALSE(result->contains(0, UINT32_MAX));
}

TEST(Search, PublishesFirstHitsThenMore) {
  const auto trace = tests::load_description(odd_trace(2, 3000), 'K');
  std::vector<std::shared_ptr<const SearchResult>> published;
  const SearchRequest request{trace, parsed("name:r_64_4"), nullptr, 1000, 2};
  const auto last = run_search(
      request, never, [&published](auto result) { published.push_back(std::move(result)); });
  ASSERT_GE(published.size(), 2U);
  EXPECT_EQ(published.back(), last);
  EXPECT_FALSE(published.front()->complete);
  EXPECT_GT(published.front()->hits(), 0U);
  for (const auto& result : published) {
    for (const SearchHit& hit : result->by_time) EXPECT_TRUE(last->contains(hit.track, hit.record));
    for (const SearchHit& hit : result->by_duration)
      EXPECT_TRUE(last->contains(hit.track, hit.record));
  }
}

TEST(Search, ACancelledSearchGivesNothing) {
  const auto trace = tests::load_description(odd_trace(2, 100), 'K');
  Cancel cancel;
  cancel.request();
  EXPECT_EQ(run_search({trace, parsed("e"), nullptr, 10, 2}, cancel, nullptr), nullptr);
}

TEST(Search, FollowsAFileThatChanges) {
  const TraceDescription description = odd_trace(8, 500);
  const tests::TemporaryFile file(bytepack::encode(description, *bytepack::dialect_of('K')));
  const auto trace = *trace::load_trace(file.path(), {}, never);
  const auto known = search(trace, "e");
  std::mt19937 random(1);
  std::vector<std::byte> garbage(trace->file->size_bytes());
  for (std::byte& byte : garbage) byte = static_cast<std::byte>(random());
  file.write(garbage);
  for (const std::string& line : odd_lines()) {
    search(trace, line);
    search(trace, line, known);
  }
  file.write(std::vector<std::byte>(100));
  const auto result = search(trace, "dur>=0");
  io::PageReader reader(trace->file);
  hit_before(*known, reader, 1000);
  hits_before(*known, reader, {1000, 1, 5, 0});
  EXPECT_TRUE(trace->file->changed());
  EXPECT_EQ(result->records_searched, result->records_total);
}

TEST(Search, FindsTheSameInRealTraces) {
  std::size_t number = 0;
  for (const std::string& path : tests::real_traces()) {
    if (++number % 7 != 0) continue;
    const auto trace = trace::load_trace(path, {}, never);
    ASSERT_TRUE(trace) << path;
    for (const std::string& line : {std::string("r_ gflops"), std::string("info:gb"),
                                    std::string("do_to"), std::string("/n\\d+$/ dur>2us")}) {
      const SearchTerms terms = parsed(line);
      SCOPED_TRACE(line);
      expect_same(*search(*trace, line), PlainSearch(**trace, terms), path);
    }
  }
}

}  // namespace
}  // namespace bytescope::query
