// Random models and random operations: every layout that can answer a pattern answers it alike, takes and
// refuses the same operations, and keeps all that the model promises.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <memory>

#include "plan/planned_model.h"
#include "random_model.h"
#include "run/applied_layout.h"
#include "run/audit.h"
#include "run/expectations.h"
#include "run/plain_json.h"
#include "run/session.h"

namespace sheaf::layouts {
namespace {

std::vector<Value> values_of(const std::vector<std::string>& texts) {
  std::vector<Value> values;
  for (const std::string& text : texts) values.push_back(*run::from_plain_json(text));
  return values;
}

// One model, in all its layouts, each on a database of its own.
class Layouts {
 public:
  explicit Layouts(const RandomModel& model)
      : planned_(plan::plan_model(model::compile("random.sheaf", model.text))) {
    if (!planned_.compiled.ok()) return;
    for (size_t i = 0; i < planned_.compiled.layouts.size(); ++i) {
      databases_.push_back(Database::open_in_memory({.background_thread = false}));
      EXPECT_TRUE(run::apply_layout(*databases_[i], this->model(), layout(i)).ok());
      auto session = run::Session::open(*databases_[i], planned_, i);
      EXPECT_TRUE(session.ok()) << session.error().message;
      sessions_.push_back(std::move(*session));
    }
  }

  bool ok() const { return planned_.compiled.ok(); }
  std::string rendered() const { return planned_.compiled.rendered(); }
  size_t size() const { return sessions_.size(); }
  const model::Model& model() const { return planned_.compiled.model; }
  const model::Layout& layout(size_t i) const { return planned_.compiled.layouts[i]; }

  // Empty, or what differs.
  std::string act(const RandomCall& call) {
    std::string first;
    for (size_t i = 0; i < size(); ++i) {
      const auto outcome = sessions_[i]->write(call.operation, values_of(call.arguments));
      const std::string text = outcome.ok() ? "" : outcome.error().message;
      if (i == 0) {
        first = text;
      } else if (first.empty() != text.empty()) {
        return layout(0).name + " says '" + first + "', " + layout(i).name + " says '" + text + "'";
      }
    }
    return "";
  }

  std::string ask(const model::Pattern& pattern, const std::string& id) {
    std::optional<std::string> first;
    std::string first_name;
    for (size_t i = 0; i < size(); ++i) {
      const plan::PlannedPattern* plan = nullptr;
      for (const plan::PlannedPattern& each : planned_.plans[i]) {
        if (each.pattern == &pattern) plan = &each;
      }
      if (!plan->ok()) continue;
      ++asked_;
      const auto reply = sessions_[i]->read(pattern.name, values_of({id}));
      if (!reply.ok()) return layout(i).name + ": " + reply.error().message;
      const std::string text = run::canonical_text(model(), pattern, reply->documents);
      // What the plan says at declared sizes is the most that it takes here.
      const double most = std::get<plan::Plan>(plan->plan).cost.requests;
      if (static_cast<double>(reply->figures.requests) > most)
        return layout(i).name + " took " + std::to_string(reply->figures.requests) + " requests, planned " +
               std::to_string(most);
      if (reply->figures.foreign > 0 || reply->figures.dangling > 0)
        return layout(i).name + " found what is foreign or dangling";
      if (!first) {
        first = text;
        first_name = layout(i).name;
      } else if (*first != text) {
        return first_name + ":\n" + *first + layout(i).name + ":\n" + text;
      }
    }
    return "";
  }

  std::string audit() {
    for (size_t i = 0; i < size(); ++i) {
      const auto made = run::audit(*databases_[i], model(), layout(i), {});
      if (!made.ok()) return layout(i).name + ": " + made.error().message;
      if (!made->findings.empty())
        return layout(i).name + ": " + std::string(run::name_of(made->findings[0].kind)) + ": " +
               made->findings[0].what + ": " + made->findings[0].message;
    }
    return "";
  }

  uint64_t asked() const { return asked_; }

 private:
  plan::PlannedModel planned_;
  std::vector<std::unique_ptr<Database>> databases_;
  std::vector<std::unique_ptr<run::Session>> sessions_;
  uint64_t asked_ = 0;
};

uint64_t models_wanted() {
  const char* const rounds = std::getenv("SHEAF_TEST_ROUNDS");
  return 60 * (rounds == nullptr ? 1 : static_cast<uint64_t>(std::atoll(rounds)));
}

constexpr int kCalls = 60;

void try_model(uint64_t seed, uint64_t& asked, uint64_t& layouts_tried) {
  std::mt19937 random(seed);
  const RandomModel model = random_model(random);
  Layouts layouts(model);
  ASSERT_TRUE(layouts.ok()) << "seed " << seed << "\n" << model.text << layouts.rendered();
  layouts_tried += layouts.size();
  std::string history;
  for (int i = 0; i < kCalls; ++i) {
    const RandomCall call = random_call(model, random);
    history += call.operation;
    for (const std::string& argument : call.arguments) history += " " + argument;
    history += "\n";
    const std::string why = layouts.act(call);
    ASSERT_EQ(why, "") << "seed " << seed << "\n" << model.text << history;
    if (i % 10 != 9) continue;
    for (const model::Pattern& pattern : layouts.model().patterns) {
      const size_t entity = *pattern.parameters[0].entity;
      for (int number = 1; number <= kIdsPerEntity; ++number) {
        const std::string different = layouts.ask(pattern, id_of(entity, number));
        ASSERT_EQ(different, "") << "seed " << seed << ", " << pattern.name << " " << id_of(entity, number)
                                 << "\n"
                                 << model.text << history;
      }
    }
    const std::string found = layouts.audit();
    ASSERT_EQ(found, "") << "seed " << seed << "\n" << model.text << history;
  }
  asked += layouts.asked();
}

TEST(RandomLayouts, AnswerAlikeAndKeepTheirPromises) {
  uint64_t asked = 0, tried = 0;
  for (uint64_t seed = 1; seed <= models_wanted(); ++seed) {
    try_model(seed, asked, tried);
    if (HasFatalFailure()) return;
  }
  std::cout << models_wanted() << " models, " << tried << " layouts, " << asked << " questions\n";
}

}  // namespace
}  // namespace sheaf::layouts
