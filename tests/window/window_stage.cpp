#include "tests/window/window_stage.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace bytescope::tests {
namespace {

constexpr double patience_s = 15;
constexpr std::chrono::milliseconds glance(20);
/// So many glances in a row must see nothing move.
constexpr int calm_glances = 4;
constexpr double same_share = 0.002;

ScreenPart part_of(const render::Box& box) {
  return {static_cast<int>(box.x0), static_cast<int>(box.y0), static_cast<int>(box.x1),
          static_cast<int>(box.y1)};
}

}  // namespace

std::unique_ptr<XServer> XServer::start(int dpi) {
  constexpr int told_at = 3;
  Child server(
      {"Xvfb", "-displayfd", std::to_string(told_at), "-screen", "0",
       fmt::format("{}x{}x24", screen_width, screen_height), "-noreset", "-nolisten", "tcp"},
      {}, {}, told_at);
  const std::optional<std::string> number = server.told(patience_s);
  if (!number) return nullptr;
  if (dpi > 0) {
    const TemporaryFolder folder;
    std::ofstream(folder / "resources") << "Xft.dpi: " << dpi << "\n";
    EXPECT_EQ(run_tool({"xrdb", "-nocpp", "-merge", folder / "resources"}, {"DISPLAY=:" + *number}),
              0);
  }
  return std::unique_ptr<XServer>(new XServer(std::move(server), ":" + *number));
}

Plan::Plan(const std::string& path) {
  auto made = app::OffscreenViewer::create({screen_width, screen_height}, 1, render::dark_theme());
  if (!made) throw std::runtime_error(made.error().message);
  stage_ = std::move(*made);
  stage_->viewer().open(path);
  stage_->settle(Cancel());
}

ScreenPart Plan::tracks() const { return part_of(stage_->viewer().areas().tracks); }

ScreenPart Plan::panel() const { return part_of(stage_->viewer().areas().panel); }

ScreenPart Plan::dock() const {
  const render::WindowAreas& closed = stage_->viewer().areas();
  const auto height = static_cast<int>(app::DockState().height_px);
  const auto bottom = static_cast<int>(closed.status.y0);
  return {0, bottom - height, static_cast<int>(closed.tracks.x1), bottom};
}

ScreenPart Plan::below_rows() const {
  ScreenPart part = tracks();
  part.y0 += static_cast<int>(view().layout(stage_->viewer().tracks_height_px()).height_px) + 2;
  return part;
}

std::uint32_t Plan::number_of(const std::string& track) const {
  const auto& tracks = view().trace()->tracks;
  for (std::uint32_t i = 0; i < tracks.size(); ++i) {
    if (tracks[i].head.name == track) return i;
  }
  throw std::runtime_error("no track " + track);
}

Place Plan::name_of(const std::string& track) const {
  const render::TrackLayout& layout = view().layout(stage_->viewer().tracks_height_px());
  const render::TrackRow& row = layout.rows[layout.row_of_track[number_of(track)]];
  const render::Box& names = stage_->viewer().areas().names;
  return {static_cast<int>(names.x0) + 60,
          static_cast<int>(static_cast<double>(names.y0) + row.top_px + row.height_px / 2)};
}

Place Plan::longest_span(const std::string& track) const {
  const std::uint32_t number = number_of(track);
  const trace::Trace& trace = *view().trace();
  app::Selection longest;
  for (std::uint32_t i = 0; i < trace.tracks[number].head.count; ++i) {
    const app::Selection span = app::span_selection(trace, view().reader(), number, i);
    if (span.length_ns > longest.length_ns) longest = span;
  }
  const render::TrackLayout& layout = view().layout(stage_->viewer().tracks_height_px());
  const render::TrackRow& row = layout.rows[layout.row_of_track[number]];
  const render::Box& tracks = stage_->viewer().areas().tracks;
  const auto middle_ns = longest.begin_ns + static_cast<std::int64_t>(longest.length_ns / 2);
  return {static_cast<int>(static_cast<double>(tracks.x0) +
                           view().state().viewport.px_from_ns(middle_ns)),
          static_cast<int>(static_cast<double>(tracks.y0) + row.top_px +
                           row.lane_top_px(longest.lane) + row.lane_height_px(longest.lane) / 2)};
}

WindowStage::WindowStage(const XServer& server, const std::vector<std::string>& files,
                         const std::vector<std::string>& environment)
    : display_(server.display()), screen_(display_) {
  output_path_ = folder_ / "output.txt";
  std::vector<std::string> arguments = {BYTESCOPE_PROGRAM};
  arguments.insert(arguments.end(), files.begin(), files.end());
  // Whatever the program may come to remember between runs is not that of the person who tests.
  const std::string& home = folder_.path();
  std::vector<std::string> all = environment;  // of two with one name the first counts
  for (const char* variable : {"HOME=", "XDG_CONFIG_HOME=", "XDG_STATE_HOME=", "XDG_RUNTIME_DIR="})
    all.push_back(variable + home);
  for (const char* setting : {"WAYLAND_DISPLAY=", "DBUS_SESSION_BUS_ADDRESS="})
    all.emplace_back(setting);
  all.push_back("DISPLAY=" + display_);
  program_ = Child(arguments, all, output_path_);
  EXPECT_TRUE(becomes([this] {
    const auto found = screen_.window();
    window_ = found.value_or(0);
    return found.has_value();
  })) << "no window";
  first_size_ = screen_.size(window_);
  screen_.place(window_, screen_width, screen_height);
  move(nowhere);
  settled();
}

WindowStage::~WindowStage() {
  program_ = Child();
  std::ifstream file(output_path_);
  const std::string output{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(output, "") << "the program has nothing to say";
}

std::string WindowStage::remembered() const {
  std::ifstream file(folder_ / "bytescope/remembered.json");
  return {std::istreambuf_iterator<char>(file), {}};
}

void WindowStage::xdotool(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), "xdotool");
  EXPECT_EQ(run_tool(arguments, {"DISPLAY=" + display_}), 0) << arguments[1];
}

void WindowStage::keys(const std::vector<std::string>& names) const {
  std::vector<std::string> arguments = {"key"};
  arguments.insert(arguments.end(), names.begin(), names.end());
  xdotool(arguments);
}

void WindowStage::type(const std::string& text) const { xdotool({"type", "--delay", "2", text}); }

void WindowStage::move(Place place) const {
  xdotool({"mousemove", std::to_string(place.x), std::to_string(place.y)});
}

void WindowStage::click(Place place, int button, int times) const {
  xdotool({"mousemove", std::to_string(place.x), std::to_string(place.y), "click", "--repeat",
           std::to_string(times), "--delay", "1", std::to_string(button)});
}

void WindowStage::drag(Place from, Place to) const {
  std::vector<std::string> arguments = {
      "mousemove", std::to_string(from.x), std::to_string(from.y), "mousedown", "1", "sleep",
      "0.05"};
  constexpr int steps = 5;
  for (int i = 1; i <= steps; ++i) {
    arguments.emplace_back("mousemove");
    arguments.push_back(std::to_string(from.x + (to.x - from.x) * i / steps));
    arguments.push_back(std::to_string(from.y + (to.y - from.y) * i / steps));
    arguments.insert(arguments.end(), {"sleep", "0.03"});
  }
  // Let go of at rest: it stays where it is.
  arguments.insert(arguments.end(), {"sleep", "0.15", "mouseup", "1"});
  xdotool(arguments);
}

bool WindowStage::becomes(const std::function<bool()>& so) const {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(patience_s);
  while (!so()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(glance);
  }
  return true;
}

ScreenPicture WindowStage::settled() {
  ScreenPicture picture;
  int calm = 0;
  EXPECT_TRUE(becomes([&] {
    if (!program_.running()) return true;
    if (!program_.asleep()) {
      calm = 0;
      return false;
    }
    if (++calm < calm_glances) return false;
    ScreenPicture now = screen_.picture();
    const bool same = now.pixels == picture.pixels;
    picture = std::move(now);
    return same;
  })) << "the window does not come to rest";
  return picture;
}

bool WindowStage::shows(const std::string& file_name) const {
  const std::string wanted = file_name.empty() ? "bytescope" : file_name + " \u2013 bytescope";
  return becomes([&] { return title() == wanted; });
}

bool WindowStage::changes(const ScreenPicture& old, const ScreenPart& part, double share) const {
  return becomes([&] { return difference(old, screen_.picture(), part) > share; });
}

bool WindowStage::returns_to(const ScreenPicture& old, const ScreenPart& part) const {
  return becomes([&] { return difference(old, screen_.picture(), part) < same_share; });
}

}  // namespace bytescope::tests
