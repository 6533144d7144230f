#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "core/bytepack/dialect.h"
#include "core/bytepack/writer.h"
#include "tests/support/trace_maker.h"

/// write_seeds FOLDER: a small trace of every dialect, each with all that its dialect has.
int main(int argc, char** argv) {
  using namespace bytescope;
  if (argc != 2) {
    std::fputs("Usage: write_seeds FOLDER\n", stderr);
    return 2;
  }
  for (const bytepack::Dialect& dialect : bytepack::dialects) {
    const std::vector<std::byte> bytes =
        bytepack::encode(tests::varied_trace(dialect.letter), dialect);
    std::ofstream file(std::string(argv[1]) + "/" + dialect.letter + ".bin", std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    if (!file) return 3;
  }
  return 0;
}
