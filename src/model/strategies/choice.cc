#include "model/strategies/choice.h"

#include "model/advice/recommendation.h"

namespace sheaf::model {
namespace {

using language::Cardinality;
using Via = language::Via::Kind;

// A template with the holes named, as people write it, `prefix` before each path.
std::string template_text(const language::Template& key, std::string_view prefix) {
  std::string text;
  for (const auto& piece : key.pieces) {
    if (const auto* literal = std::get_if<std::string>(&piece)) {
      text += *literal;
      continue;
    }
    const auto& hole = std::get<language::Hole>(piece);
    text += "<" + std::string(prefix);
    for (const language::Name& name : hole.path.names) text += "." + name.text;
    text += ">";
  }
  return text;
}

bool begins_with_end(const language::Template& key, std::string_view end) {
  for (const auto& piece : key.pieces) {
    const auto* hole = std::get_if<language::Hole>(&piece);
    if (hole != nullptr) return hole->path.names.size() > 1 && hole->path.names.front().text == end;
  }
  return false;
}

}  // namespace

std::optional<Choice> realised_by_keys(const Model& model, const LayoutClauses& clauses, RelationId id) {
  const Relation& relation = model.relations[id];
  if (relation.cardinality == Cardinality::kManyToMany || relation.is_symmetric ||
      !relation.edge_fields.empty())
    return std::nullopt;
  const End& to_child = relation.ends[0];
  const End& to_parent = relation.ends[1];
  const language::Physical& parent = clauses.entities[to_child.holder];
  const language::Physical& child = clauses.entities[to_child.target];
  for (const language::Physical* each : {&parent, &child}) {
    if (each->store == language::Store::kNone) return std::nullopt;
  }
  if (child.store == language::Store::kEav) return std::nullopt;
  if (child.key && parent.key) {
    const std::string& end = to_parent.name;
    const bool same_partition =
        template_text(child.key->pk, end) == template_text(parent.key->pk, end + "." + end) ||
        template_text(child.key->pk, "") == template_text(parent.key->pk, "." + end);
    if (same_partition) {
      const bool extends =
          child.key->sk && parent.key->sk &&
          template_text(*child.key->sk, "").starts_with(template_text(*parent.key->sk, "." + end) + "#");
      return extends ? Choice{Via::kPath, "its keys lie behind its parent's, in one partition"}
                     : Choice{Via::kCollection, "its keys lie in its parent's partition"};
    }
  }
  for (const language::IndexKeys& index : child.indexes) {
    if (begins_with_end(index.keys.pk, to_parent.name)) {
      const std::string reason = "the index " + index.index.text + " is partitioned by " + to_parent.name;
      return Choice{relation.cardinality == Cardinality::kOneToOne ? Via::kRef : Via::kIndex, reason};
    }
  }
  return std::nullopt;
}

Choice choose_strategy(const Model& model, const LayoutClauses& clauses, RelationId id) {
  if (auto realised = realised_by_keys(model, clauses, id)) return std::move(*realised);
  const AdviceInputs nothing_else;
  const Answers answers = gather_answers(model, clauses, id, {}, nullptr);
  Decision decision = decide(model, clauses, id, answers, nothing_else);
  return {.via = model::text_of(decision.outcome).via,
          .reason = std::move(decision.reason),
          .details = via_of(decision.outcome, model.relations[id], decision.along)};
}

}  // namespace sheaf::model
