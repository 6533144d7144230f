#include "app/panels/chooser_model.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/trace_title.h"
#include "core/io/utf8.h"
#include "core/net/url.h"
#include "core/trace/ansi.h"
#include "core/trace/units.h"

namespace bytescope::app {
namespace {

using Kind = ChooserRow::Kind;

constexpr std::size_t most_recent = 6;

std::string shown_name(const std::string& name) {
  return io::printable_utf8(trace::single_line(name));
}

void add_recent(const std::vector<std::string>& recent, std::vector<ChooserRow>& rows) {
  if (recent.empty()) return;
  rows.push_back({Kind::heading, "Recent", {}, {}});
  for (std::size_t i = 0; i < std::min(recent.size(), most_recent); ++i) {
    rows.push_back({Kind::recent, trace_title(recent[i]), trace_place(recent[i]), recent[i]});
  }
  rows.push_back({Kind::heading, "In this folder", {}, {}});
}

/// What is wrong with an address, or what becomes of it.
std::string url_notice(const std::string& typed) {
  const auto url = net::trace_url_from(typed);
  if (!url) return url.error().message;
  return net::viewer_of(net::trace_name(*url))
             ? "Enter reads the trace of the program at " + url->host_and_port()
             : "Enter reads the trace at this address";
}

}  // namespace

std::optional<std::string> typed_url(const std::string& text) {
  for (const char* scheme : {"http://", "https://"}) {
    const std::size_t at = text.rfind(scheme);
    if (at != std::string::npos && (at == 0 || text[at - 1] == '/')) return text.substr(at);
  }
  return std::nullopt;
}

ChooserModel::ChooserModel(std::function<void(const std::string& folder)> ask)
    : ask_(std::move(ask)) {}

void ChooserModel::begin(const std::string& folder, std::vector<std::string> recent) {
  recent_ = std::move(recent);
  marked_.clear();
  answer_.reset();
  folder_.clear();
  set_text(folder);
}

void ChooserModel::set_text(std::string text) {
  text_ = std::move(text);
  if (typed_url(text_)) {
    typed_ = {};
    folder_.clear();
    listing_ = nullptr;
    rows_.clear();
    chosen_.reset();
    return;
  }
  typed_ = typed_path(text_);
  const std::string folder = typed_.folder.empty() ? std::string("./") : typed_.folder;
  if (folder != folder_) {
    folder_ = folder;
    listing_ = nullptr;
    ask_(folder);
  }
  rebuild();
}

void ChooserModel::show(std::shared_ptr<const FolderListing> listing) {
  if (!listing || listing->folder != folder_) return;
  listing_ = std::move(listing);
  rebuild();
}

void ChooserModel::rebuild() {
  rows_.clear();
  chosen_.reset();
  if (typed_.filter.empty()) add_recent(recent_, rows_);
  const std::size_t shown = listing_ ? listing_->entries.size() : 0;
  for (std::size_t i = 0; i < shown; ++i) {
    const FolderEntry& entry = listing_->entries[i];
    if (!matches(entry.name, typed_.filter)) continue;
    // What is typed in full comes before what only holds it.
    if (!typed_.filter.empty() && (!chosen_ || entry.name == typed_.filter)) chosen_ = rows_.size();
    rows_.push_back({entry.is_folder ? Kind::folder : Kind::file, shown_name(entry.name),
                     entry.is_folder ? std::string() : trace::bytes_text(entry.bytes),
                     typed_.folder + entry.name});
  }
}

std::string ChooserModel::completed_text() const {
  if (!listing_) return text_;
  const std::string begin = text_.substr(0, text_.size() - typed_.filter.size());
  return begin + completed(listing_->entries, typed_.filter);
}

std::string ChooserModel::notice() const {
  if (const auto url = typed_url(text_)) return url_notice(*url);
  if (!listing_) return "reading\u2026";
  if (has_failed()) return listing_->error;
  const bool any = std::any_of(rows_.begin(), rows_.end(), [](const ChooserRow& row) {
    return row.kind == Kind::folder || row.kind == Kind::file;
  });
  if (listing_->has_more) return "There are more; type a part of the name";
  if (any) return {};
  return typed_.filter.empty() ? "No folders and no .bin files here" : "Nothing of that name here";
}

void ChooserModel::move(int step) {
  const int count = static_cast<int>(rows_.size());
  if (count == 0 || step == 0) return;
  const int first = step > 0 ? 0 : count - 1;
  int at = chosen_ ? std::clamp(static_cast<int>(*chosen_) + step, 0, count - 1) : first;
  while (at >= 0 && at < count && !rows_[static_cast<std::size_t>(at)].is_choice())
    at += step > 0 ? 1 : -1;
  if (at >= 0 && at < count) chosen_ = static_cast<std::size_t>(at);
}

void ChooserModel::choose(std::size_t row, bool marks) {
  if (row >= rows_.size() || !rows_[row].is_choice()) return;
  chosen_ = row;
  if (!marks || rows_[row].kind == Kind::folder) return;
  if (marked_.erase(rows_[row].path) == 0) marked_.insert(rows_[row].path);
}

void ChooserModel::activate() {
  if (const auto url = typed_url(text_)) {
    if (net::trace_url_from(*url)) answer_ = {*url};
    return;
  }
  const ChooserRow* row = chosen_ ? &rows_[*chosen_] : nullptr;
  if (row != nullptr && row->kind == Kind::folder) return set_text(with_slash(row->path));
  std::vector<std::string> paths(marked_.begin(), marked_.end());
  if (row != nullptr && !is_marked(*row)) paths.push_back(row->path);
  if (paths.empty() && !typed_.filter.empty()) {
    // A file of another ending, or one whose folder is still being read.
    const std::string path = typed_.folder + typed_.filter;
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) return set_text(with_slash(path));
    if (std::filesystem::exists(path, error)) paths.push_back(path);
  }
  if (!paths.empty()) answer_ = std::move(paths);
}

}  // namespace bytescope::app
