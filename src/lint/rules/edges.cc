// Rules about what lies on edges.
#include <algorithm>

#include "lint/change_rates.h"
#include "lint/rule.h"

namespace sheaf::lint {
namespace {

constexpr std::string_view kFix =
    "keep it with one of the two, or in an entity of its own between them; edges are for what does not "
    "change";

// Who unlinks two to link them again changes what lies between them, whatever the fields say of themselves.
void find_relinked(const Subject& subject, model::RelationId id, const model::Field& field, Tell& tell) {
  const model::Relation& relation = subject.model().relations[id];
  // Of parallel edges that is another edge.
  if (relation.has_parallel_edges()) return;
  const ChangeRate changes = edge_changes(subject.model(), id);
  if (changes.per_day <= static_cast<double>(subject.limits.edge_changes_per_day)) return;
  const model::End& end = relation.ends[0];
  tell.push_back({.span = field.syntax->name.span,
                  .message = field.name + " lies on the edges of " +
                             subject.model().entities[end.holder].name + "." + end.name + ", and " +
                             changes.text(),
                  .fix = std::string(kFix),
                  .notes = changes.notes()});
}

void find_mutable_edges(const Subject& subject, Tell& tell) {
  for (model::RelationId id = 0; id < subject.model().relations.size(); ++id) {
    const model::Relation& relation = subject.model().relations[id];
    const model::EndStorage storage = subject.layout().storage({.relation = id});
    if (storage != model::EndStorage::kEdge && storage != model::EndStorage::kEntries) continue;
    const model::End& end = relation.ends[0];
    const model::Field* unsaid = nullptr;  // the first that does not say that it changes
    bool is_told = false;
    for (const model::Field& field : relation.edge_fields) {
      if (field.is_id || field.kept != model::Kept::kNo || field.syntax == nullptr) continue;
      if (field.syntax->changes != language::Changes::kOften) {
        if (unsaid == nullptr) unsaid = &field;
        continue;
      }
      is_told = true;
      tell.push_back({.span = field.syntax->name.span,
                      .message = field.name + " lies on the edges of " +
                                 subject.model().entities[end.holder].name + "." + end.name +
                                 ", and changes often",
                      .fix = std::string(kFix)});
    }
    if (!is_told && unsaid != nullptr) find_relinked(subject, id, *unsaid, tell);
  }
}

}  // namespace

std::span<const Rule> edge_rules() {
  static constexpr Rule kRules[] = {
      {.id = "mutable-edge",
       .points = "H10",
       .title = "What lies on edges changes often.",
       .why = "An edge is kept for both sides, in two items or in an index: each change writes all of that, "
              "and no item is the one to look at.",
       .check = find_mutable_edges},
  };
  return kRules;
}

}  // namespace sheaf::lint
