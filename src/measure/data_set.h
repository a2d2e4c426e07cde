// What is stored under each layout before it is measured, and whom to ask for in it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sheaf/database.h"

#include "generate/generator.h"
#include "measure/script.h"

namespace sheaf::measure {

using LoadProgress = std::function<void(uint64_t done, uint64_t all)>;

class DataSet {
 public:
  virtual ~DataSet() = default;

  // Into an empty database on which the layout is applied.
  virtual Result<void> load(Database& database, const PlannedLayout& layout,
                            const LoadProgress& progress) const = 0;
  // With arguments that are in it.
  virtual Result<Script> script(const std::vector<PlannedLayout>& layouts,
                                const ScriptOptions& options) const = 0;
};

// What the generator makes. It outlives the set.
std::unique_ptr<DataSet> generated_data(const generate::Generator& generator);

struct DataFile {
  std::string name;
  std::string text;
  bool is_lines = false;  // each a data file of its own
};

// The user's own. Ids are picked evenly, values that patterns compare with are those of some document, and
// new documents are the generator's, linked with those that are in the file. kInvalid if it is no data.
Result<std::unique_ptr<DataSet>> users_data(const generate::Generator& generator, DataFile file);

}  // namespace sheaf::measure
