// Random models and random operations: every layout that can answer a pattern answers it alike, takes and
// refuses the same operations, and keeps all that the model promises.
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <memory>

#include "language/syntax_words.h"
#include "model/strategies/strategy.h"
#include "plan/planned_model.h"
#include "plan/related.h"
#include "plan/write_needs.h"
#include "random_layout.h"
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

// How much was tried: a test of nothing would pass.
struct Totals {
  uint64_t layouts = 0, illegal = 0;
  uint64_t asked = 0, refused = 0;  // questions to a layout; those that its plan says it cannot answer
  uint64_t compared = 0;            // answers of two layouts
  uint64_t calls = 0, done = 0;
  std::map<std::string, uint64_t> strategies;  // relations, by how legal layouts store them
  uint64_t by_field = 0;                       // entities that they store field by field
};

std::string name_of(const model::StoredRelation& stored, bool is_symmetric) {
  std::string name(word_for(language::kViaWords, stored.strategy->kind()));
  if (is_symmetric) return name + " symmetric";
  if (stored.both_directions) name += " both";
  if (name == "embed") name += stored.embed_as == language::Via::EmbedAs::kList ? " list" : " map";
  return name;
}

// The documents, sorted where the pattern promises no order: where it does, those that are equal by it.
std::string canonical(const model::Model& model, const model::Pattern& pattern,
                      const std::vector<Value>& documents) {
  if (!pattern.node.order) return run::canonical_text(model, pattern, documents);
  const std::string& field = model.entities[pattern.node.entity].fields[pattern.node.order->first.field].name;
  std::string out, last;
  std::vector<std::string> same;
  const auto flush = [&] {
    std::sort(same.begin(), same.end());
    for (const std::string& text : same) out += text;
    same.clear();
  };
  for (const Value& document : documents) {
    const auto value = document.view().map().find(field);
    const std::string now = value ? run::to_plain_json(*value) : "";
    if (now != last) flush();
    last = now;
    same.push_back(run::canonical_text(model, pattern, {document}));
  }
  flush();
  return out;
}

// One model, in all its layouts, each on a database of its own.
class Layouts {
 public:
  // All layouts of the model, or those that `taking` names.
  Layouts(const plan::PlannedModel& planned, std::vector<size_t> taking, Totals& totals)
      : planned_(planned), layouts_(std::move(taking)), totals_(totals) {
    for (const size_t i : layouts_) {
      databases_.push_back(Database::open_in_memory({.background_thread = false}));
      const auto applied = run::apply_layout(*databases_.back(), model(), planned_.compiled.layouts[i]);
      EXPECT_TRUE(applied.ok()) << applied.error().message;
      auto session = run::Session::open(*databases_.back(), planned_, i,
                                        {.clock = [this] { return now_; }, .pause = [](int) {}});
      EXPECT_TRUE(session.ok()) << session.error().message;
      sessions_.push_back(std::move(*session));
    }
  }

  const model::Model& model() const { return planned_.compiled.model; }
  const std::string& name(size_t i) const { return planned_.compiled.layouts[layouts_[i]].name; }

  // Empty, or what differs.
  std::string act(const RandomCall& call) {
    now_ += std::chrono::seconds(1);
    ++totals_.calls;
    std::optional<Error> first;
    for (size_t i = 0; i < sessions_.size(); ++i) {
      const auto outcome = sessions_[i]->write(call.name, values_of(call.arguments));
      const std::optional<Error> error = outcome.ok() ? std::nullopt : std::optional(outcome.error());
      if (i == 0) {
        first = error;
        totals_.done += error ? 0 : 1;
      } else if (first.has_value() != error.has_value() || (first && first->code != error->code)) {
        return name(0) + " says '" + (first ? first->message : "") + "', " + name(i) + " says '" +
               (error ? error->message : "") + "'";
      }
    }
    return "";
  }

  std::string ask(const model::Pattern& pattern, const std::vector<std::string>& arguments) {
    std::vector<bool> given;
    for (const std::string& argument : arguments) given.push_back(argument != "null");
    std::optional<std::string> first;
    std::string first_name;
    for (size_t i = 0; i < sessions_.size(); ++i) {
      const plan::PlannedPattern* plan = nullptr;
      for (const plan::PlannedPattern& each : planned_.plans[layouts_[i]]) {
        if (each.pattern == &pattern && each.given == given) plan = &each;
      }
      if (!plan->ok()) {
        ++totals_.refused;
        continue;
      }
      ++totals_.asked;
      std::vector<Value> documents;
      const std::string why = read(i, pattern, arguments, std::get<plan::Plan>(plan->plan), documents);
      if (!why.empty()) return name(i) + ": " + why;
      const std::string text = canonical(model(), pattern, documents);
      if (!first) {
        first = text;
        first_name = name(i);
      } else if (*first != text) {
        return first_name + ":\n" + *first + name(i) + ":\n" + text;
      } else {
        ++totals_.compared;
      }
    }
    return "";
  }

  std::string audit() {
    for (size_t i = 0; i < sessions_.size(); ++i) {
      const auto made = run::audit(*databases_[i], model(), planned_.compiled.layouts[layouts_[i]], {});
      if (!made.ok()) return name(i) + ": " + made.error().message;
      if (!made->findings.empty())
        return name(i) + ": " + std::string(run::name_of(made->findings[0].kind)) + ": " +
               made->findings[0].what + ": " + made->findings[0].message;
    }
    return "";
  }

 private:
  // All pages.
  std::string read(size_t i, const model::Pattern& pattern, const std::vector<std::string>& arguments,
                   const plan::Plan& plan, std::vector<Value>& documents) {
    std::string cursor;
    for (int pages = 0; pages < 100; ++pages) {
      auto reply = sessions_[i]->read(pattern.name, values_of(arguments), cursor);
      if (!reply.ok()) return reply.error().message;
      // What the plan says at declared sizes is the most that it takes here; what is cut among items of other
      // kinds is read on until it is full.
      const bool is_among_others = std::any_of(
          plan.requests.begin(), plan.requests.end(),
          [](const plan::Request& request) { return request.limit && !request.polluted_by.empty(); });
      if (static_cast<double>(reply->figures.requests) > plan.cost.requests && !is_among_others)
        return "took " + std::to_string(reply->figures.requests) + " requests, planned " +
               std::to_string(plan.cost.requests);
      if (reply->figures.foreign > 0 || reply->figures.dangling > 0)
        return "found what is foreign or dangling";
      for (Value& document : reply->documents) documents.push_back(std::move(document));
      if (!reply->cursor) return "";
      cursor = *reply->cursor;
    }
    return "its pages never end";
  }

  const plan::PlannedModel& planned_;
  const std::vector<size_t> layouts_;
  Totals& totals_;
  std::chrono::system_clock::time_point now_ = std::chrono::sys_days(std::chrono::year(2026) / 1 / 1);
  std::vector<std::unique_ptr<Database>> databases_;
  std::vector<std::unique_ptr<run::Session>> sessions_;
};

constexpr int kCalls = 70;
constexpr size_t kLayouts = 7;

class ModelTrial {
 public:
  ModelTrial(uint64_t seed, Totals& totals) : chance_(seed), seed_(seed), totals_(totals) {}

  void run() {
    model_ = random_model(chance_);
    make_layouts();
    if (::testing::Test::HasFatalFailure()) return;
    std::vector<size_t> all;
    for (size_t i = 0; i < planned_.compiled.layouts.size(); ++i) all.push_back(i);
    try_layouts(all);
    // Then those that can do most, with all that they can do.
    size_t most = 0;
    for (const size_t i : all) most = std::max(most, operations_of(i).size());
    std::vector<size_t> ablest;
    for (const size_t i : all) {
      if (operations_of(i).size() == most) ablest.push_back(i);
    }
    if (!::testing::Test::HasFatalFailure() && ablest.size() > 1 && ablest.size() < all.size())
      try_layouts(ablest);
  }

 private:
  // Makes many and keeps those that the checker takes.
  void make_layouts() {
    std::vector<std::string> layouts;
    std::string text = model_.text;
    for (size_t i = 0; i < kLayouts; ++i) {
      layouts.push_back("  layout l" + std::to_string(i) + " {\n    " + random_layout(model_, chance_) +
                        "}\n");
      text += layouts.back();
    }
    const model::CompiledModel tried = model::compile("random.sheaf", text + "}\n");
    ASSERT_EQ(tried.layouts.size(), kLayouts + 1) << where() << text << tried.rendered();
    text = model_.text;
    for (size_t i = 0; i < kLayouts; ++i) {
      if (tried.layouts[i + 1].is_sound) text += layouts[i];
    }
    model_.text = text + "}\n";
    model::CompiledModel compiled = model::compile("random.sheaf", model_.text);
    ASSERT_TRUE(compiled.ok()) << where() << model_.text << compiled.rendered();
    planned_ = plan::plan_model(std::move(compiled));
    totals_.layouts += planned_.compiled.layouts.size();
    totals_.illegal += kLayouts + 1 - planned_.compiled.layouts.size();
    for (const model::Layout& layout : planned_.compiled.layouts) {
      for (const model::StoredRelation& stored : layout.relations) {
        const bool is_symmetric = planned_.compiled.model.relations[stored.relation].is_symmetric;
        ++totals_.strategies[name_of(stored, is_symmetric)];
      }
      for (const model::ItemKind& kind : layout.item_kinds) totals_.by_field += kind.is_by_field() ? 1 : 0;
    }
  }

  // That the plans of this layout say it can carry out.
  std::vector<size_t> operations_of(size_t layout) const {
    std::vector<size_t> can;
    for (size_t i = 0; i < model_.operations.size(); ++i) {
      if (!model_.operations[i].is_declared) can.push_back(i);
      for (const plan::PlannedOperation& each : planned_.operations[layout]) {
        if (each.operation->name == model_.operations[i].name && each.ok()) can.push_back(i);
      }
    }
    return can;
  }

  void try_layouts(const std::vector<size_t>& taking) {
    std::vector<size_t> operations = operations_of(taking[0]);
    for (const size_t layout : taking) {
      const std::vector<size_t> can = operations_of(layout);
      std::erase_if(operations,
                    [&](size_t each) { return std::find(can.begin(), can.end(), each) == can.end(); });
    }
    if (operations.empty()) return;
    // Who cannot be found by an id in one of them.
    std::set<size_t> hidden;
    for (const size_t layout : taking) {
      for (size_t entity = 0; entity < model_.entities.size(); ++entity) {
        const auto& compiled = planned_.compiled;
        if (compiled.layouts[layout].kind(entity) != nullptr &&
            !plan::has_known_key(compiled.model, compiled.layouts[layout], entity) &&
            !plan::lookup_plan(compiled.model, compiled.layouts[layout], entity))
          hidden.insert(entity);
      }
    }
    Layouts layouts(planned_, taking, totals_);
    history_.clear();
    for (int i = 0; i < kCalls; ++i) {
      // Half of them put something, or there would be little to work on.
      const RandomOperation* operation = &model_.operations[chance_.of(operations)];
      if (chance_.one_in(2) || i < 10) {
        const RandomOperation& other = model_.operations[chance_.of(operations)];
        if (other.parameters[0].kind == RandomOperation::Argument::kDocument) operation = &other;
      }
      const RandomCall call = random_call(model_, *operation, hidden, chance_);
      history_ += call.name;
      for (const std::string& argument : call.arguments) history_ += " " + argument;
      history_ += "\n";
      const std::string why = layouts.act(call);
      ASSERT_EQ(why, "") << where() << model_.text << history_;
      if (i % 10 != 9) continue;
      ask_all(layouts);
      if (::testing::Test::HasFatalFailure()) return;
      const std::string found = layouts.audit();
      ASSERT_EQ(found, "") << where() << model_.text << history_;
    }
  }

  // Every pattern, for all that it may begin at.
  void ask_all(Layouts& layouts) {
    for (const model::Pattern& pattern : layouts.model().patterns) {
      std::vector<std::vector<std::string>> all = {{}};
      for (const model::Parameter& parameter : pattern.parameters) {
        std::vector<std::vector<std::string>> longer;
        for (const auto& before : all) {
          for (const std::string& value : values_for(parameter)) {
            longer.push_back(before);
            longer.back().push_back(value);
          }
        }
        all = std::move(longer);
      }
      for (const auto& arguments : all) {
        const std::string different = layouts.ask(pattern, arguments);
        std::string question = pattern.name;
        for (const std::string& argument : arguments) question += " " + argument;
        ASSERT_EQ(different, "") << where() << question << "\n" << model_.text << history_;
      }
    }
  }

  std::vector<std::string> values_for(const model::Parameter& parameter) {
    if (parameter.entity) return ids_of(model_, *parameter.entity);
    std::vector<std::string> values;
    if (parameter.is_optional) values.push_back("null");
    switch (parameter.type.kind) {
      case language::Type::Kind::kEnum:
        values.push_back("\"RED\"");
        break;
      case language::Type::Kind::kInt:
        values.push_back(std::to_string(chance_.below(12)));
        break;
      default:
        values.push_back(parameter.name == "r" ? "\"c1\"" : chance_.one_in(2) ? "\"e1-1\"" : "\"e0-\"");
    }
    return values;
  }

  std::string where() const { return "seed " + std::to_string(seed_) + "\n"; }

  Chance chance_;
  const uint64_t seed_;
  Totals& totals_;
  RandomModel model_;
  plan::PlannedModel planned_{.compiled = model::compile("none", "")};
  std::string history_;
};

TEST(RandomLayouts, AnswerAlikeAndKeepTheirPromises) {
  Totals totals;
  const uint64_t models = number_in("SHEAF_TEST_MODELS", 60 * number_in("SHEAF_TEST_ROUNDS", 1));
  const uint64_t first = number_in("SHEAF_TEST_SEED", 1);
  for (uint64_t seed = first; seed < first + models; ++seed) {
    ModelTrial(seed, totals).run();
    if (HasFatalFailure()) return;
  }
  std::cout << models << " models, " << totals.layouts << " layouts (" << totals.illegal
            << " more were refused), " << totals.done << " of " << totals.calls << " operations done, "
            << totals.asked << " questions (" << totals.refused << " more cannot be answered), "
            << totals.compared << " answers compared\n";
  for (const auto& [name, count] : totals.strategies) std::cout << "  " << count << " via " << name << "\n";
  std::cout << "  " << totals.by_field << " entities field by field\n";
  // Most of what is made is legal, is done and is compared.
  EXPECT_GT(totals.layouts, totals.illegal);
  EXPECT_GT(totals.done * 5, totals.calls);
  EXPECT_GT(totals.asked, totals.refused);
  EXPECT_GT(totals.compared * 2, totals.asked);
  for (const char* name : {"collection", "edges", "edges both", "edges symmetric", "embed list", "embed map",
                           "graph", "ids", "index", "lists", "lists symmetric", "path", "ref"})
    EXPECT_GT(totals.strategies[name], models / 10) << name;
  EXPECT_GT(totals.by_field, models / 2);
}

}  // namespace
}  // namespace sheaf::layouts
