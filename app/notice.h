#pragma once

#include <optional>
#include <string>

namespace bytescope::app {

/// A sentence that the status bar tells for a while: good news go by themselves after some seconds,
/// what is amiss stays until it is cleared.
class Notice {
public:
  void tell(std::string text, bool is_good);
  void clear() { text_.clear(); }
  /// Takes note of the time of a frame; news that have stood long enough are gone.
  void move_on(double now_s);
  /// Empty when there is nothing to tell.
  const std::string& text() const { return text_; }
  bool is_good() const { return is_good_; }
  /// In how many seconds from that time on it is gone; none when it does not go by itself.
  std::optional<double> goes_in_s(double now_s) const;

private:
  std::string text_;
  bool is_good_ = false;
  std::optional<double> shown_since_s_;  // none before its first frame
};

}  // namespace bytescope::app
