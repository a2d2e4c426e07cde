#include "workload.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>
#include <vector>

namespace sheaf::faults {
namespace {

constexpr auto kPollPeriod = std::chrono::milliseconds(1);
constexpr uint32_t kShortLivedItems = 30;

// The power went, or the process is about to: nothing that the workload could judge.
bool is_the_end(const Error& error) {
  return error.code == Code::kUnknown || error.code == Code::kUnavailable || error.code == Code::kIo;
}

std::string name_of(Slot slot) {
  return "item " + std::to_string(slot.writer) + "/" + std::to_string(slot.number);
}

Item account_key(int account) { return {{"id", "account-" + std::to_string(account)}}; }

}  // namespace

bool Workload::fail(const std::string& problem) {
  std::lock_guard lock(problem_mutex_);
  over_ = true;
  if (journal_.problem_bytes.load() != 0) return false;
  const size_t bytes = std::min<size_t>(problem.size(), kProblemBytes);
  std::copy_n(problem.data(), bytes, journal_.problem);
  journal_.problem_bytes.store(static_cast<uint32_t>(bytes));
  return false;
}

template <typename T>
bool Workload::accept(const Result<T>& result, const std::string& what) {
  if (result.ok()) return true;
  if (!is_the_end(result.error())) return fail(what + ": " + result.error().message);
  over_ = true;
  return false;
}

// One of the threads, with the items that only it writes.
class Workload::Writer {
 public:
  Writer(Workload& workload, uint32_t writer)
      : workload_(workload),
        db_(workload.db_),
        journal_(workload.journal_),
        writer_(writer),
        random_(workload.seed_ * kWriters + writer) {}

  void run(const std::atomic<bool>& stop) {
    if (!take_up()) return;
    while (!stop && !workload_.over_) {
      if (!step()) return;
    }
  }

 private:
  bool step() {
    const uint64_t choice = random_() % 16;
    if (choice < 8) return write_single(random_() % kSingles);
    if (choice < 11) return write_group(random_() % kGroups);
    if (choice < 13) return write_batch();
    if (choice < 15) return hit();
    return transfer();
  }

  // A transaction whose answer never came is sent again with its token: whether it had happened or not, it
  // has then happened once.
  bool take_up() {
    for (uint32_t group = 0; group < kGroups; ++group) {
      if (journal_.groups[writer_][group].open() && !send_group(group)) return false;
    }
    return true;
  }

  bool write_single(uint32_t number) {
    const Slot slot{.writer = writer_, .number = number};
    Steps& steps = journal_.items[writer_][number];
    const TransactAction action = write_of(slot, steps.begin_next());
    const Result<Written> written = std::visit([this](const auto& request) { return send(request); }, action);
    if (!workload_.accept(written, name_of(slot))) return false;
    if (!written->condition_met)
      return workload_.fail(name_of(slot) + " is not where acknowledged writes left it");
    steps.acknowledge();
    return true;
  }

  Result<Written> send(const PutItem& request) { return db_.put_item(request); }
  Result<Written> send(const UpdateItem& request) { return db_.update_item(request); }
  Result<Written> send(const DeleteItem& request) { return db_.delete_item(request); }
  Result<Written> send(const ConditionCheck&) { return Error{Code::kInvalid, "not a write"}; }

  bool write_batch() {
    BatchWriteItems request;
    std::vector<uint32_t> numbers;
    for (uint32_t number = kSingles; number < kSingles + kBatchItems; ++number) {
      if (random_() % 2 == 0) numbers.push_back(number);
    }
    if (numbers.empty()) return true;
    for (const uint32_t number : numbers) {
      const Slot slot{.writer = writer_, .number = number};
      const uint32_t version = journal_.items[writer_][number].begin_next();
      request.tables[table_of(slot)].push_back(batch_write_of(slot, version));
    }
    const Result<BatchWritten> written = db_.batch_write_items(request);
    if (!workload_.accept(written, "batch")) return false;
    if (!written->unprocessed.empty())
      return workload_.fail("a batch was not done, though nobody disturbed it");
    for (const uint32_t number : numbers) journal_.items[writer_][number].acknowledge();
    return true;
  }

  bool write_group(uint32_t group) {
    journal_.groups[writer_][group].begin_next();
    return send_group(group);
  }

  bool send_group(uint32_t group) {
    Steps& steps = journal_.groups[writer_][group];
    const uint32_t version = steps.attempted.load();
    TransactWriteItems request{.token = std::to_string(writer_) + "-" + std::to_string(group) + "-" +
                                        std::to_string(version)};
    for (uint32_t member = 0; member < kGroupMembers; ++member)
      request.actions.push_back(write_of(group_slot(writer_, group, member), version));
    const Result<TransactWritten> written = db_.transact_write_items(request);
    const std::string name = "transaction " + request.token;
    if (!workload_.accept(written, name)) return false;
    if (!written->applied) return workload_.fail(name + " is not where acknowledged writes left it");
    steps.acknowledge();
    return true;
  }

  bool hit() {
    Steps& steps = journal_.hits[writer_];
    steps.begin_next();
    const Result<Written> written = db_.update_item(
        {.table = kAccountsTable, .key = {{"id", "hits"}}, .update = "ADD n :one", .values = {{":one", 1}}});
    if (!workload_.accept(written, "hit")) return false;
    steps.acknowledge();
    return true;
  }

  bool transfer() {
    Steps& steps = journal_.transfers[writer_];
    const int from = static_cast<int>(random_() % kAccounts);
    const int to = (from + 1 + static_cast<int>(random_() % (kAccounts - 1))) % kAccounts;
    const auto move = [](int account, int by) {
      return UpdateItem{.table = kAccountsTable,
                        .key = account_key(account),
                        .update = "ADD money :by, moves :one",
                        .values = {{":by", by}, {":one", 1}}};
    };
    steps.begin_next();
    const Result<TransactWritten> written =
        db_.transact_write_items({.actions = {move(from, -1), move(to, 1)}});
    if (!written.ok() && written.error().code == Code::kConflict) {
      steps.take_back();
      return true;
    }
    if (!workload_.accept(written, "transfer")) return false;
    if (!written->applied) return workload_.fail("a transfer without conditions was cancelled");
    steps.acknowledge();
    return true;
  }

  Workload& workload_;
  Database& db_;
  WorkloadJournal& journal_;
  const uint32_t writer_;
  std::mt19937_64 random_;
};

bool Workload::prepare() {
  if (journal_.prepared.load() != 0) return true;
  for (const CreateTable& table : planned_tables()) {
    const Result<TableDescription> made = db_.create_table(table);
    if (!made.ok() && made.error().code == Code::kInUse) continue;
    if (!accept(made, "create " + table.table)) return false;
  }
  for (int account = 0; account < kAccounts; ++account) {
    Item item = account_key(account);
    item.set("money", Value(kAccountMoney));
    item.set("moves", Value(0));
    if (!accept(db_.put_item({.table = kAccountsTable, .item = item}), "make an account")) return false;
  }
  for (int first = 0; first < kFillers; first += 25) {
    BatchWriteItems batch;
    for (int at = first; at < first + 25; ++at) batch.tables[kItemsTable].push_back({.item = filler(at)});
    if (!accept(db_.batch_write_items(batch), "fill")) return false;
  }
  journal_.prepared.store(1);
  return true;
}

bool Workload::make_or_remove_late_index() {
  Steps& steps = journal_.late_index;
  const bool make = steps.begin_next() % 2 != 0;
  UpdateTable request{.table = kItemsTable};
  if (make) {
    request.add_index = planned_late_index();
  } else {
    request.remove_index = kLateIndex;
  }
  const Result<TableDescription> now = db_.describe_table(kItemsTable);
  if (!accept(now, "describe the items")) return false;
  if (now->status == TableStatus::kUpdating) {  // still being filled, or removed
    steps.take_back();
    std::this_thread::sleep_for(kPollPeriod);
    return true;
  }
  const Result<TableDescription> changed = db_.update_table(request);
  if (!accept(changed, make ? "add an index" : "remove an index")) return false;
  steps.acknowledge();
  return true;
}

bool Workload::fill_table(uint32_t number) {
  const std::string table = planned_short_lived_table(number).table;
  for (uint32_t at = journal_.short_lived_items[number].load(); at < kShortLivedItems; ++at) {
    Item item = filler(static_cast<int>(at));
    if (at % 2 == 0) item.set("color", Value("red"));
    if (!accept(db_.put_item({.table = table, .item = item}), "put into " + table)) return false;
    journal_.short_lived_items[number].store(at + 1);
  }
  return true;
}

bool Workload::make_or_remove_table(uint32_t number) {
  Steps& steps = journal_.short_lived[number];
  const CreateTable table = planned_short_lived_table(number);
  if (steps.begin_next() % 2 != 0) {
    journal_.short_lived_items[number].store(0);
    const Result<TableDescription> made = db_.create_table(table);
    if (!made.ok() && made.error().code == Code::kInUse) {  // the one before is not quite gone
      steps.take_back();
      std::this_thread::sleep_for(kPollPeriod);
      return true;
    }
    if (!accept(made, "create " + table.table)) return false;
    steps.acknowledge();
    return fill_table(number);
  }
  if (!accept(db_.delete_table(table.table), "delete " + table.table)) return false;
  steps.acknowledge();
  return true;
}

void Workload::change_schema(const std::atomic<bool>& stop) {
  for (uint32_t number = 0; number < kShortLivedTables; ++number) {
    if (journal_.short_lived[number].acknowledged.load() % 2 != 0 && !fill_table(number)) return;
  }
  for (uint32_t round = static_cast<uint32_t>(seed_); !stop && !over_; ++round) {
    if (!make_or_remove_late_index()) return;
    if (round % 4 == 0 && !make_or_remove_table(round / 4 % kShortLivedTables)) return;
  }
}

void Workload::run(const std::atomic<bool>& stop) {
  if (!prepare()) return;
  journal_.running.store(1);
  std::vector<std::thread> threads;
  for (uint32_t writer = 0; writer < kWriters; ++writer)
    threads.emplace_back([this, writer, &stop] { Writer(*this, writer).run(stop); });
  threads.emplace_back([this, &stop] { change_schema(stop); });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace sheaf::faults
