#include "core/net/program_texts.h"

#include <algorithm>
#include <new>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

#include "core/net/program_data.h"

namespace bytescope::net {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr std::size_t most_answer_bytes = std::size_t{64} << 20U;
constexpr std::size_t most_known_bytes = std::size_t{64} << 20U;
constexpr std::size_t most_depth = 64;
constexpr std::size_t most_target_bytes = 4096;

tl::unexpected<Error> no_answer(std::string why) {
  return failure(ErrorKind::bad_input, std::move(why));
}

/// Parses an answer into `parser`; what was wrong else.
Expected<element> parsed(simdjson::dom::parser& parser, const std::string& json) {
  element root;
  simdjson::error_code error = parser.allocate(std::max<std::size_t>(json.size(), 1), most_depth);
  if (error == simdjson::SUCCESS) error = parser.parse(json).get(root);
  if (error == simdjson::SUCCESS) return root;
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();
  return no_answer(
      fmt::format("The viewer does not answer in JSON ({})", simdjson::error_message(error)));
}

std::string text_member(const object& from, std::string_view key) {
  std::string_view value;
  return from[key].get(value) == simdjson::SUCCESS ? std::string(value) : std::string();
}

/// A path on the same server, or nothing.
std::string target_from(std::string query) {
  const bool is_target =
      query.size() <= most_target_bytes && query.starts_with('/') && !query.starts_with("//") &&
      std::all_of(query.begin(), query.end(), [](char c) { return c > ' ' && c < 0x7F; });
  return is_target ? std::move(query) : std::string();
}

/// Where the texts of a program are; empty where there are none.
struct Targets {
  std::string source;
  std::string disassembly;
};

Targets targets_of(const array& steps) {
  Targets targets;
  std::string older_source;
  for (const element& step : steps) {
    object of;
    if (step.get(of) != simdjson::SUCCESS) continue;
    const std::string name = text_member(of, "name");
    if (name == "View Source") targets.source = target_from(text_member(of, "query"));
    if (name == "View Program") older_source = target_from(text_member(of, "query"));
    if (name == "View Disassembly") targets.disassembly = target_from(text_member(of, "query"));
  }
  // Viewers before 2026 call it so.
  if (targets.source.empty()) targets.source = std::move(older_source);
  return targets;
}

}  // namespace

Expected<std::vector<ProgramTexts::Program>> ProgramTexts::programs_from_json(
    const std::string& json) {
  simdjson::dom::parser parser;
  const auto root = parsed(parser, json);
  if (!root) return tl::make_unexpected(root.error());
  array all;
  if (root->get(all) != simdjson::SUCCESS)
    return no_answer("The viewer does not answer with a list of programs");
  std::vector<Program> programs;
  for (const element& each : all) {
    Program& program = programs.emplace_back();
    object from;
    array steps;
    if (each.get(from) != simdjson::SUCCESS) continue;
    program.name = text_member(from, "name");
    if (from["steps"].get(steps) != simdjson::SUCCESS) continue;
    Targets targets = targets_of(steps);
    program.source = std::move(targets.source);
    program.disassembly = std::move(targets.disassembly);
  }
  return programs;
}

Expected<std::string> ProgramTexts::text_from_json(const std::string& json) {
  simdjson::dom::parser parser;
  const auto root = parsed(parser, json);
  if (!root) return tl::make_unexpected(root.error());
  object from;
  std::string_view text;
  element data;
  const bool is_object = root->get(from) == simdjson::SUCCESS;
  const bool has_text = is_object && from["src"].get(text) == simdjson::SUCCESS;
  std::string all = has_text ? std::string(text) : std::string();
  std::string more;
  if (is_object && from["data"].get(data) == simdjson::SUCCESS) more = text_of_data(data);
  if (!has_text && more.empty()) return no_answer("The viewer answers without a text");
  // What some devices tell of their instructions stands beneath them.
  if (!all.empty() && !more.empty()) all += all.back() == '\n' ? "\n" : "\n\n";
  return all + more;
}

Expected<void> ProgramTexts::fetch_programs(const Cancel& cancel) {
  if (has_programs_) return {};
  Url url = viewer_;
  url.target = "/ctxs";
  const auto json = http_get_text(url, limits_, most_answer_bytes, cancel);
  if (!json) return tl::make_unexpected(json.error());
  auto programs = programs_from_json(*json);
  if (!programs) {
    programs.error().path = url.text();
    return tl::make_unexpected(programs.error());
  }
  programs_ = std::move(*programs);
  has_programs_ = true;
  return {};
}

Expected<std::shared_ptr<const ProgramText>> ProgramTexts::fetch(const Program& program,
                                                                 const std::string& target,
                                                                 const Cancel& cancel) const {
  Url url = viewer_;
  url.target = target;
  const auto json = http_get_text(url, limits_, most_answer_bytes, cancel);
  if (!json) return tl::make_unexpected(json.error());
  auto text = text_from_json(*json);
  if (!text) {
    text.error().path = url.text();
    return tl::make_unexpected(text.error());
  }
  return std::make_shared<const ProgramText>(ProgramText{program.name, std::move(*text)});
}

void ProgramTexts::keep(Known known) {
  known_bytes_ += known.text->text.size();
  known_.push_front(std::move(known));
  while (known_.size() > 1 && known_bytes_ > most_known_bytes) {
    known_bytes_ -= known_.back().text->text.size();
    known_.pop_back();
  }
}

Expected<std::shared_ptr<const ProgramText>> ProgramTexts::text(std::uint32_t ref, TextKind kind,
                                                                const Cancel& cancel) {
  const std::scoped_lock lock(mutex_);
  const auto known = std::find_if(known_.begin(), known_.end(), [&](const Known& candidate) {
    return candidate.ref == ref && candidate.kind == kind;
  });
  if (known != known_.end()) {
    known_.splice(known_.begin(), known_, known);
    return known_.front().text;
  }
  if (const auto done = fetch_programs(cancel); !done) return tl::make_unexpected(done.error());
  if (ref >= programs_.size()) {
    return failure(
        ErrorKind::bad_input,
        fmt::format("The viewer knows no program {} (it knows {})", ref, programs_.size()), {},
        viewer_.origin());
  }
  const Program& program = programs_[ref];
  const bool is_source = kind == TextKind::source;
  const std::string& target = is_source ? program.source : program.disassembly;
  if (target.empty()) {
    return failure(
        ErrorKind::bad_input,
        fmt::format("The viewer has no {} of this program", is_source ? "source" : "disassembly"),
        {}, viewer_.origin());
  }
  auto text = fetch(program, target, cancel);
  if (text) keep({ref, kind, *text});
  return text;
}

}  // namespace bytescope::net
