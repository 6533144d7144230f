#include "app/save_form.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/panels/folder_listing.h"

namespace bytescope::app {

void SaveForm::begin(std::string path, std::vector<SaveFormat> formats) {
  formats_ = std::move(formats);
  folder_ = typed_path(path).folder;
  set_text(std::move(path));
}

void SaveForm::set_text(std::string text) {
  text_ = std::move(text);
  notice_.clear();
  replaces_ = false;
}

std::optional<std::size_t> SaveForm::format() const {
  for (std::size_t i = 0; i < formats_.size(); ++i)
    if (text_.ends_with(formats_[i].ending)) return i;
  return std::nullopt;
}

void SaveForm::choose(std::size_t format) {
  std::string text = text_;
  if (const auto old = this->format()) {
    text.resize(text.size() - formats_[*old].ending.size());
  }
  set_text(text + formats_[format].ending);
}

std::optional<std::string> SaveForm::confirm() {
  const TypedPath typed = typed_path(text_);
  const std::string path = (typed.folder.empty() ? folder_ : typed.folder) + typed.filter;
  std::error_code error;
  if (!format() || typed.filter == formats_[*format()].ending) {
    notice_ = "The name must end with ";
    for (std::size_t i = 0; i < formats_.size(); ++i)
      notice_ += (i == 0 ? "" : i + 1 == formats_.size() ? " or " : ", ") + formats_[i].ending;
  } else if (!typed.folder.empty() && !std::filesystem::is_directory(typed.folder, error)) {
    notice_ = "There is no such folder";
  } else if (std::filesystem::is_directory(path, error)) {
    notice_ = "This is a folder";
  } else if (std::filesystem::exists(path, error) && !replaces_) {
    notice_ = "There is such a file already; Enter again replaces it";
    replaces_ = true;
  } else {
    return path;
  }
  return std::nullopt;
}

std::string path_beside(const std::string& path, const std::string& addition,
                        const std::string& ending) {
  std::filesystem::path of = path;
  while (of.extension() == ".gz" || of.extension() == ".zst" || of.extension() == ".bin")
    of.replace_extension();
  return of.string() + addition + ending;
}

}  // namespace bytescope::app
