#include "assist/completion.h"

#include <algorithm>
#include <set>

#include "assist/completion_scope.h"
#include "assist/declaration_text.h"
#include "assist/keyword_docs.h"
#include "assist/template_completion.h"
#include "language/parser.h"
#include "language/syntax_words.h"
#include "language/written_parts.h"
#include "model/resolver.h"
#include "model/strategies/strategy.h"
#include "model/value_type.h"

namespace sheaf::assist {
namespace {

using language::Name;
using language::Span;

class Completion {
 public:
  explicit Completion(const CompletionScope& scope) : model_(scope.model()), scope_(scope) {}

  std::vector<Suggestion> run() {
    for (const std::string& kind : scope_.probe().kinds) add_kind(kind);
    add_words();
    return std::move(found_);
  }

 private:
  using Kind = SuggestionKind;

  void add(Kind kind, const std::string& label, std::string detail, std::string documentation,
           std::string text = {}) {
    if (!seen_.emplace(label).second) return;
    found_.push_back({.kind = kind,
                      .label = label,
                      .detail = std::move(detail),
                      .documentation = std::move(documentation),
                      .text = text.empty() ? label : std::move(text),
                      .replaced = scope_.unfinished()});
  }

  // In backquotes if it needs them wherever it stands.
  void add_name(Kind kind, const std::string& name, std::string detail, std::string documentation) {
    if (name.empty()) return;  // it could not be read
    add(kind, name, std::move(detail), std::move(documentation), written(Name{.text = name, .span = {}}));
  }

  // What the parser says that it expects, in the words of its messages.
  void add_kind(std::string_view kind) {
    if (kind == "an entity" || kind == "[ or an entity" || kind == "a type or an entity") add_entities();
    if (kind == "$parameter or an entity") add_parameters("$"), add_entities();
    if (kind == "a table") add_tables();
    if (kind == "an index") add_indexes();
    if (kind == "a layout") add_layouts();
    if (kind == "a pattern") add_patterns();
    if (kind == "a parameter" && scope_.behind(0) == "$") add_parameters("");
    if (kind == "an end" || kind == "one, many, both or an end" || kind == "the end that leads to its parent")
      add_ends(kind);
    if (kind == "a field") add_fields();
    if (kind == "an edge field" && scope_.linked()) add_edge_fields(*scope_.linked());
    if (kind == "an end or a field" || kind == "a field or an end") add_members();
    if (kind == "a field, an end or $parameter") add_members(), add_parameters("$");
    if (kind == "a key template in double quotes") add_template();
    if (kind == "one, many, both or an end") {
      for (const char* word : {"one", "many"}) add(Kind::kKeyword, word, {}, std::string(keyword_doc(word)));
    }
  }

  void add_words() {
    const bool is_strategy =
        std::any_of(scope_.probe().kinds.begin(), scope_.probe().kinds.end(),
                    [](const std::string& kind) { return kind.starts_with("a strategy"); });
    const std::vector<std::string>& words = scope_.probe().words;
    const bool at_type = std::find(words.begin(), words.end(), "string") != words.end();
    for (const std::string& word : words) {
      const auto via = is_strategy ? value_of_word(language::kViaWords, word) : std::nullopt;
      if (via && !fits(*via)) continue;
      const bool is_type = at_type && (value_of_word(language::kScalarWords, word) ||
                                       value_of_word(language::kContainerWords, word) || word == "enum");
      std::string text = word;
      if (word == "on" && !scope_.probe().has_kind("an index") && scope_.behind(0) != "index")
        text = "on delete";
      add(via       ? Kind::kStrategy
          : is_type ? Kind::kType
                    : Kind::kKeyword,
          text, {}, std::string(keyword_doc(word)));
    }
  }

  // Whether the relation can be stored like this.
  bool fits(language::Via::Kind via) const {
    const auto relation = scope_.relation();
    const model::Strategy* const strategy = model::find_strategy(via);
    if (!relation || strategy == nullptr) return true;
    language::Diagnostics ignored;
    model::Mistakes mistakes(ignored);
    return strategy->fits(model_, model_.relations[*relation], {}, mistakes) && !mistakes.any();
  }

  void add_entities() {
    for (const model::Entity& entity : model_.entities)
      add_name(Kind::kEntity, entity.name, "entity", entity.syntax->doc);
  }

  void add_parameters(std::string_view before) {
    for (const language::Parameter& parameter : scope_.parameters()) {
      if (parameter.name.text.empty()) continue;
      const std::string name = written(parameter.name);
      add(Kind::kParameter, std::string(before) + parameter.name.text, text_of({parameter}), {},
          std::string(before) + name);
    }
  }

  void add_tables() {
    const auto add_table = [&](const language::Table& table) {
      add_name(Kind::kTable, table.name.text, "table", table.doc);
    };
    for (const language::Table& table : model_.syntax().tables) add_table(table);
    for (const language::Layout& layout : model_.syntax().layouts) {
      for (const language::Table& table : layout.tables) add_table(table);
    }
  }

  void add_indexes() {
    const auto add_in = [&](const language::Table& table) {
      for (const language::Gsi& gsi : table.indexes)
        add_name(Kind::kIndex, gsi.name.text,
                 "index of " + table.name.text + ": " + gsi.pk.text + (gsi.sk ? " / " + gsi.sk->text : ""),
                 {});
    };
    for (const language::Table& table : model_.syntax().tables) add_in(table);
    for (const language::Layout& layout : model_.syntax().layouts) {
      for (const language::Table& table : layout.tables) add_in(table);
    }
  }

  void add_layouts() {
    add(Kind::kLayout, std::string(model::kDefaultLayout), "layout", "What the clauses in the bodies form.");
    for (const language::Layout& layout : model_.syntax().layouts)
      add_name(Kind::kLayout, layout.name.text, "layout", layout.doc);
  }

  void add_patterns() {
    for (const language::Pattern& pattern : model_.syntax().patterns)
      add_name(Kind::kPattern, pattern.name.text, text_of(pattern.parameters), pattern.doc);
  }

  void add_end(model::EndId id) {
    const model::End& end = model_.end(id);
    const model::Relation& relation = model_.relations[id.relation];
    add_name(Kind::kEnd, end.name, (end.leads_to_many ? "many " : "one ") + model_.entities[end.target].name,
             relation.syntax->doc);
  }

  void add_ends(std::string_view kind) {
    // rel A.b, compare A.b
    const PathPrefix prefix = scope_.path_prefix();
    if (!prefix.names.empty()) {
      if (const auto entity = model_.find_entity(prefix.names.front())) {
        for (const model::EndId end : model_.entities[*entity].ends) add_end(end);
      }
      return;
    }
    if (const auto relation = scope_.relation()) {
      add_end({.relation = *relation, .side = 0});
      if (!model_.relations[*relation].is_symmetric) add_end({.relation = *relation, .side = 1});
      return;
    }
    const auto entity = scope_.entity();
    if (!entity) return;
    const bool is_parent = kind == "the end that leads to its parent";
    for (const model::EndId end : model_.entities[*entity].ends) {
      if (model_.end(end).leads_to_many != is_parent) add_end(end);
    }
  }

  void add_field(const model::Field& field, const std::string& owner) {
    add_name(Kind::kField, field.name,
             model::text_of(field.type) + (field.is_optional ? "?" : "") + ", of " + owner,
             field.syntax->doc);
  }

  // copy END(..), ttl FIELD. Elsewhere a field is declared, and its name is new.
  void add_fields() {
    std::optional<model::EntityId> entity;
    if (scope_.behind(0) == "ttl") entity = scope_.entity();
    const auto relation = scope_.relation();
    const bool is_copied =
        relation && !scope_.tokens().empty() && (scope_.behind(0) == "(" || scope_.behind(0) == ",");
    if (is_copied) {
      // Back to the end before the parenthesis.
      size_t at = 0;
      while (!scope_.behind(at).empty() && scope_.behind(at) != "(") ++at;
      for (const model::End& end : model_.relations[*relation].ends) {
        if (end.name == scope_.behind(at + 1)) entity = end.target;
      }
    }
    if (!entity) return;
    for (const model::Field& field : model_.entities[*entity].fields) {
      if (is_copied && field.is_id) continue;
      add_field(field, model_.entities[*entity].name);
    }
  }

  void add_edge_fields(model::RelationId relation) {
    for (const model::Field& field : model_.relations[relation].edge_fields) add_field(field, "the edge");
  }

  void add_members() {
    const PathPrefix prefix = scope_.path_prefix();
    if (prefix.names.empty() && prefix.from_parameter) return;  // the parameter itself
    auto from = scope_.members();
    if (!prefix.names.empty() && prefix.names.back() == "edge" && from && from->by)
      return add_edge_fields(from->by->relation);
    if (!prefix.names.empty()) {
      if (const language::Type* const type = scope_.inside(prefix, from)) return add_inside(*type);
      from = scope_.follow(prefix, from);
    }
    if (!from) {
      if (prefix.names.empty()) add_edge_members();
      return;
    }
    const model::Entity& entity = model_.entities[from->entity];
    for (const model::Field& field : entity.fields) add_field(field, entity.name);
    for (const model::EndId end : entity.ends) add_end(end);
    const bool has_edge = from->by && !model_.relations[from->by->relation].edge_fields.empty();
    if (has_edge && scope_.probe().has_kind("a field, an end or $parameter"))
      add(Kind::kField, "edge", "the fields of the pair", std::string(keyword_doc("edge")));
  }

  void add_inside(const language::Type& type) {
    for (const language::Field& field : type.fields)
      add_name(Kind::kField, field.name.text, model::text_of(field.type.value_or(language::Type{})),
               field.doc);
  }

  // Conditions of the index lines of edges.
  void add_edge_members() {
    const auto relation = scope_.relation();
    if (!relation) return;
    add_edge_fields(*relation);
    add_end({.relation = *relation, .side = 0});
    add_end({.relation = *relation, .side = 1});
  }

  // A key as Sheaf would write it.
  void add_template() {
    const auto entity = scope_.entity();
    if (!entity) return;
    const model::Entity& declared = model_.entities[*entity];
    std::string tag = declared.name;
    std::transform(tag.begin(), tag.end(), tag.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    std::string text = "\"" + tag;
    for (const model::FieldPath& part : declared.identity) text += "#<" + model_.text(*entity, part) + ">";
    add(Kind::kValue, text + "\"", "its tag and its identity", "A key: text, and holes for fields.");
  }

  const model::Model& model_;
  const CompletionScope& scope_;
  std::vector<Suggestion> found_;
  std::set<std::string> seen_;
};

// What is not finished can hide what follows. Then the model of a text in which it is, or is left out, if
// there is more in that.
std::optional<model::Model> mended_model(const Document& document, uint32_t offset) {
  const language::Damage& damage = document.model().syntax().damage;
  if (!damage.is_structural && !damage.has_lost_entity && !damage.has_lost_relation) return std::nullopt;
  const std::string text(document.text());
  const size_t line_begin = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
  const size_t line_end = std::min(text.find('\n', offset), text.size());
  const auto count = [](const model::Model& model) { return model.entities.size() + model.relations.size(); };
  std::optional<model::Model> best;
  size_t most = count(document.model());
  for (const std::string& mended : {text.substr(0, offset) + "x" + text.substr(offset),
                                    text.substr(0, line_begin) + text.substr(line_end)}) {
    const language::SourceText source(document.source().name(), mended);
    language::Diagnostics ignored;
    model::Resolved resolved = model::resolve(language::parse(source, ignored), ignored);
    if (count(resolved.model) <= most) continue;
    most = count(resolved.model);
    best.emplace(std::move(resolved.model));
  }
  return best;
}

}  // namespace

std::vector<Suggestion> complete(const Document& document, uint32_t offset) {
  offset = std::min(offset, static_cast<uint32_t>(document.text().size()));
  const language::SourceText before(document.source().name(), std::string(document.text().substr(0, offset)));
  const std::optional<model::Model> mended = mended_model(document, offset);
  const CompletionScope scope(mended ? *mended : document.model(), before);
  if (scope.is_in_comment()) return {};
  if (scope.unfinished_text().starts_with('"')) return complete_string(scope);
  return Completion(scope).run();
}

}  // namespace sheaf::assist
