// How the items of a table lie, from a part of them.
#pragma once

#include <string>

#include "sheaf/database.h"
#include "sheaf/result.h"

#include "cmd/table_sample.h"
#include "lint/table_statistics.h"
#include "watch/sampler.h"

namespace sheaf::cmd {

// Of a table that is read in part: where the database counts item collections, the largest of all of them;
// otherwise those that were met, in full if the source can tell, and else as far as they were read. What the
// traffic of late says, before items were read, is there if the source tells it. `counting`: the database
// itself, if that of the source hands calls on to it.
Result<lint::TableStatistics> table_figures(const watch::Source& source, const std::string& table,
                                            const SampleOptions& options, Database* counting = nullptr);

}  // namespace sheaf::cmd
