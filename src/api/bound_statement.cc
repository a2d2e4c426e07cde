#include "api/bound_statement.h"

#include <algorithm>

#include "api/expressions.h"
#include "api/item_writes.h"
#include "base/try.h"
#include "partiql/changes.h"
#include "partiql/conditions.h"
#include "partiql/known_statements.h"
#include "partiql/literals.h"
#include "partiql/paths.h"

namespace sheaf::api {
namespace {

using ExpressionKind = partiql::Expression::Kind;
using partiql::Returning;

std::string_view text_of(Returning returning) {
  switch (returning) {
    case Returning::kModifiedOld:
      return "MODIFIED OLD";
    case Returning::kAllNew:
      return "ALL NEW";
    case Returning::kModifiedNew:
      return "MODIFIED NEW";
    default:
      return "ALL OLD";
  }
}

Result<void> check_not_index(const partiql::Target& target) {
  return target.index ? invalid("This operation is not supported on an index") : Result<void>();
}

struct Binder {
  BoundStatement& bound;

  Result<void> where(const std::optional<partiql::Expression>& where) const {
    if (where) bound.condition = TRY(partiql::to_condition(*where));
    return {};
  }

  Result<void> operator()(const partiql::Select& select) const {
    for (const partiql::Expression& projected : select.projected) {
      if (!partiql::is_path(projected))
        return invalid("Unexpected path component at " + projected.place.to_string());
      expr::Path path = TRY(partiql::to_path(projected));
      std::string name = partiql::column_name(path);
      bound.columns.push_back({.path = std::move(path), .name = std::move(name)});
    }
    std::stable_sort(bound.columns.begin(), bound.columns.end(),
                     [](const Column& a, const Column& b) { return a.name < b.name; });
    return where(select.where);
  }

  Result<void> operator()(const partiql::Insert& insert) const {
    if (!insert.is_one) return invalid("INSERT INTO takes one VALUE");
    if (!insert.value.is(ExpressionKind::kStruct))
      return invalid("Expected a map of attributes at " + insert.value.place.to_string());
    ValueWriter writer;
    writer.begin_item();
    for (size_t i = 0; i < insert.value.parts.size(); i += 2) {
      const partiql::Expression &name = insert.value.parts[i], &value = insert.value.parts[i + 1];
      if (!name.is(ExpressionKind::kLiteral) || name.value.type() != Type::kString)
        return invalid("Unexpected attribute name at " + name.place.to_string());
      if (!value.is(ExpressionKind::kLiteral)) {
        const bool is_call = value.is(ExpressionKind::kCall);
        return invalid("Unsupported data type: " + (is_call ? value.text : std::string("Path")) +
                       " under key root at " + value.place.to_string());
      }
      writer.key(name.value.view().bytes());
      writer.copy(value.value);
    }
    writer.end_item();
    bound.item = Item::from_encoded(TRY(writer.finish()));
    return {};
  }

  Result<void> operator()(const partiql::UpdateStatement& update) const {
    TRY(check_not_index(update.table));
    bound.update = TRY(partiql::to_update(update.actions));
    return where(update.where);
  }

  Result<void> operator()(const partiql::DeleteStatement& statement) const {
    TRY(check_not_index(statement.from));
    if (statement.returning != Returning::kNothing && statement.returning != Returning::kAllOld) {
      return invalid("Invalid returning clause: RETURNING " + std::string(text_of(statement.returning)) +
                     " *. Only RETURNING ALL OLD * is allowed in DELETE statements.");
    }
    return where(statement.where);
  }

  Result<void> operator()(const partiql::Exists& exists) const { return (*this)(exists.select); }

  Result<void> operator()(const partiql::Bare& bare) const {
    const bool is_type = bare.expression.is(ExpressionKind::kIs);
    return invalid(std::string("Unsupported operation: ") + (is_type ? "IsType" : "Expression"));
  }
};

engine::ItemWrite::Kind kind_of(const BoundStatement& statement) {
  using WriteKind = engine::ItemWrite::Kind;
  if (std::holds_alternative<partiql::Insert>(statement.syntax.what)) return WriteKind::kPut;
  if (std::holds_alternative<partiql::UpdateStatement>(statement.syntax.what)) return WriteKind::kUpdate;
  if (std::holds_alternative<partiql::DeleteStatement>(statement.syntax.what)) return WriteKind::kDelete;
  return WriteKind::kCheck;
}

expr::Condition is_new(const std::string& key_attribute) {
  expr::ConditionBuilder builder;
  const auto condition = builder.not_exists(builder.path(expr::Path(key_attribute)));
  return std::move(builder).build(condition);
}

// More than one attribute of a kind. What is not there is not complained of.
Result<void> check_index_key(engine::Engine& engine, const partiql::Target& target) {
  if (!target.index) return {};
  const Result<engine::TableRef> table = engine.catalog.find(target.table);
  const engine::Index* const index = table.ok() ? (*table)->find_index(*target.index) : nullptr;
  if (index != nullptr) TRY(read_key(index->settings->key));
  return {};
}

}  // namespace

const partiql::Target& BoundStatement::target() const {
  struct Visitor {
    const partiql::Target& operator()(const partiql::Select& select) const { return select.from; }
    const partiql::Target& operator()(const partiql::Insert& insert) const { return insert.into; }
    const partiql::Target& operator()(const partiql::UpdateStatement& update) const { return update.table; }
    const partiql::Target& operator()(const partiql::DeleteStatement& statement) const {
      return statement.from;
    }
    const partiql::Target& operator()(const partiql::Exists& exists) const { return exists.select.from; }
    const partiql::Target& operator()(const partiql::Bare&) const { std::abort(); }
  };
  return std::visit(Visitor{}, syntax.what);
}

const std::optional<partiql::Expression>& BoundStatement::where() const {
  static const std::optional<partiql::Expression> kNone;
  if (const auto* select = std::get_if<partiql::Select>(&syntax.what)) return select->where;
  if (const auto* change = std::get_if<partiql::UpdateStatement>(&syntax.what)) return change->where;
  if (const auto* removal = std::get_if<partiql::DeleteStatement>(&syntax.what)) return removal->where;
  if (const auto* exists = std::get_if<partiql::Exists>(&syntax.what)) return exists->select.where;
  return kNone;
}

Returning BoundStatement::returning() const {
  if (const auto* change = std::get_if<partiql::UpdateStatement>(&syntax.what)) return change->returning;
  if (const auto* removal = std::get_if<partiql::DeleteStatement>(&syntax.what)) return removal->returning;
  return Returning::kNothing;
}

Result<BoundStatement> bind_statement(const Statement& statement, engine::Engine* engine) {
  thread_local partiql::KnownStatements known;
  BoundStatement bound;
  bound.syntax = TRY(known.read(statement.text));
  TRY(partiql::fold_literals(bound.syntax, statement.parameters));
  if (bound.is_read() && engine != nullptr) TRY(check_index_key(*engine, bound.target()));
  TRY(std::visit(Binder{bound}, bound.syntax.what));
  return bound;
}

Item project_columns(const std::vector<Column>& columns, ItemView item) {
  if (columns.empty()) return Item(item);
  ValueWriter writer;
  writer.begin_item();
  // Of several with one name the last that is there counts.
  for (size_t i = 0; i < columns.size();) {
    std::optional<ValueView> value;
    const std::string& name = columns[i].name;
    for (; i < columns.size() && columns[i].name == name; ++i) {
      if (const std::optional<ValueView> found = columns[i].path.find(item)) value = found;
    }
    if (!value) continue;
    writer.key(name);
    writer.copy(*value);
  }
  writer.end_item();
  return Item::from_encoded(std::move(*writer.finish()));
}

std::vector<std::string> key_names(const KeySchema& key) {
  std::vector<std::string> names;
  for (const auto* attributes : {&key.partition, &key.sort}) {
    for (const KeyAttribute& attribute : *attributes) names.push_back(attribute.name);
  }
  return names;
}

Result<partiql::ReadKey> read_key(const KeySchema& key) {
  if (key.partition.size() > 1 || key.sort.size() > 1) {
    return invalid(
        "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute "
        "RANGE keys.");
  }
  partiql::ReadKey read{.partition = key.partition[0].name, .partition_type = key.partition[0].type};
  if (!key.sort.empty()) {
    read.sort = key.sort[0].name;
    read.sort_type = key.sort[0].type;
  }
  return read;
}

Result<engine::ItemWrite> bind_change(const engine::TableRef& table, BoundStatement& statement) {
  const std::string& partition = table->settings.key.partition.front().name;
  const engine::ItemWrite::Kind kind = kind_of(statement);
  ReadWrite read{.kind = kind, .table = &table->settings.name, .item = &statement.item};
  if (kind == engine::ItemWrite::Kind::kPut) {
    if (statement.item.view().size_bytes() > kItemBytesMax)
      return invalid("Item size has exceeded the maximum allowed size");
    read.condition = is_new(partition);
    return bind_write(table, std::move(read));
  }
  const std::vector<std::string> names = key_names(table->settings.key);
  if (statement.where()) statement.item = TRY(partiql::key_equalities(*statement.where(), names));
  if (statement.item.view().size() != names.size())
    return invalid("Where clause does not contain a mandatory equality on all key attributes");
  read.update = std::move(statement.update);
  // There is nothing wrong with deleting what is not there, whatever else was asked for.
  read.condition = kind == engine::ItemWrite::Kind::kDelete
                       ? TRY(partiql::to_condition_if_exists(*statement.where(), partition))
                       : std::move(statement.condition);
  return bind_write(table, std::move(read));
}

}  // namespace sheaf::api
