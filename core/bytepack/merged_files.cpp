#include "core/bytepack/merged_files.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/io/json_writer.h"

namespace bytescope::bytepack {
namespace {

using io::JsonType;

/// Members that are numbers of 32 bits.
constexpr std::array<std::pair<std::string_view, std::uint32_t MergedFile::*>, 5> numbers = {
    {{"tracks", &MergedFile::track_count},
     {"begin_us", &MergedFile::begin_us},
     {"end_us", &MergedFile::end_us},
     {"first_ref", &MergedFile::first_ref},
     {"first_key", &MergedFile::first_key}}};

std::uint32_t MergedFile::*number_named(std::string_view key) {
  const auto* const found = std::find_if(numbers.begin(), numbers.end(),
                                         [key](const auto& number) { return number.first == key; });
  return found == numbers.end() ? nullptr : found->second;
}

/// Takes the number that stands for `key`; whether it is one that fits.
bool take_number(io::JsonReader& json, std::string_view key, MergedFile& file) {
  const std::string text = json.take_number_text();
  if (key == "offset_us") {
    // Nothing in a trace is anywhere near that.
    constexpr double most_us = 1e15;
    const double offset = io::double_from_json(text).value_or(most_us);
    if (!(offset > -most_us && offset < most_us)) return false;
    file.offset_us = static_cast<std::int64_t>(offset);
    return true;
  }
  const auto value = io::u64_from_json(text);
  if (!value || *value > UINT32_MAX) return false;
  file.*number_named(key) = static_cast<std::uint32_t>(*value);
  return true;
}

}  // namespace

std::optional<MergedFile> read_merged_file(io::JsonReader& json) {
  if (json.peek() != JsonType::object) {
    json.skip_value();
    return std::nullopt;
  }
  MergedFile file;
  bool is_sound = true;
  json.enter_object();
  std::string key;
  while (json.next_key(key)) {
    const JsonType type = json.peek();
    if (key == "name" && type == JsonType::string) {
      file.name = json.take_string();
    } else if ((key == "offset_us" || number_named(key) != nullptr) && type == JsonType::number) {
      is_sound = take_number(json, key, file) && is_sound;
    } else {
      json.skip_value();
    }
  }
  if (!is_sound || file.begin_us > file.end_us) return std::nullopt;
  return file;
}

std::string merged_json(std::span<const MergedFile> files) {
  std::string text;
  io::JsonWriter json(text);
  json.begin_array();
  for (const MergedFile& file : files) {
    json.begin_object().member("name", file.name).member("offset_us", file.offset_us);
    for (const auto& [key, number] : numbers) json.member(key, file.*number);
    if (!file.more_json.empty()) json.key("index").json_value("{" + file.more_json + "}");
    json.end_object();
  }
  json.end_array();
  return text;
}

}  // namespace bytescope::bytepack
