#pragma once

#include <string>

namespace bytescope::app {

/// How a trace is called where there is little room: the name of its file, or the machine and port
/// of the program that it comes from. On one line, valid UTF-8.
std::string trace_title(const std::string& path_or_url);

/// Its whole path or address; of files that are shown as one the paths of all. On one line, valid
/// UTF-8.
std::string shown_path(const std::string& path_or_url);

/// Where that is: the folder, or what kind of address.
std::string trace_place(const std::string& path_or_url);

/// As files and programs are remembered, from wherever the program is started; a set of files in
/// its fixed order.
std::string absolute_path(const std::string& path_or_url);

/// A path that files made from it are named after: its own, or for what comes from a server a name
/// in the working folder.
std::string local_path(const std::string& path_or_url);

}  // namespace bytescope::app
