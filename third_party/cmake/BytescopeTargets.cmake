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

# bytescope_precompile(TARGET [HEADERS…]): what nearly every file includes is read once, unless files are compiled together: then
# reading the headers anew is cheaper than mapping them precompiled.
function(bytescope_precompile target)
  if(NOT BYTESCOPE_UNITY)
    target_precompile_headers(${target} PRIVATE <algorithm> <atomic> <chrono> <cstdint> <filesystem> <fstream> <functional> <map> <memory> <optional>
      <random> <string> <thread> <unordered_map> <vector> <fmt/format.h> <tl/expected.hpp> ${ARGN})
  endif()
endfunction()

# bytescope_unite(TARGET): several files are compiled as one; headers and their templates took five sixths of the time. Names in unnamed
# namespaces must differ then.
function(bytescope_unite target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${BYTESCOPE_UNITY} UNITY_BUILD_BATCH_SIZE 10)
  if(BYTESCOPE_UNITY)
    # To g++ every file but the united one is a header, where unnamed namespaces would be wrong.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
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
  bytescope_unite(${name})
endfunction()
