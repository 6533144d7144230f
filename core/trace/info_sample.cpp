#include "core/trace/info_sample.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_set>

#include "core/bytepack/records.h"
#include "core/io/trimmed.h"

namespace bytescope::trace {
namespace {

bool looks_like_object(const std::string& text) {
  const std::string_view object = io::trimmed(text);
  return object.starts_with('{') && object.ends_with('}');
}

}  // namespace

InfoSample sample_infos(io::PageReader& reader, const bytepack::Reading& reading,
                        const bytepack::StringTable& strings) {
  constexpr std::size_t most = 512;
  InfoSample sample;
  // Infos may be shared, and a hostile one may be huge: each is read once.
  std::unordered_set<std::uint32_t> seen;
  const bytepack::SpanLayout& layout = reading.dialect->span;
  const std::size_t each =
      std::max<std::size_t>(most / std::max<std::size_t>(reading.heads.size(), 1), 1);
  std::size_t looked_at = 0;
  for (std::uint32_t track = 0; track < reading.heads.size(); ++track) {
    const bytepack::TrackHead& head = reading.heads[track];
    if (head.kind != bytepack::TrackKind::spans) continue;
    const std::uint64_t step = std::max<std::uint64_t>((head.count + each - 1) / each, 1);
    for (std::uint64_t i = 0; i < head.count && looked_at < most; i += step, ++looked_at) {
      const std::uint64_t byte = head.records_byte + layout.stride * i;
      if (looked_at == 0) sample.first = {byte, track, head.name, i};
      // Not through `reader`, which would read a whole page for each.
      std::array<std::byte, sizeof(std::uint32_t)> bytes{};
      reader.file().read_at(byte + static_cast<std::uint64_t>(layout.info), bytes);
      const auto info = bytepack::load<std::uint32_t>(bytes.data());
      if (!seen.insert(info).second) continue;
      (looks_like_object(strings.text(reader, info)) ? sample.any_object : sample.any_other) = true;
    }
  }
  return sample;
}

}  // namespace bytescope::trace
