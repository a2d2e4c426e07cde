// Departments and employees move between the four methods while threads hire, move, rename and dismiss.
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <thread>

#include "migrate/live_model.h"
#include "migrate/migration.h"
#include "run/applied_layout.h"
#include "run/plain_json.h"

namespace sheaf::migrate {
namespace {

std::string hr() {
  std::ifstream stream(std::string(SHEAF_MODELS) + "/hr/model.sheaf");
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

constexpr int kThreads = 4;
constexpr int kDepartments = 3;

std::string department(uint64_t i) { return "d-" + std::to_string(i % kDepartments); }

// What one thread knows of those whom it has hired: by id, the name and the department.
using Known = std::map<std::string, std::pair<std::string, std::string>>;

class Worker {
 public:
  Worker(Database& database, int number, const std::string& layout)
      : number_(number), random_(static_cast<uint64_t>(number)) {
    auto live = LiveModel::open(database, hr(),
                                {.layout = layout, .writer = {}, .lease = std::chrono::milliseconds(300)});
    EXPECT_TRUE(live.ok()) << live.error().message;
    live_ = std::move(*live);
  }

  void act() {
    const uint64_t what = random_() % 4;
    if (what == 0 || known.size() < 3) return hire();
    const auto whom = std::next(known.begin(), static_cast<int64_t>(random_() % known.size()));
    const std::string id = whom->first;
    if (what == 1) {
      const std::string to = department(random_());
      if (write("move", {Value(id), Value(to)})) whom->second.second = to;
    } else if (what == 2) {
      const std::string name = "N" + std::to_string(random_() % 1000);
      if (write("set.Employee", {Value(id), Value(Item{{"name", name}})})) whom->second.first = name;
    } else if (write("delete.Employee", {Value(id)})) {
      known.erase(whom);
    }
  }

  Known known;
  uint64_t done = 0;

 private:
  void hire() {
    const std::string id = "e-" + std::to_string(number_) + "-" + std::to_string(hired_++);
    const std::string to = department(random_());
    if (write("hire", {Value(Item{{"id", id}, {"name", "new"}}), Value(to)})) known[id] = {"new", to};
  }

  // Others work on the same departments: who is too slow too often tries again.
  bool write(const std::string& operation, const std::vector<Value>& arguments) {
    for (int i = 0; i < 50; ++i) {
      const auto outcome = live_->write(operation, arguments);
      if (outcome.ok()) return ++done > 0;
      if (outcome.error().code == Code::kConflict) continue;
      ADD_FAILURE() << operation << ": " << outcome.error().message;
      return false;
    }
    ADD_FAILURE() << operation << " is never done";
    return false;
  }

  const int number_;
  std::mt19937_64 random_;
  uint64_t hired_ = 0;
  std::unique_ptr<LiveModel> live_;
};

// Until they are told to stop.
class Crew {
 public:
  explicit Crew(std::vector<std::unique_ptr<Worker>>& workers) {
    for (const std::unique_ptr<Worker>& each : workers) {
      threads_.emplace_back([this, worker = each.get()] {
        for (int i = 0; i < 40; ++i) worker->act();
        while (!is_over_) worker->act();
        for (int i = 0; i < 20; ++i) worker->act();
      });
    }
  }
  ~Crew() { stop(); }

  void stop() {
    is_over_ = true;
    for (std::thread& each : threads_) each.join();
    threads_.clear();
  }

 private:
  std::atomic<bool> is_over_ = false;
  std::vector<std::thread> threads_;
};

class BetweenMethods : public testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(BetweenMethods, NothingIsLostWhileOthersWrite) {
  const std::unique_ptr<Database> database = Database::open_in_memory();
  const plan::PlannedModel planned = plan::plan_model(model::compile("hr.sheaf", hr()));
  const std::string from = GetParam().first, to = GetParam().second;
  ASSERT_TRUE(run::apply_layout(*database, planned.compiled.model, *planned.compiled.find_layout(from)).ok());
  auto live = *LiveModel::open(*database, hr(), {.layout = from});
  for (int i = 0; i < kDepartments; ++i)
    ASSERT_TRUE(live->write("put.Department", {Value(Item{{"id", department(i)}, {"name", "D"}})}).ok());
  live.reset();

  std::vector<std::unique_ptr<Worker>> workers;
  for (int i = 0; i < kThreads; ++i) workers.push_back(std::make_unique<Worker>(*database, i, from));
  Crew crew(workers);

  const MoveRequest request{
      .from_text = hr(), .from_layout = from, .to_text = hr(), .to_layout = to, .renames = {}, .tables = {}};
  std::unique_ptr<Migration> migration = *Migration::begin(*database, request, {});
  const auto settle = [&] {
    for (int i = 0; i < 3'000 && !*migration->is_settled(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
  };
  settle();
  for (int i = 0; i < 5'000 && migration->progress().stage != Progress::Stage::kDone; ++i) {
    const Result<void> advanced = migration->advance(50);
    ASSERT_TRUE(advanced.ok()) << advanced.error().message;
    if (i % 3 == 0) migration = *Migration::resume(*database, "hr-sheaf", {});  // as after a crash
  }
  EXPECT_EQ(migration->progress().stage, Progress::Stage::kDone) << migration->progress().difference;
  EXPECT_TRUE(migration->read_new().ok());
  settle();
  // What others are busy with is no difference.
  for (const auto look : {&Migration::compare, &Migration::compare_back}) {
    const auto compared = (migration.get()->*look)({});
    ASSERT_TRUE(compared.ok()) << compared.error().message;
    EXPECT_TRUE(compared->is_clean()) << testing::PrintToString(compared->differences.named())
                                      << testing::PrintToString(compared->unexplained.named());
  }
  EXPECT_TRUE(migration->progress().differences.empty())
      << testing::PrintToString(migration->progress().differences);
  EXPECT_TRUE(migration->stop_writing_old().ok());
  settle();
  EXPECT_TRUE(migration->remove_left_over().ok());
  crew.stop();

  std::map<std::string, std::vector<std::string>> expected;
  uint64_t done = 0;
  for (const auto& worker : workers) {
    done += worker->done;
    for (const auto& [id, what] : worker->known) expected[what.second].push_back(id + " " + what.first);
  }
  live = *LiveModel::open(*database, hr(), {.layout = to});
  for (int i = 0; i < kDepartments; ++i) {
    std::vector<std::string> found;
    std::string cursor;
    do {
      const auto reply = live->read("team", {Value(department(i))}, cursor);
      ASSERT_TRUE(reply.ok()) << reply.error().message;
      for (const Value& each : reply->documents)
        found.push_back(std::string(each.view().map().find("id")->bytes()) + " " +
                        std::string(each.view().map().find("name")->bytes()));
      cursor = reply->cursor.value_or("");
    } while (!cursor.empty());
    std::sort(found.begin(), found.end());
    std::sort(expected[department(i)].begin(), expected[department(i)].end());
    EXPECT_EQ(found, expected[department(i)]);
  }
  EXPECT_GT(done, 200u);
}

std::vector<std::pair<std::string, std::string>> all_pairs() {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const char* from : {"method1", "method2", "method3", "method4"}) {
    for (const char* to : {"method1", "method2", "method3", "method4"}) {
      if (std::string(from) != to) pairs.emplace_back(from, to);
    }
  }
  return pairs;
}

INSTANTIATE_TEST_SUITE_P(All, BetweenMethods, testing::ValuesIn(all_pairs()),
                         [](const auto& each) { return each.param.first + "_" + each.param.second; });

}  // namespace
}  // namespace sheaf::migrate
