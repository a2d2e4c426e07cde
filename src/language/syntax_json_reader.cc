#include "language/parser.h"
#include "language/syntax_json.h"
#include "language/syntax_json_values.h"
#include "language/written_parts.h"

namespace sheaf::language {

// Not in an unnamed namespace: read_list and its like would not find them there.

// Tables.

static Result<void> read(const JsonPlace& place, KeyAttribute& attribute) {
  if (place.kind() == Json::Kind::kString) return read(place, attribute.name);
  JsonMembers members = TRY(JsonMembers::of(place));
  TRY(read_member(members, "name", attribute.name));
  TRY(read_member(members, "type", attribute.type.emplace()));
  return members.finish();
}

static Result<void> read_projection(const JsonPlace& place, Gsi& gsi) {
  if (place.kind() == Json::Kind::kArray) {
    gsi.projection = Gsi::Projection::kInclude;
    return read_list(place, gsi.included, Least::kOne);
  }
  if (place.kind() != Json::Kind::kString || (place.json().text != "keys" && place.json().text != "all"))
    return place.error("this must be all, keys, or an array of attributes");
  if (place.json().text == "keys") gsi.projection = Gsi::Projection::kKeys;
  return {};
}

static Result<void> read(const JsonPlace& place, Gsi& gsi) {
  JsonMembers members = TRY(JsonMembers::of(place));
  TRY(read_member(members, "name", gsi.name));
  TRY(read_member(members, "pk", gsi.pk));
  TRY(read_optional(members, "sk", gsi.sk));
  if (const std::optional<JsonPlace> projection = members.find("projection"))
    TRY(read_projection(*projection, gsi));
  return members.finish();
}

static Result<void> read(const JsonPlace& place, Table& table) {
  JsonMembers members = TRY(JsonMembers::of(place));
  TRY(read_member(members, "name", table.name));
  TRY(read_doc(members, table.doc));
  TRY(read_optional(members, "pk", table.pk));
  TRY(read_optional(members, "sk", table.sk));
  TRY(read_optional(members, "tag", table.tag));
  TRY(read_optional(members, "ttl", table.ttl));
  TRY(read_optional_list(members, "indexes", table.indexes));
  return members.finish();
}

// Entities and relations.

static Result<void> read(const JsonPlace& place, Entity& entity) {
  JsonMembers members = TRY(JsonMembers::of(place));
  TRY(read_member(members, "name", entity.name));
  TRY(read_doc(members, entity.doc));
  TRY(read_optional(members, "within", entity.within));
  TRY(read_optional_list(members, "fields", entity.fields));
  TRY(read_flag(members, "timestamps", entity.timestamps));
  TRY(read_flag(members, "versioned", entity.versioned));
  TRY(read_optional(members, "ttl", entity.ttl));
  TRY(read_physical(members, entity.physical));
  return members.finish();
}

static Result<void> read(const JsonPlace& place, Copy& copy) {
  JsonMembers members = TRY(JsonMembers::of(place));
  TRY(read_member(members, "end", copy.end));
  const JsonPlace fields = TRY(members.get("fields"));
  copy.all = fields.kind() == Json::Kind::kString && fields.json().text == "*";
  if (!copy.all) TRY(read_list(fields, copy.fields, Least::kOne));
  return members.finish();
}

static Result<void> read(const JsonPlace& place, Via& via) {
  if (place.kind() == Json::Kind::kString) {
    TRY(read_word(place, kViaWords, via.kind));
    if (via.kind == Via::Kind::kIds) return place.error("ids needs an end: {\"kind\": \"ids\", \"ids\": ..}");
    return {};
  }
  JsonMembers members = TRY(JsonMembers::of(place));
  TRY(read_member_word(members, "kind", kViaWords, via.kind));
  if (via.kind == Via::Kind::kEmbed) {
    std::optional<Via::EmbedAs> embed_as;
    TRY(read_optional_word(members, "as", kEmbedWords, embed_as));
    via.embed_as = embed_as.value_or(Via::EmbedAs::kUnsaid);
  }
  if (via.kind == Via::Kind::kIndex) TRY(read_optional(members, "on", via.on));
  if (via.kind == Via::Kind::kIds) TRY(read_member(members, "ids", via.ids.emplace()));
  if (via.kind == Via::Kind::kEdges) TRY(read_optional(members, "pk", via.pk));
  TRY(read_optional_list(members, "copies", via.copies));
  TRY(read_physical(members, via.physical));
  if (via.pk && via.pk->text == "both" && via.physical.key)
    TRY(read_optional(members, "second_key", via.physical.second_key));
  return members.finish();
}

static Result<void> read_entities(JsonMembers& members, std::string_view name, std::vector<Name>& entities) {
  const JsonPlace place = TRY(members.get(name));
  if (place.kind() == Json::Kind::kString) return read(place, entities.emplace_back());
  return read_list(place, entities, Least::kOne);
}

static Result<void> read(const JsonPlace& place, Required& required) {
  if (place.kind() == Json::Kind::kTrue) return {};
  return read(place, required.end.emplace());
}

static Result<void> read_required(const JsonPlace& place, std::vector<Required>& required) {
  if (place.kind() != Json::Kind::kTrue) return read_list(place, required, Least::kNone);
  required.emplace_back();
  return {};
}

static Result<void> read(const JsonPlace& place, Size& size) {
  JsonMembers members = TRY(JsonMembers::of(place));
  TRY(read_optional(members, "of", size.end));
  TRY(read_optional(members, "average", size.average));
  TRY(read_optional(members, "max", size.max));
  const std::optional<JsonPlace> unbounded = members.find("unbounded");
  if (unbounded && unbounded->kind() != Json::Kind::kTrue) return unbounded->error("this can only be true");
  if (size.max.has_value() == unbounded.has_value()) return place.error("a size has either max or unbounded");
  return members.finish();
}

static Result<void> read(const JsonPlace& place, Relation& relation) {
  JsonMembers members = TRY(JsonMembers::of(place));
  TRY(read_entities(members, "from", relation.from));
  TRY(read_member_word(members, "cardinality", kCardinalityWords, relation.cardinality));
  TRY(read_entities(members, "to", relation.to));
  TRY(read_member(members, "forward", relation.forward));
  TRY(read_optional(members, "backward", relation.backward));
  TRY(read_doc(members, relation.doc));
  TRY(read_optional(members, "via", relation.via));
  if (const std::optional<JsonPlace> required = members.find("required"))
    TRY(read_required(*required, relation.required));
  TRY(read_optional_list(members, "sizes", relation.sizes));
  TRY(read_optional_list(members, "edge_fields", relation.edge_fields));
  std::optional<OnDelete> on_delete;
  TRY(read_optional_word(members, "on_delete", kOnDeleteWords, on_delete));
  if (on_delete) relation.on_delete.emplace(*on_delete, Span());
  TRY(read_flag(members, "unchecked", relation.unchecked));
  TRY(read_flag(members, "loops", relation.loops));
  return members.finish();
}

// Layouts.

static Result<void> read(const JsonPlace& place, LayoutEntity& entity) {
  JsonMembers members = TRY(JsonMembers::of(place));
  TRY(read_member(members, "name", entity.name));
  TRY(read_physical(members, entity.physical));
  return members.finish();
}

static Result<void> read(const JsonPlace& place, LayoutRelation& relation) {
  JsonMembers members = TRY(JsonMembers::of(place));
  TRY(read_member(members, "entity", relation.entity));
  TRY(read_member(members, "end", relation.end));
  TRY(read_member(members, "via", relation.via));
  return members.finish();
}

static Result<void> read(const JsonPlace& place, Layout& layout) {
  JsonMembers members = TRY(JsonMembers::of(place));
  TRY(read_member(members, "name", layout.name));
  TRY(read_doc(members, layout.doc));
  TRY(read_optional(members, "extends", layout.extends));
  TRY(read_optional_list(members, "tables", layout.tables));
  TRY(read_optional_list(members, "entities", layout.entities));
  TRY(read_optional_list(members, "relations", layout.relations));
  return members.finish();
}

// Patterns.

static Result<void> read(const JsonPlace& place, Parameter& parameter) {
  JsonMembers members = TRY(JsonMembers::of(place));
  TRY(read_member(members, "name", parameter.name));
  if (members.has("entity") == members.has("type"))
    return place.error("a parameter has either entity or type");
  if (members.has("entity")) {
    TRY(read_member(members, "entity", parameter.type.emplace<Name>()));
  } else {
    TRY(read_member(members, "type", parameter.type.emplace<Type>()));
  }
  TRY(read_flag(members, "optional", parameter.is_optional));
  return members.finish();
}

static Result<void> read(const JsonPlace& place, Order& order) {
  JsonMembers members = TRY(JsonMembers::of(place));
  TRY(read_member(members, "by", order.path));
  bool is_descending = false;
  TRY(read_flag(members, "descending", is_descending));
  if (is_descending) order.direction = Direction::kDescending;
  return members.finish();
}

static Result<void> read_selection(const JsonPlace& place, Selection& selection, int depth);

static Result<void> read_tail(JsonMembers& members, Tail& tail, int depth) {
  TRY(read_optional_list(members, "where", tail.where));
  TRY(read_optional_list(members, "filter", tail.filter));
  TRY(read_optional(members, "order", tail.order));
  TRY(read_optional(members, "limit", tail.limit));
  TRY(read_optional(members, "page", tail.page));
  if (tail.limit && tail.page) return members.place().error("limit and page cannot both be said");
  const std::optional<JsonPlace> select = members.find("select");
  if (!select) return {};
  if (select->kind() != Json::Kind::kArray) return select->error("this must be an array");
  if (depth > kNestingMax)
    return select->error("this is nested more than " + std::to_string(kNestingMax) + " levels deep");
  tail.selects.emplace();
  for (size_t i = 0; i < select->size(); ++i)
    TRY(read_selection(select->at(i), tail.selection.emplace_back(), depth));
  return {};
}

static Result<void> read_step_at(const JsonPlace& place, Step& step) {
  Result<Step> read = read_step(TRY(string_at(place)));
  if (!read.ok()) return place.error(read.error().message);
  step = std::move(*read);
  return {};
}

static Result<void> read_selection(const JsonPlace& place, Selection& selection, int depth) {
  if (place.kind() == Json::Kind::kString && place.json().text == "*") return {};
  selection.kind = Selection::Kind::kNested;
  if (place.kind() == Json::Kind::kString) return read_step_at(place, selection.step);
  JsonMembers members = TRY(JsonMembers::of(place));
  if (members.has("aggregate")) {
    selection.kind = Selection::Kind::kAggregate;
    TRY(read_member(members, "name", selection.step.name));
    TRY(read_member_word(members, "aggregate", kAggregateWords, selection.aggregate));
    TRY(read_member(members, "of", selection.expression.emplace()));
  } else {
    const JsonPlace step = TRY(members.get("step"));
    TRY(read_step_at(step, selection.step));
    TRY(read_tail(members, selection.tail, depth + 1));
  }
  return members.finish();
}

static Result<void> read(const JsonPlace& place, Budget& budget) {
  JsonMembers members = TRY(JsonMembers::of(place));
  TRY(read_member(members, "count", budget.count));
  TRY(read_member_word(members, "unit", kBudgetWords, budget.unit));
  return members.finish();
}

static Result<void> read(const JsonPlace& place, Rate& rate) {
  JsonMembers members = TRY(JsonMembers::of(place));
  const JsonPlace count = TRY(members.get("count"));
  TRY(read_number(count, rate.count));
  TRY(read_member_word(members, "per", kRateWords, rate.per));
  return members.finish();
}

static Result<void> read_clauses(JsonMembers& members, Clauses& clauses) {
  TRY(read_optional_list(members, "budgets", clauses.budgets));
  TRY(read_optional(members, "rate", clauses.rate));
  bool is_strong = false;
  bool is_snapshot = false;
  TRY(read_flag(members, "strong", is_strong));
  TRY(read_flag(members, "snapshot", is_snapshot));
  if (is_strong) clauses.strong.emplace();
  if (is_snapshot) clauses.snapshot.emplace();
  TRY(read_optional_word(members, "prefer", kPreferWords, clauses.prefer));
  return read_optional(members, "reads_max", clauses.reads_max);
}

static Result<void> read(const JsonPlace& place, Pattern& pattern) {
  JsonMembers members = TRY(JsonMembers::of(place));
  TRY(read_member(members, "name", pattern.name));
  TRY(read_doc(members, pattern.doc));
  TRY(read_optional_list(members, "parameters", pattern.parameters));
  TRY(read_flag(members, "one", pattern.read.one));
  const JsonPlace from = TRY(members.get("from"));
  const Result<void> source = read_source(TRY(string_at(from)), pattern.read);
  if (!source.ok()) return from.error(source.error().message);
  TRY(read_tail(members, pattern.read.tail, 0));
  TRY(read_clauses(members, pattern.clauses));
  return members.finish();
}

// Operations.

static Result<void> read(const JsonPlace& place, std::pair<Path, Expression>& assignment) {
  JsonMembers members = TRY(JsonMembers::of(place));
  TRY(read_member(members, "path", assignment.first));
  TRY(read_member(members, "value", assignment.second));
  return members.finish();
}

static Result<void> read(const JsonPlace& place, std::pair<Name, Operand>& edge_value) {
  JsonMembers members = TRY(JsonMembers::of(place));
  TRY(read_member(members, "name", edge_value.first));
  TRY(read_member(members, "value", edge_value.second));
  return members.finish();
}

static Result<void> read_written(JsonMembers& members, Write& write) {
  switch (write.kind) {
    case Write::Kind::kPut:
    case Write::Kind::kUpsert:
    case Write::Kind::kDelete:
      return read_member(members, "path", write.paths.emplace_back());
    case Write::Kind::kSet:
    case Write::Kind::kAdd:
      return read_member_list(members, "assignments", write.assignments);
    case Write::Kind::kRemove:
      return read_member_list(members, "paths", write.paths);
    case Write::Kind::kLink:
      TRY(read_optional_list(members, "edge", write.edge_values));
      [[fallthrough]];
    case Write::Kind::kUnlink:
      TRY(read_member(members, "path", write.paths.emplace_back()));
      return read_member(members, "to", write.paths.emplace_back());
    case Write::Kind::kCheck:
      return read_member_list(members, "conditions", write.conditions);
  }
  return {};
}

static Result<void> read(const JsonPlace& place, Write& write) {
  JsonMembers members = TRY(JsonMembers::of(place));
  TRY(read_member_word(members, "kind", kWriteWords, write.kind));
  TRY(read_written(members, write));
  return members.finish();
}

static Result<void> read(const JsonPlace& place, Operation& operation) {
  JsonMembers members = TRY(JsonMembers::of(place));
  TRY(read_member(members, "name", operation.name));
  TRY(read_doc(members, operation.doc));
  TRY(read_optional_list(members, "parameters", operation.parameters));
  TRY(read_member_list(members, "writes", operation.writes, Least::kNone));
  TRY(read_clauses(members, operation.clauses));
  return members.finish();
}

// What is compared and expected.

static Result<void> read(const JsonPlace& place, Compare& compare) {
  JsonMembers members = TRY(JsonMembers::of(place));
  if (members.has("layouts")) {
    TRY(read_member_list(members, "layouts", compare.layouts));
    return members.finish();
  }
  auto& [entity, end] = compare.relation.emplace();
  TRY(read_member(members, "entity", entity));
  TRY(read_member(members, "end", end));
  TRY(read_member_list(members, "ways", compare.ways));
  return members.finish();
}

static Result<void> read(const JsonPlace& place, Expectation& expectation) {
  JsonMembers members = TRY(JsonMembers::of(place));
  TRY(read_member_word(members, "what", kExpectationWords, expectation.what));
  expectation.at_most = members.has("at_most");
  const JsonPlace number = TRY(members.get(expectation.at_most ? "at_most" : "is"));
  TRY(read_number(number, expectation.number));
  return members.finish();
}

static Result<void> read(const JsonPlace& place, Expect& expect) {
  JsonMembers members = TRY(JsonMembers::of(place));
  TRY(read_member(members, "pattern", expect.pattern));
  TRY(read_optional_list(members, "arguments", expect.arguments));
  TRY(read_member_list(members, "expectations", expect.expectations));
  return members.finish();
}

static Result<void> read(const JsonPlace& place, Model& model) {
  JsonMembers members = TRY(JsonMembers::of(place));
  TRY(read_member(members, "model", model.name));
  TRY(read_doc(members, model.doc));
  TRY(read_optional_list(members, "tables", model.tables));
  TRY(read_optional_list(members, "entities", model.entities));
  TRY(read_optional_list(members, "relations", model.relations));
  TRY(read_optional_list(members, "layouts", model.layouts));
  TRY(read_optional_list(members, "patterns", model.patterns));
  TRY(read_optional_list(members, "operations", model.operations));
  TRY(read_optional_list(members, "compares", model.compares));
  TRY(read_optional_list(members, "expects", model.expects));
  return members.finish();
}

Result<Model> model_from_json(std::string_view json) {
  if (json.size() > kModelJsonBytesMax) {
    return Error{Code::kInvalid,
                 "$: a model has at most " + std::to_string(kModelJsonBytesMax >> 20) + " MiB of JSON"};
  }
  const Json tree = TRY(read_json(json));
  Model model;
  TRY(read(JsonPlace(tree), model));
  return model;
}

}  // namespace sheaf::language
