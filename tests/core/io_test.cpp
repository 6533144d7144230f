#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/io/input_file.h"
#include "core/io/large_pages.h"
#include "core/io/output_file.h"
#include "core/io/page_reader.h"
#include "core/io/piece_reader.h"
#include "tests/support/temporary_folder.h"

namespace bytescope::io {
namespace {

/// A file of random bytes.
class RandomFile {
public:
  explicit RandomFile(std::size_t size) {
    std::mt19937 random(7);
    for (std::size_t i = 0; i < size; ++i) bytes_.push_back(static_cast<char>(random()));
    std::ofstream(path_, std::ios::binary).write(bytes_.data(), static_cast<std::streamsize>(size));
  }
  const std::string& path() const { return path_; }
  std::byte at(std::size_t i) const {
    return i < bytes_.size() ? static_cast<std::byte>(bytes_[i]) : std::byte{0};
  }

private:
  tests::TemporaryFolder folder_;
  std::string path_ = folder_ / "random.bin";
  std::vector<char> bytes_;
};

}  // namespace

TEST(InputFile, RefusesWhatIsNotARegularFileWithBytes) {
  EXPECT_FALSE(InputFile::open("/"));
  EXPECT_FALSE(InputFile::open("/dev/zero"));
  EXPECT_FALSE(InputFile::open("/nowhere/at/all"));
  const RandomFile empty(0);
  EXPECT_FALSE(InputFile::open(empty.path()));
}

TEST(InputFile, ReadsZerosAndCountsAsChangedWhenTruncated) {
  const RandomFile source(1000);
  const auto file = *InputFile::open(source.path());
  std::array<std::byte, 10> out{};
  file->read_at(995, out);
  EXPECT_EQ(out[4], source.at(999));
  EXPECT_EQ(out[5], std::byte{0});
  EXPECT_FALSE(file->changed());
  std::filesystem::resize_file(source.path(), 10);
  file->read_at(500, out);
  EXPECT_EQ(out[0], std::byte{0});
  EXPECT_TRUE(file->changed());
}

TEST(InputFile, TellsWhatBecameOfItOnTheDisk) {
  const tests::TemporaryFolder folder;
  const std::string path = folder / "trace.bin";
  const auto write = [](const std::string& to, const char* text) {
    std::ofstream(to, std::ios::binary) << text;
  };
  write(path, "first");
  auto file = *InputFile::open(path);
  EXPECT_EQ(file->on_disk(), OnDisk::same);
  std::filesystem::resize_file(path, 2);
  EXPECT_EQ(file->on_disk(), OnDisk::changed);
  std::filesystem::resize_file(path, 5);
  file = *InputFile::open(path);
  write(folder / "other", "other");
  std::filesystem::rename(folder / "other", path);
  EXPECT_EQ(file->on_disk(), OnDisk::changed) << "another file of the same size";
  std::filesystem::remove(path);
  EXPECT_EQ(file->on_disk(), OnDisk::gone);
  std::filesystem::create_directory(path);
  EXPECT_EQ(file->on_disk(), OnDisk::changed);
  std::array<std::byte, 5> out{};
  file->read_at(0, out);
  EXPECT_FALSE(file->changed()) << "what was opened can still be read";
}

TEST(InputFile, ADashIsNoFileAndTheMessageSaysWhy) {
  const auto file = InputFile::open("-");
  ASSERT_FALSE(file);
  EXPECT_EQ(text(file.error()), "Standard input cannot be opened; save it to a file first: -");
}

TEST(PageReader, GivesTheFilesBytesAnywhereWithAnyCapacity) {
  const RandomFile source(5 * PageReader::page_bytes + 77);
  const auto file = *InputFile::open(source.path());
  PageReader reader(file, 2);
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    const std::size_t offset = random() % (6 * PageReader::page_bytes);
    const std::size_t size = 1 + random() % 300;
    const std::byte* bytes = reader.at(offset, size);
    for (std::size_t k = 0; k < size; ++k) ASSERT_EQ(bytes[k], source.at(offset + k));
  }
}

TEST(PieceReader, WalksAndSkipsOverEveryByteOnce) {
  const RandomFile source(3 * PieceReader::piece_bytes + 5);
  const auto file = *InputFile::open(source.path());
  PieceReader reader(*file, 3, file->size_bytes());
  std::mt19937 random(5);
  std::uint64_t expected = 3;
  while (reader.remaining() > 0) {
    ASSERT_EQ(reader.offset(), expected);
    const std::size_t wanted = std::min<std::uint64_t>(1 + random() % 100'000, reader.remaining());
    const auto bytes = reader.peek(wanted);
    ASSERT_GE(bytes.size(), wanted);
    ASSERT_EQ(bytes[0], source.at(expected));
    ASSERT_EQ(bytes[wanted - 1], source.at(expected + wanted - 1));
    const std::uint64_t step = std::min<std::uint64_t>(random() % 300'000, reader.remaining());
    reader.skip(step);
    expected += step;
  }
  EXPECT_TRUE(reader.peek(1).empty());
}

TEST(PieceReader, SharesABufferWithTheOneThatFollows) {
  const RandomFile source(3 * PieceReader::piece_bytes);
  const auto file = *InputFile::open(source.path());
  PieceBuffer buffer;
  const std::byte* first = nullptr;
  for (const std::uint64_t begin :
       {std::uint64_t{5}, std::uint64_t{PieceReader::piece_bytes + 7}}) {
    PieceReader reader(*file, begin, file->size_bytes(), &buffer);
    for (std::uint64_t at = begin; at < file->size_bytes(); at += 10'007) {
      ASSERT_EQ(reader.peek(1)[0], source.at(at));
      reader.skip(std::min<std::uint64_t>(10'007, reader.remaining()));
    }
    if (first == nullptr) first = buffer.data();
    EXPECT_EQ(buffer.data(), first);
  }
}

/// Vectors of all sizes come and go; each has to keep what was written into it.
void fill_and_drop_vectors(std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<LargeVector<std::uint32_t>> kept(12);
  for (int i = 0; i < 400; ++i) {
    LargeVector<std::uint32_t>& vector = kept[random() % kept.size()];
    if (!vector.empty()) {
      ASSERT_EQ(vector.front(), vector.size());
      ASSERT_EQ(vector.back(), vector.size());
    }
    const std::size_t size = 1 + random() % (std::size_t{1} << (8 + random() % 13));
    vector = {};
    vector.reserve(size + random() % size);
    vector.resize(size, static_cast<std::uint32_t>(size));
    release_unused(vector);
    const auto address = reinterpret_cast<std::uintptr_t>(vector.data());
    if (size * sizeof(std::uint32_t) >= LargePages::least_bytes) {
      ASSERT_EQ(address % LargePages::alignment, 0U);
    }
  }
  for (const auto& vector : kept) {
    for (const std::uint32_t value : vector) ASSERT_EQ(value, vector.size());
  }
}

TEST(LargePages, AreFreedWithoutTheVector) {
  LargeVector<std::uint32_t> vector(std::size_t{1} << 20U);
  free_all(vector);
  EXPECT_TRUE(vector.empty());
  EXPECT_EQ(vector.capacity(), 0U);
}

TEST(LargePages, ArraysSideBySideKeepWhatIsInThem) { fill_and_drop_vectors(1); }

TEST(LargePages, ServeSeveralThreadsAtOnce) {
  std::thread other([] { fill_and_drop_vectors(2); });
  fill_and_drop_vectors(3);
  other.join();
}

TEST(OutputFile, AppearsWholeOrNotAtAll) {
  const tests::TemporaryFolder folder;
  const std::string path = folder / "a.txt";
  {
    auto abandoned = OutputFile::create(path);
    abandoned->write("half");
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  auto file = OutputFile::create(path);
  file->write("whole");
  ASSERT_TRUE(file->commit());
  std::string content;
  std::ifstream(path) >> content;
  EXPECT_EQ(content, "whole");
  EXPECT_FALSE(OutputFile::create("/nowhere/at/all"));
}

}  // namespace bytescope::io
