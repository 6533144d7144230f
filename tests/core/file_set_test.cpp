// Files that are shown as one trace: what they are called, and how they are opened.

#include "core/merge/file_set.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/export/export.h"
#include "core/merge/merge.h"
#include "core/session/load_source.h"
#include "tests/support/merged_traces.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_maker.h"

namespace bytescope::merge {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tests::one_program;
using tests::TemporaryFolder;

TEST(NamesOfFiles, TellFilesOfOneNameApart) {
  const auto names = [](std::vector<std::string> paths) { return names_of_files(paths); };
  EXPECT_THAT(names({"/x/a.bin", "/x/b.bin"}), ElementsAre("a.bin", "b.bin"));
  EXPECT_THAT(names({"/x/a.bin", "/y/a.bin"}), ElementsAre("x/a.bin", "y/a.bin"));
  EXPECT_THAT(names({"/r/x/a.bin", "/s/x/a.bin", "/c.bin"}),
              ElementsAre("r/x/a.bin", "s/x/a.bin", "c.bin"));
  EXPECT_THAT(names({"/x/a.bin", "/x/a.bin", "a.bin"}),
              ElementsAre("x/a.bin", "x/a.bin (2)", "a.bin"));
  EXPECT_THAT(names({"/x/\x1b[31m\n.bin"}), ElementsAre(testing::Not(HasSubstr("\n"))));
  const std::string start(200, 'a');
  const auto long_names =
      names({start + "\u00E4\u00E4" + start + "1", start + "\u00E4" + start + "2"});
  for (const std::string& name : long_names) EXPECT_LE(name.size(), 120U);
  EXPECT_NE(long_names[0], long_names[1]);
  const auto twins = names({start, start});
  EXPECT_NE(twins[0], twins[1]);
  EXPECT_LE(twins[1].size(), 120U);
}

TEST(FileSet, AnAddressIsReadBackWhateverThePathsHold) {
  const FileSet set = file_set_of({"/z/100%+more.bin", "/a b/\xff\n.bin", "http://127.0.0.1:8000"});
  EXPECT_EQ(set.paths[0], "/a b/\xff\n.bin");
  EXPECT_EQ(file_set_from(set.address()), set);
  for (const char* none : {"", "/a.bin", "merge:", "merge:/a.bin", "merge:/a+", "merge:/a+/b%4",
                           "merge:/a+/b%zz", "http://a+b"})
    EXPECT_FALSE(file_set_from(none)) << none;
}

TEST(LoadSource, OpensASetOfFilesWithTheirOffsets) {
  const TemporaryFolder folder;
  const auto source = tests::load_description(one_program("r_1"));
  exporting::Request request;
  request.format = exporting::Format::bytepack;
  for (const char* name : {"a.bin", "b.bin"})
    ASSERT_TRUE(exporting::export_trace(*source, folder / name, request, never));
  const std::string address = file_set_of({folder / "b.bin", folder / "a.bin"}).address();
  const std::vector<std::int64_t> offsets = {0, -30};
  Progress progress;
  const auto both = session::load_source(address, {}, never, &progress, offsets);
  ASSERT_TRUE(both) << text(both.error());
  EXPECT_EQ((*both)->parts[0].file.begin_us, 30U);
  EXPECT_EQ((*both)->tracks[3].head.name, "b.bin/AMD");
  EXPECT_EQ(progress.events_done, (*both)->event_count);
  const auto missing =
      session::load_source(file_set_of({folder / "a.bin", "/no"}).address(), {}, never);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().path, "/no");
}

}  // namespace
}  // namespace bytescope::merge
