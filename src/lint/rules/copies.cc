// Rules about copies: what of them changes, how many there are, and who trusts them.
#include <algorithm>

#include "base/article.h"
#include "lint/change_rates.h"
#include "lint/rule.h"
#include "plan/budgets.h"
#include "plan/document_tree.h"

namespace sheaf::lint {
namespace {

using model::EndId;
using model::EntityId;
using model::FieldId;

bool can_change(const model::Field& field) {
  return field.kept == model::Kept::kNo && field.syntax != nullptr && !field.syntax->is_immutable;
}

// A field that is copied, and the relation that copies it.
struct CopiedField {
  const model::StoredRelation* stored = nullptr;
  const model::CopiedFields* copied = nullptr;
  EntityId source = 0;
  FieldId field = 0;
};

template <typename Do>
void for_each_copy(const Subject& subject, Do&& each) {
  for (const model::StoredRelation& stored : subject.layout().relations) {
    for (const model::CopiedFields& copied : stored.copies) {
      const EntityId source = subject.model().relations[stored.relation].ends[copied.side].target;
      for (const FieldId field : copied.fields) {
        if (can_change(subject.model().entities[source].fields[field]))
          each(CopiedField{.stored = &stored, .copied = &copied, .source = source, .field = field});
      }
    }
  }
}

// --- copied-often

void find_copied_often(const Subject& subject, Tell& tell) {
  for_each_copy(subject, [&](const CopiedField& copy) {
    const EndId end{.relation = copy.stored->relation};
    const model::EndStorage storage = subject.layout().storage(end);
    // Of edges and entries `check` warns.
    if (storage == model::EndStorage::kEdge || storage == model::EndStorage::kEntries) return;
    const model::Entity& source = subject.model().entities[copy.source];
    const model::Field& field = source.fields[copy.field];
    const std::string fix =
        "leave it out of the copy, and read it where it is kept; or put it into an entity "
        "of its own";
    if (field.syntax->changes == language::Changes::kOften) {
      tell.push_back({.span = copy.copied->span,
                      .message = field.name + " of " + source.name + " is copied, and changes often",
                      .fix = fix,
                      .notes = {{.span = field.syntax->name.span, .text = "the field is here"}}});
      return;
    }
    const ChangeRate changes = field_changes(subject.model(), copy.source, copy.field);
    if (changes.per_day <= static_cast<double>(subject.limits.copied_changes_per_day)) return;
    tell.push_back({.span = copy.copied->span,
                    .message = field.name + " of " + source.name + " is copied, and " + changes.text(),
                    .fix = fix,
                    .notes = changes.notes()});
  });
}

// --- many-copies

void find_many_copies(const Subject& subject, Tell& tell) {
  const void* last = nullptr;
  for_each_copy(subject, [&](const CopiedField& copy) {
    // One word for all fields of a clause.
    if (copy.copied == last) return;
    const model::Relation& relation = subject.model().relations[copy.stored->relation];
    const model::End& holders = relation.ends[1 - copy.copied->side];
    const double count = plan::declared_count(holders);
    const bool is_many = count > static_cast<double>(subject.limits.copies);
    if (!holders.leads_to_many || (!holders.is_unbounded && !is_many)) return;
    last = copy.copied;
    const model::Entity& source = subject.model().entities[copy.source];
    const std::string how_many =
        holders.is_unbounded ? "without bound" : plan::number_text(count) + " at most";
    tell.push_back({.span = copy.copied->span,
                    .message = source.fields[copy.field].name + " of " + source.name +
                               " has as many copies as " + with_article(source.name) + " has " +
                               holders.name + ", " + how_many + ": each change writes all of them",
                    .fix = "leave it out of the copy, or declare it immutable"});
  });
}

// --- stale-strong-read

void find_stale_strong_reads(const Subject& subject, Tell& tell) {
  const model::Pattern* last = nullptr;
  for (const plan::PlannedPattern& each : subject.patterns()) {
    if (!each.ok() || each.pattern == last) continue;
    const auto& plan = std::get<plan::Plan>(each.plan);
    const auto& strong = each.pattern->syntax->clauses.strong;
    if (!strong || !plan.is_strong) continue;
    for (size_t id = 1; id < plan.nodes.size() && each.pattern != last; ++id) {
      const plan::DocumentNode& node = plan.nodes[id];
      if (node.needs_item || !node.end) continue;
      const model::Entity& entity = subject.model().entities[node.entity];
      const std::vector<FieldId> copied = plan::copied_fields(subject.layout(), node);
      for (const FieldId field : plan::wanted_fields(subject.model(), plan.nodes, id)) {
        if (std::find(copied.begin(), copied.end(), field) == copied.end() ||
            !can_change(entity.fields[field]))
          continue;
        last = each.pattern;
        tell.push_back({.span = *strong,
                        .message = each.pattern->name + " is strong, and takes " + entity.fields[field].name +
                                   " of " + subject.model().end(*node.end).name +
                                   " from a copy, which may be old for a moment",
                        .fix = "leave strong away, or the field out of the copy: then " + entity.name +
                               " items are read, too; or declare it immutable",
                        .notes = {{.span = entity.fields[field].syntax->name.span,
                                   .text = "the field is here, and can change"}}});
        break;
      }
    }
  }
}

}  // namespace

std::span<const Rule> copy_rules() {
  static constexpr Rule kRules[] = {
      {.id = "copied-often",
       .points = "H8",
       .title = "A field is copied that changes often.",
       .why = "Each change writes every copy again, and until then readers see the old value.",
       .check = find_copied_often},
      {.id = "many-copies",
       .points = "G9",
       .title = "A field that can change has thousands of copies.",
       .why = "One change becomes thousands of writes, and is seen everywhere only after the last of them.",
       .check = find_many_copies},
      {.id = "stale-strong-read",
       .points = "H14",
       .title = "A pattern asks for strong consistency, and shows a copy that can be old.",
       .why = "The items are read strongly, but a copy in them follows its source only later.",
       .check = find_stale_strong_reads},
  };
  return kRules;
}

}  // namespace sheaf::lint
