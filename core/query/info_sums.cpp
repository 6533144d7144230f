#include "core/query/info_sums.h"

#include <algorithm>
#include <utility>

#include "core/bytepack/string_table.h"

namespace bytescope::query {
namespace {

/// Rates stand in front; what is longer is call stacks.
constexpr std::size_t info_limit_bytes = 1 << 20;

/// Reads strings in ascending order of their numbers: near ones in one walk.
class AscendingTexts {
public:
  explicit AscendingTexts(const trace::Trace& trace)
      : strings_(trace.index->strings), reader_(trace.file, 64) {}

  const std::string& text(std::uint32_t id) {
    constexpr std::uint32_t near = 64;
    if (id >= strings_.size()) {
      text_.clear();
      return text_;
    }
    if (!cursor_ || id < next_ || id - next_ > near) {
      cursor_.emplace(strings_.walk_from(reader_, id));
      next_ = id - id % bytepack::StringTable::stride;
    }
    for (; next_ < id; ++next_) cursor_->skip();
    if (!cursor_->next(text_, info_limit_bytes)) text_.clear();
    ++next_;
    return text_;
  }

private:
  const bytepack::StringTable& strings_;
  io::PageReader reader_;
  std::optional<bytepack::StringCursor> cursor_;
  std::uint32_t next_ = 0;
  std::string text_;
};

}  // namespace

void InfoSums::drain(std::vector<InfoSum>& out) {
  for (InfoSum& entry : entries_) {
    if (entry.is_used()) out.push_back(entry);
    entry = InfoSum();
  }
  count_ = 0;
}

void InfoSums::grow() {
  const auto old = std::exchange(entries_, {});
  entries_.resize(old.size() * 2);
  const Places now = places();
  for (const InfoSum& entry : old) {
    if (entry.is_used()) now.at(entry.key) = entry;
  }
}

void RateSums::add(const trace::InfoRates& rates, const InfoSum& of) {
  flops.add(rates.flops, of.time);
  mem.add(rates.mem_bytes_per_s, of.time);
  lds.add(rates.lds_bytes_per_s, of.time);
  bytes_per_s.add(rates.bytes_per_s, of.time);
  spans += of.spans;
  if (!rates.bytes.value) return;
  bytes += *rates.bytes.value * of.spans;
  bytes_spans += of.spans;
  bytes_time += of.time;
}

void RateSums::add(const RateSums& other) {
  flops.add(other.flops);
  mem.add(other.mem);
  lds.add(other.lds);
  bytes_per_s.add(other.bytes_per_s);
  spans += other.spans;
  bytes += other.bytes;
  bytes_spans += other.bytes_spans;
  bytes_time += other.bytes_time;
}

void add_rates(const trace::Trace& trace, std::vector<InfoSum>& sums, std::vector<RateSums>& rows,
               const Cancel& cancel) {
  std::sort(sums.begin(), sums.end(), [](const InfoSum& a, const InfoSum& b) {
    return a.info() != b.info() ? a.info() < b.info()
                                : std::pair(a.row, a.key) < std::pair(b.row, b.key);
  });
  AscendingTexts texts(trace);
  trace::InfoRates rates;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (i % 4096 == 0 && cancel.requested()) return;
    const bool is_new = i == 0 || sums[i].info() != sums[i - 1].info();
    if (is_new) rates = trace::parse_info_rates(texts.text(sums[i].info()));
    if (sums[i].row < rows.size()) rows[sums[i].row].add(rates, sums[i]);
  }
}

}  // namespace bytescope::query
