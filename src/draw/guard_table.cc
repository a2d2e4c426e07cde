#include "draw/guard_table.h"

#include <algorithm>

#include "run/system_table.h"

namespace sheaf::draw {

Section guard_table(const Subject& subject) {
  // By their keys, as the table has them.
  std::vector<std::pair<std::string, const Item*>> sorted;
  for (const Item& guard : subject.guards) {
    Item key = guard;
    key.remove(run::kGuardOwner);
    sorted.emplace_back(key.to_json(), &guard);
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::string> names;
  for (const auto& [key, guard] : sorted) {
    for (const Attribute attribute : guard->view()) {
      if (std::find(names.begin(), names.end(), attribute.name) == names.end())
        names.emplace_back(attribute.name);
    }
  }
  // Keys first: what else there is comes behind them.
  std::stable_partition(names.begin(), names.end(),
                        [](const std::string& name) { return name != run::kGuardOwner; });
  Grid grid;
  for (const std::string& name : names) grid.add(header_cell(0, grid.columns, name));
  grid.header_rows = 1;
  for (const auto& [key, guard] : sorted) {
    const size_t row = grid.rows;
    for (size_t column = 0; column < names.size(); ++column) {
      const auto value = guard->find(names[column]);
      Cell cell = plain_cell(row, column, value ? value_text(*value) : "", TextStyle::kCode);
      cell.role = Cell::Role::kValue;
      grid.add(std::move(cell));
    }
  }
  return {.title = "Guards in table " + run::system_table_name(subject.model),
          .note = "Each is there as long as its promise is taken",
          .body = std::move(grid)};
}

}  // namespace sheaf::draw
