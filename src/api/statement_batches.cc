// BatchExecuteStatement: statements each for itself.
#include <memory>
#include <unordered_set>

#include "api/answers.h"
#include "api/expressions.h"
#include "api/item_reads.h"
#include "api/statements.h"
#include "base/try.h"
#include "partiql/key_reads.h"
#include "partiql/literals.h"
#include "partiql/parser.h"

namespace sheaf::api {
namespace {

using Member = BatchStatementsDone::Member;

// The key of the one item that a statement is about; nothing if there is none.
std::optional<Item> item_key_of(const engine::Table& table, const BoundStatement& statement) {
  const std::vector<std::string> names = key_names(table.settings.key);
  if (std::holds_alternative<partiql::Insert>(statement.syntax.what)) {
    Item key;
    for (const std::string& name : names) {
      if (const std::optional<ValueView> value = statement.item.find(name)) key.set(name, *value);
    }
    return key;
  }
  if (!statement.where()) return std::nullopt;
  if (statement.is_read()) {
    return statement.target().index ? std::nullopt : partiql::only_key(*statement.where(), names);
  }
  Result<Item> key = partiql::key_equalities(*statement.where(), names);
  return key.ok() ? std::optional(std::move(*key)) : std::nullopt;
}

// What is read of a statement that is refused later: it takes part in the checks of the whole batch, too.
std::optional<BoundStatement> as_far_as_read(const Statement& statement) {
  BoundStatement bound;
  Result<partiql::Statement> syntax = partiql::parse(statement.text);
  if (!syntax.ok() || std::holds_alternative<partiql::Bare>(syntax->what)) return std::nullopt;
  bound.syntax = std::move(*syntax);
  if (!partiql::fold_literals(bound.syntax, statement.parameters).ok()) return std::nullopt;
  return bound;
}

Result<void> check_distinct_items(engine::Engine& engine,
                                  const std::vector<const BoundStatement*>& statements) {
  std::unordered_set<std::string> seen;
  for (const BoundStatement* statement : statements) {
    const Result<engine::TableRef> table = engine.catalog.find(statement->target().table);
    if (!table.ok()) continue;
    const std::optional<Item> key = item_key_of(**table, *statement);
    if (!key || key->view().size() != key_names((*table)->settings.key).size()) continue;
    std::string name = statement->target().table + '\0';
    name += key->encoded();
    if (!seen.insert(std::move(name)).second)
      return invalid("Provided list of item keys contains duplicates");
  }
  return {};
}

// What a SELECT of one item has read, before it is paid for.
struct ReadMember {
  engine::ItemRead read;
  engine::ReadMode mode;
  std::optional<engine::StoredItem> found;
};

Result<ReadMember> read_member(engine::Engine& engine, const BoundStatement& statement, bool consistent,
                               const engine::ReadOptions& options) {
  engine::TableRef table = TRY(engine.catalog.find(statement.target().table));
  const std::optional<Item> key = item_key_of(*table, statement);
  if (key) TRY(partiql::key_reads(statement.where(), {}, TRY(read_key(table->settings.key))));
  if (!key) {
    return invalid(
        "Select statements within BatchExecuteStatement must specify the primary key in the where clause.");
  }
  engine::ItemRead read = TRY(engine::ItemRead::of_key(std::move(table), *key));
  ReadMember member{.read = std::move(read),
                    .mode = consistent ? engine::ReadMode::kStrong : engine::ReadMode::kEventual};
  member.found = TRY(engine::read_item(engine, member.read, member.mode, options));
  return member;
}

Result<Member> paid_member(engine::Engine& engine, const BoundStatement& statement, const ReadMember& read,
                           std::map<std::string, Capacity>& capacity) {
  if (engine.meter != nullptr) TRY(engine.meter->admit_read(*read.read.table, read.read.place));
  Member member{.table = read.read.table->settings.name};
  capacity[member.table].table += pay_for(engine, read.read, read.found, read.mode);
  if (read.found) member.item = project_columns(statement.columns, read.found->item());
  return member;
}

// Members on their way, all at once. It owns itself until the last is answered.
class Writes {
 public:
  Writes(BoundBatch batch, BatchStatementsWritten done) : batch_(std::move(batch)), done_(std::move(done)) {
    result_.members.resize(batch_.statements.size());
  }

  static void start(std::unique_ptr<Writes> owned, engine::Engine& engine, Loop& loop) {
    Writes* const self = owned.release();
    // With the last answer, which may come at once, it is gone.
    const size_t count = self->batch_.statements.size();
    self->left_ = count;
    for (size_t i = 0; i < count; ++i) {
      Result<BoundStatement>& statement = self->batch_.statements[i];
      if (!statement.ok()) {
        self->answer(i, std::move(statement).error(), "");
        continue;
      }
      std::string table = statement->target().table;
      execute_write(engine, std::move(*statement), self->batch_.return_item_on_failure[i], loop,
                    [self, i, table = std::move(table)](Result<StatementDone> written) {
                      self->answer(i, std::move(written), table);
                    });
    }
  }

 private:
  void answer(size_t at, Result<StatementDone> written, const std::string& table) {
    Member& member = result_.members[at];
    if (written.ok()) {
      member.condition_met = written->condition_met;
      member.item_on_failure = std::move(written->item_on_failure);
      member.table = written->table;
      if (!written->items.empty()) member.item = Item(written->items[0]);
      if (written->condition_met) add_capacity(result_.capacity[table], written->capacity);
    } else {
      // What reached its item tells of which table it is.
      if (written.error().code == Code::kDuplicate) member.table = table;
      member.error = std::move(written).error();
    }
    if (--left_ > 0) return;
    const std::unique_ptr<Writes> self(this);
    done_(std::move(result_));
  }

  BoundBatch batch_;
  BatchStatementsWritten done_;
  BatchStatementsDone result_;
  size_t left_ = 0;
};

}  // namespace

Result<BoundBatch> bind_batch(engine::Engine& engine, const std::vector<Result<Statement>>& statements) {
  BoundBatch batch;
  bool has_read = false, has_write = false;
  std::vector<BoundStatement> refused;  // never reallocated
  refused.reserve(statements.size());
  batch.statements.reserve(statements.size());
  std::vector<const BoundStatement*> read;
  for (const Result<Statement>& statement : statements) {
    batch.statements.push_back(statement.ok() ? bind_single(engine, *statement)
                                              : Result<BoundStatement>(statement.error()));
    batch.consistent.push_back(statement.ok() && statement->consistent);
    batch.return_item_on_failure.push_back(statement.ok() && statement->return_item_on_failure);
    if (batch.statements.back().ok()) {
      read.push_back(&*batch.statements.back());
    } else if (std::optional<BoundStatement> half =
                   statement.ok() ? as_far_as_read(*statement) : std::nullopt) {
      read.push_back(&refused.emplace_back(std::move(*half)));
    } else {
      continue;
    }
    (read.back()->is_read() ? has_read : has_write) = true;
  }
  if (has_read && has_write)
    return invalid("Read and write requests together in the same batch is not supported.");
  batch.is_read = !has_write;
  TRY(check_distinct_items(engine, read));
  return batch;
}

Result<BatchStatementsDone> read_batch(engine::Engine& engine, const BoundBatch& batch,
                                       const engine::ReadOptions& options) {
  // All is read before anything is paid for: who has to read again must not pay twice.
  std::vector<Result<ReadMember>> reads;
  for (size_t i = 0; i < batch.statements.size(); ++i) {
    const Result<BoundStatement>& statement = batch.statements[i];
    reads.push_back(statement.ok() ? read_member(engine, *statement, batch.consistent[i], options)
                                   : Result<ReadMember>(statement.error()));
    if (!reads.back().ok() && reads.back().error().code == Code::kWouldBlock)
      return std::move(reads.back()).error();
  }
  BatchStatementsDone done;
  for (size_t i = 0; i < reads.size(); ++i) {
    Result<Member> member = reads[i].ok()
                                ? paid_member(engine, *batch.statements[i], *reads[i], done.capacity)
                                : Result<Member>(reads[i].error());
    done.members.push_back(member.ok() ? std::move(*member) : Member{.error = std::move(member).error()});
  }
  return done;
}

void write_batch(engine::Engine& engine, BoundBatch batch, Loop& loop, BatchStatementsWritten done) {
  Writes::start(std::make_unique<Writes>(std::move(batch), std::move(done)), engine, loop);
}

}  // namespace sheaf::api
