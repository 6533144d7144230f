#include "core/bytepack/json_index.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include <fmt/format.h>

#include "core/bytepack/string_scanner.h"
#include "core/io/json_reader.h"
#include "core/io/json_text.h"
#include "core/io/piece_reader.h"

namespace bytescope::bytepack {
namespace {

using io::JsonReader;
using io::JsonType;
using SizeTable = std::unordered_map<std::string, std::uint64_t>;

constexpr std::size_t longest_key = 4096;
constexpr std::size_t most_keys = 4096;
/// What the tables beside `strings` may take, with this much for each entry on top of its texts.
constexpr std::size_t table_budget_bytes = 64 << 20;
constexpr std::size_t entry_overhead_bytes = 128;

std::optional<std::uint32_t> rgb_from_hash(std::string_view text) {
  if (text.size() != 7 || text[0] != '#') return std::nullopt;
  std::uint32_t rgb = 0;
  for (const char c : text.substr(1)) {
    const int digit = io::hex_value(c);
    if (digit < 0) return std::nullopt;
    rgb = rgb << 4U | static_cast<std::uint32_t>(digit);
  }
  return rgb;
}

/// Reads one index from front to back, once.
class IndexReader {
public:
  IndexReader(const io::InputFile& file, std::uint64_t begin, std::uint64_t size,
              Warnings& warnings, const Cancel& cancel, Progress* progress)
      : file_(file),
        pieces_(file, begin, begin + size),
        json_(pieces_, &cancel),
        warnings_(warnings),
        cancel_(cancel),
        progress_(progress),
        reported_(begin) {}

  Expected<JsonIndex> read();

private:
  tl::unexpected<Error> failed() const;
  void read_member(const std::string& key);
  void note_key(const std::string& key, std::uint64_t byte);
  bool opens(JsonType wanted, std::string_view key);
  void read_strings();
  void read_sizes(SizeTable& table, std::string_view key);
  void read_markers();
  FileMarker read_marker();
  std::optional<std::string> read_text();
  void read_wave_colors();
  void read_wave_color();
  void read_pc_map();
  void read_merged();
  bool afford(std::size_t text_bytes);
  void ignore(std::uint64_t byte);
  void warn_of_ignored(std::string_view key);
  void report();

  const io::InputFile& file_;
  io::PieceReader pieces_;
  JsonReader json_;
  Warnings& warnings_;
  const Cancel& cancel_;
  Progress* progress_;
  std::uint64_t reported_;
  JsonIndex index_;
  SizeTable old_sizes_;  ///< From `dtypes`.
  std::unordered_set<std::string> seen_keys_;
  bool keys_dropped_ = false;
  std::size_t budget_bytes_ = table_budget_bytes;
  std::uint64_t ignored_count_ = 0;
  std::uint64_t first_ignored_byte_ = 0;
};

tl::unexpected<Error> IndexReader::failed() const {
  const JsonReader::Failure& failure_met = json_.error();
  if (failure_met.cancelled) return failure(ErrorKind::cancelled, "Cancelled", {}, file_.path());
  return failure(ErrorKind::bad_input, "The JSON index is broken: " + failure_met.message,
                 {failure_met.byte, {}, {}, {}}, file_.path());
}

Expected<JsonIndex> IndexReader::read() {
  if (json_.peek() != JsonType::object) {
    if (!json_.ok() && json_.error().cancelled) return failed();
    return failure(ErrorKind::bad_input, "The index is not a JSON object",
                   {json_.offset(), {}, {}, {}}, file_.path());
  }
  json_.enter_object();
  std::string key;
  while (json_.next_key(key, longest_key)) {
    note_key(key, json_.offset());
    read_member(key);
    report();
  }
  json_.finish();
  if (!json_.ok()) return failed();
  report();
  index_.dtype_bytes.merge(old_sizes_);
  return std::move(index_);
}

void IndexReader::note_key(const std::string& key, std::uint64_t byte) {
  if (seen_keys_.contains(key)) {
    warnings_.add(fmt::format("The index has the key `{}` more than once: the last counts", key),
                  {byte, {}, {}, {}});
    return;
  }
  if (index_.keys.size() < most_keys) {
    seen_keys_.insert(key);
    index_.keys.push_back(key);
  } else if (!keys_dropped_) {
    keys_dropped_ = true;
    warnings_.add(
        fmt::format("The index has more than {} keys: the others are not listed", most_keys),
        {byte, {}, {}, {}});
  }
}

void IndexReader::read_member(const std::string& key) {
  if (key == "strings") {
    read_strings();
  } else if (key == "dtypes") {
    read_sizes(old_sizes_, key);
  } else if (key == "dtypeSize") {
    read_sizes(index_.dtype_bytes, key);
  } else if (key == "markers") {
    read_markers();
  } else if (key == "waveColors") {
    read_wave_colors();
  } else if (key == "pcMap") {
    read_pc_map();
  } else if (key == "merged") {
    read_merged();
  } else {
    json_.skip_value();
  }
  warn_of_ignored(key);
}

bool IndexReader::opens(JsonType wanted, std::string_view key) {
  const JsonType type = json_.peek();
  if (type == wanted) {
    if (wanted == JsonType::object) json_.enter_object();
    return true;
  }
  warnings_.add(fmt::format("`{}` of the index is ignored: it is not an {}", key,
                            wanted == JsonType::object ? "object" : "array"),
                {json_.offset(), {}, {}, {}});
  json_.skip_value();
  return false;
}

void IndexReader::read_strings() {
  index_.strings = StringTable();
  if (!opens(JsonType::array, "strings")) return;
  json_.sync();
  StringScanner scanner(pieces_.offset());
  bool first_piece = true;
  while (!scanner.done()) {
    const std::span<const std::byte> piece = pieces_.available();
    const std::size_t taken =
        scanner.feed(reinterpret_cast<const char*>(piece.data()), piece.size());
    pieces_.skip(taken);
    if (first_piece) scanner.expect(pieces_.remaining());
    first_piece = false;
    json_.sync();
    report();
    if (scanner.error() != nullptr) return json_.fail(scanner.error());
    if (piece.empty()) return json_.fail("`strings` does not end");
    if (cancel_.requested()) return json_.cancel();
  }
  index_.strings = StringTable(scanner.take_offsets(), scanner.count());
}

void IndexReader::read_sizes(SizeTable& table, std::string_view key) {
  table.clear();
  if (!opens(JsonType::object, key)) return;
  std::string name;
  while (json_.next_key(name)) {
    const bool is_number = json_.peek() == JsonType::number;
    const std::uint64_t byte = json_.offset();
    const std::optional<std::uint64_t> size =
        is_number ? io::u64_from_json(json_.take_number_text()) : std::nullopt;
    if (!is_number) json_.skip_value();
    if (size && afford(name.size())) {
      table.insert_or_assign(name, *size);
    } else {
      ignore(byte);
    }
  }
}

void IndexReader::read_markers() {
  index_.markers.clear();
  if (!opens(JsonType::array, "markers")) return;
  json_.enter_array();
  while (json_.next_element()) {
    const std::uint64_t byte = json_.offset();
    if (json_.peek() != JsonType::object) {
      ignore(byte);
      json_.skip_value();
      continue;
    }
    FileMarker marker = read_marker();
    if (afford(marker.name.value_or("").size() + marker.color.value_or("").size())) {
      index_.markers.push_back(std::move(marker));
    } else {
      ignore(byte);
    }
  }
}

FileMarker IndexReader::read_marker() {
  FileMarker marker;
  json_.enter_object();
  std::string key;
  while (json_.next_key(key, longest_key)) {
    if (key == "name") {
      marker.name = read_text();
    } else if (key == "color") {
      marker.color = read_text();
    } else if (key == "ts" && json_.peek() == JsonType::number) {
      const std::uint64_t byte = json_.offset();
      marker.time_us = io::double_from_json(json_.take_number_text());
      if (!marker.time_us) ignore(byte);
    } else {
      if (key == "ts" && json_.peek() != JsonType::null) ignore(json_.offset());
      json_.skip_value();
    }
  }
  return marker;
}

/// A string; null and none for `null`, anything else is ignored.
std::optional<std::string> IndexReader::read_text() {
  const JsonType type = json_.peek();
  if (type == JsonType::string) return json_.take_string();
  if (type != JsonType::null) ignore(json_.offset());
  json_.skip_value();
  return std::nullopt;
}

void IndexReader::read_wave_colors() {
  index_.has_wave_colors = true;
  index_.wave_colors.clear();
  if (!opens(JsonType::array, "waveColors")) return;
  json_.enter_array();
  while (json_.next_element()) {
    if (json_.peek() == JsonType::array) {
      read_wave_color();
    } else {
      ignore(json_.offset());
      json_.skip_value();
    }
  }
}

void IndexReader::read_wave_color() {
  const std::uint64_t byte = json_.offset();
  std::vector<std::string> pair;
  bool usable = true;
  json_.enter_array();
  while (json_.next_element()) {
    if (json_.peek() == JsonType::string && pair.size() < 2) {
      pair.push_back(json_.take_string());
    } else {
      usable = false;
      json_.skip_value();
    }
  }
  const std::optional<std::uint32_t> rgb =
      usable && pair.size() == 2 ? rgb_from_hash(pair[1]) : std::nullopt;
  if (rgb && afford(pair[0].size())) {
    index_.wave_colors.emplace_back(std::move(pair[0]), *rgb);
  } else {
    ignore(byte);
  }
}

void IndexReader::read_pc_map() {
  index_.has_pc_map = true;
  index_.pc_map.clear();
  if (!opens(JsonType::object, "pcMap")) return;
  std::string key;
  while (json_.next_key(key, longest_key)) {
    const std::uint64_t byte = json_.offset();
    const std::optional<std::string> instruction = read_text();
    const bool decimal = !key.empty() && key.find_first_not_of("0123456789") == std::string::npos;
    const std::optional<std::uint64_t> counter = decimal ? io::u64_from_json(key) : std::nullopt;
    if (counter && instruction && afford(instruction->size())) {
      index_.pc_map.insert_or_assign(*counter, *instruction);
    } else {
      ignore(byte);
    }
  }
}

void IndexReader::read_merged() {
  index_.merged.clear();
  if (!opens(JsonType::array, "merged")) return;
  json_.enter_array();
  while (json_.next_element()) {
    const std::uint64_t byte = json_.offset();
    std::optional<MergedFile> file = read_merged_file(json_);
    if (file && afford(file->name.size())) {
      index_.merged.push_back(std::move(*file));
    } else {
      ignore(byte);
    }
  }
}

bool IndexReader::afford(std::size_t text_bytes) {
  const std::size_t cost = text_bytes + entry_overhead_bytes;
  if (cost > budget_bytes_) return false;
  budget_bytes_ -= cost;
  return true;
}

void IndexReader::ignore(std::uint64_t byte) {
  if (ignored_count_++ == 0) first_ignored_byte_ = byte;
}

void IndexReader::warn_of_ignored(std::string_view key) {
  if (ignored_count_ == 0 || !json_.ok()) return;
  const char* reason = "too many or not what they should be";
  warnings_.add(fmt::format("{} {} in `{}` of the index {} ignored: {}", ignored_count_,
                            ignored_count_ == 1 ? "value" : "values", key,
                            ignored_count_ == 1 ? "is" : "are", reason),
                {first_ignored_byte_, {}, {}, {}});
  ignored_count_ = 0;
}

void IndexReader::report() {
  const std::uint64_t reached = json_.offset();
  if (progress_ != nullptr) progress_->bytes_done.fetch_add(reached - reported_);
  reported_ = reached;
}

}  // namespace

Expected<JsonIndex> read_json_index(const io::InputFile& file, std::uint64_t begin,
                                    std::uint64_t size, Warnings& warnings, const Cancel& cancel,
                                    Progress* progress) {
  const std::uint64_t file_bytes = file.size_bytes();
  if (begin > file_bytes || size > file_bytes - begin) {
    return failure(ErrorKind::bad_input, "The file ends inside the JSON index",
                   {file_bytes, {}, {}, {}}, file.path());
  }
  return IndexReader(file, begin, size, warnings, cancel, progress).read();
}

}  // namespace bytescope::bytepack
