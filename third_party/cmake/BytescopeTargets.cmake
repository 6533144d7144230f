# What every target of the project is built with: warnings, sanitizers, the include root.

add_library(bytescope_options INTERFACE)
target_include_directories(bytescope_options INTERFACE "${CMAKE_SOURCE_DIR}")
target_compile_options(bytescope_options INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast)
if(BYTESCOPE_WERROR)
  target_compile_options(bytescope_options INTERFACE -Werror)
endif()
foreach(sanitizer IN LISTS BYTESCOPE_SANITIZE)
  target_compile_options(bytescope_options INTERFACE -fsanitize=${sanitizer} -fno-omit-frame-pointer)
  target_link_options(bytescope_options INTERFACE -fsanitize=${sanitizer})
endforeach()

# bytescope_precompile(TARGET [HEADERS…]): what nearly every file includes is read once; half of the time of a build went into it.
function(bytescope_precompile target)
  target_precompile_headers(${target} PRIVATE <algorithm> <cstdint> <functional> <memory> <optional> <string> <unordered_map> <vector>
    <fmt/format.h> <tl/expected.hpp> ${ARGN})
endfunction()

# bytescope_library(NAME): a static library of every .cpp under the calling folder, except nested folders in EXCEPT.
function(bytescope_library name)
  cmake_parse_arguments(ARG "" "" "EXCEPT" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  foreach(except IN LISTS ARG_EXCEPT)
    list(FILTER sources EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${except}")
  endforeach()
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC bytescope_options)
  bytescope_precompile(${name})
endfunction()
