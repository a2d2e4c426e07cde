// Strategies run beside each other, with their progress told; and what each takes, for advice that is
// measured.
#pragma once

#include <optional>
#include <vector>

#include "sheaf/result.h"

#include "cmd/progress.h"
#include "measure/comparison.h"
#include "measure/data_set.h"
#include "model/advice/recommendation.h"
#include "plan/planned_model.h"

namespace sheaf::cmd {

// What is there of a model already.
struct OwnData {
  std::optional<measure::DataFile> data;
  std::vector<model::SeenSizes> seen;  // one a relation; empty: nothing was seen
};

struct MeasuredStrategies {
  std::vector<model::MeasuredStrategy> all;
  std::string data;  // what they were measured on, in words
};

// Every strategy that is legal and can do everything, with copies and without, in memory, with the patterns
// and operations of the model as often as it says: on the data file; if there is none, or nothing in the
// model is written (basic operations are made for generated data), on generated data, about 20,000 entities
// and links at most, with as many entities as were seen, or as the model says.
Result<MeasuredStrategies> measured_strategies(const plan::PlannedModel& planned, size_t layout,
                                               model::RelationId relation, const OwnData& own);

// As measure::compare; tells how many of the candidates were begun.
Result<measure::Comparison> compare_with_progress(measure::Candidates candidates,
                                                  const measure::DataSet& data,
                                                  measure::ComparisonOptions options, Progress& progress);

}  // namespace sheaf::cmd
