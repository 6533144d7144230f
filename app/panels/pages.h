#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "app/panels/panel_context.h"
#include "core/cancel.h"
#include "core/error.h"

namespace bytescope::app {

/// What was clicked on the start page.
struct StartAnswer {
  bool open_chooser = false;
  bool open_demo = false;
  std::optional<std::string> open;  ///< One of the recent files.
};

/// The page without a document: what to drop, how to open, a demo, which files were open lately.
/// Draws no background, as all pages.
StartAnswer start_page(const PanelContext& context, std::span<const std::string> recent);

/// The page of a document of which there is nothing to show yet. Answers whether it should be
/// cancelled.
bool load_page(const PanelContext& context, const std::string& path, const Progress& progress);

/// What stands in place of the timeline of a trace without tracks.
void empty_trace_note(const PanelContext& context);

/// What was clicked on the page of a document that could not be opened.
enum class ErrorAnswer : std::uint8_t { none, retry, close };
ErrorAnswer error_page(const PanelContext& context, const std::string& path, const Error& error);

}  // namespace bytescope::app
