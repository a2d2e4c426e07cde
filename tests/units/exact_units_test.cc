// Exact units: the plan's arithmetic, applied to the items that a run touched, is what the engine meters and
// what the run tells.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <random>
#include <sstream>

#include "generate/load.h"
#include "layouts/random_layout.h"
#include "measure/trial.h"
#include "plan/document_tree.h"
#include "plan/planned_model.h"
#include "plans/random_keys.h"
#include "run/applied_layout.h"
#include "run/data_file.h"
#include "run/plain_json.h"
#include "run/session.h"
#include "units/metered_database.h"

namespace sheaf::units {
namespace {

// What the tests have looked at: enough of each kind.
struct Tally {
  uint64_t requests = 0;
  uint64_t reads = 0;
  uint64_t writes = 0;
  uint64_t certain = 0;  // patterns whose number of requests does not depend on the data
};

// How many requests a plan takes whatever there is; none if that depends on the data.
std::optional<double> certain_requests(const model::Model& model, const model::Layout& layout,
                                       const plan::Plan& plan) {
  const auto is_certain = [&](size_t node) {
    while (plan.nodes[node].parent) {
      if (plan::link_of(model, layout, plan.nodes[node]) != plan::Link::kIdentity) return false;
      node = *plan.nodes[node].parent;
    }
    return !plan.nodes[node].is_found;
  };
  for (const plan::Request& request : plan.requests) {
    if (request.is_spread()) return std::nullopt;
    if (request.kind == plan::Request::Kind::kRest || request.is_paged || request.levels > 1)
      return std::nullopt;
    if (request.kind == plan::Request::Kind::kQuery && !is_certain(request.anchor)) return std::nullopt;
    for (const plan::Want& want : request.wants) {
      if (request.kind == plan::Request::Kind::kPoints && !is_certain(want.node)) return std::nullopt;
    }
  }
  return static_cast<double>(plan.requests.size());
}

// One layout on a database that is watched.
class Watched {
 public:
  Watched(const plan::PlannedModel& planned, size_t layout, Tally& tally)
      : planned_(planned),
        layout_(layout),
        tally_(tally),
        inner_(Database::open_in_memory({.background_thread = false})),
        database_(*inner_) {
    EXPECT_TRUE(run::apply_layout(database_, model(), this->layout()).ok());
    session_ = std::move(*run::Session::open(database_, planned, layout));
  }
  ~Watched() { tally_.requests += database_.requests(); }

  const model::Model& model() const { return planned_.compiled.model; }
  const model::Layout& layout() const { return planned_.compiled.layouts[layout_]; }
  Database& database() { return database_; }
  const plan::Plan* plan(const std::string& pattern) const {
    for (const plan::PlannedPattern& each : planned_.plans[layout_]) {
      if (each.pattern->name == pattern && each.ok()) return &std::get<plan::Plan>(each.plan);
    }
    return nullptr;
  }

  // Empty, or what is wrong.
  std::string read(const std::string& pattern, const std::vector<Value>& arguments) {
    const uint64_t requests = database_.requests();
    const double consumed = database_.consumed();
    const auto reply = session_->read(pattern, arguments);
    if (!reply.ok()) return problem("");
    ++tally_.reads;
    std::ostringstream told, seen;
    told << reply->figures.requests << " requests, " << reply->figures.units << " units";
    seen << database_.requests() - requests << " requests, " << database_.consumed() - consumed << " units";
    if (told.str() != seen.str()) return pattern + " told " + told.str() + " and took " + seen.str();
    const plan::Plan* const planned = plan(pattern);
    const auto certain = planned == nullptr ? std::nullopt : certain_requests(model(), layout(), *planned);
    if (!certain) return problem("");
    ++tally_.certain;
    return problem(
        static_cast<double>(reply->figures.requests) == *certain ? "" : pattern + " took " + seen.str());
  }

  std::string write(const std::string& operation, const std::vector<Value>& arguments) {
    const uint64_t requests = database_.requests();
    const double consumed = database_.consumed();
    const auto outcome = session_->write(operation, arguments);
    // The work of jobs is not the operation's.
    const bool is_told = outcome.ok() && outcome->reply.figures.requests == database_.requests() - requests;
    if (is_told) ++tally_.writes;
    return problem(is_told && outcome->reply.figures.units != database_.consumed() - consumed
                       ? operation + " told other units than it took"
                       : "");
  }

 private:
  // With what the metering has found since.
  std::string problem(std::string what) const {
    for (const std::string& each : database_.problems()) what += (what.empty() ? "" : "\n") + each;
    return what.empty() ? what : "layout " + layout().name + ": " + what;
  }

  const plan::PlannedModel& planned_;
  const size_t layout_;
  Tally& tally_;
  const std::unique_ptr<Database> inner_;
  MeteredDatabase database_;
  std::unique_ptr<run::Session> session_;
};

Value json(const std::string& text) { return *run::from_plain_json(text); }

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void show(const Tally& tally) {
  std::cout << tally.requests << " requests, " << tally.reads << " patterns (" << tally.certain
            << " with a certain number of requests), " << tally.writes << " operations\n";
}

// Operations and patterns of random models. Names of several KB, so that units are not all one.
TEST(ExactUnits, OfRandomModels) {
  const char* const rounds = std::getenv("SHEAF_TEST_ROUNDS");
  const uint64_t seeds = 12 * (rounds == nullptr ? 1 : static_cast<uint64_t>(std::atoll(rounds)));
  Tally tally;
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    layouts::Chance chance(seed);
    const layouts::RandomModel model = layouts::random_model_with(chance, 4);
    model::CompiledModel compiled = model::compile("random.sheaf", model.text);
    ASSERT_TRUE(compiled.ok()) << "seed " << seed << "\n" << model.text << compiled.rendered();
    const plan::PlannedModel planned = plan::plan_model(std::move(compiled));
    std::vector<std::unique_ptr<Watched>> all;
    for (size_t i = 0; i < planned.plans.size(); ++i)
      all.push_back(std::make_unique<Watched>(planned, i, tally));
    for (int i = 0; i < 60; ++i) {
      layouts::RandomCall call = layouts::random_call(model, chance.of(model.operations), {}, chance);
      const size_t length = chance.below(5000);
      for (std::string& argument : call.arguments) {
        const size_t name = argument.find("\"name\": \"");
        if (name != std::string::npos && i % 3 == 0) argument.insert(name + 9, length, 'x');
      }
      std::vector<Value> arguments;
      for (const std::string& argument : call.arguments) arguments.push_back(json(argument));
      for (const auto& watched : all)
        ASSERT_EQ(watched->write(call.name, arguments), "") << "seed " << seed << "\n" << model.text;
    }
    for (const model::Pattern& pattern : planned.compiled.model.patterns) {
      const bool is_by_id = pattern.parameters.size() == 1 && pattern.parameters[0].entity;
      if (!is_by_id) continue;
      for (const std::string& id : layouts::ids_of(model, *pattern.parameters[0].entity)) {
        for (const auto& watched : all) {
          if (watched->plan(pattern.name) == nullptr) continue;
          ASSERT_EQ(watched->read(pattern.name, {json(id)}), "") << "seed " << seed << "\n" << model.text;
        }
      }
    }
  }
  show(tally);
  EXPECT_GT(tally.writes, 10 * seeds);
  EXPECT_GT(tally.certain, 10 * seeds);
}

// Keys and indexes of every shape, with projections that leave attributes out.
TEST(ExactUnits, OfRandomKeys) {
  const char* const rounds = std::getenv("SHEAF_TEST_ROUNDS");
  const uint64_t seeds = 20 * (rounds == nullptr ? 1 : static_cast<uint64_t>(std::atoll(rounds)));
  Tally tally;
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    std::mt19937 random(seed);
    const plans::RandomKeys keys = plans::random_keys(random);
    const std::string text = plans::servable(keys.text);
    if (text.empty()) continue;
    const plan::PlannedModel planned = plan::plan_model(model::compile("random.sheaf", text));
    for (size_t i = 0; i < planned.plans.size(); ++i) {
      Watched watched(planned, i, tally);
      const auto write = [&](const std::string& operation, const std::vector<Value>& arguments) {
        ASSERT_EQ(watched.write(operation, arguments), "") << "seed " << seed << "\n" << text;
      };
      for (const auto& [entity, document] : keys.entities) write("put." + entity, {json(document)});
      for (const auto& [a, d] : keys.links) write("link.A.ds", {json(a), json(d), json(R"({"w": 1})")});
      for (const char* entity : {"A", "B", "C", "D"}) {
        const Value id = json(plans::random_identity(entity, random));
        const std::string nick(std::uniform_int_distribution<size_t>(1, 3000)(random), 'y');
        write(std::string("set.") + entity, {id, json(R"({"state": "SHUT"})")});
        // Refused where it is in a key that becomes too long: that is metered, too.
        write(std::string("set.") + entity, {id, json("{\"nick\": \"" + nick + "\"}")});
        write(std::string("add.") + entity, {id, json("{\"n\": 1}")});
        write(std::string("remove.") + entity, {id, json("[\"nick\"]")});
      }
      for (const model::Pattern& pattern : watched.model().patterns) {
        if (watched.plan(pattern.name) == nullptr) continue;
        const std::string& entity = watched.model().entities[*pattern.parameters[0].entity].name;
        const std::string problem =
            watched.read(pattern.name, {json(plans::random_identity(entity, random))});
        ASSERT_EQ(problem, "") << "seed " << seed << ", " << pattern.name << "\n" << text;
      }
      write("delete.C", {json(plans::random_identity("C", random))});
      write("delete.A", {json(plans::random_identity("A", random))});
    }
  }
  show(tally);
  EXPECT_GT(tally.reads, 10 * seeds);
}

// Every step that is written beside the examples, in every layout.
TEST(ExactUnits, OfTheExamples) {
  Tally tally;
  for (const auto& entry : std::filesystem::directory_iterator(SHEAF_MODELS)) {
    const plan::PlannedModel planned =
        plan::plan_model(model::compile("model.sheaf", contents(entry.path() / "model.sheaf")));
    const Value steps = json(contents(entry.path() / "answers.json"));
    for (size_t i = 0; i < planned.plans.size(); ++i) {
      Watched watched(planned, i, tally);
      const auto data =
          run::read_data(watched.model(), watched.layout(), contents(entry.path() / "data.json"));
      ASSERT_TRUE(data.ok()) << entry.path();
      ASSERT_TRUE(run::load_data(watched.database(), watched.model(), watched.layout(), *data).ok());
      for (const ValueView step : steps.view().list()) {
        std::vector<Value> arguments;
        if (const auto with = step.map().find("with")) {
          for (const ValueView value : with->list()) arguments.emplace_back(value);
        }
        const auto ask = step.map().find("ask"), act = step.map().find("do");
        const std::string problem = ask   ? watched.read(std::string(ask->bytes()), arguments)
                                    : act ? watched.write(std::string(act->bytes()), arguments)
                                          : "";
        ASSERT_EQ(problem, "") << entry.path();
      }
    }
  }
  show(tally);
  EXPECT_GT(tally.reads, 100u);
  EXPECT_GT(tally.writes, 30u);
}

// What a trial tells of generated data, in every layout of the examples, is what was metered, to the unit.
TEST(ExactUnits, OfTrials) {
  uint64_t runs = 0;
  for (const char* name : {"hr", "order", "movies", "places", "copied", "repos"}) {
    const plan::PlannedModel planned = plan::plan_model(
        model::compile(name, contents(std::filesystem::path(SHEAF_MODELS) / name / "model.sheaf")));
    const auto generator = generate::Generator::make(planned.compiled, {.wishes = {.scale = 0.05}});
    ASSERT_TRUE(generator.ok()) << generator.error().message;
    for (size_t i = 0; i < planned.plans.size(); ++i) {
      const auto script =
          measure::make_script(**generator, planned, {i}, {.runs = 3, .basic_operations = true});
      ASSERT_TRUE(script.ok()) << script.error().message;
      const auto inner = Database::open_in_memory({.background_thread = false});
      const model::Layout& layout = planned.compiled.layouts[i];
      ASSERT_TRUE(run::apply_layout(*inner, planned.compiled.model, layout).ok());
      ASSERT_TRUE(generate::load(*inner, layout, **generator).ok());
      MeteredDatabase watched(*inner);
      const auto trial = measure::run_trial(watched, planned, i, *script);
      ASSERT_TRUE(trial.ok()) << trial.error().message;
      EXPECT_EQ(watched.problems(), std::vector<std::string>{}) << name << " " << layout.name;
      double told = 0;
      uint64_t refused = 0;
      for (const measure::Measured& each : trial->measured) {
        told += each.units();
        runs += each.runs;
        refused += each.refused;
      }
      // What opens a session is not part of a run, and neither is what was refused.
      EXPECT_LE(told, watched.consumed()) << name << " " << layout.name;
      if (refused == 0) {
        EXPECT_GE(told + 2, watched.consumed()) << name << " " << layout.name;
      }
    }
  }
  EXPECT_GT(runs, 100u);
}

}  // namespace
}  // namespace sheaf::units
