#include "generate/load.h"
#include "measure/data_set.h"

namespace sheaf::measure {
namespace {

class GeneratedData final : public DataSet {
 public:
  explicit GeneratedData(const generate::Generator& generator) : generator_(generator) {}

  Result<void> load(Database& database, const PlannedLayout& layout,
                    const LoadProgress& progress) const override {
    // One thread: what is stored then lies the same way each time.
    const auto loaded = generate::load(database, layout.stored(), generator_, {.progress = progress});
    if (!loaded.ok()) return loaded.error();
    return {};
  }

  Result<Script> script(const std::vector<PlannedLayout>& layouts,
                        const ScriptOptions& options) const override {
    return make_script(generator_, layouts, options);
  }

 private:
  const generate::Generator& generator_;
};

}  // namespace

std::unique_ptr<DataSet> generated_data(const generate::Generator& generator) {
  return std::make_unique<GeneratedData>(generator);
}

}  // namespace sheaf::measure
