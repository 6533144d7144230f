#include "core/io/packed_file.h"

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/session/session.h"
#include "core/trace/loader.h"
#include "tests/support/decoded_trace.h"
#include "tests/support/packed_bytes.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_maker.h"

namespace bytescope::io {
namespace {

using testing::HasSubstr;
using tests::TemporaryFile;
using Pack = std::function<std::vector<std::byte>(std::span<const std::byte>)>;

const std::vector<std::pair<std::string, Pack>>& packers() {
  static const std::vector<std::pair<std::string, Pack>> all = {{"gzip", tests::gzipped},
                                                                {"zstd", tests::zstandard}};
  return all;
}

std::vector<std::byte> random_bytes(std::size_t size, std::uint32_t seed = 1) {
  std::mt19937 random(seed);
  std::vector<std::byte> bytes(size);
  // Some runs, so that it can be compressed.
  for (std::size_t i = 0; i < size; ++i)
    bytes[i] = random() % 4 == 0 ? static_cast<std::byte>(random()) : std::byte{7};
  return bytes;
}

std::vector<std::byte> trace_bytes() { return tests::varied_bytes('L'); }

std::vector<std::byte> joined(std::vector<std::byte> first, const std::vector<std::byte>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::vector<std::byte> content_of(const InputFile& file) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(file.size_bytes()));
  file.read_at(0, bytes);
  return bytes;
}

/// What opening a file of these bytes gives.
Expected<std::shared_ptr<const InputFile>> opened(const std::vector<std::byte>& bytes,
                                                  const UnpackLimits& limits = {}) {
  const TemporaryFile file(bytes);
  return open_unpacked(file.path(), never, nullptr, limits);
}

Error fault_of(const std::vector<std::byte>& bytes, const UnpackLimits& limits = {}) {
  const auto file = opened(bytes, limits);
  if (file) {
    ADD_FAILURE() << "opened";
    return {};
  }
  return file.error();
}

TEST(PackedFile, GivesWhatWasPackedWhateverItsSize) {
  for (const auto& [name, pack] : packers()) {
    SCOPED_TRACE(name);
    for (const std::size_t size : {1UL, 1000UL, 1048575UL, 1048576UL, 1048577UL, 3000000UL}) {
      const std::vector<std::byte> bytes = random_bytes(size);
      const auto file = opened(pack(bytes));
      ASSERT_TRUE(file) << text(file.error());
      EXPECT_EQ(content_of(**file), bytes) << size;
      EXPECT_FALSE((*file)->changed());
    }
  }
}

TEST(PackedFile, MembersMayFollowEachOther) {
  const std::vector<std::byte> first = random_bytes(100'000, 1);
  const std::vector<std::byte> second = random_bytes(200'000, 2);
  for (const auto& [name, pack] : packers()) {
    SCOPED_TRACE(name);
    const auto file = opened(joined(joined(pack(first), pack({})), pack(second)));
    ASSERT_TRUE(file) << text(file.error());
    EXPECT_EQ(content_of(**file), joined(first, second));
  }
  const auto padded = opened(joined(tests::gzipped(first), std::vector<std::byte>(512)));
  ASSERT_TRUE(padded);
  EXPECT_EQ(content_of(**padded), first);
}

TEST(PackedFile, AFileThatIsNotPackedIsLeftAlone) {
  const std::vector<std::byte> bytes = random_bytes(1000);
  const TemporaryFile file(bytes);
  EXPECT_EQ(content_of(**open_unpacked(file.path(), never)), bytes);
  EXPECT_FALSE(open_unpacked("/nowhere/at/all", never));
  EXPECT_EQ(content_of(**opened({std::byte{0x1F}})), std::vector<std::byte>{std::byte{0x1F}});
}

TEST(PackedFile, ATraceMayBeginLikeAPackedFile) {
  for (const std::uint32_t duration : {0x00088B1FU, 0xFD2FB528U}) {
    bytepack::TraceDescription described = tests::varied_trace('L');
    described.duration_us = duration;
    const std::vector<std::byte> bytes = bytepack::encode(described, *bytepack::dialect_of('L'));
    const auto trace = tests::load_bytes(bytes);
    ASSERT_TRUE(trace) << text(trace.error());
    EXPECT_EQ((*trace)->frame.duration_us, duration);
  }
}

TEST(PackedFile, ACutStreamIsRefusedWithItsLength) {
  for (const auto& [name, pack] : packers()) {
    SCOPED_TRACE(name);
    const std::vector<std::byte> packed = pack(random_bytes(5000));
    for (std::size_t size = 4; size < packed.size(); size += size < 40 ? 1 : 61) {
      const Error error = fault_of(
          std::vector<std::byte>(packed.begin(), packed.begin() + static_cast<long>(size)));
      EXPECT_EQ(error.kind, ErrorKind::bad_input);
      EXPECT_EQ(error.where.byte, size);
      EXPECT_THAT(error.message, HasSubstr("cut short"));
      EXPECT_FALSE(error.path.empty());
    }
  }
}

TEST(PackedFile, ADamagedStreamIsRefusedWithAByteInIt) {
  for (const auto& [name, pack] : packers()) {
    SCOPED_TRACE(name);
    std::vector<std::byte> packed = pack(random_bytes(500'000));
    packed[packed.size() - 6] ^= std::byte{0x55};  // In the checksum, or the last block.
    const auto file = opened(packed);
    if (name == "gzip") {
      ASSERT_FALSE(file);
      EXPECT_THAT(file.error().message, HasSubstr("damaged (incorrect data check)"));
      EXPECT_LE(*file.error().where.byte, packed.size());
    }
    const Error behind = fault_of(joined(pack(random_bytes(10)), random_bytes(100)));
    EXPECT_THAT(behind.message, HasSubstr("damaged"));
  }
}

TEST(PackedFile, AFileThatIsPackedTwiceIsRefused) {
  for (const auto& [outer, pack] : packers()) {
    for (const auto& [inner, pack_first] : packers()) {
      const Error error = fault_of(pack(pack_first(random_bytes(100'000))));
      EXPECT_THAT(error.message, HasSubstr("compressed twice"));
      EXPECT_TRUE(error.where.byte);
    }
  }
}

TEST(PackedFile, NothingIsNoTrace) {
  for (const auto& [name, pack] : packers())
    EXPECT_THAT(fault_of(pack({})).message, HasSubstr("holds nothing"));
}

TEST(PackedFile, ABombIsRefused) {
  const std::vector<std::byte> zeros(std::size_t{8} << 20U);
  UnpackLimits limits;
  limits.always_bytes = 1 << 20;
  for (const auto& [name, pack] : packers()) {
    const std::vector<std::byte> packed = pack(zeros);
    const Error error = fault_of(packed, limits);
    EXPECT_EQ(error.kind, ErrorKind::bad_input);
    EXPECT_THAT(error.message, HasSubstr("over 250 times"));
    EXPECT_TRUE(opened(packed));
  }
}

TEST(PackedFile, WhatCannotBeATraceIsRefusedBeforeAllOfItIsOut) {
  UnpackLimits limits;
  limits.judged_bytes = 1 << 20;
  std::vector<std::byte> no_tracks(std::size_t{8} << 20U);
  no_tracks[12] = std::byte{2};  // an index of two bytes, no track, and yet much more
  no_tracks[20] = std::byte{'{'};
  no_tracks[21] = std::byte{'}'};
  for (const auto& content : {std::vector<std::byte>(std::size_t{8} << 20U), no_tracks,
                              random_bytes(std::size_t{8} << 20U)}) {
    for (const auto& [name, pack] : packers()) {
      const std::vector<std::byte> packed = pack(content);
      const Error error = fault_of(packed, limits);
      EXPECT_EQ(error.kind, ErrorKind::bad_input);
      EXPECT_THAT(error.message, HasSubstr("does not begin as a trace does"));
      ASSERT_TRUE(error.where.byte);
      if (content.back() != std::byte{}) EXPECT_LT(*error.where.byte, packed.size() / 2) << name;
    }
  }
}

TEST(PackedFile, ATraceIsUnpackedHoweverEarlyItIsJudged) {
  UnpackLimits limits;
  limits.judged_bytes = 0;
  for (const auto& [name, pack] : packers()) {
    const TemporaryFile file(pack(trace_bytes()));
    const auto opened = open_unpacked(file.path(), never, nullptr, limits);
    ASSERT_TRUE(opened) << text(opened.error());
    EXPECT_EQ(content_of(**opened), trace_bytes());
  }
}

TEST(PackedFile, AFullDiskIsTheMachinesFault) {
  UnpackLimits limits;
  limits.spare_bytes = UINT64_MAX;
  const Error error = fault_of(tests::gzipped(random_bytes(100)), limits);
  EXPECT_EQ(error.kind, ErrorKind::machine);
  EXPECT_THAT(error.message, HasSubstr("not enough room"));
}

TEST(PackedFile, TheTemporaryFolderIsToldAndNothingIsLeftInIt) {
  const tests::TemporaryFolder folder;
  const char* before = std::getenv("TMPDIR");
  const std::optional<std::string> kept =
      before ? std::optional<std::string>(before) : std::nullopt;
  const TemporaryFile source(tests::zstandard(random_bytes(100'000)));
  ::setenv("TMPDIR", folder.path().c_str(), 1);
  EXPECT_TRUE(open_unpacked(source.path(), never));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  ::setenv("TMPDIR", "/nowhere/at/all", 1);
  const auto refused = open_unpacked(source.path(), never);
  if (kept) {
    ::setenv("TMPDIR", kept->c_str(), 1);
  } else {
    ::unsetenv("TMPDIR");
  }
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::machine);
  EXPECT_EQ(refused.error().path, source.path());
  EXPECT_THAT(refused.error().message, HasSubstr("/nowhere/at/all"));
}

TEST(PackedFile, UnpackingCanBeCancelled) {
  Cancel cancel;
  cancel.request();
  const TemporaryFile file(tests::gzipped(random_bytes(100)));
  const auto opened = open_unpacked(file.path(), cancel);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, ErrorKind::cancelled);
}

TEST(PackedFile, OnDiskTellsOfThePackedFile) {
  const TemporaryFile file(tests::gzipped(random_bytes(100)));
  const auto opened = *open_unpacked(file.path(), never);
  EXPECT_EQ(opened->path(), file.path());
  EXPECT_EQ(opened->on_disk(), OnDisk::same);
  file.write(tests::gzipped(random_bytes(200)));
  EXPECT_EQ(opened->on_disk(), OnDisk::changed);
  EXPECT_EQ(content_of(*opened), random_bytes(100));
}

TEST(PackedFile, TracesOpenAndReloadPacked) {
  for (const auto& [name, pack] : packers()) {
    SCOPED_TRACE(name);
    const TemporaryFile file(pack(trace_bytes()));
    session::Session session([] {});
    const std::uint64_t id = session.open(file.path());
    const auto finish = [&] {
      while (session.busy()) session.poll();
      const session::Document* document = session.find(id);
      ASSERT_TRUE(document->trace);
      EXPECT_FALSE(document->error);
      EXPECT_EQ(document->trace->tracks.size(), 4U);
    };
    finish();
    session.reload(id);
    finish();
  }
}

/// Whatever happens to a packed trace, it opens or says what is wrong at a byte of its own.
TEST(PackedFile, ChangedStreamsNeverDoHarm) {
  std::mt19937 random(7);
  int refused = 0;
  for (const auto& [name, pack] : packers()) {
    const std::vector<std::byte> packed = pack(trace_bytes());
    for (int round = 0; round < 400; ++round) {
      std::vector<std::byte> changed = packed;
      for (auto edits = 1 + random() % 3; edits > 0; --edits) {
        const std::size_t at = random() % changed.size();
        switch (random() % 4) {
          case 0: changed[at] = static_cast<std::byte>(random()); break;
          case 1: changed.resize(at + 1); break;
          case 2: changed.insert(changed.begin() + static_cast<long>(at), std::byte{0}); break;
          default:
            changed = joined(changed, std::vector<std::byte>(packed.begin(), packed.begin() + 9));
            break;
        }
      }
      const auto file = opened(changed);
      if (file) continue;
      ++refused;
      EXPECT_EQ(file.error().kind, ErrorKind::bad_input) << text(file.error());
      ASSERT_TRUE(file.error().where.byte);
      EXPECT_LE(*file.error().where.byte, changed.size());
      EXPECT_FALSE(tests::load_bytes(changed));
    }
  }
  EXPECT_GT(refused, 300);
}

}  // namespace
}  // namespace bytescope::io
