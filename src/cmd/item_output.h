// How commands show items: drawn on a terminal, else one JSON document a line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/request.h"
#include "sheaf/table.h"
#include "sheaf/value.h"

#include "cmd/command_session.h"
#include "console/drawn_items.h"
#include "console/typed_items.h"

namespace CLI {
class App;
}

namespace sheaf::cmd {

struct OutputChoice {
  bool is_json = false;
  bool is_dynamo = false;
  std::string form;
  bool tells_cost = false;

  console::JsonForm json_form() const {
    return is_dynamo ? console::JsonForm::kDynamo : console::JsonForm::kPlain;
  }
};
void add_output_options(CLI::App& command, OutputChoice& choice);

class ItemPrinter {
 public:
  // `key` is of the table or index that is read: its attributes come first. Borrows all but it.
  ItemPrinter(const CommandSession& session, const OutputChoice& choice, KeySchema key);

  // Whether items are drawn, and not written as JSON.
  bool draws() const { return draws_; }
  void add(ItemView item);
  // Draws what is left. If that takes more than `lines_max` lines, and it is one item after the other, as
  // many as fit. Returns how many items were left out.
  size_t finish(std::optional<size_t> lines_max = std::nullopt);
  // The last item that was shown, if any is known.
  const std::optional<Item>& last() const { return last_; }

 private:
  console::ItemForm form() const;
  void draw_all();

  const CommandSession& session_;
  const OutputChoice& choice_;
  const KeySchema key_;
  const bool draws_;
  std::vector<Item> items_;  // to be drawn
  std::optional<Item> last_;
};

// "1.5 units (table 1, GSI1 0.5)"
std::string capacity_text(const Capacity& capacity);

// "12 items": what people want to know on a terminal, and programs do not, goes to the standard error.
void tell_people(const CommandSession& session, const std::string& text);
// With --cost, and on a shell's terminal.
void tell_cost(const CommandSession& session, const OutputChoice& choice, const Capacity& capacity);

}  // namespace sheaf::cmd
