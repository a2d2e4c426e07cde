// How many each end of the relations of a model leads to, in data.
#pragma once

#include <string>
#include <vector>

#include "sheaf/database.h"
#include "sheaf/result.h"

#include "cmd/table_sample.h"
#include "measure/data_set.h"
#include "model/advice/answers.h"
#include "model/layout.h"

namespace sheaf::cmd {

// One a relation. From a data file, or lines of data.
Result<std::vector<model::SeenSizes>> sizes_in_file(const model::Model& model, const model::Layout& layout,
                                                    const measure::DataFile& file);
// From the tables of the layout, as far as they are read. kNotFound if they are not there.
Result<std::vector<model::SeenSizes>> sizes_in_database(const model::Model& model,
                                                        const model::Layout& layout, Database& database,
                                                        const SampleOptions& options);

}  // namespace sheaf::cmd
