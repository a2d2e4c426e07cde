#include "workload_check.h"

#include "base/try.h"

namespace sheaf::faults {
namespace {

std::string text_of(const std::optional<Item>& item) {
  if (!item) return "nothing";
  const std::string text = item->to_json();
  return text.size() <= 300 ? text : text.substr(0, 300) + "...";
}

class PromiseCheck {
 public:
  PromiseCheck(Database& db, WorkloadJournal& journal) : db_(db), journal_(journal) {}

  PromiseReport run() {
    if (journal_.problem_bytes.load() != 0)
      problem("the workload: " + std::string(journal_.problem, journal_.problem_bytes.load()));
    const Result<void> checked = check();
    if (!checked.ok()) problem("cannot be read: " + checked.error().message);
    return std::move(report_);
  }

 private:
  void problem(std::string text) { report_.problems.push_back(std::move(text)); }

  Result<void> check() {
    if (journal_.prepared.load() == 0) return {};
    for (uint32_t writer = 0; writer < kWriters; ++writer) {
      for (uint32_t number = 0; number < kSingles + kBatchItems; ++number)
        TRY(check_item({.writer = writer, .number = number}));
      for (uint32_t group = 0; group < kGroups; ++group) TRY(check_group(writer, group));
    }
    TRY(check_accounts());
    TRY(check_late_index());
    for (uint32_t number = 0; number < kShortLivedTables; ++number) TRY(check_short_lived(number));
    return {};
  }

  Result<std::optional<Item>> read(const std::string& table, const Item& key) {
    return TRY(db_.get_item({.table = table, .key = key, .consistent = true})).item;
  }

  void count(const Steps& steps, uint32_t found) {
    report_.acknowledged += steps.acknowledged.load();
    if (!steps.open()) return;
    (found == steps.attempted.load() ? report_.open_there : report_.open_gone) += 1;
  }

  Result<void> check_item(Slot slot) {
    Steps& steps = journal_.items[slot.writer][slot.number];
    const std::optional<Item> stored = TRY(read(table_of(slot), key_of(slot)));
    for (const uint32_t version : {steps.attempted.load(), steps.acknowledged.load()}) {
      if (stored != state_of(slot, version)) continue;
      count(steps, version);
      steps.resolve(version);
      return {};
    }
    problem("item " + key_of(slot).to_json() + " is " + text_of(stored) + ", acknowledged was version " +
            std::to_string(steps.acknowledged.load()) + ", " +
            text_of(state_of(slot, steps.acknowledged.load())));
    return {};
  }

  Result<void> check_group(uint32_t writer, uint32_t group) {
    const Steps& steps = journal_.groups[writer][group];
    std::vector<std::optional<Item>> stored;
    for (uint32_t member = 0; member < kGroupMembers; ++member) {
      const Slot slot = group_slot(writer, group, member);
      stored.push_back(TRY(read(table_of(slot), key_of(slot))));
    }
    for (const uint32_t version : {steps.attempted.load(), steps.acknowledged.load()}) {
      bool all = true;
      for (uint32_t member = 0; member < kGroupMembers; ++member)
        all = all && stored[member] == state_of(group_slot(writer, group, member), version);
      if (!all) continue;
      count(steps, version);
      return {};
    }
    std::string text = "a transaction is half there, or an acknowledged one is lost: group " +
                       std::to_string(writer) + "/" + std::to_string(group) + ", acknowledged version " +
                       std::to_string(steps.acknowledged.load()) + ", attempted " +
                       std::to_string(steps.attempted.load());
    for (const std::optional<Item>& item : stored) text += "\n    " + text_of(item);
    problem(text);
    return {};
  }

  // Between what was acknowledged and what was tried, since the last check.
  void check_sum(const std::string& name, Steps (&steps)[kWriters], std::atomic<int64_t>& before,
                 int64_t found) {
    int64_t acknowledged = before.load();
    int64_t attempted = before.load();
    for (Steps& each : steps) {
      acknowledged += each.acknowledged.load();
      attempted += each.attempted.load();
      each.resolve(0);
    }
    before.store(found);
    if (found >= acknowledged && found <= attempted) return;
    problem(name + ": " + std::to_string(found) + ", but " + std::to_string(acknowledged) +
            " were acknowledged and " + std::to_string(attempted) + " tried");
  }

  static int64_t integer(const std::optional<Item>& item, std::string_view name) {
    const std::optional<ValueView> value = item ? item->find(name) : std::nullopt;
    if (!value || value->type() != Type::kNumber) return 0;
    const Result<int64_t> number = value->number().to_int64();
    return number.ok() ? *number : 0;
  }

  Result<void> check_accounts() {
    check_sum("hits", journal_.hits, journal_.hits_before,
              integer(TRY(read(kAccountsTable, {{"id", "hits"}})), "n"));
    int64_t money = 0;
    int64_t moves = 0;
    for (int account = 0; account < kAccounts; ++account) {
      const std::optional<Item> item =
          TRY(read(kAccountsTable, {{"id", "account-" + std::to_string(account)}}));
      money += integer(item, "money");
      moves += integer(item, "moves");
    }
    if (money != int64_t{kAccounts} * kAccountMoney)
      problem("the accounts hold " + std::to_string(money) + " together: a transfer is half there");
    if (moves % 2 != 0) problem("an odd number of moves: a transfer is half there");
    check_sum("transfers", journal_.transfers, journal_.transfers_before, moves / 2);
    return {};
  }

  // `there`: whether what was to be made and removed in turn is there now.
  void check_turns(const std::string& name, Steps& steps, bool there) {
    for (const uint32_t step : {steps.attempted.load(), steps.acknowledged.load()}) {
      if ((step % 2 != 0) != there) continue;
      count(steps, step);
      steps.resolve(there ? 1 : 2);
      return;
    }
    problem(name + (there ? " is there, though it was removed" : " is not there, though it was made"));
  }

  Result<void> check_late_index() {
    const TableDescription table = TRY(db_.describe_table(kItemsTable));
    bool there = false;
    for (const IndexDescription& index : table.indexes)
      there = there || (index.name == kLateIndex && index.status != IndexStatus::kDeleting);
    check_turns("the late index", journal_.late_index, there);
    return {};
  }

  Result<void> check_short_lived(uint32_t number) {
    const std::string name = planned_short_lived_table(number).table;
    const Result<TableDescription> table = db_.describe_table(name);
    if (!table.ok() && table.error().code != Code::kNotFound) return table.error();
    const bool there = table.ok() && table->status != TableStatus::kDeleting;
    const uint32_t items = there ? journal_.short_lived_items[number].load() : 0;
    check_turns(name, journal_.short_lived[number], there);
    for (uint32_t at = 0; at < items; ++at) {
      const Item wanted = filler(static_cast<int>(at));
      const Item key{{"pk", Value(*wanted.find("pk"))}, {"sk", Value(*wanted.find("sk"))}};
      if (!TRY(read(name, key))) problem(name + " lacks " + key.to_json());
    }
    return {};
  }

  Database& db_;
  WorkloadJournal& journal_;
  PromiseReport report_;
};

}  // namespace

PromiseReport check_promises(Database& db, WorkloadJournal& journal) {
  return PromiseCheck(db, journal).run();
}

}  // namespace sheaf::faults
