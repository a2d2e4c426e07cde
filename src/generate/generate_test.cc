// All example models: what is made loads in every layout, keeps all promises, and is the same in all of them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "generate/arguments.h"
#include "generate/data_checks.h"
#include "generate/data_text.h"
#include "generate/generator.h"
#include "generate/load.h"
#include "plan/planned_model.h"
#include "run/applied_layout.h"
#include "run/data_file.h"
#include "run/data_lines.h"
#include "run/session.h"

namespace sheaf::generate {
namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(SHEAF_MODELS))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string lines_of(const Generator& generator) {
  std::string text;
  const auto written = write_lines(generator,
                                   [&](std::string_view piece) -> Result<void> {
                                     text += piece;
                                     return {};
                                   },
                                   {});
  EXPECT_TRUE(written.ok());
  return text;
}

class ExampleModels : public ::testing::TestWithParam<std::string> {
 protected:
  ExampleModels()
      : planned_(plan::plan_model(model::compile(
            GetParam(), read(std::filesystem::path(SHEAF_MODELS) / GetParam() / "model.sheaf")))) {
    auto made = Generator::make(compiled(), small_data(compiled()));
    EXPECT_TRUE(made.ok()) << made.error().message;
    generator_ = std::move(*made);
  }

  const model::CompiledModel& compiled() const { return planned_.compiled; }
  const model::Model& model() const { return planned_.compiled.model; }
  const std::vector<model::Layout>& layouts() const { return planned_.compiled.layouts; }

  std::unique_ptr<Database> empty(const model::Layout& layout) const {
    auto database = Database::open_in_memory({.background_thread = false});
    EXPECT_TRUE(run::apply_layout(*database, model(), layout).ok());
    return database;
  }
  std::unique_ptr<Database> loaded(const model::Layout& layout, size_t threads = 1) const {
    auto database = empty(layout);
    const auto done = load(*database, layout, *generator_, {.threads = threads});
    EXPECT_TRUE(done.ok()) << layout.name << ": " << done.error().message;
    EXPECT_GT(done->items, 0u);
    return database;
  }

  plan::PlannedModel planned_;
  std::unique_ptr<Generator> generator_;
};

INSTANTIATE_TEST_SUITE_P(All, ExampleModels, ::testing::ValuesIn(example_names()),
                         [](const auto& each) { return each.param; });

TEST(ExampleModels, AreAllThere) { EXPECT_EQ(example_names().size(), 25u); }

TEST_P(ExampleModels, KeepAllBounds) { EXPECT_EQ(broken_bound(*generator_), ""); }

TEST_P(ExampleModels, LoadInEveryLayoutWithoutFindings) {
  for (const model::Layout& layout : layouts())
    EXPECT_EQ(findings(*loaded(layout, 2), model(), layout), "") << layout.name;
}

// A data file and lines are the same data as what is loaded straight away, to the last copy, count and guard.
TEST_P(ExampleModels, ComeBackFromFilesAndLines) {
  std::string file;
  const auto written = write_file(*generator_,
                                  [&](std::string_view piece) -> Result<void> {
                                    file += piece;
                                    return {};
                                  },
                                  {});
  ASSERT_TRUE(written.ok());
  const std::string lines = lines_of(*generator_);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'),
            static_cast<std::ptrdiff_t>(written->documents + written->links));
  for (const model::Layout& layout : layouts()) {
    const std::set<std::string> items = all_items(*loaded(layout));
    const auto data = run::read_data(model(), layout, file);
    ASSERT_TRUE(data.ok()) << layout.name << ": " << data.error().message;
    const auto by_file = empty(layout);
    ASSERT_TRUE(run::load_data(*by_file, model(), layout, *data).ok());
    EXPECT_TRUE(all_items(*by_file) == items) << layout.name;
    const auto by_lines = empty(layout);
    std::istringstream stream(lines);
    const auto done = run::load_lines(*by_lines, model(), layout, stream, {});
    ASSERT_TRUE(done.ok()) << layout.name << ": " << done.error().message;
    EXPECT_TRUE(all_items(*by_lines) == items) << layout.name;
  }
}

TEST_P(ExampleModels, AreTheSameForTheSameSeedOnly) {
  GeneratorOptions options = small_data(compiled());
  const std::string first = lines_of(*generator_);
  EXPECT_EQ(lines_of(**Generator::make(compiled(), options)), first);
  options.seed = 2;
  EXPECT_NE(lines_of(**Generator::make(compiled(), options)), first);
}

// Every pattern finds something, and the same in all layouts.
TEST_P(ExampleModels, AreAskedForWhatIsThereAndAnswerAlikeInAllLayouts) {
  std::vector<std::unique_ptr<Database>> databases;
  std::vector<std::unique_ptr<run::Session>> sessions;
  for (size_t i = 0; i < layouts().size(); ++i) {
    databases.push_back(loaded(layouts()[i]));
    auto session = run::Session::open(*databases.back(), planned_, i);
    ASSERT_TRUE(session.ok());
    sessions.push_back(std::move(*session));
  }
  Chance chance(5);
  for (const plan::PlannedPattern& plan : planned_.plans[0]) {
    for (int i = 0; i < 8; ++i) {
      const auto values = arguments(*generator_, *plan.pattern, plan.given, chance);
      ASSERT_TRUE(values.ok()) << values.error().message;
      std::optional<std::string> first;
      for (size_t layout = 0; layout < sessions.size(); ++layout) {
        const bool can =
            std::any_of(planned_.plans[layout].begin(), planned_.plans[layout].end(), [&](const auto& each) {
              return each.pattern == plan.pattern && each.given == plan.given && each.ok();
            });
        if (!can) continue;
        const auto answer = whole_answer(*sessions[layout], plan.pattern->name, *values);
        ASSERT_TRUE(answer.ok()) << plan.pattern->name << ": " << answer.error().message;
        EXPECT_NE(*answer, "") << layouts()[layout].name << " " << plan.pattern->name;
        EXPECT_EQ(*answer, first.value_or(*answer)) << layouts()[layout].name << " " << plan.pattern->name;
        first = *answer;
      }
    }
  }
}

// And every operation that can be carried out is carried out, most of the time.
TEST_P(ExampleModels, AreWrittenAsOperationsWant) {
  for (size_t layout = 0; layout < layouts().size(); ++layout) {
    const auto database = loaded(layouts()[layout]);
    const auto session = run::Session::open(*database, planned_, layout);
    Chance chance(6);
    for (const plan::PlannedOperation& each : planned_.operations[layout]) {
      if (!each.ok()) continue;
      int done = 0;
      std::string why;
      for (int i = 0; i < 6; ++i) {
        const auto values = arguments(*generator_, *each.operation, chance);
        ASSERT_TRUE(values.ok()) << each.operation->name << ": " << values.error().message;
        const auto outcome = (*session)->write(each.operation->name, *values);
        done += outcome.ok() ? 1 : 0;
        if (!outcome.ok()) why = outcome.error().message;
      }
      EXPECT_GE(done, 3) << layouts()[layout].name << " " << each.operation->name << ": " << why;
    }
    EXPECT_EQ(findings(*database, model(), layouts()[layout]), "");
  }
}

}  // namespace
}  // namespace sheaf::generate
