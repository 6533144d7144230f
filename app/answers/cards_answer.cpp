#include <fmt/format.h>

#include "app/answers/answer.h"
#include "app/answers/answer_text.h"
#include "core/trace/units.h"

namespace bytescope::app {

std::vector<CardRow> card_rows(const trace::Trace& trace) {
  std::vector<CardRow> rows;
  for (const std::string& family : device_families(trace))
    for (const CardQuantity& quantity : card_quantities()) rows.push_back({family, &quantity});
  return rows;
}

void make_cards_answer(const AnswerRequest& request, const Cancel&, const PublishAnswer& publish) {
  const auto rows = std::make_shared<const std::vector<CardRow>>(card_rows(*request.trace));
  const CardTable cards = request.cards ? *request.cards : CardTable();
  const auto value = [rows, cards](std::size_t row) {
    return limits_of(cards, (*rows)[row].family).*(*rows)[row].quantity->value;
  };
  const std::shared_ptr<Answer> answer = new_answer(request);
  answer->table.columns = {text_column("Device", "device", 120), text_column("Limit", "limit", 180),
                           number_column("Value", "value", 140)};
  answer->table.most_first_px = 180;
  answer->table.typed_column = 2;
  answer->table.row_count = rows->size();
  answer->table.text = [rows, value](std::size_t row, std::size_t column) -> std::string {
    if (column == 0) return (*rows)[row].family;
    if (column == 1) return (*rows)[row].quantity->title;
    return value(row) > 0 ? trace::si_text(value(row), (*rows)[row].quantity->unit) : "not known";
  };
  answer->table.number = [value](std::size_t row, std::size_t) { return value(row); };
  answer->note_of_row = [](std::size_t row) { return std::optional(row); };
  answer->notice =
      "Click a row, or press F2 at it, type what the card can do and press Enter: statistics then "
      "tell shares of it, and memory has a line at its capacity.";
  publish(answer);
}

}  // namespace bytescope::app
