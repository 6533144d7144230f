#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

// The rules that keep the program in layers (ARCHITECTURE.md), checked on the sources themselves.
namespace bytescope {
namespace {
namespace fs = std::filesystem;

struct Source {
  std::string path;  ///< From the root of the checkout, with slashes.
  std::string text;
};

bool is_source(const fs::path& path) {
  constexpr std::array<std::string_view, 2> endings = {".h", ".cpp"};
  return std::find(endings.begin(), endings.end(), path.extension().string()) != endings.end();
}

std::vector<Source> sources_under(std::string_view folder) {
  const fs::path root = BYTESCOPE_SOURCE_DIR;
  std::vector<Source> sources;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
    if (!entry.is_regular_file() || !is_source(entry.path())) continue;
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    sources.push_back({entry.path().lexically_relative(root).generic_string(), text.str()});
  }
  return sources;
}

/// What a source includes, as written between the quotes or brackets.
std::vector<std::string> includes_of(const std::string& text) {
  static const std::regex form(R"re([ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"].*)re");
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (line.find('#') != std::string::npos && std::regex_match(line, match, form))
      found.push_back(match[1]);
  }
  return found;
}

/// Whether `word` stands in `text` by itself.
bool has_word(std::string_view text, std::string_view word) {
  const auto is_letter = [&](std::size_t at) {
    return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
  };
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
    if (!is_letter(at - 1) && !is_letter(at + word.size())) return true;
  return false;
}

bool begins_with(std::string_view text, std::string_view begin) {
  return text.substr(0, begin.size()) == begin;
}

bool is_gl(std::string_view include) {
  return begins_with(include, "glad/") || begins_with(include, "GL/") ||
         begins_with(include, "EGL/") || begins_with(include, "OpenGL/");
}

bool is_window(std::string_view include) {
  return begins_with(include, "imgui") || begins_with(include, "GLFW/");
}

/// Place of a folder of the core; a folder may use those before it and itself. Folders that are
/// not named come last and may use all of them.
std::size_t rank_of(std::string_view core_path) {
  constexpr std::array<std::string_view, 6> order = {"io/",    "bytepack/", "trace/",
                                                     "query/", "export/",   "merge/"};
  for (std::size_t i = 0; i < order.size(); ++i)
    if (begins_with(core_path, order[i])) return i + 1;
  return core_path.find('/') == std::string_view::npos ? 0 : order.size() + 1;
}

template <class Forbidden>
void expect_no_include(std::string_view folder, Forbidden forbidden) {
  const std::vector<Source> sources = sources_under(folder);
  EXPECT_FALSE(sources.empty()) << folder;
  for (const Source& source : sources)
    for (const std::string& include : includes_of(source.text))
      EXPECT_FALSE(forbidden(source, include)) << source.path << " includes " << include;
}

TEST(Layers, IncludesAreReadInAllTheirForms) {
  const std::string text = "#include \"core/a.h\"\n  # include <GL/gl.h>\n// #include <no.h>\n";
  EXPECT_EQ(includes_of(text), (std::vector<std::string>{"core/a.h", "GL/gl.h"}));
}

TEST(Layers, TheCoreKnowsNoRenderingNoWindowAndNoGl) {
  expect_no_include("core", [](const Source&, std::string_view include) {
    return begins_with(include, "render/") || begins_with(include, "app/") || is_gl(include) ||
           is_window(include);
  });
}

TEST(Layers, RenderKnowsNoWindowAndOnlyItsGlFolderKnowsGl) {
  expect_no_include("render", [](const Source& source, std::string_view include) {
    const bool gl_folder = begins_with(source.path, "render/gl/");
    return begins_with(include, "app/") || is_window(include) || (is_gl(include) && !gl_folder) ||
           (begins_with(include, "render/gl/") && !gl_folder);
  });
}

TEST(Layers, InsideTheCoreIncludesPointTowardsTheBytes) {
  expect_no_include("core", [](const Source& source, std::string_view include) {
    constexpr std::string_view core = "core/";
    if (!begins_with(include, core)) return false;
    const std::size_t target = rank_of(include.substr(core.size()));
    return target > rank_of(std::string_view(source.path).substr(core.size()));
  });
}

TEST(Layers, OneFolderOfTheCoreAsksTheNetwork) {
  for (const char* folder : {"core", "render", "app"}) {
    expect_no_include(folder, [](const Source& source, std::string_view include) {
      return begins_with(include, "curl/") && !begins_with(source.path, "core/net/");
    });
  }
}

TEST(Layers, SourcesIncludeFromTheRoot) {
  for (const char* folder : {"core", "render", "app"}) {
    expect_no_include(folder, [](const Source&, std::string_view include) {
      return begins_with(include, "../") || begins_with(include, "./");
    });
  }
}

TEST(Sources, FilesHaveAtMost400Lines) {
  for (const char* folder : {"core", "render", "app"}) {
    for (const Source& source : sources_under(folder)) {
      // Tables are as long as what they list.
      if (source.path.find("_table.") != std::string::npos) continue;
      EXPECT_LE(std::count(source.text.begin(), source.text.end(), '\n'), 400) << source.path;
    }
  }
}

/// The sources of the program in which the pattern is found.
std::vector<std::string> sources_with(const std::string& pattern) {
  const std::regex form(pattern);
  std::vector<std::string> found;
  for (const char* folder : {"core", "render", "app"}) {
    for (const Source& source : sources_under(folder))
      if (std::regex_search(source.text, form)) found.push_back(source.path);
  }
  std::sort(found.begin(), found.end());
  return found;
}

// A trace's texts must not get into the hands of a shell.
TEST(Sources, StartNoOtherProgram) {
  EXPECT_THAT(sources_with(R"(\b(system|popen|exec[lv]p?e?|execvpe|posix_spawnp?)\()"),
              testing::IsEmpty());
}

// One of them appears whole, by rename; the others have no name, or none that anybody knows.
TEST(Sources, WriteFilesInThreePlaces) {
  EXPECT_THAT(
      sources_with(
          R"(\b(ofstream|std::fstream|fopen|mko?stemp|O_CREAT|O_TMPFILE|O_WRONLY|O_RDWR)\b)"),
      testing::ElementsAre("core/io/output_file_posix.cpp", "core/io/scratch_file_posix.cpp",
                           "core/net/cache_file_posix.cpp"));
}

TEST(Sources, NothingIsLeftForLater) {
  for (const char* folder : {"core", "render", "app"}) {
    for (const Source& source : sources_under(folder))
      for (const char* mark : {"TODO", "FIXME", "XXX", "HACK"})
        EXPECT_FALSE(has_word(source.text, mark)) << source.path << " says " << mark;
  }
}

}  // namespace
}  // namespace bytescope
