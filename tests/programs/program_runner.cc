#include "programs/program_runner.h"

#include <algorithm>
#include <functional>

#include "programs/answer_text.h"

namespace sheaf::programs {
namespace {

constexpr uint32_t kSettleRoundsMax = 2000;

std::string kind_of(const Operation& operation) {
  const std::string text = to_text(operation);
  return text.substr(0, text.find_first_of(" \n"));
}

template <typename T>
std::string outcome_of(const Result<T>& result) {
  if (!result.ok()) return "error " + std::to_string(static_cast<int>(result.error().code));
  if constexpr (requires { result->condition_met; })
    return result->condition_met ? "done" : "condition not met";
  if constexpr (requires { result->applied; }) return result->applied ? "done" : "cancelled";
  return "done";
}

Item key_attributes(const KeySchema& key, ItemView item) {
  Item found;
  for (const KeyAttribute& attribute : attributes_of(key)) {
    if (const auto value = item.find(attribute.name)) found.set(attribute.name, *value);
  }
  return found;
}

}  // namespace

ProgramRunner::ProgramRunner(TestTarget& target)
    : target_(target), reference_(target.clock().now_us(), kCollectionBytesMax) {}

std::optional<Failure> ProgramRunner::run(const Program& program) {
  for (size_t at = 0; at < program.size(); ++at) {
    const Difference difference = std::visit([&](const auto& each) { return step(each); }, program[at]);
    if (difference) return Failure{.step = at, .text = *difference};
  }
  return std::nullopt;
}

template <typename T>
ProgramRunner::Difference ProgramRunner::compare(const char* what, const Result<T>& expected,
                                                 const Result<T>& actual) {
  ++answers_[std::string(what) + ": " + outcome_of(actual)];
  return difference(expected, actual);
}

// Whether a write's outcome is not known. Only a faulty store leaves it open.
template <typename T>
bool ProgramRunner::is_open(const Result<T>& actual) {
  if (actual.ok() || !target_.is_faulty()) return false;
  const bool open = actual.error().code == Code::kUnknown || actual.error().code == Code::kUnavailable;
  if (open) {
    ++answers_["open outcome"];
    target_.recover();
  }
  return open;
}

bool ProgramRunner::shows(const ReferenceDatabase& state, const std::string& table, const Item& key) {
  const GetOperation get{.table = table, .key = key, .consistent = true};
  return to_text(state.get(get)) == to_text(target_.database().get_item(get_request(get)));
}

template <typename Apply>
ProgramRunner::Difference ProgramRunner::adopt_items(const std::vector<std::pair<std::string, Item>>& keys,
                                                     Apply apply, bool* certain) {
  ReferenceDatabase applied = reference_;
  apply(applied);
  bool before = true, after = true;
  for (const auto& [table, key] : keys) {
    before &= shows(reference_, table, key);
    after &= shows(applied, table, key);
  }
  if (certain != nullptr) *certain = before != after;
  if (!before && !after) return "an open write left neither the state before it nor that after it";
  if (after) reference_ = std::move(applied);
  return std::nullopt;
}

template <typename Apply>
ProgramRunner::Difference ProgramRunner::adopt_table(const std::string& table, Apply apply) {
  ReferenceDatabase applied = reference_;
  apply(applied);
  const Result<TableDescription> actual = target_.database().describe_table(table);
  if (!difference(applied.describe_table(table), actual)) {
    reference_ = std::move(applied);
    return std::nullopt;
  }
  return difference(reference_.describe_table(table), actual);
}

ProgramRunner::Difference ProgramRunner::step(const WriteOperation& write) {
  Database& database = target_.database();
  using Kind = WriteOperation::Kind;
  const Result<Written> actual = write.kind == Kind::kPut      ? database.put_item(put_request(write))
                                 : write.kind == Kind::kUpdate ? database.update_item(update_request(write))
                                                               : database.delete_item(delete_request(write));
  if (is_open(actual)) {
    const ReferenceTable* table = reference_.find(write.table);
    if (table == nullptr) return "an open write to a table that is not there";
    return adopt_items(
        {{write.table, key_attributes(table->key, write.item)}},
        [&](ReferenceDatabase& state) { (void)state.write(write); }, nullptr);
  }
  return compare(kind_of(write).c_str(), reference_.write(write), actual);
}

ProgramRunner::Difference ProgramRunner::step(const GetOperation& get) {
  return compare("get", reference_.get(get), target_.database().get_item(get_request(get)));
}

ProgramRunner::Difference ProgramRunner::step(const ReadOperation& read) {
  ReadOperation next = read;
  for (;;) {
    const Result<Page> expected = reference_.read(next);
    const Result<Page> actual = read.keys ? target_.database().query(query_request(next))
                                          : target_.database().scan(scan_request(next));
    const std::string what = std::string(read.keys ? "query" : "scan") + (read.index ? " of index" : "");
    if (Difference difference = compare(what.c_str(), expected, actual)) return difference;
    if (!read.all_pages || !actual.ok() || !actual->last_key) return std::nullopt;
    next.start_key = actual->last_key;
  }
}

ProgramRunner::Difference ProgramRunner::step(const BatchGetOperation& batch) {
  return compare("batch_get", reference_.batch_get(batch),
                 target_.database().batch_get_items(batch_get_request(batch)));
}

ProgramRunner::Difference ProgramRunner::step(const BatchWriteItems& batch) {
  const Result<BatchWritten> actual = target_.database().batch_write_items(batch);
  if (!is_open(actual)) {
    // Which writes come before a collection is full, nobody can say.
    ReferenceDatabase applied = reference_;
    const Result<BatchWritten> expected = applied.batch_write(batch);
    const auto is_full = [](const Result<BatchWritten>& result) {
      return !result.ok() && result.error().code == Code::kTooLarge;
    };
    if (!is_full(expected) && !is_full(actual)) {
      if (expected.ok()) reference_ = std::move(applied);
      return compare("batch_write", expected, actual);
    }
    ++answers_["batch_write: full"];
  }
  const uint64_t group = reference_.new_group();
  for (const auto& [name, writes] : batch.tables) {
    const ReferenceTable* table = reference_.find(name);
    if (table == nullptr) return "an open write to a table that is not there";
    const KeySchema key = table->key;
    for (const BatchWriteItems::Write& write : writes) {
      const auto apply = [&, name = name](ReferenceDatabase& state) {
        state.set_collection_bytes_max(INT64_MAX);
        (void)state.batch_write({.tables = {{name, {write}}}}, group);
        state.set_collection_bytes_max(kCollectionBytesMax);
      };
      if (Difference difference = adopt_items({{name, key_attributes(key, write.item)}}, apply, nullptr))
        return difference;
    }
  }
  return std::nullopt;
}

ProgramRunner::Difference ProgramRunner::step(const TransactWriteOperation& transaction) {
  if (uncertain_tokens_.contains(transaction.token)) return std::nullopt;
  const Result<TransactWritten> actual =
      target_.database().transact_write_items(transact_write_request(transaction));
  if (!is_open(actual)) return compare("transact_write", reference_.transact_write(transaction), actual);
  std::vector<std::pair<std::string, Item>> keys;
  for (const WriteOperation& write : transaction.writes) {
    const ReferenceTable* table = reference_.find(write.table);
    if (table == nullptr) return "an open write to a table that is not there";
    keys.emplace_back(write.table, key_attributes(table->key, write.item));
  }
  bool certain = false;
  Difference difference = adopt_items(
      keys, [&](ReferenceDatabase& state) { (void)state.transact_write(transaction); }, &certain);
  if (!certain && !transaction.token.empty()) uncertain_tokens_.insert(transaction.token);
  return difference;
}

ProgramRunner::Difference ProgramRunner::step(const TransactGetOperation& transaction) {
  return compare("transact_get", reference_.transact_get(transaction),
                 target_.database().transact_get_items(transact_get_request(transaction)));
}

template <typename T, typename Apply>
ProgramRunner::Difference ProgramRunner::compare_table_change(const char* what, const std::string& table,
                                                              const Result<T>& actual, Apply apply) {
  if (is_open(actual)) return adopt_table(table, [&](ReferenceDatabase& state) { (void)apply(state); });
  return compare(what, apply(reference_), actual);
}

ProgramRunner::Difference ProgramRunner::step(const CreateTable& request) {
  return compare_table_change("create_table", request.table, target_.database().create_table(request),
                              [&](ReferenceDatabase& state) { return state.create_table(request); });
}

ProgramRunner::Difference ProgramRunner::step(const UpdateTable& request) {
  const char* what = request.add_index ? "add_index" : request.remove_index ? "remove_index" : "update_table";
  return compare_table_change(what, request.table, target_.database().update_table(request),
                              [&](ReferenceDatabase& state) { return state.update_table(request); });
}

ProgramRunner::Difference ProgramRunner::step(const DeleteTableOperation& request) {
  return compare_table_change("delete_table", request.table, target_.database().delete_table(request.table),
                              [&](ReferenceDatabase& state) { return state.delete_table(request.table); });
}

ProgramRunner::Difference ProgramRunner::step(const TimeToLiveOperation& request) {
  return compare_table_change(
      "time_to_live", request.table,
      target_.database().update_time_to_live(request.table, request.attribute, request.enabled),
      [&](ReferenceDatabase& state) { return state.update_time_to_live(request); });
}

ProgramRunner::Difference ProgramRunner::step(const TagOperation& request) {
  const TagOperation added{.table = request.table, .tags = request.tags};
  const TagOperation removed{.table = request.table, .removed = request.removed};
  Difference difference =
      compare_table_change("tag", request.table, target_.database().tag_table(request.table, request.tags),
                           [&](ReferenceDatabase& state) { return state.tag_table(added); });
  if (difference || request.removed.empty()) return difference;
  return compare_table_change("untag", request.table,
                              target_.database().untag_table(request.table, request.removed),
                              [&](ReferenceDatabase& state) { return state.tag_table(removed); });
}

ProgramRunner::Difference ProgramRunner::step(const CollectionSizeOperation& request) {
  return compare("collection_size", reference_.collection_size(request),
                 target_.database().collection_size(request.table, request.partition_key));
}

ProgramRunner::Difference ProgramRunner::step(const DescribeOperation& request) {
  return compare("describe", reference_.describe_table(request.table),
                 target_.database().describe_table(request.table));
}

ProgramRunner::Difference ProgramRunner::step(const ListTablesOperation&) {
  return compare("list_tables", Result(reference_.list_tables()), target_.database().list_tables());
}

ProgramRunner::Difference ProgramRunner::step(const PollOperation& poll) {
  const ReferenceTable* table = reference_.find(poll.table);
  if (table == nullptr || table->status == TableStatus::kDeleting) return std::nullopt;
  ++answers_["poll"];
  return streams_.poll(target_.database(), *table, poll, reference_.now_us());
}

void ProgramRunner::advance(int64_t by_us) {
  target_.clock().advance_us(by_us);
  reference_.advance_clock(by_us);
}

ProgramRunner::Difference ProgramRunner::step(const AdvanceClockOperation& request) {
  advance(request.by_s * 1'000'000);
  return std::nullopt;
}

ProgramRunner::Difference ProgramRunner::adopt_work(const std::string& name) {
  const Result<TableDescription> actual = target_.database().describe_table(name);
  ReferenceTable& table = *reference_.find(name);
  if (!actual.ok()) {
    if (table.status != TableStatus::kDeleting) return "a table is gone: " + name;
    reference_.tables().erase(name);
    return std::nullopt;
  }
  const auto status_of = [&](const ReferenceIndex& index) -> std::optional<IndexStatus> {
    for (const IndexDescription& each : actual->indexes) {
      if (each.name == index.declaration.name) return each.status;
    }
    return std::nullopt;
  };
  std::erase_if(table.indexes, [&](const ReferenceIndex& index) {
    return index.status == IndexStatus::kDeleting && !status_of(index);
  });
  for (ReferenceIndex& index : table.indexes) {
    if (index.status == IndexStatus::kCreating && status_of(index) == IndexStatus::kActive)
      index.status = IndexStatus::kActive;
  }
  const int64_t horizon_us = reference_.now_us() - int64_t{24} * 3600 * 1'000'000;
  while (table.streams.size() > actual->streams.size() && table.streams.front().closed_us &&
         *table.streams.front().closed_us < horizon_us)
    table.streams.erase(table.streams.begin());
  if (table.status == TableStatus::kDeleting) return std::nullopt;
  for (const Item& item : expired_items(table, reference_.now_us())) {
    const Item key = key_attributes(table.key, item);
    const Result<Got> got = target_.database().get_item({.table = name, .key = key, .consistent = true});
    if (!got.ok()) return to_text(got);
    if (got->item) continue;
    ++answers_["expired"];
    replace_item(table, *place_of_key(table, key), std::nullopt,
                 {.now_us = reference_.now_us(), .expired = true});
  }
  return std::nullopt;
}

ProgramRunner::Difference ProgramRunner::adopt_work() {
  for (const std::string& name : reference_.list_tables()) {
    if (Difference difference = adopt_work(name)) return difference;
  }
  return std::nullopt;
}

bool ProgramRunner::is_settled() const {
  const int64_t horizon_us = reference_.now_us() - int64_t{24} * 3600 * 1'000'000;
  for (const auto& [name, table] : reference_.tables()) {
    if (table.status == TableStatus::kDeleting) return false;
    if (!expired_items(table, reference_.now_us()).empty()) return false;
    for (const ReferenceIndex& index : table.indexes) {
      if (index.status != IndexStatus::kActive) return false;
    }
    for (const ReferenceStream& stream : table.streams) {
      if (stream.closed_us && *stream.closed_us < horizon_us) return false;
    }
  }
  return true;
}

ProgramRunner::Difference ProgramRunner::settle() {
  advance(int64_t{61} * 1'000'000);
  for (uint32_t round = 0; round < kSettleRoundsMax; ++round) {
    const Result<bool> more = target_.database().run_background_work();
    if (!is_open(more) && !more.ok()) return to_text(more.error());
    if (Difference difference = adopt_work()) return difference;
    if (more.ok() && *more) continue;
    if (is_settled()) return std::nullopt;
    advance(int64_t{2} * 1'000'000);
  }
  return "background work does not come to an end";
}

ProgramRunner::Difference ProgramRunner::step(const WorkOperation& work) {
  if (work.settle) return settle();
  for (uint32_t round = 0; round < work.rounds; ++round) {
    const Result<bool> more = target_.database().run_background_work();
    if (!is_open(more) && !more.ok()) return to_text(more.error());
    if (Difference difference = adopt_work()) return difference;
  }
  return std::nullopt;
}

ProgramRunner::Difference ProgramRunner::step(const ReopenOperation&) {
  ++answers_["reopen"];
  target_.reopen();
  return std::nullopt;
}

ProgramRunner::Difference ProgramRunner::check_table(const ReferenceTable& table) {
  if (Difference difference = step(DescribeOperation{table.name})) return "describe: " + *difference;
  if (table.status == TableStatus::kDeleting) return std::nullopt;
  if (Difference difference = step(ReadOperation{.table = table.name, .consistent = true, .all_pages = true}))
    return "scan of " + table.name + ": " + *difference;
  for (const ReferenceIndex& index : table.indexes) {
    if (index.status != IndexStatus::kActive) continue;
    const std::string& name = index.declaration.name;
    if (Difference difference = step(ReadOperation{.table = table.name, .index = name, .all_pages = true}))
      return "scan of " + table.name + "/" + name + ": " + *difference;
  }
  std::set<std::string> seen;
  for (const auto& [place, item] : table.items) {
    if (table.key.sort.empty()) break;
    const Item key = partition_key_of(table, item);
    if (!seen.emplace(key.encoded()).second) continue;
    if (Difference difference = step(CollectionSizeOperation{table.name, key}))
      return "collection " + key.to_json() + " of " + table.name + ": " + *difference;
  }
  if (Difference difference = StreamReader::check(target_.database(), table, reference_.now_us()))
    return "streams of " + table.name + ": " + *difference;
  return std::nullopt;
}

ProgramRunner::Difference ProgramRunner::step(const CheckStateOperation&) {
  if (Difference difference = step(ListTablesOperation{})) return difference;
  for (const auto& [name, table] : reference_.tables()) {
    if (Difference difference = check_table(table)) return difference;
  }
  return std::nullopt;
}

Program shrink(Program program, const std::function<bool(const Program&)>& fails, int runs_max) {
  for (size_t chunk = program.size() / 2; chunk > 0 && runs_max > 0;) {
    bool shorter = false;
    for (size_t begin = 0; begin < program.size() && runs_max > 0;) {
      Program rest = program;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(begin),
                 rest.begin() + static_cast<std::ptrdiff_t>(std::min(begin + chunk, rest.size())));
      --runs_max;
      if (!rest.empty() && fails(rest)) {
        program = std::move(rest);
        shorter = true;
      } else {
        begin += chunk;
      }
    }
    if (!shorter || chunk > 1) chunk /= 2;
  }
  return program;
}

}  // namespace sheaf::programs
