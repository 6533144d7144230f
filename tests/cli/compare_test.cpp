#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/trace/ansi.h"
#include "tests/cli/program.h"
#include "tests/support/packed_bytes.h"
#include "tests/support/trace_files.h"
#include "tests/support/trace_maker.h"

namespace bytescope::tests {
namespace {

using testing::HasSubstr;

std::vector<std::byte> bytes_of(const bytepack::TraceDescription& trace) {
  return bytepack::encode(trace, *bytepack::dialect_of('L'));
}

bytepack::TraceDescription changed_trace() {
  bytepack::TraceDescription trace = varied_trace('L');
  trace.tracks[0].spans[1].name = "E_16";
  trace.tracks[0].spans[2].duration = 4.0F;
  trace.tracks[2].memory[3].length = 500;
  return trace;
}

TEST(CompareCommand, JsonHasWhatIsPromised) {
  const TemporaryFile a(bytes_of(varied_trace('L')));
  const TemporaryFile b(bytes_of(changed_trace()));
  const Finished run = run_program({"compare", a.path(), b.path(), "--json"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(run.errors, "");
  const Json json(run.output);
  EXPECT_EQ(std::string_view(json["a"]), a.path());
  EXPECT_EQ(std::string_view(json["b"]), b.path());
  EXPECT_EQ(text_of(json["kernels"]),
            R"([{"name":"r_64","count":[2,2],"total_us":[5.5,7.5],"mean_us":[2.75,3.75],)"
            R"("delta_us":2,"delta_mean_us":1},)"
            R"({"name":"E_16","count":[null,1],"total_us":[null,0.25],"mean_us":[null,0.25],)"
            R"("delta_us":0.25,"delta_mean_us":null},)"
            R"({"name":"E_8","count":[1,null],"total_us":[0.25,null],"mean_us":[0.25,null],)"
            R"("delta_us":-0.25,"delta_mean_us":null}])");
  EXPECT_EQ(text_of(json["memory"]),
            R"([{"track":"AMD Memory","peak":[450,2050],"at_peak":[)"
            R"({"dtype":"float","length":500,"count":[null,1],"bytes":[null,2000],)"
            R"("delta_count":1,"delta_bytes":2000},)"
            R"({"dtype":"float","length":100,"count":[1,null],"bytes":[400,null],)"
            R"("delta_count":-1,"delta_bytes":-400},)"
            R"({"dtype":"unsigned char","length":50,"count":[1,1],"bytes":[50,50],)"
            R"("delta_count":0,"delta_bytes":0}]}])");
}

TEST(CompareCommand, TextMarksNewAndGoneKernels) {
  const TemporaryFile a(bytes_of(varied_trace('L')));
  const TemporaryFile b(bytes_of(changed_trace()));
  const Finished run = run_program({"compare", a.path(), b.path()});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.output, HasSubstr("new   E_16"));
  EXPECT_THAT(run.output, HasSubstr("gone  E_8"));
  EXPECT_THAT(run.output,
              testing::ContainsRegex("r_64 .* 2.75 \u00B5s +3.75 \u00B5s +\\+1.00 \u00B5s"));
  EXPECT_THAT(run.output, testing::ContainsRegex("float +100 +1 +- +-1 +400 B"));
  EXPECT_THAT(run.output, HasSubstr("AMD Memory: peak A 450 B, B 2.05 kB, +1.60 kB"));
}

TEST(CompareCommand, NamesThatDifferOnlyInColourCodesAreTheSame) {
  bytepack::TraceDescription plain = varied_trace('L');
  bytepack::TraceDescription colored = plain;
  for (bytepack::TrackDescription& track : plain.tracks)
    for (auto& span : track.spans) span.name = trace::plain_text(span.name);
  for (bytepack::TrackDescription& track : colored.tracks) {
    for (auto& span : track.spans)
      span.name = "\x1b[31m" + trace::plain_text(span.name).substr(0, 1) + "\x1b[0m" +
                  trace::plain_text(span.name).substr(1);
  }
  const TemporaryFile a(bytes_of(plain));
  const TemporaryFile b(bytes_of(colored));
  const Finished run = run_program({"compare", a.path(), b.path(), "--json"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  const Json json(run.output);
  std::vector<std::string> names;
  for (const simdjson::dom::element kernel : json["kernels"]) {
    names.emplace_back(std::string_view(kernel["name"]));
    EXPECT_EQ(double{kernel["delta_us"]}, 0);
    EXPECT_EQ(text_of(kernel["count"].get_array().at(0)),
              text_of(kernel["count"].get_array().at(1)));
  }
  EXPECT_THAT(names, testing::UnorderedElementsAre("r_64", "E_8"));
}

TEST(CompareCommand, TwoRangesOfOneFile) {
  const TemporaryFile file(bytes_of(varied_trace('L')));
  const Finished run =
      run_program({"compare", file.path(), "--range", "0us..4us", "--range", "6us..", "--json"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  const Json json(run.output);
  EXPECT_EQ(std::string_view(json["a"]), "0us..4us");
  EXPECT_EQ(text_of(json["kernels"].get_array().at(1)["count"]), "[1,1]");
  EXPECT_EQ(text_of(json["memory"].get_array().at(0)["peak"]), "[450,150]");
}

TEST(CompareCommand, OtherArgumentsAreWrongUsage) {
  const TemporaryFile file(bytes_of(varied_trace('L')));
  const std::string& path = file.path();
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"compare", path},
        {"compare", path, "--range", "0..2"},
        {"compare", path, path, "--range", "0..2"},
        {"compare", path, "--range", "0..2", "--range", "2..2"}}) {
    const Finished run = run_program(arguments);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.output, "");
  }
  EXPECT_EQ(run_program({"compare", path, "/nowhere/at/all"}).exit_code, 1);
}

TEST(CompareCommand, ATraceIsLikeItself) {
  for (const std::string& path : real_traces()) {
    if (path.find("-mem.bin") == std::string::npos) continue;
    SCOPED_TRACE(path);
    const Json json(run_program({"compare", path, path, "--json"}).output);
    for (const simdjson::dom::element kernel : json["kernels"])
      EXPECT_EQ(double{kernel["delta_us"]}, 0);
    for (const simdjson::dom::element memory : json["memory"])
      EXPECT_EQ(text_of(memory["peak"].get_array().at(0)),
                text_of(memory["peak"].get_array().at(1)));
  }
}

TEST(Compressed, EveryCommandOpensIt) {
  const TemporaryFile plain(bytes_of(varied_trace('L')));
  for (const auto& bytes :
       {gzipped(bytes_of(varied_trace('L'))), zstandard(bytes_of(varied_trace('L')))}) {
    const TemporaryFile packed(bytes);
    for (const std::vector<std::string>& more : {std::vector<std::string>{"stats"},
                                                 {"gaps"},
                                                 {"dump", "--track", "AMD"},
                                                 {"memory", "--track", "AMD Memory"},
                                                 {"search", "r_"}}) {
      std::vector<std::string> arguments = {more[0], plain.path()};
      arguments.insert(arguments.end(), more.begin() + 1, more.end());
      const Finished expected = run_program(arguments);
      arguments[1] = packed.path();
      const Finished run = run_program(arguments);
      EXPECT_EQ(run.exit_code, 0) << run.errors;
      EXPECT_EQ(run.output, expected.output);
    }
  }
}

TEST(Compressed, WhatIsWrongIsToldWithTheByteAndThePathLast) {
  std::vector<std::byte> cut = gzipped(bytes_of(varied_trace('L')));
  cut.resize(cut.size() - 20);
  const TemporaryFile file(cut);
  const Finished run = run_program({"info", file.path()});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.output, "");
  EXPECT_EQ(run.errors, "error: The compressed file is cut short at byte " +
                            std::to_string(cut.size()) + ": " + file.path() + "\n");
  const TemporaryFile twice(zstandard(gzipped(bytes_of(varied_trace('L')))));
  EXPECT_THAT(run_program({"info", twice.path()}).errors, HasSubstr("compressed twice"));
}

}  // namespace
}  // namespace bytescope::tests
