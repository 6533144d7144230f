#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <simdjson.h>

namespace bytescope::tests {

/// A second reader of the format, written from FORMAT.md alone: walks a whole file and collects
/// every fault. Slow and simple.
class Checked {
public:
  Checked(std::string bytes, char letter) : bytes_(std::move(bytes)), letter_(letter) {
    duration_ = take<std::uint32_t>();
    peak_ = take<std::uint64_t>();
    const auto index_bytes = take<std::uint32_t>();
    const auto track_count = take<std::uint32_t>();
    expect(index_bytes <= bytes_.size() - at_, "index too long");
    read_index(bytes_.substr(at_, index_bytes));
    at_ += index_bytes;
    for (std::uint32_t i = 0; i < track_count && faults_.empty(); ++i) read_track();
    expect(at_ == bytes_.size(), "ends elsewhere than the file");
    expect(peak_ == largest_peak_, "peak of the file is not the largest of its tracks");
    expect(duration_ == static_cast<std::uint32_t>(last_end_), "duration is not the last end");
  }

  const std::vector<std::string>& faults() const { return faults_; }
  std::uint64_t events() const { return events_; }
  std::uint32_t duration() const { return duration_; }
  std::size_t strings() const { return strings_.size(); }
  std::size_t distinct_strings() const {
    return std::set<std::string>(strings_.begin(), strings_.end()).size();
  }
  std::size_t markers() const { return markers_; }
  const std::set<std::string>& tracks() const { return tracks_; }
  /// Of span tracks.
  std::size_t lanes(const std::string& track) const { return lanes_.at(track); }
  std::uint64_t count(const std::string& track) const { return counts_.at(track); }
  const std::set<std::string>& names() const { return names_; }
  std::uint64_t largest_peak() const { return largest_peak_; }
  std::uint64_t most_users() const { return most_users_; }
  std::uint64_t reused_keys() const { return reused_keys_; }
  std::uint64_t most_live() const { return most_live_; }
  /// Names of the users with each run key; "" where the dialect tells none.
  const std::map<std::uint32_t, std::set<std::string>>& users() const { return users_; }
  /// Run keys and names of the kernels of all devices.
  const std::vector<std::pair<std::uint32_t, std::string>>& keyed_kernels() const {
    return keyed_kernels_;
  }
  /// Info positions that kernels of the whole trace refer to, with how often.
  const std::map<std::uint32_t, std::uint64_t>& kernel_infos() const { return kernel_infos_; }
  const std::map<std::uint32_t, std::set<std::string>>& names_of_ref() const {
    return names_of_ref_;
  }

private:
  template <class T>
  T take() {
    T value{};
    if (sizeof value > bytes_.size() - at_) {
      fault("cut short");
      at_ = bytes_.size();
      return value;
    }
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  void fault(const std::string& what) {
    if (faults_.size() < 10) faults_.push_back(what + " at byte " + std::to_string(at_));
  }
  void expect(bool holds, const char* what) {
    if (!holds) fault(what);
  }
  std::string text(std::uint32_t id) {
    expect(id < strings_.size(), "string out of range");
    return id < strings_.size() ? strings_[id] : "";
  }

  void read_index(const std::string& json) {
    simdjson::dom::parser parser;
    simdjson::dom::object object;
    if (parser.parse(json).get(object) != simdjson::SUCCESS) return fault("index is no object");
    std::vector<std::string> keys;
    for (const auto field : object) keys.emplace_back(field.key);
    std::vector<std::string> expected = {"strings", letter_ == 'A' ? "dtypes" : "dtypeSize"};
    if (letter_ >= 'D') expected.emplace_back("markers");
    expect(keys == expected, "other keys in the index");
    const simdjson::dom::array strings = object["strings"];
    const simdjson::dom::object sizes = object[expected[1]];
    for (const auto item : strings) strings_.emplace_back(item.get_string().value());
    for (const auto field : sizes) {
      sizes_.emplace(std::string(field.key), field.value.get_uint64().value());
    }
    if (letter_ >= 'D') markers_ = object["markers"].get_array().value().size();
  }

  void read_track() {
    const std::size_t length = take<std::uint8_t>();
    const std::string name = bytes_.substr(at_, length);
    at_ += length;
    const auto kind = take<std::uint8_t>();
    const auto count = take<std::uint32_t>();
    expect(count != 0, "track without events");
    expect(tracks_.insert(name).second, "track twice");
    events_ += count;
    counts_[name] = count;
    if (kind == 0) {
      read_spans(name, count);
    } else if (kind == 1 && letter_ < 'C') {
      read_polygons(count);
    } else if (kind == 1) {
      read_memory(count);
    } else {
      fault("unknown kind");
    }
  }

  void read_spans(const std::string& name, std::uint32_t count) {
    const bool is_device = name.rfind("AMD", 0) == 0 && name.find("SDMA") == std::string::npos &&
                           name.find("Graph") == std::string::npos;
    const std::size_t lanes_in_head = letter_ == 'A' ? take<std::uint8_t>() : 0;
    std::vector<std::uint64_t> ends;
    std::uint32_t last_start = 0;
    for (std::uint32_t i = 0; i < count && faults_.empty(); ++i) {
      const std::string span = text(take<std::uint32_t>());
      names_.insert(span);
      const auto ref = take<std::uint32_t>();
      if (ref != 0) names_of_ref_[ref - 1].insert(span);
      const std::uint32_t key = letter_ >= 'G' ? take<std::uint32_t>() : 0;
      if (is_device && key != 0) keyed_kernels_.emplace_back(key - 1, span);
      const auto start = take<std::uint32_t>();
      const auto duration = take<float>();
      expect(start >= last_start, "spans not sorted");
      expect(start <= std::uint64_t{duration_} + 1, "span behind the end");
      expect(std::isfinite(duration) && duration > 0, "impossible duration");
      last_start = start;
      last_end_ = std::max(last_end_, start + static_cast<double>(duration));
      std::size_t lane = 0;
      while (lane < ends.size() && ends[lane] > start) ++lane;
      ends.resize(std::max(ends.size(), lane + 1));
      ends[lane] = start + static_cast<std::uint64_t>(duration);
      if (letter_ == 'A') expect(take<std::uint8_t>() == lane, "wrong lane");
      if (letter_ <= 'C') take<std::uint8_t>();  // category
      const auto info = take<std::uint32_t>();
      const std::string info_text = text(info);
      if (is_device) ++kernel_infos_[info];
      if (letter_ == 'L') expect(info_text.front() == '{', "info is no object");
    }
    if (letter_ == 'A') expect(lanes_in_head == ends.size(), "wrong number of lanes");
    lanes_[name] = ends.size();
  }

  std::uint64_t bytes_of(std::uint32_t dtype, std::uint64_t length) {
    const auto size = sizes_.find(text(dtype));
    expect(size != sizes_.end(), "unknown element type");
    return size == sizes_.end() ? 0 : size->second * length;
  }

  void read_memory(std::uint32_t count) {
    if (letter_ >= 'K') expect(take<std::uint8_t>() == 0, "no memory track");
    const auto peak = take<std::uint64_t>();
    std::map<std::uint32_t, std::uint64_t> live;
    std::set<std::uint32_t> known;
    std::uint64_t total = 0;
    std::uint64_t highest = 0;
    std::uint32_t last_time = 0;
    for (std::uint32_t i = 0; i < count && faults_.empty(); ++i) {
      const auto kind = take<std::uint8_t>();
      const auto time = take<std::uint32_t>();
      const auto key = take<std::uint32_t>();
      expect(kind <= 1, "neither allocation nor free");
      expect(time >= last_time && time <= duration_, "memory times not sorted");
      last_time = time;
      if (kind == 1) {
        const auto dtype = take<std::uint32_t>();
        const std::uint64_t bytes = bytes_of(dtype, take<std::uint64_t>());
        expect(live.emplace(key, bytes).second, "key already live");
        if (!known.insert(key).second) ++reused_keys_;
        total += bytes;
        highest = std::max(highest, total);
        most_live_ = std::max<std::uint64_t>(most_live_, live.size());
      } else {
        expect(live.contains(key), "free of nothing");
        total -= live[key];
        live.erase(key);
        read_users();
      }
      last_end_ = std::max(last_end_, static_cast<double>(time));
    }
    if (letter_ >= 'E') expect(live.empty(), "buffers left");
    expect(peak == highest, "wrong peak");
    largest_peak_ = std::max(largest_peak_, peak);
  }

  void read_users() {
    if (letter_ < 'E') return;
    const auto count = take<std::uint32_t>();
    most_users_ = std::max<std::uint64_t>(most_users_, count);
    for (std::uint32_t i = 0; i < count && faults_.empty(); ++i) {
      const std::uint32_t run = letter_ >= 'G' ? take<std::uint32_t>() : 0;
      const std::string name = letter_ == 'G' ? "" : text(take<std::uint32_t>());
      if (letter_ >= 'F') letter_ >= 'J' ? take<std::uint32_t>() : take<std::uint8_t>();
      if (letter_ >= 'F') expect(take<std::uint8_t>() <= 2, "unknown mode");
      users_[run].insert(name);
    }
  }

  void read_polygons(std::uint32_t count) {
    const auto peak = take<std::uint64_t>();
    std::vector<std::uint32_t> times(take<std::uint32_t>());
    for (std::uint32_t& time : times) time = take<std::uint32_t>();
    expect(std::is_sorted(times.begin(), times.end()), "times not sorted");
    expect(times.back() == duration_, "last time is not the end");
    std::vector<std::uint64_t> height(times.size());
    for (std::uint32_t i = 0; i < count && faults_.empty(); ++i) {
      std::vector<std::uint32_t> x(take<std::uint32_t>());
      std::vector<std::uint64_t> y(x.size());
      for (std::uint32_t& value : x) value = take<std::uint32_t>();
      for (std::uint64_t& value : y) value = take<std::uint64_t>();
      const auto dtype = take<std::uint32_t>();
      const std::uint64_t bytes = bytes_of(dtype, take<std::uint64_t>());
      expect(std::is_sorted(x.begin(), x.end()) && x.back() < times.size(), "x out of range");
      // Buffers lie on each other without gaps at the moment in which they are allocated.
      std::uint64_t below = height[x.front()];
      expect(y.front() == below, "not on top of what is live");
      // Freed one step before the last corner.
      const std::size_t end = x.back() + 1 == times.size() ? times.size() : x.back();
      for (std::size_t step = x.front(); step < end; ++step) height[step] += bytes;
    }
    expect(peak == *std::max_element(height.begin(), height.end()), "wrong peak");
    largest_peak_ = std::max(largest_peak_, peak);
    last_end_ = std::max(last_end_, static_cast<double>(times[times.size() - 2]));
  }

  std::string bytes_;
  char letter_;
  std::size_t at_ = 0;
  std::vector<std::string> faults_;
  std::uint32_t duration_ = 0;
  std::uint64_t peak_ = 0;
  double last_end_ = 0;
  std::uint64_t largest_peak_ = 0;
  std::uint64_t events_ = 0;
  std::uint64_t most_users_ = 0;
  std::uint64_t reused_keys_ = 0;
  std::uint64_t most_live_ = 0;
  std::size_t markers_ = 0;
  std::vector<std::string> strings_;
  std::map<std::string, std::uint64_t> sizes_;
  std::set<std::string> tracks_;
  std::map<std::string, std::uint64_t> counts_;
  std::map<std::string, std::size_t> lanes_;
  std::set<std::string> names_;
  std::map<std::uint32_t, std::set<std::string>> users_;
  std::vector<std::pair<std::uint32_t, std::string>> keyed_kernels_;
  std::map<std::uint32_t, std::uint64_t> kernel_infos_;
  std::map<std::uint32_t, std::set<std::string>> names_of_ref_;
};

}  // namespace bytescope::tests
