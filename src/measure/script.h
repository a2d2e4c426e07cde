// What is asked of a model in a trial: patterns and operations with their arguments, in an order. It is made
// once and is the same for every layout.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/result.h"
#include "sheaf/value.h"

#include "generate/generator.h"
#include "plan/planned_model.h"

namespace sheaf::measure {

// A pattern, an operation that the model declares, or one that every model has (put.Order,
// move.Order.customer).
struct Subject {
  enum class Kind : uint8_t { kPattern, kOperation, kBasic };
  std::string name;
  Kind kind = Kind::kPattern;
  std::optional<double> rate;  // a second, if one is declared

  bool is_read() const { return kind == Kind::kPattern; }
};

struct Call {
  size_t subject = 0;  // of the script
  std::vector<Value> arguments;
};

struct Script {
  std::vector<Subject> subjects;
  std::vector<Call> calls;
  // What operations take for the present: the same in all trials, so that timestamps are.
  std::chrono::system_clock::time_point now;
};

struct ScriptOptions {
  size_t runs = 20;  // of each subject
  uint64_t seed = 1;
  // Also what every model has: of each entity put, set and delete, of each relation link, unlink or move.
  bool basic_operations = false;
  // Only what touches this relation's entities, of the basic operations.
  std::optional<model::RelationId> relation;
};

// A second.
double per_second(const language::Rate& rate);

// One of the layouts of a model. Several models are the same but for how they are stored.
struct PlannedLayout {
  const plan::PlannedModel* planned = nullptr;
  size_t layout = 0;

  const model::Model& model() const { return planned->compiled.model; }
  const model::Layout& stored() const { return planned->compiled.layouts[layout]; }
};

// Where arguments come from: of a pattern for the parameters that are given, or of an operation. kInvalid if
// there is nobody.
class ArgumentSource {
 public:
  virtual ~ArgumentSource() = default;
  virtual Result<std::vector<Value>> of(const model::Pattern& pattern, const std::vector<bool>& given,
                                        generate::Chance& chance) const = 0;
  virtual Result<std::vector<Value>> of(const model::Operation& operation,
                                        generate::Chance& chance) const = 0;
};

// The subjects take turns, so that reads see what was written before them. Of optional parameters those are
// given for which all of `layouts` have a plan that have one for the pattern at all. A subject for which
// there is nobody in the data is left out. `generator` makes the arguments of basic operations.
Result<Script> make_script(const generate::Generator& generator, const ArgumentSource& source,
                           const std::vector<PlannedLayout>& layouts, const ScriptOptions& options);

// With the arguments that generate::arguments makes of the generator's own data, so that patterns find
// something and operations are done.
Result<Script> make_script(const generate::Generator& generator, const std::vector<PlannedLayout>& layouts,
                           const ScriptOptions& options);
Result<Script> make_script(const generate::Generator& generator, const plan::PlannedModel& planned,
                           const std::vector<size_t>& layouts, const ScriptOptions& options);

}  // namespace sheaf::measure
