#include "core/trace/info_sample.h"

#include <algorithm>
#include <string>

#include "core/bytepack/records.h"

namespace bytescope::trace {
namespace {

bool looks_like_object(const std::string& text) {
  const char* blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  return first != std::string::npos && text[first] == '{' &&
         text[text.find_last_not_of(blanks)] == '}';
}

}  // namespace

InfoSample sample_infos(io::PageReader& reader, const bytepack::Reading& reading,
                        const bytepack::StringTable& strings) {
  constexpr std::size_t most = 512;
  InfoSample sample;
  const bytepack::SpanLayout& layout = reading.dialect->span;
  const std::size_t each =
      std::max<std::size_t>(most / std::max<std::size_t>(reading.heads.size(), 1), 1);
  std::size_t looked_at = 0;
  for (const bytepack::TrackHead& head : reading.heads) {
    if (head.kind != bytepack::TrackKind::spans) continue;
    const std::uint64_t step = std::max<std::uint64_t>(head.count / each, 1);
    for (std::uint64_t i = 0; i < head.count && looked_at < most; i += step, ++looked_at) {
      const std::byte* bytes = reader.at(head.records_byte + layout.stride * i, layout.stride);
      const auto info = bytepack::load<std::uint32_t>(bytes + layout.info);
      (looks_like_object(strings.text(reader, info)) ? sample.any_object : sample.any_other) = true;
    }
  }
  return sample;
}

}  // namespace bytescope::trace
