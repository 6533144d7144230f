#pragma once

#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "core/bytepack/json_index.h"
#include "core/io/input_file.h"
#include "core/io/page_reader.h"
#include "tests/support/temporary_folder.h"

namespace bytescope::tests {

/// An index in a file of its own, behind a few bytes that do not belong to it.
class IndexFile {
public:
  static constexpr std::uint64_t begin = 7;

  explicit IndexFile(const std::string& json) : size_(json.size()) {
    const std::string path = folder_ / "index.bin";
    std::ofstream(path, std::ios::binary) << std::string(begin, '"') << json << "\"tail\"";
    file_ = *io::InputFile::open(path);
  }

  Expected<bytepack::JsonIndex> read() {
    return bytepack::read_json_index(*file_, begin, size_, warnings, cancel, &progress);
  }
  std::string text(const bytepack::JsonIndex& index, std::uint32_t id) const {
    io::PageReader reader(file_, 2);
    return index.strings.text(reader, id);
  }
  std::shared_ptr<const io::InputFile> file() const { return file_; }

  Warnings warnings;
  Cancel cancel;
  Progress progress;

private:
  TemporaryFolder folder_;
  std::uint64_t size_;
  std::shared_ptr<const io::InputFile> file_;
};

/// All strings of an index.
inline std::vector<std::string> all_texts(const IndexFile& source,
                                          const bytepack::JsonIndex& index) {
  io::PageReader reader(source.file(), 2);
  std::vector<std::string> texts;
  for (std::uint32_t i = 0; i < index.strings.size(); ++i) {
    texts.push_back(index.strings.text(reader, i));
  }
  return texts;
}

}  // namespace bytescope::tests
