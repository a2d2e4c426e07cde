// What a layout promises of each relation, and how many indexes it takes: for people.
#pragma once

#include <optional>
#include <string>

#include "model/layout.h"
#include "model/model.h"

namespace sheaf::plan {

// How the holder of an end finds what the end leads to.
struct EndPromise {
  bool is_served = false;
  bool is_strong = false;            // it can be read strongly consistent
  bool is_in_item = false;           // it lies in one item, which holds 400 KB
  std::string place;                 // with its own item, in the table, by the index GSI1
  std::optional<std::string> order;  // by what it comes sorted, if it does: <staff.id>
};
EndPromise promise_of(const model::Model& model, const model::Layout& layout, model::EndId end);

//   table app: PK / SK, 1 index, which is minimal: Employee has 1 view
//     Employee "EMPLOYEE#<id>" / "EMPLOYEE#<id>"
//       GSI1 "DEPARTMENT#<department.id>" / "EMPLOYEE#<id>"
//   Department.staff via index on GSI1: chosen, because its own key is used for something else
//     staff of a Department: by the index GSI1, eventually consistent, in the order of <id>
//     department of an Employee: with its own item, strongly consistent
std::string explain_storage(const model::Model& model, const model::Layout& layout);

}  // namespace sheaf::plan
