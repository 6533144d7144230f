#include "core/trace/name_styles.h"

#include "core/trace/ansi.h"

namespace bytescope::trace {
namespace {

/// Names longer than that are coloured by their beginning.
constexpr std::size_t name_limit_bytes = 4096;
// 16 MB where a trace has names all over a large index, hardly any of it elsewhere: reading pages
// again for each of a million names would cost more than all the rest.
constexpr std::size_t cached_pages = 256;

}  // namespace

NameStyles::NameStyles(const io::InputFile& file, const bytepack::JsonIndex& index)
    : index_(index), reader_({&file, [](const io::InputFile*) {}}, cached_pages) {}

Style NameStyles::operator()(TrackRole role, std::uint32_t name) {
  const std::uint64_t key = (static_cast<std::uint64_t>(role) << 32U) | name;
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  const std::string plain = plain_text(index_.strings.text(reader_, name, name_limit_bytes));
  const bool by_file = role == TrackRole::shader && !index_.wave_colors.empty();
  const Style style = by_file ? wave_style(index_.wave_colors, plain) : style_of(role, plain);
  if (known_.size() < most_known) known_.emplace(key, style);
  return style;
}

}  // namespace bytescope::trace
