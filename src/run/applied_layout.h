// A layout put to use on a database. What is stored under it stays where it is: a change of the layout that
// would need items to move is refused, with what would have to move.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sheaf/database.h"

#include "model/layout.h"
#include "model/model.h"

namespace sheaf::run {

// What decides where items lie and what they hold: the thing, and how it is stored.
//   {"Employee", "employee key <id>"}, {"Employee.by_department", "<department.id>"}
using LayoutFacts = std::vector<std::pair<std::string, std::string>>;
LayoutFacts layout_facts(const model::Model& model, const model::Layout& layout);
// What of the new facts cannot be had without moving items that are there, for people.
std::vector<std::string> moves_between(const LayoutFacts& before, const LayoutFacts& after);

// Makes tables, the indexes that are missing and the system table, and records the layout, and which fields
// are unique or counted. Does nothing that was done before. kInvalid, and nothing is changed, if items,
// guards or counts would have to be made for what is there, or a table does not fit.
Result<void> apply_layout(Database& database, const model::Model& model, const model::Layout& layout);

// kInvalid unless this layout, and no other version of it, is applied; also if a field is unique or counted
// there and not in this model: who uses it would break that. If one of `others` is applied in its place, that
// is told.
Result<void> check_applied(Database& database, const model::Model& model, const model::Layout& layout,
                           std::span<const model::Layout> others = {});

}  // namespace sheaf::run
