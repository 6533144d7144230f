#include "app/panels/folder_listing.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include "render/natural_order.h"

namespace bytescope::app {
namespace {
namespace fs = std::filesystem;

char small(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

bool same_but_for_capitals(char a, char b) { return small(a) == small(b); }

bool begins_with(std::string_view name, std::string_view begin) {
  return name.size() >= begin.size() &&
         std::equal(begin.begin(), begin.end(), name.begin(), same_but_for_capitals);
}

/// Whether a file is called like a trace, compressed or not.
bool names_trace(std::string_view name) {
  return name.ends_with(".bin") || name.ends_with(".bin.gz") || name.ends_with(".bin.zst");
}

void add_entry(const fs::directory_entry& file, FolderListing& listing) {
  std::error_code error;
  FolderEntry entry;
  entry.name = file.path().filename().string();
  entry.is_folder = file.is_directory(error);
  if (!entry.is_folder) {
    if (!names_trace(entry.name) || !file.is_regular_file(error)) return;
    const std::uintmax_t size = file.file_size(error);
    entry.bytes = error ? 0 : size;
  }
  listing.entries.push_back(std::move(entry));
}

std::string home() {
  const char* path = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return path == nullptr ? std::string() : std::string(path);
}

/// The beginning that two texts share.
std::string shared_beginning(std::string_view a, std::string_view b) {
  const auto end = std::mismatch(
      a.begin(), a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size())), b.begin(),
      same_but_for_capitals);
  return {a.begin(), end.first};
}

}  // namespace

FolderListing list_folder(const std::string& folder, const Cancel& cancel) {
  FolderListing listing;
  listing.folder = folder;
  std::error_code error;
  fs::directory_iterator file(folder, error);
  for (; !error && file != fs::directory_iterator() && !cancel.requested(); file.increment(error)) {
    if (listing.entries.size() >= FolderListing::most_entries) {
      listing.has_more = true;
      break;
    }
    add_entry(*file, listing);
  }
  if (error) listing.error = fmt::format("This folder cannot be read: {}", error.message());
  std::sort(listing.entries.begin(), listing.entries.end(),
            [](const FolderEntry& a, const FolderEntry& b) {
              if (a.is_folder != b.is_folder) return a.is_folder;
              return render::natural_less(a.name, b.name);
            });
  return listing;
}

TypedPath typed_path(std::string_view text) {
  TypedPath typed;
  for (const std::string_view anew : {"//", "/~/"}) {
    const std::size_t at = text.rfind(anew);
    if (at != std::string_view::npos) text.remove_prefix(at + 1);
  }
  const std::size_t slash = text.rfind('/');
  if (slash == std::string_view::npos) {
    typed.filter = text;
    return typed;
  }
  typed.folder = text.substr(0, slash + 1);
  typed.filter = text.substr(slash + 1);
  if (typed.folder.starts_with("~/")) typed.folder = home() + typed.folder.substr(1);
  return typed;
}

std::string text_of_parent(std::string_view text) {
  while (!text.empty() && text.back() == '/') text.remove_suffix(1);
  const std::size_t slash = text.rfind('/');
  if (slash == std::string_view::npos) return "/";
  return std::string(text.substr(0, slash + 1));
}

std::string with_slash(std::string path) {
  if (path.empty() || path.back() != '/') path += '/';
  return path;
}

bool matches(std::string_view name, std::string_view filter) {
  if (name.starts_with('.') && !filter.starts_with('.')) return false;
  return std::search(name.begin(), name.end(), filter.begin(), filter.end(),
                     same_but_for_capitals) != name.end() ||
         filter.empty();
}

std::string completed(const std::vector<FolderEntry>& entries, std::string_view filter) {
  std::vector<const FolderEntry*> beginning;
  std::vector<const FolderEntry*> matching;
  for (const FolderEntry& entry : entries) {
    if (!matches(entry.name, filter)) continue;
    matching.push_back(&entry);
    if (begins_with(entry.name, filter)) beginning.push_back(&entry);
  }
  if (beginning.empty() && matching.size() == 1) beginning = matching;
  if (beginning.empty()) return std::string(filter);
  std::string shared = beginning[0]->name;
  for (const FolderEntry* entry : beginning) shared = shared_beginning(shared, entry->name);
  if (beginning.size() == 1 && beginning[0]->is_folder) shared += '/';
  return shared;
}

}  // namespace bytescope::app
