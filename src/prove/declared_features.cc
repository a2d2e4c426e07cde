#include <algorithm>

#include "language/syntax_words.h"
#include "prove/feature_walk.h"
#include "prove/random_names.h"

namespace sheaf::prove {
namespace {

using language::Cardinality;
using Kind = language::Type::Kind;

constexpr size_t kLongName = 50;

class DeclaredWalk {
 public:
  DeclaredWalk(const model::Model& model, Features& found) : model_(model), found_(found) {}

  void run() {
    const language::Model& syntax = model_.syntax();
    if (!syntax.doc.empty()) found_.insert("doc of the model");
    name(syntax.name);
    for (const model::Entity& entity : model_.entities) visit(entity);
    for (const model::Relation& relation : model_.relations) visit(relation);
    for (size_t i = 0; i < model_.relations.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (pair_of(model_.relations[i]) == pair_of(model_.relations[j]))
          found_.insert("rel several between one pair");
      }
    }
    for (const language::Compare& compare : syntax.compares)
      found_.insert(compare.relation ? "compare ways" : "compare layouts");
    for (const language::Expect& expect : syntax.expects) visit(expect);
  }

 private:
  void name(const language::Name& each) {
    if (each.text.empty()) return;
    if (!fits_in_keys(each.text)) found_.insert("name in backquotes");
    if (fits_in_keys(each.text) && written_name(each.text).front() == '`')
      found_.insert("name that is a keyword");
    if (each.text.size() > kLongName) found_.insert("name that is long");
    if (each.text.find('_') != std::string::npos) found_.insert("name with _");
  }

  // --- Fields

  void visit_default(const language::Literal& literal) {
    using LiteralKind = language::Literal::Kind;
    static const std::vector<std::pair<LiteralKind, const char*>> words = {
        {LiteralKind::kString, "string"}, {LiteralKind::kNumber, "number"}, {LiteralKind::kTrue, "true"},
        {LiteralKind::kFalse, "false"},   {LiteralKind::kNow, "now"},       {LiteralKind::kList, "list"},
        {LiteralKind::kMap, "map"}};
    for (const auto& [kind, word] : words) {
      if (literal.kind == kind) found_.insert(std::string("default ") + word);
    }
  }

  void visit_type(const language::Type& type, const std::string& where) {
    for (const language::Type& element : type.element) {
      found_.insert(kind_word(type.kind) + " of " + kind_word(element.kind));
      visit_type(element, where);
    }
    for (const language::Field& field : type.fields) visit_field(field, "member");
    for (const language::Name& value : type.values) {
      if (!fits_in_keys(value.text)) found_.insert("enum value in backquotes");
    }
  }

  void visit_field(const language::Field& field, const std::string& place) {
    const language::Type type = field.type.value_or(language::Type{});
    const std::string kind = kind_word(type.kind);
    name(field.name);
    const std::string where = place + (field.is_id ? " id " : " ");
    found_.insert(where + kind);
    if (!field.type) found_.insert("type that is not said");
    if (field.is_optional) found_.insert(place + " " + kind + "?");
    if (field.is_unique) found_.insert(std::string("unique ") + kind + (field.is_optional ? "?" : ""));
    if (field.is_immutable) found_.insert(place + " immutable");
    if (field.changes != language::Changes::kUnsaid)
      found_.insert("changes " + std::string(language::word_for(language::kChangesWords, field.changes)));
    if (field.default_value) {
      visit_default(*field.default_value);
      found_.insert(place + " default");
      if (field.is_optional) found_.insert("default of an optional field");
    }
    if (field.max) found_.insert("max N of " + kind);
    if (field.matches) found_.insert(place + " matches");
    if (field.since) found_.insert("since of " + kind);
    if (field.stored_as) found_.insert("stored as");
    if (field.count_of) found_.insert("count in " + kind);
    if (!field.doc.empty()) found_.insert("doc of a field");
    visit_type(type, place);
  }

  void visit(const model::Entity& entity) {
    const language::Entity& syntax = *entity.syntax;
    name(syntax.name);
    if (!syntax.doc.empty()) found_.insert("doc of an entity");
    if (syntax.timestamps) found_.insert("timestamps");
    if (syntax.versioned) found_.insert("versioned");
    if (syntax.timestamps && syntax.versioned) found_.insert("timestamps and versioned");
    size_t ids = 0;
    for (const language::Field& field : syntax.fields) {
      visit_field(field, "field");
      ids += field.is_id ? 1 : 0;
      if (syntax.ttl && field.name == *syntax.ttl)
        found_.insert("ttl of " + kind_word(field.type.value_or(language::Type{}).kind));
    }
    found_.insert("own ids " + std::to_string(std::min<size_t>(ids, 3)));
    size_t depth = 0;
    for (auto at = entity.within; at && depth < 9; at = model_.entities[model_.end(*at).target].within)
      ++depth;
    if (depth > 0) found_.insert("within " + std::to_string(std::min<size_t>(depth, 3)));
    if (entity.within && model_.relations[entity.within->relation].cardinality == Cardinality::kOneToOne)
      found_.insert("within of 1--1");
    if (entity.ends.empty()) found_.insert("entity without relations");
  }

  // --- Relations

  static std::pair<model::EntityId, model::EntityId> pair_of(const model::Relation& relation) {
    return std::minmax(relation.ends[0].target, relation.ends[1].target);
  }

  void visit(const model::Relation& relation) {
    const language::Relation& syntax = *relation.syntax;
    const std::string kind(language::word_for(language::kCardinalityWords, relation.cardinality));
    const std::string rel = "rel " + kind + (relation.is_symmetric ? " symmetric" : "");
    name(syntax.forward);
    if (syntax.backward) name(*syntax.backward);
    found_.insert(rel);
    if (!syntax.doc.empty()) found_.insert("doc of a relation");
    if (relation.ends[0].target == relation.ends[1].target) found_.insert(rel + " with itself");
    if (syntax.loops) found_.insert(rel + " loops");
    if (syntax.unchecked) found_.insert(rel + " unchecked");
    for (const language::Required& required : syntax.required) {
      const bool is_forward = required.end && required.end->text == syntax.forward.text;
      found_.insert(rel + " required" + (!required.end ? "" : is_forward ? " forward" : " backward"));
    }
    for (const language::Size& size : syntax.sizes) {
      found_.insert(std::string("size") + (size.end ? " of" : "") + (size.average ? " avg" : "") +
                    (size.max ? " max" : " unbounded"));
    }
    if (syntax.sizes.empty() && relation.cardinality != Cardinality::kOneToOne)
      found_.insert(rel + " without a size");
    if (relation.on_delete)
      found_.insert(rel + " on delete " +
                    std::string(language::word_for(language::kOnDeleteWords, *relation.on_delete)));
    if (!relation.edge_fields.empty()) found_.insert(rel + " with edge fields");
    if (relation.has_parallel_edges()) found_.insert(rel + " with parallel edges");
    for (const language::Field& field : syntax.edge_fields) visit_field(field, "edge field");
  }

  void visit(const language::Expect& expect) {
    for (const language::Expectation& each : expect.expectations)
      found_.insert("expect " + std::string(language::word_for(language::kExpectationWords, each.what)) +
                    (each.at_most ? " <=" : " ="));
    for (const language::Literal& each : expect.arguments) {
      if (each.kind == language::Literal::Kind::kNull) found_.insert("expect null");
      if (each.kind == language::Literal::Kind::kList) found_.insert("expect list");
    }
    if (expect.arguments.empty()) found_.insert("expect without arguments");
  }

  const model::Model& model_;
  Features& found_;
};

}  // namespace

void add_declared_features(const model::Model& model, Features& found) { DeclaredWalk(model, found).run(); }

}  // namespace sheaf::prove
