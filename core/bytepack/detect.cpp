#include "core/bytepack/detect.h"

#include <array>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "core/bytepack/little_endian.h"
#include "core/bytepack/track_walk.h"

namespace bytescope::bytepack {
namespace {

/// More tracks than anybody has; keeps a hostile file of empty tracks from filling the memory.
constexpr std::uint32_t most_tracks = 100'000;

bool same_structure(const Dialect& a, const Dialect& b) {
  return a.span == b.span && a.lane_count_in_head == b.lane_count_in_head && a.memory == b.memory &&
         a.user == b.user;
}

/// Where the sound tracks of a reading end, where the sound records behind them do, and the byte of
/// its fault.
using Reached = std::array<std::uint64_t, 3>;

/// Collects what the dialects make of one file.
class Detector {
public:
  Detector(const io::InputFile& file, const Frame& frame, const JsonIndex& index,
           const Cancel& cancel)
      : file_(file),
        frame_(frame),
        types_(file, index),
        pages_(std::shared_ptr<const io::InputFile>(&file, [](const io::InputFile*) {}), 4),
        limits_{file.size_bytes(), frame.duration_us, index.strings.size(), false},
        cancel_(cancel) {}

  Detection run() {
    for (const bool code_points : {false, true}) {
      limits_.code_point_names = code_points;
      try_all();
      if (!result_.fitting.empty()) break;
    }
    return std::move(result_);
  }

private:
  void try_all() {
    const Dialect* walked = nullptr;
    bool fits = false;
    for (const Dialect& dialect : dialects) {
      if (walked == nullptr || !same_structure(*walked, dialect)) {
        fits = try_dialect(dialect);
        walked = &dialect;
      } else if (fits) {
        Reading same = result_.fitting.back();
        same.dialect = &dialect;
        result_.fitting.push_back(std::move(same));
      }
      if (cancel_.requested()) return;
    }
  }

  bool try_dialect(const Dialect& dialect) {
    Reading reading{&dialect, {}, limits_.code_point_names};
    std::uint64_t at = frame_.tracks_begin();
    for (std::uint32_t i = 0; i < frame_.track_count; ++i) {
      TrackHead head;
      if (const auto fault = walk_track(source_, dialect, at, head)) {
        remember(std::move(reading), at, *fault, i, head.name);
        return false;
      }
      at = head.end_byte;
      reading.heads.push_back(std::move(head));
      if (reading.heads.size() > most_tracks) {
        const std::string message = fmt::format("There are more than {} tracks", most_tracks);
        remember(std::move(reading), at, {message, at, std::nullopt}, i, "");
        return false;
      }
    }
    if (at != limits_.file_bytes) {
      const std::string message =
          fmt::format("{} bytes follow the last track", limits_.file_bytes - at);
      remember(std::move(reading), at, {message, at, std::nullopt}, std::nullopt, "");
      return false;
    }
    result_.fitting.push_back(std::move(reading));
    return true;
  }

  /// Keeps the reading that came furthest: whose sound tracks reach furthest (`sound_end`), of
  /// equals the one whose sound records do, and then the one that met its fault last. The byte of
  /// the fault alone would not tell: in a file that was cut short every dialect ends at the same
  /// one, and the wrong one soon takes something for a huge number of users.
  void remember(Reading reading, std::uint64_t sound_end, const Fault& fault,
                std::optional<std::uint32_t> track, const std::string& name) {
    const Reached reached{sound_end, fault.sound_until, fault.byte};
    if (result_.fault && reached <= furthest_reached_) return;
    furthest_reached_ = reached;
    const Where where{fault.byte, track, name, fault.record};
    result_.fault = Error{ErrorKind::bad_input, fault.message, where, file_.path()};
    result_.furthest = std::move(reading);
  }

  const io::InputFile& file_;
  const Frame& frame_;
  TypeTable types_;
  io::PieceBuffer buffer_;
  io::PageReader pages_;
  WalkLimits limits_;
  const Cancel& cancel_;
  const WalkSource source_{pages_, buffer_, types_, limits_, cancel_};
  Reached furthest_reached_{};
  Detection result_;
};

}  // namespace

Expected<Frame> read_frame(const io::InputFile& file) {
  if (file.size_bytes() < Frame::head_bytes) {
    return failure(ErrorKind::bad_input, "Not a bytepack trace: the file ends inside its head",
                   {file.size_bytes(), {}, {}, {}}, file.path());
  }
  std::array<std::byte, Frame::head_bytes> head{};
  file.read_at(0, head);
  const Frame frame{load<std::uint32_t>(head.data()), load<std::uint64_t>(head.data() + 4),
                    load<std::uint32_t>(head.data() + 12), load<std::uint32_t>(head.data() + 16)};
  if (frame.tracks_begin() > file.size_bytes()) {
    const std::string message = fmt::format(
        "Not a bytepack trace, or cut short: its index of {} bytes does not fit in the file",
        frame.index_bytes);
    return failure(ErrorKind::bad_input, message, {file.size_bytes(), {}, {}, {}}, file.path());
  }
  return frame;
}

Expected<Detection> detect(const io::InputFile& file, const Frame& frame, const JsonIndex& index,
                           const Cancel& cancel) {
  Detection result = Detector(file, frame, index, cancel).run();
  if (cancel.requested()) return failure(ErrorKind::cancelled, "Cancelled", {}, file.path());
  return result;
}

}  // namespace bytescope::bytepack
