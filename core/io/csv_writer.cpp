#include "core/io/csv_writer.h"

#include <cmath>

#include <fmt/format.h>

namespace bytescope::io {

void CsvWriter::separate() {
  if (!is_first_) out_ += ',';
  is_first_ = false;
}

CsvWriter& CsvWriter::text(std::string_view text) {
  separate();
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out_ += text;
    return *this;
  }
  out_ += '"';
  for (const char c : text) {
    if (c == '"') out_ += '"';
    out_ += c;
  }
  out_ += '"';
  return *this;
}

CsvWriter& CsvWriter::number(double value) {
  return text(std::isfinite(value) ? fmt::format("{}", value) : std::string());
}

CsvWriter& CsvWriter::duration(double value) {
  const auto single = static_cast<float>(value);
  return static_cast<double>(single) == value ? text(fmt::format("{}", single)) : number(value);
}

CsvWriter& CsvWriter::end_row() {
  out_ += '\n';
  is_first_ = true;
  return *this;
}

}  // namespace bytescope::io
