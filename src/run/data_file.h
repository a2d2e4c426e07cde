// Entities and links from JSON:
//   { "Org": [{ "name": "acme" }], "User": [{ "org": "acme", "name": "ann" }],
//     "links": { "Invoice.bills": [["i1", "b1", { "share": 0.5 }]] } }
// An end that leads to one holds the id of its entity: a value, or a list of values if the id has several
// parts. Embedded children are lists of documents in their parent, or written by themselves, as for a layout
// that does not embed them.
#pragma once

#include <string_view>
#include <vector>

#include "sheaf/database.h"

#include "model/layout.h"
#include "model/model.h"
#include "run/document.h"
#include "run/guards.h"
#include "run/record.h"

namespace sheaf::run {

struct Data {
  std::vector<Record> records;
  std::vector<Edge> edges;
};

// For one layout, which says what lies where: with counts, copies and versions. kInvalid, with the place, if
// it does not fit the model.
Result<Data> read_data(const model::Model& model, const model::Layout& layout, std::string_view json);

// The guards that an entity, a link, or all of it takes.
std::vector<Guard> all_guards_of(const model::Model& model, const model::Layout& layout,
                                 const Record& record);
std::vector<Guard> all_guards_of(const model::Model& model, const model::Layout& layout, const Edge& edge);
std::vector<Guard> guards_of(const model::Model& model, const model::Layout& layout, const Data& data);

// Writes all of it, and its guards, into tables that hold nothing of it yet; data_writer.h says more. Returns
// how many items, without the guards.
Result<size_t> load_data(Database& database, const model::Model& model, const model::Layout& layout,
                         const Data& data);

}  // namespace sheaf::run
