// Data on which a model is tried, and what is asked of it: generated, or from files. Each layout gets a
// database of its own, which is thrown away.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sheaf/result.h"

#include "cmd/size_options.h"
#include "generate/generator.h"
#include "measure/data_set.h"
#include "measure/script.h"
#include "measure/trial.h"
#include "plan/planned_model.h"

namespace CLI {
class App;
}

namespace sheaf::cmd {

// As the command line has it.
struct TrialChoice {
  SizeChoice sizes;
  std::string data;          // a file instead
  std::string answers;       // what is asked of it
  size_t runs = 20;          // of each pattern and operation
  uint64_t sample = 20'000;  // entities and links that are loaded at most, of generated ones
};

// What add_trial_options adds.
inline constexpr const char* kTrialOptions[] = {"--data",  "--answers", "--runs", "--sample", "--count",
                                                "--scale", "--skew",    "--seed", "--until",  "--item-bytes"};

// `choice` must live until the command line was read.
void add_trial_options(CLI::App& command, TrialChoice& choice);

// The same in small, of at most about so many entities and links; nothing if it is small enough.
Result<std::unique_ptr<generate::Generator>> smaller_sample(const generate::Generator& whole,
                                                            const model::CompiledModel& compiled,
                                                            const generate::GeneratorOptions& options,
                                                            uint64_t sample);

// "100 entities and 300 links, generated from seed 1"; `whole`: of which it may be a sample.
std::string generated_text(const generate::Generator& sample, const generate::Generator& whole,
                           uint64_t seed);

class TrialData {
 public:
  // For `layouts`, of one model or of several that differ in how they are stored: at least one, without
  // mistakes, and all of them outlive it. Files that are not named are looked for beside the model. kInvalid
  // or kNotFound, with what to do, if there is none.
  static Result<std::unique_ptr<TrialData>> make(const std::vector<measure::PlannedLayout>& layouts,
                                                 const TrialChoice& choice, const std::string& model_path);

  const measure::Script& script() const { return script_; }
  // Loads the data in this layout, lets `look` at it, and runs the script on it.
  using Look = std::function<Result<void>(Database& database)>;
  Result<measure::Trial> run(const measure::PlannedLayout& layout, const Look& look = {}) const;
  // What is stored before there is any data.
  static Result<measure::Stored> stored_without_data(const measure::PlannedLayout& layout);

  // 100 entities and 300 links, generated from seed 1
  std::string text() const;
  // Less is loaded than was asked for.
  bool is_sample() const { return sample_ != nullptr && sample_ != whole_.get(); }
  // How many there are and how many were loaded of what lies in a table, or in one of its indexes; of the
  // model's own table, of everything. Without a sample both are the same.
  struct Size {
    uint64_t loaded = 1;
    uint64_t all = 1;
  };
  Size size(const measure::PlannedLayout& layout, const std::string& table, const std::string& index) const;

 private:
  explicit TrialData(const TrialChoice& choice) : choice_(choice) {}

  Result<void> generate(const std::vector<measure::PlannedLayout>& layouts);
  Result<void> read_files(const model::Model& model, const std::string& model_path);
  Result<void> load(Database& database, const measure::PlannedLayout& layout) const;
  uint64_t count(const generate::Generator& generator, const model::ItemKind& kind) const;

  const TrialChoice choice_;
  std::unique_ptr<generate::Generator> whole_;
  std::unique_ptr<generate::Generator> smaller_;
  const generate::Generator* sample_ = nullptr;  // one of the two; null: from files
  measure::DataFile data_;                       // without a sample
  measure::Script script_;
};

}  // namespace sheaf::cmd
