#include "cmd/item_output.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>

namespace sheaf::cmd {
namespace {

// So many are drawn at a time, each time as wide as these need.
constexpr size_t kDrawnAtOnce = 1000;

std::string units_text(double units) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.10g", units);
  return text;
}

}  // namespace

void add_output_options(CLI::App& command, OutputChoice& choice) {
  CLI::Option* const json =
      command.add_flag("--json", choice.is_json, "One JSON document a line, as if this were no terminal")
          ->group("Output");
  command
      .add_flag("--dynamodb-json", choice.is_dynamo,
                "DynamoDB's JSON, with a type at every value: {\"n\": {\"N\": \"1\"}}; where items are "
                "given, these too")
      ->group("Output");
  command.add_option("--form", choice.form, "Draw items so, even if this is no terminal; else what fits")
      ->check(CLI::IsMember({"table", "collections", "list"}))
      ->excludes(json)
      ->group("Output");
  command.add_flag("--cost", choice.tells_cost, "Tell the units that it took, on the standard error")
      ->group("Output");
}

ItemPrinter::ItemPrinter(const CommandSession& session, const OutputChoice& choice, KeySchema key)
    : session_(session),
      choice_(choice),
      key_(std::move(key)),
      draws_(!choice.form.empty() ||
             (session.terminal.is_one && !choice.is_json && !choice.is_dynamo && !session.wants_json)) {}

void ItemPrinter::add(ItemView item) {
  if (session_.seen_attributes != nullptr) {
    for (const Attribute& attribute : item) session_.seen_attributes->emplace(attribute.name);
  }
  if (!draws_) {
    std::cout << console::text_of(item, choice_.json_form()) << "\n";
    last_ = Item(item);
    return;
  }
  items_.emplace_back(item);
  if (items_.size() == kDrawnAtOnce) draw_all();
}

console::ItemForm ItemPrinter::form() const {
  if (choice_.form == "table") return console::ItemForm::kTable;
  if (choice_.form == "collections") return console::ItemForm::kCollections;
  if (choice_.form == "list") return console::ItemForm::kList;
  return console::fitting_form(items_, key_, session_.terminal.look);
}

void ItemPrinter::draw_all() {
  if (items_.empty()) return;
  std::cout << console::drawn(items_, key_, form(), session_.terminal.look);
  last_ = items_.back();
  items_.clear();
}

size_t ItemPrinter::finish(std::optional<size_t> lines_max) {
  const size_t all = items_.size();
  while (lines_max && items_.size() > 1) {
    const std::string text = console::drawn(items_, key_, form(), session_.terminal.look);
    const auto lines = static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
    if (lines <= *lines_max) break;
    items_.resize(std::clamp<size_t>(items_.size() * *lines_max / lines, 1, items_.size() - 1));
  }
  const size_t left_out = all - items_.size();
  draw_all();
  return left_out;
}

std::string capacity_text(const Capacity& capacity) {
  std::string text = units_text(capacity.total()) + (capacity.total() == 1 ? " unit" : " units");
  if (capacity.indexes.empty()) return text;
  text += " (table " + units_text(capacity.table);
  for (const auto& [name, units] : capacity.indexes) text += ", " + name + " " + units_text(units);
  return text + ")";
}

void tell_people(const CommandSession& session, const std::string& text) {
  if (session.terminal.is_one && isatty(STDERR_FILENO) == 1) std::cerr << text << "\n";
}

void tell_cost(const CommandSession& session, const OutputChoice& choice, const Capacity& capacity) {
  if (choice.tells_cost || (session.is_shell() && session.terminal.is_one))
    std::cerr << capacity_text(capacity) << "\n";
}

}  // namespace sheaf::cmd
