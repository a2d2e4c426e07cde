// What a model costs beside the requests that it makes: patterns against the same requests made by hand, in
// this process and over HTTP, and how long a large model takes to plan.
//   model_bench [--json FILE] [--quick]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>

#include "sheaf/model.h"
#include "sheaf/remote_database.h"

#include "bench/child_process.h"
#include "bench/expect.h"
#include "bench/figures.h"
#include "plan/planned_model.h"

namespace sheaf::bench {
namespace {

constexpr int kTeams = 200;
constexpr int kMembers = 20;
constexpr int kRounds = 25;

constexpr const char* kModel = R"(model bench {
  table bench_app { pk PK; sk SK; tag T }
  entity Team { id id; name; key "TEAM#<id>" / "TEAM" }
  entity Member within team { id id; name; email; key "TEAM#<team.id>" / "MEMBER#<id>" }
  rel Team 1--* Member as members / team { via collection; size max 90 }
  pattern team(t: Team) = $t
  pattern members(t: Team) = $t.members
})";

std::string team_id(int i) { return "t" + std::to_string(i); }

void fill(Model& model) {
  for (int i = 0; i < kTeams; ++i) {
    expect(model.act("put.Team", {Item{{"id", team_id(i)}, {"name", "Team"}}}));
    for (int j = 0; j < kMembers; ++j)
      expect(model.act("put.Member", {Item{{"id", "m" + std::to_string(j)},
                                           {"team", team_id(i)},
                                           {"name", "Somebody"},
                                           {"email", "somebody@example.com"}}}));
  }
}

struct Costs {
  double raw_us;
  double model_us;
};

double us(int calls, const std::function<void(int)>& call) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) call(i);
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
  return took.count() / calls;
}

// Microseconds a call, in turns, the best of several rounds: what disturbs only adds.
Costs compare(int calls, const std::function<void(int)>& raw, const std::function<void(int)>& modelled) {
  Costs best{1e18, 1e18};
  for (int round = 0; round < kRounds; ++round) {
    best.raw_us = std::min(best.raw_us, us(calls, raw));
    best.model_us = std::min(best.model_us, us(calls, modelled));
  }
  return best;
}

Costs get(Database& database, Model& model, int calls) {
  return compare(
      calls,
      [&](int i) {
        const Got got = expect(database.get_item(
            {.table = "bench_app", .key = {{"PK", "TEAM#" + team_id(i % kTeams)}, {"SK", "TEAM"}}}));
        if (!got.item) std::abort();
      },
      [&](int i) {
        if (expect(model.ask("team", {team_id(i % kTeams)})).documents.size() != 1) std::abort();
      });
}

Costs query(Database& database, Model& model, int calls) {
  return compare(
      calls,
      [&](int i) {
        const Page page =
            expect(database.query({.table = "bench_app",
                                   .key_condition = "PK = :p AND begins_with(SK, :s)",
                                   .values = {{":p", "TEAM#" + team_id(i % kTeams)}, {":s", "MEMBER#"}}}));
        if (page.count != kMembers) std::abort();
      },
      [&](int i) {
        if (expect(model.ask("members", {team_id(i % kTeams)})).documents.size() != kMembers) std::abort();
      });
}

// 200 entities in 50 trees of four levels, 500 patterns.
std::string large_model() {
  std::string text = "model large {\n";
  for (int i = 0; i < 50; ++i) {
    const std::string n = std::to_string(i);
    text += "  entity A" + n + " { id id; name }\n  entity B" + n + " within a { id id; name }\n  entity C" +
            n + " within b { id id; name }\n  entity D" + n + " { id id; name }\n" + "  rel A" + n +
            " 1--* B" + n + " as bs / a { size max 50 }\n  rel B" + n + " 1--* C" + n +
            " as cs / b { size max 50 }\n  rel C" + n + " *--* D" + n +
            " as ds / cs { size of ds max 50; size of cs max 50 }\n";
    const char* const patterns[] = {"a(x: A) = $x",
                                    "b(x: B) = $x",
                                    "c(x: C) = $x",
                                    "d(x: D) = $x",
                                    "bs(x: A) = $x.bs",
                                    "cs(x: B) = $x { *, cs }",
                                    "ds(x: C) = $x.ds",
                                    "ids(x: C) = $x.ds {}",
                                    "up(x: C) = $x { *, b { *, a } }",
                                    "back(x: D) = $x { *, cs {} }"};
    for (const char* pattern : patterns) {
      std::string one = pattern;
      const size_t open = one.find('('), close = one.find(')');
      text += "  pattern " + one.substr(0, open) + n + one.substr(open, close - open) + n +
              one.substr(close) + "\n";
    }
  }
  return text + "}\n";
}

void bench_planning(Figures& figures) {
  const std::string text = large_model();
  double best = 1e18;
  for (int round = 0; round < 3; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    const plan::PlannedModel planned = plan::plan_model(model::compile("large.sheaf", text));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (!planned.compiled.ok()) {
      std::fprintf(stderr, "%s", planned.compiled.rendered().substr(0, 2000).c_str());
      std::exit(1);
    }
    best = std::min(best, took.count());
  }
  figures.at_most("plan of 200 entities and 500 patterns", best, "s", 1);
}

constexpr int kPort = 18'431;

// The same over HTTP, against a server of its own.
void bench_http(Figures& figures, const char* program, int calls) {
  const std::string sheaf = (std::filesystem::path(program).parent_path() / "sheaf").string();
  ChildProcess server = expect(ChildProcess::start(
      {.words = {sheaf, "serve", "--in-memory", "--port", std::to_string(kPort), "--admin-port", "-1"},
       .log_path = "/dev/null"}));
  const auto database = expect(connect({.url = "http://127.0.0.1:" + std::to_string(kPort),
                                        .access_key = AccessKey{.id = "bench", .secret = "bench"}}));
  for (int i = 0; i < 200 && !database->list_tables().ok(); ++i) sleep_ms(20);
  const auto model = expect(Model::load(*database, kModel));
  fill(*model);
  const Costs one = get(*database, *model, calls), many = query(*database, *model, calls);
  figures.at_most("pattern of one GetItem, over HTTP", one.model_us / one.raw_us, "of the raw request", 1.1);
  figures.at_most("pattern of 20 items, over HTTP", many.model_us / many.raw_us, "of the raw request", 1.1);
}

int run(int count, char** words) {
  bool is_quick = false;
  for (int i = 1; i < count; ++i) is_quick = is_quick || std::strcmp(words[i], "--quick") == 0;
  const int calls = is_quick ? 1'000 : 20'000;
  Figures figures;
  bench_planning(figures);
  {
    const auto database = Database::open_in_memory({.background_thread = false});
    const auto model = expect(Model::load(*database, kModel));
    fill(*model);
    const Costs one = get(*database, *model, calls), many = query(*database, *model, calls / 10);
    figures.at_most("pattern of one GetItem, in process", one.model_us - one.raw_us, "us more", 5);
    figures.note("pattern of 20 items, in process", many.model_us - many.raw_us, "us more");
    figures.note("pattern of 20 items, in process, an item", (many.model_us - many.raw_us) / kMembers,
                 "us more");
  }
  bench_http(figures, words[0], calls / 10);
  return figures.report(count, words);
}

}  // namespace
}  // namespace sheaf::bench

int main(int count, char** words) { return sheaf::bench::run(count, words); }
