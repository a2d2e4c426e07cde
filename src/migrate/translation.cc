#include "migrate/translation.h"

#include <algorithm>

#include "base/article.h"
#include "migrate/type_change.h"
#include "run/document.h"

namespace sheaf::migrate {
namespace {

using model::EndId;
using model::EntityId;
using model::Field;
using model::FieldId;
using run::Change;
using run::Fields;

const Field* find(const std::vector<Field>& fields, const std::string& name) {
  const auto found =
      std::find_if(fields.begin(), fields.end(), [&](const Field& each) { return each.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

std::string renamed(const Renames& renames, const std::string& what, const std::string& name) {
  const auto found = renames.find(what);
  return found == renames.end() ? name : found->second;
}

// Names of fields, and what is wrong with what is gone or new. A model that only follows need not take all
// values: it refuses them when somebody writes them.
std::map<std::string, std::string> match(const std::vector<Field>& from, const std::vector<Field>& to,
                                         const std::string& holder, const Renames& renames, Asked asked,
                                         std::vector<std::string>& wrong) {
  std::map<std::string, std::string> names, taken;
  for (const Field& field : from) {
    const std::string what = holder + "." + field.name;
    const std::string name = renamed(renames, what, field.name);
    const Field* const there = find(to, name);
    if (there == nullptr) continue;
    // Nobody sets a count: what was one has no value to give, and what becomes one takes none.
    if (there->count_of.has_value() != field.count_of.has_value()) continue;
    if (const auto why = asked == Asked::kHoldsAll ? why_narrower(field.type, there->type)
                                                   : why_another(field.type, there->type))
      wrong.push_back(what + " " + *why);
    const bool is_asked = !there->is_optional && field.is_optional && !there->count_of;
    if (asked == Asked::kHoldsAll && is_asked && !there->syntax->default_value)
      wrong.push_back(what + " can be missing, and must be there in the new model; give it a default");
    if (const auto [other, is_first] = taken.emplace(name, field.name); !is_first)
      wrong.push_back(holder + "." + other->second + " and " + what + " would both be " + name);
    names[field.name] = name;
  }
  for (const Field& field : to) {
    if (taken.contains(field.name) || field.is_optional || field.count_of || field.kept != model::Kept::kNo)
      continue;
    if (!field.syntax->default_value)
      wrong.push_back(holder + "." + field.name +
                      " is new and must be there; make it optional or give it a default");
  }
  return names;
}

}  // namespace

Result<Translation> Translation::make(const model::Model& from, const model::Model& to,
                                      const Renames& renames, Asked asked) {
  Translation made(from, to);
  made.renames_ = renames;
  std::vector<std::string> wrong;
  for (const model::Entity& entity : from.entities) {
    const auto there = to.find_entity(renamed(renames, entity.name, entity.name));
    if (there) {
      const auto other = std::find(made.entities_.begin(), made.entities_.end(), there);
      if (other != made.entities_.end())
        wrong.push_back(from.entities[static_cast<size_t>(other - made.entities_.begin())].name + " and " +
                        entity.name + " would both be " + to.entities[*there].name);
    }
    made.entities_.push_back(there);
    made.field_names_.emplace_back();
    if (!there) {
      if (asked == Asked::kHoldsAll) wrong.push_back(entity.name + " is gone");
      continue;
    }
    const model::Entity& other = to.entities[*there];
    made.field_names_.back() = match(entity.fields, other.fields, entity.name, renames, asked, wrong);
    bool is_same = entity.identity.size() == other.identity.size();
    for (size_t i = 0; is_same && i < entity.identity.size(); ++i) {
      is_same = run::identity_field(from, made.entities_.size() - 1, i).type.kind ==
                run::identity_field(to, *there, i).type.kind;
    }
    if (!is_same) wrong.push_back("the id of " + with_article(entity.name) + " is another");
  }
  for (model::RelationId id = 0; id < from.relations.size(); ++id) {
    const model::Relation& relation = from.relations[id];
    const model::End& first = relation.ends[0];
    const std::string holder = from.entities[first.holder].name;
    made.edge_field_names_.emplace_back();
    const bool can_be = made.entities_[first.holder] && made.entities_[first.target];
    const auto there = can_be ? to.find_end(*made.entities_[first.holder],
                                            renamed(renames, holder + "." + first.name, first.name))
                              : std::nullopt;
    if (!there) {
      if (asked == Asked::kHoldsAll) wrong.push_back(holder + "." + first.name + " is gone");
      continue;
    }
    const auto taken = std::find_if(made.ends_.begin(), made.ends_.end(), [&](const auto& pair) {
      return pair.second.relation == there->relation;
    });
    if (taken != made.ends_.end())
      wrong.push_back(from.entities[from.end(taken->first).holder].name + "." + from.end(taken->first).name +
                      " and " + holder + "." + first.name + " would both be " + to.end(*there).name);
    const model::Relation& other = to.relations[there->relation];
    if (other.cardinality != relation.cardinality || other.is_symmetric != relation.is_symmetric ||
        other.ends[there->side].target != made.entities_[first.target])
      wrong.push_back(holder + "." + first.name + " is another relation");
    for (const int side : {0, 1}) {
      const EndId end{.relation = id, .side = side};
      made.ends_[end] = {.relation = there->relation, .side = side == 0 ? there->side : 1 - there->side};
      if (asked == Asked::kHoldsAll) made.check_end(end, wrong);
    }
    made.edge_field_names_.back() =
        match(relation.edge_fields, other.edge_fields, holder + "." + first.name, renames, asked, wrong);
  }
  made.check_new_relations(wrong);
  if (wrong.empty()) return made;
  std::string message = "the new model does not hold what is there:";
  for (const std::string& each : wrong) message += "\n  " + each;
  return Error{Code::kInvalid, message};
}

void Translation::check_end(EndId id, std::vector<std::string>& wrong) const {
  const model::End& was = from_->end(id);
  const model::End& is = to_->end(ends_.at(id));
  const std::string what = from_->entities[was.holder].name + "." + was.name;
  // Who used the old model could make one without it at any time, and would be refused while both are
  // written.
  if (is.is_required && !was.is_required)
    wrong.push_back(what + " can be missing, and must be there in the new model");
  // The other end decides what becomes of this one; who says something else means another relation.
  const std::string name = renamed(renames_, what, is.name);
  if (name != is.name) wrong.push_back(what + " would be " + is.name + ", and not " + name);
}

// Those who are there already would have to be linked by a relation that they cannot know of.
void Translation::check_new_relations(std::vector<std::string>& wrong) const {
  for (model::RelationId id = 0; id < to_->relations.size(); ++id) {
    const bool is_known =
        std::any_of(ends_.begin(), ends_.end(), [&](const auto& pair) { return pair.second.relation == id; });
    if (is_known) continue;
    for (const model::End& end : to_->relations[id].ends) {
      const bool is_old =
          std::any_of(entities_.begin(), entities_.end(),
                      [&](const std::optional<EntityId>& entity) { return entity == end.holder; });
      if (is_old && end.is_required)
        wrong.push_back(to_->entities[end.holder].name + "." + end.name +
                        " is new and must be there; make it optional");
    }
  }
}

Result<Translation> Translation::reversed() const {
  Renames back;
  for (EntityId id = 0; id < from_->entities.size(); ++id) {
    if (!entities_[id]) continue;
    const std::string& name = to_->entities[*entities_[id]].name;
    if (name != from_->entities[id].name) back[name] = from_->entities[id].name;
    for (const auto& [was, is] : field_names_[id]) {
      if (was != is) back[name + "." + is] = was;
    }
  }
  for (const auto& [was, is] : ends_) {
    const std::string& name = to_->end(is).name;
    if (name != from_->end(was).name)
      back[to_->entities[to_->end(is).holder].name + "." + name] = from_->end(was).name;
  }
  for (model::RelationId id = 0; id < from_->relations.size(); ++id) {
    const auto there = ends_.find({.relation = id, .side = 0});
    if (there == ends_.end()) continue;
    const model::End& first = to_->relations[there->second.relation].ends[0];
    for (const auto& [was, is] : edge_field_names_[id]) {
      if (was != is) back[to_->entities[first.holder].name + "." + first.name + "." + is] = was;
    }
  }
  return make(*to_, *from_, back, Asked::kFollows);
}

std::optional<FieldId> Translation::field(EntityId entity, FieldId id) const {
  const auto name = field_names_[entity].find(from_->entities[entity].fields[id].name);
  if (name == field_names_[entity].end()) return std::nullopt;
  return to_->find_field(*entities_[entity], name->second);
}

Fields Translation::fields(EntityId entity, const Fields& from) const {
  Fields made;
  for (const auto& [name, value] : from) {
    const auto there = field_names_[entity].find(name);
    if (there != field_names_[entity].end()) made[there->second] = value;
  }
  run::fill_defaults(to_->entities[*entities_[entity]].fields, made);
  return made;
}

Fields Translation::edge_fields(model::RelationId relation, const Fields& from) const {
  Fields made;
  for (const auto& [name, value] : from) {
    const auto there = edge_field_names_[relation].find(name);
    if (there != edge_field_names_[relation].end()) made[there->second] = value;
  }
  const EndId first = ends_.at({.relation = relation, .side = 0});
  run::fill_defaults(to_->relations[first.relation].edge_fields, made);
  return made;
}

std::optional<run::StoredValue> Translation::stored(const run::StoredValue& from) const {
  run::StoredValue made = from;
  if (!has(from.entity)) return std::nullopt;
  made.entity = entity(from.entity);
  EntityId at = from.entity;
  for (EndId& end : made.place.ends) {
    if (!has(end)) return std::nullopt;
    at = from_->end(end).target;
    end = this->end(end);
  }
  if (from.place.kind == model::Place::Kind::kEdgeField) {
    const model::RelationId relation = from.place.ends.back().relation;
    const auto name =
        edge_field_names_[relation].find(from_->relations[relation].edge_fields[from.place.field].name);
    if (name == edge_field_names_[relation].end()) return std::nullopt;
    const std::vector<Field>& fields = to_->relations[made.place.ends.back().relation].edge_fields;
    for (FieldId id = 0; id < fields.size(); ++id) {
      if (fields[id].name == name->second) made.place.field = id;
    }
    return made;
  }
  const auto id = field(at, from.place.field);
  if (!id) return std::nullopt;
  made.place.field = *id;
  return made;
}

std::vector<Change> Translation::changes(const std::vector<Change>& from) const {
  std::vector<Change> made;
  for (const Change& change : from) {
    if (change.kind == Change::Kind::kCheck || !has(change.entity)) continue;
    Change there{.kind = change.kind,
                 .entity = entity(change.entity),
                 .identity = change.identity,
                 .mirrored_version = change.mirrored_version};
    const bool is_whole = change.kind == Change::Kind::kPut || change.kind == Change::Kind::kUpsert;
    if (is_whole) there.fields = fields(change.entity, change.fields);
    for (const auto& [end, to] : change.ends) {
      if (has(end)) there.ends.emplace_back(this->end(end), to);
    }
    for (const EndId end : change.removed_ends) {
      if (has(end)) there.removed_ends.push_back(this->end(end));
    }
    const bool had_ends = !change.ends.empty() || !change.removed_ends.empty();
    const bool is_link = change.kind == Change::Kind::kLink || change.kind == Change::Kind::kUnlink;
    if (is_link && had_ends && there.ends.empty() && there.removed_ends.empty()) continue;
    if (!there.ends.empty() && has(change.ends.front().first))
      there.edge_fields = edge_fields(change.ends.front().first.relation, change.edge_fields);
    for (const auto& [name, value] : change.edge_operands) {
      const auto& names = edge_field_names_[change.ends.front().first.relation];
      const auto there_named = names.find(name);
      const auto there_stored = stored(value);
      if (there_named != names.end() && there_stored)
        there.edge_operands.emplace_back(there_named->second, *there_stored);
    }
    bool is_sound = true;
    const auto own = [&](const run::OwnField& field) {
      const auto id = this->field(change.entity, field.field);
      is_sound = is_sound && id.has_value();
      return run::OwnField{.field = id.value_or(0), .inside = field.inside};
    };
    const auto operand = [&](const run::ChangeOperand& each) -> run::ChangeOperand {
      if (const auto* field = std::get_if<run::OwnField>(&each)) return own(*field);
      const auto* stored = std::get_if<run::StoredValue>(&each);
      if (stored == nullptr) return each;
      const auto there = this->stored(*stored);
      is_sound = is_sound && there.has_value();
      return there ? run::ChangeOperand(*there) : each;
    };
    for (const run::Assigned& assigned : change.assigned) {
      is_sound = true;
      run::Assigned copy{.to = own(assigned.to), .first = operand(assigned.first), .rest = {}};
      for (const auto& [mark, each] : assigned.rest) copy.rest.emplace_back(mark, operand(each));
      if (is_sound) there.assigned.push_back(std::move(copy));
    }
    Change defaults{.kind = Change::Kind::kSet, .entity = there.entity, .identity = there.identity};
    for (const run::OwnField& removed : change.removed) {
      is_sound = true;
      run::OwnField copy = own(removed);
      if (!is_sound) continue;
      // What can be missing here and must be there has its default instead.
      const Field& field = to_->entities[there.entity].fields[copy.field];
      if (copy.inside.empty() && !field.is_optional && field.syntax->default_value) {
        Fields filled;
        run::fill_defaults({field}, filled);
        defaults.assigned.push_back({.to = copy, .first = filled.at(field.name), .rest = {}});
      } else {
        there.removed.push_back(std::move(copy));
      }
    }
    // Children that were given inside their parent: each by itself, whatever the layout makes of them.
    std::vector<Change> children;
    for (const auto& [end, list] : change.embedded) {
      if (!has(end)) continue;
      const EntityId child = from_->end(end).target;
      for (const Fields& fields : list) {
        Change put{.kind = Change::Kind::kPut,
                   .entity = entity(child),
                   .identity = {},
                   .fields = this->fields(child, fields)};
        for (const model::FieldPath& part : from_->entities[child].identity) {
          if (!part.ends.empty()) continue;
          const auto value = fields.find(from_->entities[child].fields[part.field].name);
          if (value != fields.end()) put.identity.push_back(run::key_text(value->second).value_or(""));
        }
        if (put.identity.size() < from_->entities[child].identity.size())
          put.identity.insert(put.identity.begin(), change.identity.begin(), change.identity.end());
        put.ends.emplace_back(this->end(end.other()), change.identity);
        children.push_back(std::move(put));
      }
    }
    const bool is_empty = there.removed.empty() && there.removed_ends.empty();
    if (defaults.assigned.empty() || !is_empty) made.push_back(std::move(there));
    if (!defaults.assigned.empty()) made.push_back(std::move(defaults));
    for (Change& child : children) made.push_back(std::move(child));
  }
  return made;
}

}  // namespace sheaf::migrate
