// Random models: generated data loads in every layout without findings, is the same from a file and from
// lines, keeps all that the model declares, and all layouts answer alike about it.
#include <gtest/gtest.h>

#include <iostream>
#include <sstream>

#include "generate/arguments.h"
#include "generate/data_checks.h"
#include "generate/data_text.h"
#include "generate/load.h"
#include "random_layout.h"
#include "random_model.h"
#include "run/applied_layout.h"
#include "run/data_lines.h"

namespace sheaf::layouts {
namespace {

struct Totals {
  uint64_t layouts = 0, entities = 0, links = 0, asked = 0, found = 0, compared = 0, line_by_line = 0;
  uint64_t written = 0, done = 0;
};

class DataTrial {
 public:
  DataTrial(uint64_t seed, Totals& totals) : chance_(seed), seed_(seed), totals_(totals) {}

  void run() {
    text_ = random_model_with(chance_, 5).text;
    model::CompiledModel compiled = model::compile("random.sheaf", text_);
    ASSERT_TRUE(compiled.ok()) << where() << compiled.rendered();
    planned_ = plan::plan_model(std::move(compiled));
    generate::GeneratorOptions options = generate::small_data(planned_.compiled, 400);
    options.seed = seed_;
    options.skew.thousandths = static_cast<uint32_t>(chance_.below(4) * 500);
    auto made = generate::Generator::make(planned_.compiled, options);
    ASSERT_TRUE(made.ok()) << where() << made.error().message;
    generator_ = std::move(*made);
    for (const model::EntityId entity : generator_->order()) totals_.entities += generator_->count(entity);
    for (size_t i = 0; i < model().relations.size(); ++i) totals_.links += generator_->links(i).total();
    ASSERT_EQ(generate::broken_bound(*generator_), "") << where();
    for (size_t i = 0; i < layouts().size(); ++i) {
      load(i);
      if (::testing::Test::HasFatalFailure()) return;
    }
    ask_all();
    if (!::testing::Test::HasFatalFailure()) write_all();
  }

 private:
  const model::Model& model() const { return planned_.compiled.model; }
  const std::vector<model::Layout>& layouts() const { return planned_.compiled.layouts; }
  std::string where() const { return "seed " + std::to_string(seed_) + "\n" + text_; }

  std::unique_ptr<Database> empty(const model::Layout& layout) const {
    auto database = Database::open_in_memory({.background_thread = false});
    EXPECT_TRUE(run::apply_layout(*database, model(), layout).ok());
    return database;
  }

  void load(size_t i) {
    const model::Layout& layout = layouts()[i];
    ++totals_.layouts;
    databases_.push_back(empty(layout));
    const auto loaded = generate::load(*databases_.back(), layout, *generator_, {});
    ASSERT_TRUE(loaded.ok()) << where() << layout.name << ": " << loaded.error().message;
    ASSERT_EQ(generate::findings(*databases_.back(), model(), layout), "") << where() << layout.name;
    const auto by_lines = empty(layout);
    std::stringstream lines;
    const auto written = generate::write_lines(*generator_,
                                               [&](std::string_view text) -> Result<void> {
                                                 lines << text;
                                                 return {};
                                               },
                                               {});
    ASSERT_TRUE(written.ok());
    const auto read = run::load_lines(*by_lines, model(), layout, lines, {});
    ASSERT_TRUE(read.ok()) << where() << layout.name << ": " << read.error().message;
    totals_.line_by_line += run::is_line_by_line(model(), layout) ? 1 : 0;
    ASSERT_TRUE(generate::all_items(*by_lines) == generate::all_items(*databases_.back()))
        << where() << layout.name;
    auto session = run::Session::open(*databases_.back(), planned_, i, {.pause = [](int) {}});
    ASSERT_TRUE(session.ok());
    sessions_.push_back(std::move(*session));
  }

  bool can_answer(size_t layout, const plan::PlannedPattern& plan) const {
    return std::any_of(planned_.plans[layout].begin(), planned_.plans[layout].end(), [&](const auto& each) {
      return each.pattern == plan.pattern && each.given == plan.given && each.ok();
    });
  }

  // Whom several lead to is told on the page of each, and layouts have other pages.
  static std::string each_once(const std::string& lines) {
    std::istringstream in(lines);
    std::string once, before;
    for (std::string line; std::getline(in, line); before = line) {
      if (line != before) once += line + "\n";
    }
    return once;
  }

  void ask_all() {
    generate::Chance chance(seed_);
    for (const plan::PlannedPattern& plan : planned_.plans[0]) {
      for (int i = 0; i < 2; ++i) {
        const auto values = generate::arguments(*generator_, *plan.pattern, plan.given, chance);
        ASSERT_TRUE(values.ok()) << where() << values.error().message;
        std::optional<std::string> first;
        for (size_t layout = 0; layout < sessions_.size(); ++layout) {
          if (!can_answer(layout, plan)) continue;
          auto answer = generate::whole_answer(*sessions_[layout], plan.pattern->name, *values);
          // What the pattern says that it reads at most is more in one layout than in another.
          if (!answer.ok() && answer.error().message.find("would read more than") != std::string::npos)
            continue;
          ASSERT_TRUE(answer.ok()) << where() << plan.pattern->name << ": " << answer.error().message;
          if (plan.pattern->steps.size() > 1) *answer = each_once(*answer);
          totals_.asked += first ? 0 : 1;
          totals_.found += first || answer->empty() ? 0 : 1;
          totals_.compared += first ? 1 : 0;
          ASSERT_EQ(first.value_or(*answer), *answer)
              << where() << layouts()[layout].name << " " << plan.pattern->name;
          first = *answer;
        }
      }
    }
  }

  // Operations on one of the layouts, with arguments that fit it at first.
  void write_all() {
    generate::Chance chance(seed_ + 1);
    const size_t layout = chance.below(sessions_.size());
    for (const plan::PlannedOperation& each : planned_.operations[layout]) {
      if (!each.ok()) continue;
      const auto values = generate::arguments(*generator_, *each.operation, chance);
      // Ids of few digits may all be taken.
      if (!values.ok() && values.error().message.find("have no values for more") != std::string::npos)
        continue;
      ASSERT_TRUE(values.ok()) << where() << each.operation->name << ": " << values.error().message;
      ++totals_.written;
      const auto outcome = sessions_[layout]->write(each.operation->name, *values);
      totals_.done += outcome.ok() ? 1 : 0;
      if (!outcome.ok()) {
        ASSERT_NE(outcome.error().code, Code::kUnknown) << where() << each.operation->name;
      }
    }
    ASSERT_EQ(generate::findings(*databases_[layout], model(), layouts()[layout]), "") << where();
  }

  layouts::Chance chance_;
  const uint64_t seed_;
  Totals& totals_;
  std::string text_;
  plan::PlannedModel planned_{.compiled = model::compile("none", "")};
  std::unique_ptr<generate::Generator> generator_;
  std::vector<std::unique_ptr<Database>> databases_;
  std::vector<std::unique_ptr<run::Session>> sessions_;
};

TEST(GeneratedData, OfRandomModelsIsTheSameInAllLayouts) {
  Totals totals;
  const uint64_t models = number_in("SHEAF_TEST_MODELS", 30 * number_in("SHEAF_TEST_ROUNDS", 1));
  const uint64_t first = number_in("SHEAF_TEST_SEED", 1);
  for (uint64_t seed = first; seed < first + models; ++seed) {
    DataTrial(seed, totals).run();
    if (HasFatalFailure()) return;
  }
  std::cout << models << " models, " << totals.layouts << " layouts (" << totals.line_by_line
            << " of them read lines one by one), " << totals.entities << " entities, " << totals.links
            << " links, " << totals.found << " of " << totals.asked << " questions find something, "
            << totals.compared << " answers compared, " << totals.done << " of " << totals.written
            << " operations done\n";
  EXPECT_GT(totals.layouts, 2 * models);
  EXPECT_GT(totals.line_by_line, 0u);
  EXPECT_GT(totals.compared, totals.asked);
  EXPECT_GT(totals.found * 10, totals.asked * 9);
  EXPECT_GT(totals.done * 10, totals.written * 7);
}

}  // namespace
}  // namespace sheaf::layouts
