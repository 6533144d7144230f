#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/export/chrome_threads.h"
#include "core/export/job.h"
#include "core/export/kept_events.h"
#include "core/query/track_record.h"
#include "core/trace/lane_fit.h"

namespace bytescope::exporting {

/// Text on its way into the file, in portions.
class ChromeText {
public:
  explicit ChromeText(Job& job) : job_(job) {}
  /// What is being appended to; every event ends with a comma and a line end.
  std::string& text() { return text_; }
  /// Hands over what has come together when it is much.
  void may_flush() {
    constexpr std::size_t portion_bytes = std::size_t{64} * 1024;
    if (text_.size() < portion_bytes) return;
    // The last separator stays: finish() may have to take it back.
    const std::string_view done(text_.data(), text_.size() - separator.size());
    job_.out.write(done);
    text_.erase(0, done.size());
  }
  /// Hands over the rest, without the last separator and with `tail` behind it.
  void finish(std::string_view tail) {
    if (text_.ends_with(separator)) text_.resize(text_.size() - separator.size());
    text_ += tail;
    job_.out.write(text_);
    text_.clear();
  }

private:
  static constexpr std::string_view separator = ",\n";
  Job& job_;
  std::string text_;
};

/// A span where Chrome's format has it.
struct ChromePoint {
  std::uint32_t pid = 0;
  std::uint32_t tid = 0;
  std::uint32_t start = 0;
};

/// Writes spans as complete events. Those of a thread may not overlap by a nanosecond, so lanes
/// are dealt out anew, first fit, by where spans really end.
class ChromeSpans {
public:
  /// All must outlive the object.
  ChromeSpans(Job& job, ChromeThreads& threads, ChromeText& text);

  void write(std::uint32_t track);
  /// Where a span that was written lies; none for others.
  std::optional<ChromePoint> point(query::TrackRecord span);
  /// Whether infos of spans name causes.
  bool has_links() const { return has_links_; }
  /// The spans of a track that were written.
  const KeptSpans& kept(std::uint32_t track) const { return written_[track].kept; }

private:
  struct Written {
    KeptSpans kept;
    std::vector<std::uint16_t> lanes;  ///< By place among the kept; empty when all are in lane 0.
  };

  void append(std::uint32_t track, std::uint32_t record, const bytepack::SpanRecord& span,
              std::uint32_t tid);
  std::uint32_t lane_of(Written& written, std::uint32_t place, const bytepack::SpanRecord& span,
                        trace::LaneFit& lanes) const;
  const char* category(std::uint32_t track, std::uint32_t record, std::uint32_t name) const;

  Job& job_;
  const trace::Trace& trace_;
  ChromeThreads& threads_;
  ChromeText& text_;
  io::PageReader reader_;
  PieceCache names_;
  PieceCache args_;
  std::vector<Written> written_;  ///< By track.
  bool has_links_ = false;
};

}  // namespace bytescope::exporting
