#include "api/explain_statement.h"

#include <algorithm>

#include "api/bound_statement.h"
#include "api/expressions.h"
#include "base/try.h"
#include "partiql/key_reads.h"

namespace sheaf::api {
namespace {

std::string text_of(const Value& value) {
  if (value.type() == Type::kString) return "\"" + std::string(value.view().bytes()) + "\"";
  if (value.type() == Type::kNumber) return value.view().number().to_string();
  return value.to_json();
}

std::string text_of(const expr::KeyCondition::Range& range, const std::string& name) {
  switch (range.op) {
    case expr::KeyOperator::kBetween:
      return name + " between " + text_of(range.value) + " and " + text_of(range.upper);
    case expr::KeyOperator::kBeginsWith:
      return name + " begins with " + text_of(range.value);
    case expr::KeyOperator::kLess:
      return name + " < " + text_of(range.value);
    case expr::KeyOperator::kLessEqual:
      return name + " <= " + text_of(range.value);
    case expr::KeyOperator::kGreater:
      return name + " > " + text_of(range.value);
    default:
      return name + " >= " + text_of(range.value);
  }
}

std::string text_of(const expr::KeyCondition& read, const partiql::ReadKey& key) {
  std::string text = key.partition + " = " + text_of(read.partition[0]);
  if (!read.sort_equals.empty()) text += ", " + *key.sort + " = " + text_of(read.sort_equals[0]);
  if (read.range) text += ", " + text_of(*read.range, *key.sort);
  return text;
}

Result<partiql::ReadKey> read_key_of(const TableDescription& table, const partiql::Target& target) {
  if (!target.index) return read_key(table.key);
  const auto index = std::find_if(table.indexes.begin(), table.indexes.end(),
                                  [&](const IndexDescription& each) { return each.name == *target.index; });
  if (index == table.indexes.end()) return invalid("The table does not have the specified index");
  return read_key(index->key);
}

using Requests = std::vector<StatementRequest>;

Result<Requests> explain_select(const TableDescription& table, const partiql::Select& select) {
  const partiql::ReadKey key = TRY(read_key_of(table, select.from));
  const partiql::KeyReads reads = TRY(partiql::key_reads(select.where, select.order, key));
  const std::string source = table.name + (select.from.index ? "." + *select.from.index : "");
  if (reads.is_scan) {
    return Requests{{.operation = "Scan",
                     .table = table.name,
                     .index = select.from.index,
                     .text = "Scan " + source + ": reads every item",
                     .fix = "give " + key.partition +
                            " by = or IN in every alternative of WHERE, and it becomes a Query"}};
  }
  Requests requests;
  for (const expr::KeyCondition& read : reads.reads) {
    requests.push_back(
        {.operation = "Query",
         .table = table.name,
         .index = select.from.index,
         .text = "Query " + source + ": " + text_of(read, key) + (reads.is_descending ? ", backward" : "")});
  }
  return requests;
}

Result<Requests> explain_change(const TableDescription& table, const BoundStatement& statement) {
  if (std::holds_alternative<partiql::Insert>(statement.syntax.what)) {
    return Requests{{.operation = "PutItem",
                     .table = table.name,
                     .text = "PutItem " + table.name + ", if there is no such item"}};
  }
  const std::vector<std::string> names = key_names(table.key);
  Item key;
  if (statement.where()) key = TRY(partiql::key_equalities(*statement.where(), names));
  if (key.view().size() != names.size())
    return invalid("Where clause does not contain a mandatory equality on all key attributes");
  const bool is_update = std::holds_alternative<partiql::UpdateStatement>(statement.syntax.what);
  const bool is_delete = std::holds_alternative<partiql::DeleteStatement>(statement.syntax.what);
  const std::string operation = is_update ? "UpdateItem" : is_delete ? "DeleteItem" : "ConditionCheck";
  std::string text = operation + " " + table.name + ": ";
  for (const std::string& name : names)
    text += (name == names[0] ? "" : ", ") + name + " = " + text_of(Value(*key.find(name)));
  return Requests{{.operation = operation, .table = table.name, .text = text + ", if WHERE holds"}};
}

}  // namespace

Result<Requests> requests_of_statement(Database& database, const Statement& statement) {
  const BoundStatement bound = TRY(bind_statement(statement, nullptr));
  const TableDescription table = TRY(database.describe_table(bound.target().table));
  if (const auto* select = std::get_if<partiql::Select>(&bound.syntax.what))
    return explain_select(table, *select);
  return explain_change(table, bound);
}

Result<std::string> explain_statement(Database& database, const Statement& statement) {
  const Requests requests = TRY(requests_of_statement(database, statement));
  std::string text;
  for (const StatementRequest& each : requests)
    text += each.text + "\n" + (each.fix.empty() ? "" : "  = " + each.fix + "\n");
  return text;
}

}  // namespace sheaf::api
