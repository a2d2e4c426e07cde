#include "language/syntax_text.h"

#include <algorithm>
#include <initializer_list>

#include "language/format.h"
#include "language/syntax_words.h"
#include "language/written_parts.h"

namespace sheaf::language {
namespace {

// A name where one of `words` would be taken for a keyword.
std::string written_among(const Name& name, std::initializer_list<std::string_view> words) {
  const bool is_word = std::find(words.begin(), words.end(), name.text) != words.end();
  return is_word ? "`" + name.text + "`" : written(name);
}

// What is longer goes on on the next line.
constexpr size_t kLongCharacters = 105;

template <typename T, typename Write>
std::string joined_by(std::string_view between, const std::vector<T>& parts, Write write) {
  std::string out;
  for (const T& part : parts) {
    if (&part != &parts.front()) out += between;
    out += write(part);
  }
  return out;
}

std::string names(const std::vector<Name>& list) {
  return joined_by(", ", list, [](const Name& name) { return written(name); });
}

std::string doc_lines(const std::string& doc) {
  std::string out;
  for (size_t begin = 0; !doc.empty() && begin <= doc.size();) {
    const size_t end = std::min(doc.find('\n', begin), doc.size());
    out += "/// " + doc.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  return out;
}

// Values.

std::string value(const Literal& literal) {
  switch (literal.kind) {
    case Literal::Kind::kString:
      return language::quoted(literal.text);
    case Literal::Kind::kNumber:
      return literal.text;
    case Literal::Kind::kTrue:
      return "true";
    case Literal::Kind::kFalse:
      return "false";
    case Literal::Kind::kNull:
      return "null";
    case Literal::Kind::kNow:
      return "now";
    case Literal::Kind::kList:
      return "[" + joined_by(", ", literal.items, value) + "]";
    case Literal::Kind::kMap:
      break;
  }
  std::string out = "{";
  for (size_t i = 0; i < literal.items.size(); ++i)
    out += (i > 0 ? ", " : "") + language::quoted(literal.keys[i]) + ": " + value(literal.items[i]);
  return out + "}";
}

std::string operand(const Operand& operand) {
  if (const auto* literal = std::get_if<Literal>(&operand)) return value(*literal);
  const Path& path = std::get<Path>(operand);
  if (path.from_parameter) return written(path);
  std::string out = written_among(path.names.front(), {"true", "false", "null", "now"});
  for (size_t i = 1; i < path.names.size(); ++i) out += "." + written(path.names[i]);
  return out;
}

std::string expression(const Expression& expression) {
  std::string out = operand(expression.first);
  for (const auto& [mark, next] : expression.rest) out += std::string(" ") + mark + " " + operand(next);
  return out;
}

std::string condition(const Condition& condition) {
  std::string out = written(condition.path) + " " + std::string(word_for(kTestWords, condition.test));
  switch (condition.test) {
    case Condition::Test::kExists:
    case Condition::Test::kMissing:
      return out;
    case Condition::Test::kBetween:
      return out + " " + operand(condition.operands[0]) + " and " + operand(condition.operands[1]);
    case Condition::Test::kIn:
      return out + " (" + joined_by(", ", condition.operands, operand) + ")";
    default:
      return out + " " + operand(condition.operands[0]);
  }
}

std::string conditions(std::string_view word, const std::vector<Condition>& list) {
  return list.empty() ? "" : " " + std::string(word) + " " + joined_by(" and ", list, condition);
}

std::string field(const Field& field, std::string name);

std::string block(const std::vector<std::string>& clauses) {
  const bool is_broken = std::any_of(clauses.begin(), clauses.end(), [](const std::string& clause) {
    return clause.find('\n') != std::string::npos;
  });
  return (is_broken ? "{\n" : "{ ") +
         joined_by(is_broken ? ";\n" : "; ", clauses, [](const std::string& clause) { return clause; }) +
         " }";
}

std::string block(const std::vector<Field>& fields) {
  std::vector<std::string> clauses;
  for (const Field& each : fields) clauses.push_back(field(each, written(each.name)));
  return block(clauses);
}

std::string type(const Type& written_type) {
  const std::string_view scalar = word_for(kScalarWords, written_type.kind);
  if (!scalar.empty()) return std::string(scalar);
  if (written_type.kind == Type::Kind::kEnum) return "enum(" + names(written_type.values) + ")";
  if (written_type.kind == Type::Kind::kObject) return block(written_type.fields);
  return std::string(word_for(kContainerWords, written_type.kind)) + "<" +
         type(written_type.element.front()) + ">";
}

// `name` is its name as it is written where it stands.
std::string field(const Field& field, std::string name) {
  std::string out = doc_lines(field.doc) + std::move(name);
  if (field.is_id) out += " id";
  if (field.type && field.type->kind != Type::Kind::kString) out += " " + type(*field.type);
  if (field.is_optional) out += "?";
  if (field.is_unique) out += " unique";
  if (field.is_immutable) out += " immutable";
  if (field.changes != Changes::kUnsaid)
    out += " changes " + std::string(word_for(kChangesWords, field.changes));
  if (field.default_value) out += " default " + value(*field.default_value);
  if (field.max) out += " max " + std::to_string(field.max->value);
  if (field.matches) out += " matches " + language::quoted(field.matches->text);
  if (field.since) out += " since " + language::quoted(field.since->text);
  if (field.stored_as) out += " stored as " + written(*field.stored_as);
  if (field.count_of) out += " = count(" + written(*field.count_of) + ")";
  return out;
}

std::string keys(const Keys& keys) {
  return language::quoted(keys.pk) + (keys.sk ? " / " + language::quoted(*keys.sk) : "");
}

// Clauses, of which `}` or `;` or the next one may follow each.
std::vector<std::string> physical(const Physical& physical) {
  std::vector<std::string> out;
  if (physical.table) out.push_back("in " + written(*physical.table));
  if (physical.tag) out.push_back("tag " + language::quoted(physical.tag->text));
  if (physical.store) out.push_back("store " + std::string(word_for(kStoreWords, *physical.store)));
  if (physical.key) out.push_back("key " + keys(*physical.key));
  if (physical.second_key) out.push_back("key " + keys(*physical.second_key));
  for (const IndexKeys& index : physical.indexes)
    out.push_back("index " + written(index.index) + " " + keys(index.keys) + conditions("when", index.when));
  return out;
}

// Declarations.

std::string table(const Table& table) {
  std::vector<std::string> clauses;
  const auto add_key = [&](std::string_view word, const std::optional<KeyAttribute>& attribute) {
    if (!attribute) return;
    clauses.push_back(std::string(word) + " " + written(attribute->name));
    if (attribute->type && attribute->type->kind != Type::Kind::kString)
      clauses.back() += " " + type(*attribute->type);
  };
  add_key("pk", table.pk);
  add_key("sk", table.sk);
  if (table.tag) clauses.push_back("tag " + written(*table.tag));
  if (table.ttl) clauses.push_back("ttl " + written(*table.ttl));
  for (const Gsi& gsi : table.indexes) {
    clauses.push_back("gsi " + written(gsi.name) + " " + written(gsi.pk));
    if (gsi.sk) clauses.back() += " / " + written(*gsi.sk);
    if (gsi.projection == Gsi::Projection::kKeys) clauses.back() += " keys";
    if (gsi.projection == Gsi::Projection::kInclude)
      clauses.back() += " include(" + names(gsi.included) + ")";
  }
  return doc_lines(table.doc) + "table " + written(table.name) + " " + block(clauses);
}

std::string entity(const Entity& entity) {
  std::vector<std::string> clauses;
  for (const Field& each : entity.fields) {
    clauses.push_back(field(each, written_among(each.name, {"in", "tag", "store", "key", "index",
                                                            "timestamps", "versioned", "ttl"})));
  }
  if (entity.timestamps) clauses.push_back("timestamps");
  if (entity.versioned) clauses.push_back("versioned");
  if (entity.ttl) clauses.push_back("ttl " + written(*entity.ttl));
  for (std::string& clause : physical(entity.physical)) clauses.push_back(std::move(clause));
  return doc_lines(entity.doc) + "entity " + written(entity.name) +
         (entity.within ? " within " + written(*entity.within) : "") + " " + block(clauses);
}

std::string via(const Via& via) {
  std::string out(word_for(kViaWords, via.kind));
  if (via.embed_as != Via::EmbedAs::kUnsaid) out += " " + std::string(word_for(kEmbedWords, via.embed_as));
  if (via.on) out += " on " + written(*via.on);
  if (via.ids) out += " " + written(*via.ids);
  if (via.pk) out += " pk " + written(*via.pk);
  for (const Copy& copy : via.copies)
    out += " copy " + written(copy.end) + "(" + (copy.all ? "*" : names(copy.fields)) + ")";
  const std::vector<std::string> clauses = physical(via.physical);
  size_t characters = out.size();
  for (const std::string& clause : clauses) characters += clause.size();
  for (const std::string& clause : clauses)
    out += (characters > kLongCharacters && clause.starts_with("index") ? "\n" : " ") + clause;
  return out;
}

std::string size(const Size& size) {
  std::string out = "size";
  if (size.end) out += " of " + written(*size.end);
  if (size.average) out += " avg " + std::to_string(size.average->value);
  return out + (size.max ? " max " + std::to_string(size.max->value) : " unbounded");
}

std::string relation(const Relation& relation) {
  const auto entities = [](const std::vector<Name>& list) {
    return joined_by(" | ", list, [](const Name& name) { return written(name); });
  };
  std::vector<std::string> clauses;
  if (relation.via) clauses.push_back("via " + via(*relation.via));
  for (const Required& required : relation.required)
    clauses.push_back("required" + (required.end ? " " + written(*required.end) : ""));
  for (const Size& each : relation.sizes) clauses.push_back(size(each));
  if (!relation.edge_fields.empty()) clauses.push_back("edge " + block(relation.edge_fields));
  if (relation.on_delete)
    clauses.push_back("on delete " + std::string(word_for(kOnDeleteWords, relation.on_delete->first)));
  if (relation.unchecked) clauses.push_back("unchecked");
  if (relation.loops) clauses.push_back("loops");
  return doc_lines(relation.doc) + "rel " + entities(relation.from) + " " +
         std::string(word_for(kCardinalityWords, relation.cardinality)) + " " + entities(relation.to) +
         " as " + written(relation.forward) + (relation.backward ? " / " + written(*relation.backward) : "") +
         (clauses.empty() ? "" : " " + block(clauses));
}

std::string layout(const Layout& layout) {
  std::string out = doc_lines(layout.doc) + "layout " + written(layout.name);
  if (layout.extends) out += " extends " + written(*layout.extends);
  out += " {\n";
  for (const Table& each : layout.tables) out += table(each) + "\n";
  for (const LayoutEntity& each : layout.entities)
    out += "entity " + written(each.name) + " " + block(physical(each.physical)) + "\n";
  for (const LayoutRelation& each : layout.relations)
    out += "rel " + written(each.entity) + "." + written(each.end) + " via " + via(each.via) + "\n";
  return out + "}";
}

// Patterns and operations.

std::string parameter(const Parameter& parameter) {
  std::string out = written(parameter.name) + ": ";
  if (const auto* entity = std::get_if<Name>(&parameter.type)) {
    out += written_among(*entity, {"string", "number", "int", "bool", "binary", "time", "date", "ulid",
                                   "uuid", "any", "enum", "list", "map", "set"});
  } else {
    out += type(std::get<Type>(parameter.type));
  }
  return out + (parameter.is_optional ? "?" : "");
}

std::string selection(const Selection& selection);

std::string tail(const Tail& tail) {
  std::string out = conditions("where", tail.where) + conditions("filter", tail.filter);
  if (tail.order) {
    out += " order " + written(tail.order->path);
    if (tail.order->direction == Direction::kDescending) out += " desc";
  }
  if (tail.limit) out += " limit " + std::to_string(tail.limit->value);
  if (tail.page) out += " page " + std::to_string(tail.page->value);
  if (tail.selects) out += " { " + joined_by(", ", tail.selection, selection) + " }";
  return out;
}

std::string selection(const Selection& selection) {
  switch (selection.kind) {
    case Selection::Kind::kAll:
      return "*";
    case Selection::Kind::kAggregate:
      return written(selection.step.name) + ": " +
             std::string(word_for(kAggregateWords, selection.aggregate)) + "(" +
             expression(*selection.expression) + ")";
    case Selection::Kind::kNested:
      break;
  }
  return written(selection.step) + tail(selection.tail);
}

std::string clauses(const Clauses& clauses) {
  std::string out;
  for (const Budget& budget : clauses.budgets) {
    std::string_view unit = word_for(kBudgetWords, budget.unit);
    if (budget.count.value == 1 && budget.unit != Budget::Unit::kUnits) unit.remove_suffix(1);
    out += " budget " + std::to_string(budget.count.value) + " " + std::string(unit);
  }
  if (clauses.rate)
    out += " rate " + clauses.rate->count + "/" + std::string(word_for(kRateWords, clauses.rate->per));
  if (clauses.strong) out += " strong";
  if (clauses.snapshot) out += " snapshot";
  if (clauses.prefer) out += " prefer " + std::string(word_for(kPreferWords, *clauses.prefer));
  if (clauses.reads_max) out += " reads max " + std::to_string(clauses.reads_max->value);
  return out;
}

std::string pattern(const Pattern& pattern) {
  const Read& read = pattern.read;
  const std::string head =
      "pattern " + written(pattern.name) + "(" + joined_by(", ", pattern.parameters, parameter) + ") =";
  const std::string body = (read.one ? "one " : "") +
                           (read.from_parameter ? written_source(read) : written_among(read.start, {"one"})) +
                           tail(read.tail);
  const std::string end = clauses(pattern.clauses);
  const bool is_long = head.size() + body.size() + end.size() > kLongCharacters;
  return doc_lines(pattern.doc) + head + (is_long ? "\n" : " ") + body + (is_long ? "\n" : "") + end;
}

std::string write(const Write& write) {
  std::string out(word_for(kWriteWords, write.kind));
  switch (write.kind) {
    case Write::Kind::kSet:
    case Write::Kind::kAdd:
      return out + " " + joined_by(", ", write.assignments, [](const auto& assignment) {
               return written(assignment.first) + " = " + expression(assignment.second);
             });
    case Write::Kind::kCheck:
      return out + " " + joined_by(" and ", write.conditions, condition);
    case Write::Kind::kLink:
    case Write::Kind::kUnlink:
      out += " " + written(write.paths[0]) + " " + written(write.paths[1]);
      if (write.edge_values.empty()) return out;
      return out + " { " +
             joined_by(", ", write.edge_values,
                       [](const auto& edge_value) {
                         return written(edge_value.first) + " = " + operand(edge_value.second);
                       }) +
             " }";
    default:
      return out + " " + joined_by(", ", write.paths, [](const Path& path) { return written(path); });
  }
}

std::string operation(const Operation& operation) {
  const bool is_one = operation.writes.size() == 1;
  return doc_lines(operation.doc) + "op " + written(operation.name) + "(" +
         joined_by(", ", operation.parameters, parameter) + ") = " + (is_one ? "" : "{ ") +
         joined_by("; ", operation.writes, write) + (is_one ? "" : " }") + clauses(operation.clauses);
}

std::string compare(const Compare& compare) {
  if (!compare.relation) return "compare [" + names(compare.layouts) + "]";
  return "compare " + written(compare.relation->first) + "." + written(compare.relation->second) + " [" +
         joined_by(", ", compare.ways, via) + "]";
}

std::string expect(const Expect& expect) {
  return "expect " + written(expect.pattern) + "(" + joined_by(", ", expect.arguments, value) +
         "): " + joined_by(", ", expect.expectations, [](const Expectation& expectation) {
           return std::string(word_for(kExpectationWords, expectation.what)) +
                  (expectation.at_most ? " <= " : " = ") + expectation.number;
         });
}

}  // namespace

std::string to_text(const Condition& part) { return condition(part); }
std::string to_text(const Literal& part) { return value(part); }
std::string to_text(const Via& part) { return via(part); }

std::string to_text(const Model& model) {
  std::string out = doc_lines(model.doc) + "model " + written(model.name) + " {\n";
  const auto add = [&out](const auto& declarations, auto write_one) {
    for (const auto& declaration : declarations) out += write_one(declaration) + "\n";
    if (!declarations.empty()) out += "\n";
  };
  add(model.tables, table);
  add(model.entities, entity);
  add(model.relations, relation);
  add(model.layouts, layout);
  add(model.patterns, pattern);
  add(model.operations, operation);
  add(model.compares, compare);
  add(model.expects, expect);
  return format(SourceText("", out + "}\n"));
}

}  // namespace sheaf::language
