#include "core/io/packed_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/io/piece_reader.h"
#include "core/io/scratch_file.h"

namespace bytescope::io {
namespace {

constexpr std::size_t head_bytes = 20;  // Of a bytepack file, in front of its index.

std::uint32_t u32_at(const std::byte* bytes) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

/// A trace begins with a duration, which may look like the mark of a compressed file; but then a
/// JSON object follows that ends where the head says.
bool looks_like_trace(const InputFile& file) {
  std::array<std::byte, head_bytes + 1> head{};
  if (file.size_bytes() < head.size() + 1) return false;
  file.read_at(0, head);
  const std::uint64_t end = head_bytes + std::uint64_t{u32_at(head.data() + 12)};
  if (end > file.size_bytes() || end < head.size() + 1) return false;
  std::array<std::byte, 1> last{};
  file.read_at(end - 1, last);
  return head.back() == std::byte{'{'} && last[0] == std::byte{'}'};
}

/// Whether so many bytes that begin like that can be a trace: an index, which is a JSON object,
/// follows the head, and where there are no tracks nothing follows the index.
bool may_be_trace(std::span<const std::byte> begin, std::uint64_t size_bytes) {
  if (begin.size() <= head_bytes) return false;
  const std::uint64_t index_bytes = u32_at(begin.data() + 12);
  const bool has_tracks = u32_at(begin.data() + 16) != 0;
  constexpr std::string_view spaces = " \t\r\n";
  const auto index = begin.subspan(head_bytes);
  const auto first = std::find_if(index.begin(), index.end(), [&](std::byte byte) {
    return spaces.find(static_cast<char>(byte)) == std::string_view::npos;
  });
  if (index_bytes < 2 || (first != index.end() && *first != std::byte{'{'})) return false;
  return has_tracks || size_bytes <= head_bytes + index_bytes;
}

Packing packing_of_file(const InputFile& file) {
  std::array<std::byte, 4> head{};
  if (file.size_bytes() < head.size()) return Packing::none;
  file.read_at(0, head);
  const Packing packing = packing_of(head);
  return packing != Packing::none && looks_like_trace(file) ? Packing::none : packing;
}

/// Unpacks one file.
class Unpacking {
public:
  Unpacking(const InputFile& packed, Packing packing, ScratchFile scratch, const Cancel& cancel,
            Progress* progress, const UnpackLimits& limits)
      : packed_(packed),
        unpacker_(Unpacker::create(packing)),
        pieces_(packed, 0, packed.size_bytes()),
        scratch_(std::move(scratch)),
        cancel_(cancel),
        progress_(progress),
        limits_(limits),
        made_(made_bytes) {}

  Expected<std::shared_ptr<const InputFile>> run() {
    set_limit();
    while (pieces_.remaining() != 0 || !is_drained_) {
      if (cancel_.requested())
        return failure(ErrorKind::cancelled, "Cancelled", {}, packed_.path());
      if (const auto done = step(); !done) return tl::make_unexpected(done.error());
    }
    if (!unpacker_->may_end()) return fault("The compressed file is cut short");
    if (scratch_.size_bytes() == 0) return fault("The compressed file holds nothing");
    const std::uint64_t size_bytes = scratch_.size_bytes();
    return packed_.with_content(scratch_.release(), size_bytes);
  }

private:
  static constexpr std::size_t made_bytes = std::size_t{1} << 20U;
  static constexpr std::size_t begin_bytes = 4096;

  tl::unexpected<Error> fault(std::string message) const {
    return failure(ErrorKind::bad_input, std::move(message), {pieces_.offset(), {}, {}, {}},
                   packed_.path());
  }

  void set_limit() {
    const std::uint64_t room = scratch_.room_bytes();
    room_bytes_ = room - std::min(room, limits_.spare_bytes);
    const std::uint64_t packed = packed_.size_bytes();
    const std::uint64_t by_ratio =
        packed > UINT64_MAX / limits_.most_ratio ? UINT64_MAX : packed * limits_.most_ratio;
    most_bytes_ = std::max(limits_.always_bytes, by_ratio);
  }

  Expected<void> step() {
    const Unpacker::Step step = unpacker_->step(pieces_.available(), made_);
    pieces_.skip(step.taken);
    if (!step.fault.empty())
      return fault(fmt::format("The compressed file is damaged ({})", step.fault));
    // All is out when there was room left for more.
    is_drained_ = step.made < made_.size();
    if (step.taken == 0 && step.made == 0 && pieces_.remaining() != 0)
      return fault("The compressed file is damaged (it does not go on)");
    return keep(std::span(made_).first(step.made));
  }

  Expected<void> keep(std::span<const std::byte> made) {
    if (scratch_.size_bytes() == 0 && io::packing_of(made) != Packing::none)
      return fault("The file is compressed twice; unpack it once");
    const std::uint64_t size = scratch_.size_bytes() + made.size();
    begin_.insert(begin_.end(), made.begin(),
                  made.begin() + static_cast<std::ptrdiff_t>(
                                     std::min(made.size(), begin_bytes - begin_.size())));
    if (size > limits_.judged_bytes && !may_be_trace(begin_, size))
      return fault("What comes out of the compressed file does not begin as a trace does");
    if (size > most_bytes_) {
      return fault(
          fmt::format("More than {} bytes come out of the compressed file, over {} times "
                      "its size: that is no trace",
                      most_bytes_, limits_.most_ratio));
    }
    if (size > room_bytes_) {
      return failure(
          ErrorKind::machine,
          fmt::format("There is not enough room in {} to unpack the file", scratch_.folder()), {},
          packed_.path());
    }
    if (auto written = scratch_.write(made); !written) {
      written.error().path = packed_.path();
      return written;
    }
    if (progress_ != nullptr) {
      progress_->bytes_done = pieces_.offset();
      progress_->unpacked_bytes = size;
    }
    return {};
  }

  const InputFile& packed_;
  std::unique_ptr<Unpacker> unpacker_;
  PieceReader pieces_;
  ScratchFile scratch_;
  const Cancel& cancel_;
  Progress* progress_;
  UnpackLimits limits_;
  std::vector<std::byte> made_;
  std::vector<std::byte> begin_;  // of what came out
  std::uint64_t most_bytes_ = 0;
  std::uint64_t room_bytes_ = 0;
  bool is_drained_ = true;
};

}  // namespace

Expected<std::shared_ptr<const InputFile>> open_unpacked(const std::string& path,
                                                         const Cancel& cancel, Progress* progress,
                                                         const UnpackLimits& limits) {
  auto file = InputFile::open(path);
  return file ? unpacked(std::move(*file), cancel, progress, limits) : file;
}

Expected<std::shared_ptr<const InputFile>> unpacked(std::shared_ptr<const InputFile> file,
                                                    const Cancel& cancel, Progress* progress,
                                                    const UnpackLimits& limits) {
  const Packing packing = packing_of_file(*file);
  if (packing == Packing::none) return file;
  auto scratch = ScratchFile::create();
  if (!scratch) {
    scratch.error().path = file->path();
    return tl::make_unexpected(scratch.error());
  }
  if (progress != nullptr) progress->bytes_total = file->size_bytes();
  auto made = Unpacking(*file, packing, std::move(*scratch), cancel, progress, limits).run();
  if (progress != nullptr) progress->unpacked_bytes = 0;
  return made;
}

}  // namespace bytescope::io
