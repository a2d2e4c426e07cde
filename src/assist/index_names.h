// Which table or index a physical clause means, in all the layouts that it holds in.
#pragma once

#include "assist/symbol_writer.h"
#include "model/model.h"

namespace sheaf::assist {

// Tables and indexes are declared already. A clause that means indexes of several tables, in different
// layouts, makes them one: they must have the same name.
void refer_tables_and_indexes(const model::Model& model, SymbolWriter& writer);

}  // namespace sheaf::assist
