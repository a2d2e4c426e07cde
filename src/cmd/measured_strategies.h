// Strategies run beside each other, with their progress told; and what each takes, for advice that is
// measured.
#pragma once

#include <vector>

#include "sheaf/result.h"

#include "cmd/progress.h"
#include "measure/comparison.h"
#include "model/advice/recommendation.h"
#include "plan/planned_model.h"

namespace sheaf::cmd {

// Every strategy that is legal and can do everything, with copies and without: on data of the sizes that the
// model says, or about 20,000 entities and links of them, in memory, with its patterns and operations as
// often as it says.
Result<std::vector<model::MeasuredStrategy>> measured_strategies(const plan::PlannedModel& planned,
                                                                 size_t layout, model::RelationId relation);

// As measure::compare; tells how many of the candidates were begun.
Result<measure::Comparison> compare_with_progress(measure::Candidates candidates,
                                                  const measure::DataSet& data,
                                                  measure::ComparisonOptions options, Progress& progress);

}  // namespace sheaf::cmd
