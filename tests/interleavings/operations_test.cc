// All orders in which the requests of concurrent operations on one relation can happen, also with a program
// that dies on the way: afterwards everything is as the model promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <limits>

#include "plan/planned_model.h"
#include "run/applied_layout.h"
#include "run/audit.h"
#include "run/basic_change.h"
#include "run/data_file.h"
#include "run/plain_json.h"
#include "run/session.h"
#include "schedule.h"

namespace sheaf::interleavings {
namespace {

using std::chrono::milliseconds;

struct Call {
  std::string operation;
  std::vector<std::string> arguments;
};

// Behind which both are stored field by field.
constexpr std::string_view kByField = ", by field";

std::string crew(std::string via, const std::string& relmods) {
  const bool is_by_field = via.ends_with(kByField);
  if (is_by_field) via.resize(via.size() - kByField.size());
  const std::string store = is_by_field ? "store eav; " : "", sk = is_by_field ? "#<attribute>" : "";
  return "model crew { table app { pk PK; sk SK; tag T; gsi GSI1 GSI1PK / GSI1SK } "
         "entity Team { id id; name; size int = count(members); " +
         store + "key \"T#<id>\" / \"T" + sk + "\" } entity Person { id id; email unique; " + store +
         "key \"P#<id>\" / \"P" + sk + "\"" +
         std::string(via.starts_with("index") ? "; index GSI1 \"T#<team.id>\" / \"P#<id>\"" : "") +
         " } rel Team 1--* Person as members / team { size max 90; " + relmods + " via " + via +
         " } pattern members(t: Team) = $t.members {} }";
}

constexpr std::string_view kData = R"({
  "Team": [{ "id": "t1", "name": "One" }, { "id": "t2", "name": "Two" }, { "id": "t3", "name": "Three" }],
  "Person": [{ "id": "p1", "email": "a@x", "team": "t1" }, { "id": "p2", "email": "b@x", "team": "t2" }] })";

// The layouts of one-to-many that keep both directions.
const std::vector<std::string> kVias = {
    "index on GSI1",         "index on GSI1 copy team(name)", "edges pk one",
    "edges pk many",         "edges pk many copy team(name)", "edges pk both copy team(name)",
    "lists copy team(name)", "edges pk many, by field"};

std::vector<Value> values_of(const std::vector<std::string>& texts) {
  std::vector<Value> values;
  for (const std::string& text : texts) values.push_back(*run::from_plain_json(text));
  return values;
}

class Crew {
 public:
  explicit Crew(const std::string& text, std::string_view data = kData)
      : planned_(plan::plan_model(model::compile("crew.sheaf", text))), data_(data) {
    EXPECT_TRUE(planned_.compiled.ok()) << planned_.compiled.rendered();
  }

  std::unique_ptr<Database> prepare() const {
    auto database = Database::open_in_memory({.background_thread = false});
    EXPECT_TRUE(run::apply_layout(*database, model(), layout()).ok());
    const auto data = run::read_data(model(), layout(), data_);
    EXPECT_TRUE(data.ok()) << data.error().message;
    EXPECT_TRUE(run::load_data(*database, model(), layout(), *data).ok());
    return database;
  }

  // On a database that it may be killed on.
  void call(SteppedDatabase& database, const Call& call) const {
    run::WriterOptions stepped = options(now_);
    // A try begins with the time, and forgets what it read when it fails. A job that brings copies in step
    // looks at the time when it begins, and when it begins again.
    const bool is_copied = call.operation == "set.Team" || call.operation == "set.User";
    stepped.clock = [this, &database, is_copied] {
      if (is_copied) database.forget_since_commit();
      database.begin_try();
      return now_;
    };
    stepped.pause = [&database](int) { database.forget_try(); };
    const run::Writer writer(database, model(), layout(), stepped);
    const auto change = run::basic_change(model(), layout(), call.operation, values_of(call.arguments), now_);
    ASSERT_TRUE(change.ok()) << change.error().message;
    static_cast<void>(writer.run({*change}));
  }

  // Whoever comes later finishes what the dead have left; then nothing may be wrong.
  ::testing::AssertionResult is_sound(Database& database) const {
    auto now = now_;
    for (int i = 0; i < 20; ++i) {
      now += milliseconds(60'000);
      const run::Writer writer(database, model(), layout(), options(now));
      const auto worked = writer.work();
      if (!worked.ok() && worked.error().code != Code::kConflict)
        return ::testing::AssertionFailure() << "work: " << worked.error().message;
      if (run::list_jobs(database, model(), layout())->empty()) break;
    }
    const auto jobs = run::list_jobs(database, model(), layout());
    if (!jobs->empty()) return ::testing::AssertionFailure() << jobs->size() << " jobs are never done";
    const auto made = run::audit(database, model(), layout(), {});
    if (!made.ok()) return ::testing::AssertionFailure() << made.error().message;
    if (made->being_deleted > 0) return ::testing::AssertionFailure() << "something stays marked";
    if (made->findings.empty()) return ::testing::AssertionSuccess();
    auto failure = ::testing::AssertionFailure();
    for (const run::Finding& finding : made->findings)
      failure << run::name_of(finding.kind) << ": " << finding.what << ": " << finding.message << "\n";
    return failure;
  }

  const model::Model& model() const { return planned_.compiled.model; }
  const model::Layout& layout() const { return planned_.compiled.layouts[0]; }

 private:
  static run::WriterOptions options(std::chrono::system_clock::time_point now) {
    return {.clock = [now] { return now; }, .pause = [](int) {}};
  }

  plan::PlannedModel planned_;
  const std::string data_;
  const std::chrono::system_clock::time_point now_ = std::chrono::system_clock::now();
};

// With the long tests every set is tried to its end.
bool is_long() { return std::getenv("SHEAF_TEST_ROUNDS") != nullptr; }

struct Totals {
  uint64_t runs = 0;
  uint64_t states = 0;
  uint64_t outcomes = 0;
  uint64_t scenarios = 0;
  uint64_t cut = 0;
};

bool try_all(const Crew& crew, const std::vector<Call>& calls, size_t kills, Totals& totals) {
  std::string names;
  for (const Call& call : calls) {
    names += " [" + call.operation;
    for (const std::string& argument : call.arguments) names += " " + argument;
    names += "]";
  }
  bool is_sound = true;
  Scenario scenario{.programs = calls.size(),
                    .kills_max = kills,
                    .runs_max = is_long() ? std::numeric_limits<uint64_t>::max() : 60};
  scenario.prepare = [&] { return crew.prepare(); };
  scenario.program = [&](size_t i, SteppedDatabase& database) { crew.call(database, calls[i]); };
  scenario.check = [&](Database& database, const std::string& order) {
    const auto sound = crew.is_sound(database);
    EXPECT_TRUE(sound) << names << "\norder:" << order;
    is_sound = static_cast<bool>(sound);
    return is_sound;
  };
  const Exploration made = explore(scenario);
  totals.runs += made.runs + made.redundant;
  totals.states += made.states;
  totals.outcomes += made.outcomes;
  ++totals.scenarios;
  totals.cut += made.is_complete ? 0 : 1;
  return is_sound;
}

// Every set of `size` of the calls.
void try_sets(const Crew& crew, const std::vector<Call>& calls, size_t size, size_t kills, Totals& totals) {
  std::vector<size_t> chosen(size);
  for (size_t i = 0; i < size; ++i) chosen[i] = i;
  while (true) {
    std::vector<Call> set;
    for (const size_t i : chosen) set.push_back(calls[i]);
    if (!try_all(crew, set, kills, totals)) return;
    size_t i = size;
    while (i > 0 && chosen[i - 1] == calls.size() - size + i - 1) --i;
    if (i == 0) return;
    ++chosen[i - 1];
    for (size_t j = i; j < size; ++j) chosen[j] = chosen[j - 1] + 1;
  }
}

// A kill on top takes many times as many orders.
size_t kills_of_three() { return is_long() ? 1 : 0; }

class Interleavings : public ::testing::TestWithParam<std::string> {};

const std::vector<Call> kSmall = {{"move.Person.team", {"\"p1\"", "\"t2\""}},
                                  {"move.Person.team", {"\"p1\"", "\"t3\""}},
                                  {"set.Team", {"\"t2\"", "{\"name\": \"Deux\"}"}},
                                  {"put.Person", {"{\"id\": \"p9\", \"email\": \"c@x\", \"team\": \"t2\"}"}},
                                  {"set.Person", {"\"p2\"", "{\"email\": \"c@x\"}"}},
                                  {"delete.Person", {"\"p1\""}}};

void report(const Totals& totals) {
  std::cout << totals.scenarios << " sets of operations, " << totals.runs << " runs, " << totals.states
            << " states, " << totals.outcomes << " outcomes"
            << (totals.cut > 0 ? ", " + std::to_string(totals.cut) + " sets cut short" : "") << "\n";
  if (is_long()) {
    EXPECT_EQ(totals.cut, 0u);
  }
}

TEST_P(Interleavings, OfTwoOperationsWithAKill) {
  Totals totals;
  const Crew crew(interleavings::crew(GetParam(), "required; on delete cascade;"));
  std::vector<Call> calls = kSmall;
  calls.push_back({"delete.Team", {"\"t2\""}});
  try_sets(crew, calls, 2, 1, totals);
  report(totals);
}

TEST_P(Interleavings, OfThreeOperations) {
  Totals totals;
  const Crew crew(interleavings::crew(GetParam(), "required; on delete cascade;"));
  try_sets(crew, kSmall, 3, kills_of_three(), totals);
  report(totals);
}

TEST_P(Interleavings, OfFourOperations) {
  Totals totals;
  const Crew crew(interleavings::crew(GetParam(), "required; on delete cascade;"));
  if (is_long()) try_sets(crew, kSmall, 4, 0, totals);
  try_all(crew,
          {{"move.Person.team", {"\"p1\"", "\"t2\""}},
           {"move.Person.team", {"\"p1\"", "\"t3\""}},
           {"move.Person.team", {"\"p1\"", "\"t1\""}},
           {"delete.Person", {"\"p1\""}}},
          is_long() ? 1 : 0, totals);
  // Two that follow the same team to its copies have so many states that two others at once would take hours:
  // they are tried with each of them.
  const std::vector<Call> renames = {{"set.Team", {"\"t2\"", "{\"name\": \"Deux\"}"}},
                                     {"set.Team", {"\"t2\"", "{\"name\": \"Zwei\"}"}}};
  const std::vector<Call> others = {
      {"move.Person.team", {"\"p1\"", "\"t2\""}},
      {"put.Person", {"{\"id\": \"p9\", \"email\": \"c@x\", \"team\": \"t2\"}"}}};
  if (GetParam().find("copy") == std::string::npos) {
    try_all(crew, {renames[0], renames[1], others[0], others[1]}, is_long() ? 1 : 0, totals);
  } else {
    for (const Call& other : others) try_all(crew, {renames[0], renames[1], other}, 0, totals);
  }
  report(totals);
}

// Where the end is optional a guard keeps it to one, and a deletion unlinks.
TEST_P(Interleavings, OfOptionalEnds) {
  Totals totals;
  const Crew crew(interleavings::crew(GetParam(), "on delete unlink;"));
  const std::vector<Call> calls = {{"unlink.Person.team", {"\"p1\"", "\"t1\""}},
                                   {"link.Person.team", {"\"p1\"", "\"t2\""}},
                                   {"link.Team.members", {"\"t3\"", "\"p1\""}},
                                   {"move.Person.team", {"\"p1\"", "\"t3\""}},
                                   {"remove.Person", {"\"p2\"", "[\"team\"]"}},
                                   {"delete.Team", {"\"t2\""}},
                                   {"delete.Person", {"\"p1\""}}};
  try_sets(crew, calls, 2, 1, totals);
  try_sets(crew, calls, 3, kills_of_three(), totals);
  report(totals);
}

// Nobody can link to what is looked at before it goes.
TEST_P(Interleavings, OfRestrictedDeletions) {
  Totals totals;
  const Crew crew(interleavings::crew(GetParam(), "on delete restrict;"));
  const std::vector<Call> calls = {{"delete.Team", {"\"t2\""}},
                                   {"delete.Team", {"\"t3\""}},
                                   {"move.Person.team", {"\"p2\"", "\"t3\""}},
                                   {"remove.Person", {"\"p2\"", "[\"team\"]"}}};
  try_sets(crew, calls, 2, 1, totals);
  try_sets(crew, calls, 3, kills_of_three(), totals);
  report(totals);
}

// Whoever links, each of the two leads to the other, and to nobody else where there is one.
TEST(SymmetricInterleavings, OfPairsWithoutOrder) {
  const std::vector<Call> friends = {
      {"link.User.with", {"\"a\"", "\"b\""}},         {"link.User.with", {"\"b\"", "\"a\""}},
      {"unlink.User.with", {"\"a\"", "\"c\""}},       {"unlink.User.with", {"\"c\"", "\"a\""}},
      {"set.User", {"\"a\"", "{\"name\": \"Zoe\"}"}}, {"delete.User", {"\"c\""}}};
  const std::vector<Call> couples = {
      {"link.User.with", {"\"a\"", "\"b\""}},   {"move.User.with", {"\"a\"", "\"b\""}},
      {"move.User.with", {"\"c\"", "\"b\""}},   {"unlink.User.with", {"\"c\"", "\"a\""}},
      {"remove.User", {"\"c\"", "[\"with\"]"}}, {"delete.User", {"\"c\""}}};
  for (const std::string via : {"edges copy with(name)", "lists copy with(name)"}) {
    for (const bool is_many : {true, false}) {
      Totals totals;
      const Crew crew("model crew { entity User { id id; name changes rarely" +
                          std::string(is_many ? "; n int = count(with)" : "") + " } rel User " +
                          (is_many ? "*--* User as with { size max 90; via " : "1--1 User as with { via ") +
                          via + " } }",
                      R"({ "User": [{ "id": "a", "name": "Ann" }, { "id": "b", "name": "Bob" },
                          { "id": "c", "name": "Cid" }], "links": { "User.with": [["a", "c"]] } })");
      try_sets(crew, is_many ? friends : couples, 2, 1, totals);
      try_sets(crew, is_many ? friends : couples, 3, kills_of_three(), totals);
      report(totals);
    }
  }
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name;
  for (const char c : info.param) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Layouts, Interleavings, ::testing::ValuesIn(kVias), test_name);

}  // namespace
}  // namespace sheaf::interleavings
