// What data leaves open of somebody who is there already, and what stays as it is then: times and values that
// are made where none are given, versions, and copies of those whom the data does not hold.
#pragma once

#include "model/layout.h"
#include "model/model.h"
#include "run/record.h"

namespace sheaf::run {

// `there`: the same entity as it is stored.
void take_kept(const model::Model& model, const Record& there, Record& record);
// All copies, with their versions.
void take_copies(const model::Model& model, const Record& there, Record& record);
// Copies of those whom the data does not hold. `there`: one of its items, the other way round or not.
void take_kept(const model::Model& model, const Edge& there, Edge& edge);

void set_version(const model::Model& model, Record& record, int64_t version);

}  // namespace sheaf::run
