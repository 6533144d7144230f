#include "app/panels/fact_rows.h"

#include <algorithm>
#include <string>
#include <utility>

#include "app/panels/text_wrap.h"
#include "core/io/utf8.h"
#include "core/trace/ansi.h"

namespace bytescope::app {
namespace {

using render::Color;
using render::Face;
using render::TextPiece;
using Pieces = std::vector<TextPiece>;

constexpr float row_px = 20;
constexpr float title_line_px = 18;
constexpr float text_line_px = 16;
constexpr float section_gap_px = 12;
constexpr float after_title_px = 6;
constexpr float column_gap_px = 16;
constexpr Face label_face = Face::ui_12;
constexpr Face value_face = Face::mono_12;
constexpr Face text_face = Face::mono_11;

/// Keeps line ends and drops what else no font has.
std::string printable_lines(const std::string& text) {
  std::string lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (begin > 0) lines += '\n';
    std::size_t blanks = begin;
    while (blanks < end && text[blanks] == ' ') ++blanks;
    lines.append(text, begin, blanks - begin);
    lines += io::printable_utf8(
        trace::single_line(trace::plain_text(text.substr(blanks, end - blanks))));
    begin = end + 1;
  }
  return lines;
}

/// Puts lines under each other.
class RowMaker {
public:
  RowMaker(const render::Theme& theme, const render::TextMetrics& metrics, const FactLook& look)
      : theme_(theme), metrics_(metrics), look_(look) {
    rows_.width = look.width;
  }

  void add_title(const std::string& raw_title) {
    if (raw_title.empty()) return;
    for (Pieces& line :
         wrapped(metrics_, value_face, colored_pieces(theme_, raw_title, theme_.text), look_.width,
                 look_.most_title_lines))
      add_line(title_line_px, value_face, std::move(line), nullptr);
    rows_.height += after_title_px;
  }

  void add_section(const FactSection& section) {
    if (!section.title.empty()) {
      if (rows_.height > 0) rows_.height += section_gap_px;
      add_line(row_px, Face::ui_12_semibold, {{section.title, theme_.text}}, nullptr);
    }
    for (const FactRow& row : section.rows) row.is_text ? add_text(row) : add_row(row);
  }

  FactRows finish() { return std::move(rows_); }

private:
  void add_line(float height, Face face, Pieces label, const FactRow* row) {
    rows_.lines.push_back({rows_.height, height, face, std::move(label), {}, row});
    rows_.height += height;
  }

  void add_row(const FactRow& row) {
    const Color value_color = row.link ? theme_.accent : theme_.text;
    const std::string value = io::printable_utf8(trace::single_line(row.value));
    const float label_px = render::text_width_px(metrics_, label_face, row.label);
    const float value_px = render::text_width_px(metrics_, value_face, value);
    const bool fits = label_px + column_gap_px + value_px <= look_.width || value.empty();
    if (!row.label.empty() || fits)
      add_line(row_px, label_face, {{row.label, row.link ? theme_.accent : theme_.text_2}}, &row);
    if (fits && !value.empty()) rows_.lines.back().value = {{value, value_color}};
    if (!fits) add_wrapped(row, value_face, value, value_color);
  }

  void add_text(const FactRow& row) {
    if (!row.label.empty()) add_line(row_px, label_face, {{row.label, theme_.text_2}}, &row);
    // Of several lines the first says where.
    const std::string text = printable_lines(row.value);
    const std::size_t first_end = text.find('\n');
    if (first_end == std::string::npos) {
      add_wrapped(row, text_face, text, theme_.text);
    } else {
      add_wrapped(row, text_face, text.substr(0, first_end), theme_.text_2);
      add_wrapped(row, text_face, text.substr(first_end + 1), theme_.text);
    }
    rows_.height += 4;
  }

  void add_wrapped(const FactRow& row, Face face, const std::string& text, Color color) {
    for (Pieces& line : wrapped(metrics_, face, text, color, look_.width, look_.most_text_lines))
      add_line(text_line_px, face, std::move(line), &row);
  }

  const render::Theme& theme_;
  const render::TextMetrics& metrics_;
  const FactLook& look_;
  FactRows rows_;
};

/// Top of the text in a line.
float text_top(const FactLine& line, Face face) {
  return line.top + (line.height - render::size_px(face)) / 2;
}

}  // namespace

FactRows fact_rows(const render::Theme& theme, const render::TextMetrics& metrics,
                   const FactSheet& sheet, const FactLook& look) {
  RowMaker maker(theme, metrics, look);
  maker.add_title(sheet.raw_title);
  for (const FactSection& section : sheet.sections) maker.add_section(section);
  return maker.finish();
}

float natural_width(const render::TextMetrics& metrics, const FactSheet& sheet) {
  float width = render::text_width_px(metrics, value_face, trace::plain_text(sheet.raw_title)) + 1;
  for (const FactSection& section : sheet.sections) {
    for (const FactRow& row : section.rows) {
      const float label_px = render::text_width_px(metrics, label_face, row.label);
      const float value_px = render::text_width_px(metrics, value_face, row.value);
      width = std::max(width, label_px + column_gap_px + value_px + 1);
    }
  }
  return width;
}

namespace {

/// Makes a line a place to click; `reached`: by keys, too. Answers whether it was clicked.
bool is_line_clicked(PanelWindow& window, const render::Box& box, std::size_t number,
                     bool reached) {
  const auto over =
      window.place(box, static_cast<int>(number),
                   reached ? PanelWindow::Reach::keys_too : PanelWindow::Reach::pointer);
  if (over.hovered) window.fill(box, mix(window.theme().panel, window.theme().raised, 0.8F), 3);
  return over.clicked;
}

}  // namespace

FactClick draw_fact_rows(PanelWindow& window, const FactRows& rows, float x, float y,
                         bool clickable) {
  FactClick click;
  const render::Box& area = window.area();
  for (std::size_t i = 0; i < rows.lines.size(); ++i) {
    const FactLine& line = rows.lines[i];
    const float top = y + line.top;
    const bool is_seen = top < area.y1 && top + line.height > area.y0;
    // Keys reach each row once, those out of sight too.
    const bool is_first = i == 0 || rows.lines[i - 1].row != line.row;
    if (!is_seen && !(clickable && line.row != nullptr && is_first)) continue;
    if (clickable && line.row != nullptr) {
      const render::Box box{x - 6, top, x + rows.width + 6, top + line.height};
      if (is_line_clicked(window, box, i, is_first)) click.row = line.row;
    }
    if (!is_seen) continue;
    window.text_within(x, y + text_top(line, line.label_face), rows.width, line.label_face,
                       line.label);
    if (line.value.empty()) continue;
    const float value_px = render::text_width_px(window.metrics(), value_face, line.value);
    window.text(x + rows.width - value_px, y + text_top(line, value_face), value_face, line.value);
  }
  return click;
}

}  // namespace bytescope::app
