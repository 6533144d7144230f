#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/panels/folder_listing.h"

namespace bytescope::app {

/// A line of the chooser's list.
struct ChooserRow {
  enum class Kind : std::uint8_t { heading, recent, folder, file };
  Kind kind = Kind::file;
  std::string name;
  std::string detail;  ///< Size of a file, folder of a recent one.
  std::string path;
  bool is_choice() const { return kind != Kind::heading; }
};

/// The address that is typed, maybe behind the path of a folder that stood there before; none for
/// paths.
std::optional<std::string> typed_url(const std::string& text);

/// What the chooser knows and does, without drawing it: the typed path, the rows that go with it,
/// which of them is chosen, and what came of it.
class ChooserModel {
public:
  /// `ask` is called with each folder that should be read; what comes of it goes to show().
  explicit ChooserModel(std::function<void(const std::string& folder)> ask);

  /// Begins anew, in a folder whose path ends with a slash, or with an address.
  void begin(const std::string& folder, std::vector<std::string> recent);
  /// Takes over a listing; one of another folder than the present is ignored.
  void show(std::shared_ptr<const FolderListing> listing);
  /// The path is another now.
  void set_text(std::string text);

  const std::string& text() const { return text_; }
  /// The path with what is typed completed as far as the folder tells.
  std::string completed_text() const;
  const std::vector<ChooserRow>& rows() const { return rows_; }
  std::optional<std::size_t> chosen() const { return chosen_; }
  /// Whether any row is marked.
  bool has_marked() const { return !marked_.empty(); }
  bool is_marked(const ChooserRow& row) const { return marked_.contains(row.path); }
  /// What stands below the rows; empty when they say it all.
  std::string notice() const;
  bool has_failed() const { return listing_ && !listing_->error.empty(); }

  /// Chooses another row, so many below (negative: above).
  void move(int step);
  /// Chooses a row. `marks`: also takes it into, or out of, the files to be opened together.
  void choose(std::size_t row, bool marks);
  /// Enters the chosen folder, or answers the chosen file and all marked ones. Without a chosen
  /// row the typed path or address counts.
  void activate();
  /// The files to be opened, once there are any.
  const std::optional<std::vector<std::string>>& answer() const { return answer_; }

private:
  void rebuild();

  std::function<void(const std::string&)> ask_;
  std::string text_;
  TypedPath typed_;
  std::string folder_;  ///< The one that was asked for.
  std::shared_ptr<const FolderListing> listing_;
  std::vector<std::string> recent_;
  std::vector<ChooserRow> rows_;
  std::optional<std::size_t> chosen_;
  std::set<std::string> marked_;
  std::optional<std::vector<std::string>> answer_;
};

}  // namespace bytescope::app
