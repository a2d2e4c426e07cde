#include "run/change_check.h"

#include <algorithm>
#include <set>

#include "base/article.h"
#include "base/try.h"
#include "plan/related.h"
#include "plan/write_needs.h"
#include "run/document.h"
#include "run/guards.h"
#include "run/item_codec.h"
#include "run/stored_items.h"
#include "run/value_check.h"

namespace sheaf::run {
namespace {

using model::EndId;
using model::EntityId;
using Kind = Change::Kind;

bool is_made(const Change& change) { return change.kind == Kind::kPut || change.kind == Kind::kUpsert; }

// Whether the changes give `holder` somebody at this end.
bool is_given(const std::vector<Change>& changes, EndId end, EntityId holder, const Identity& identity) {
  return std::any_of(changes.begin(), changes.end(), [&](const Change& change) {
    if (change.kind == Kind::kUnlink) return false;
    return std::any_of(change.ends.begin(), change.ends.end(), [&](const auto& each) {
      const bool is_from = each.first == end && change.entity == holder && change.identity == identity;
      return is_from || (each.first == end.other() && each.second == identity);
    });
  });
}

Result<void> check_link(const model::Model& model, const Change& change, EndId end, const Identity& to) {
  const model::End& declared = model.end(end);
  const model::Relation& relation = model.relations[end.relation];
  if (declared.holder == declared.target && change.identity == to && !relation.syntax->loops)
    return Error{Code::kInvalid, "the " + model.entities[declared.holder].name + " " + shown(to) +
                                     " cannot be linked to itself; say loops in the relation if it can"};
  // A move takes the fields of the edge along.
  if (change.kind == Kind::kSet || change.kind == Kind::kUpsert) return {};
  Fields fields = change.edge_fields;
  for (const auto& [name, stored] : change.edge_operands) fields.emplace(name, Value());  // it is there
  fill_defaults(relation.edge_fields, fields);
  if (const auto why = lacking(relation.edge_fields, fields))
    return Error{Code::kInvalid, "the link lacks " + *why};
  return {};
}

Result<void> check_times(const std::vector<model::Field>& declared, const Fields& fields,
                         std::chrono::system_clock::time_point now) {
  for (const model::Field& field : declared) {
    const auto value = fields.find(field.name);
    if (value == fields.end()) continue;
    if (const auto why = outside(value->second, field, now))
      return Error{Code::kInvalid, "the field " + field.name + " " + *why};
  }
  return {};
}

// Times that say since when they are.
Result<void> check_times(const model::Model& model, const Change& change,
                         std::chrono::system_clock::time_point now) {
  const std::vector<model::Field>& fields = model.entities[change.entity].fields;
  TRY(check_times(fields, change.fields, now));
  for (const auto& [end, children] : change.embedded) {
    for (const Fields& child : children)
      TRY(check_times(model.entities[model.end(end).target].fields, child, now));
  }
  for (const Assigned& assigned : change.assigned) {
    const auto* value = std::get_if<Value>(&assigned.first);
    if (value == nullptr || !assigned.to.inside.empty()) continue;
    const model::Field& field = fields[assigned.to.field];
    if (const auto why = outside(*value, field, now))
      return Error{Code::kInvalid, "the field " + field.name + " " + *why};
  }
  for (const auto& [end, to] : change.ends)
    TRY(check_times(model.relations[end.relation].edge_fields, change.edge_fields, now));
  return {};
}

// Whether the relations say what becomes of those that need what is deleted.
Result<void> check_deletion(const model::Model& model, EntityId deleted) {
  const model::Entity& entity = model.entities[deleted];
  for (const EndId end : entity.ends) {
    const model::Relation& relation = model.relations[end.relation];
    if (end.side != 0 || relation.on_delete || !model.end(end.other()).is_required) continue;
    return Error{Code::kInvalid, with_article(entity.name) + " may still have " + model.end(end).name +
                                     ", and each needs its " + model.end(end.other()).name +
                                     "; say on delete cascade or restrict in the relation"};
  }
  return {};
}

// Reads who is there.
class Presence {
 public:
  Presence(Database& database, const model::Model& model, const model::Layout& layout)
      : database_(database), model_(model), layout_(layout), codec_(model, layout) {}

  Result<void> need(EntityId entity, const Identity& identity) {
    if (!seen_.emplace(entity, identity).second) return {};
    const bool is_there = TRY(find(entity, identity));
    if (is_there) return {};
    return Error{Code::kNotFound, "there is no " + model_.entities[entity].name + " " + shown(identity)};
  }

 private:
  Result<bool> find(EntityId entity, const Identity& identity) {
    if (const auto end = layout_.embedding_end(model_, entity))
      return find_embedded(entity, identity, end->other());
    // Where no key leads to it nobody can say; the operation itself tells why not.
    const bool is_found = plan::has_known_key(model_, layout_, entity) ||
                          plan::lookup_plan(model_, layout_, entity).has_value();
    if (!layout_.has_items(entity) || !is_found) return true;
    const std::optional<Record> record = TRY(read(entity, identity));
    return record.has_value();
  }

  Result<bool> find_embedded(EntityId entity, const Identity& identity, EndId to_parent) {
    const Identity parent = parent_in(model_, entity, identity, to_parent);
    const std::optional<Record> record = TRY(read(model_.end(to_parent).target, parent));
    if (!record) return false;
    const auto children = record->embedded.find(to_parent.other());
    if (children == record->embedded.end()) return false;
    return std::any_of(children->second.begin(), children->second.end(), [&](const Fields& fields) {
      Identity own = parent;
      for (const model::Field& field : model_.entities[entity].fields) {
        if (field.is_id) own.push_back(key_text(fields.at(field.name)).value_or(""));
      }
      return own == identity;
    });
  }

  Result<std::optional<Record>> read(EntityId entity, const Identity& identity) {
    Figures unused;
    const auto item = TRY(find_item(database_, model_, layout_, entity, identity, unused));
    if (!item || item->find(kDeletingAttribute)) return std::optional<Record>();
    return std::optional<Record>(std::get<Record>(*codec_.decode(layout_.kind(entity)->table, *item)));
  }

  Database& database_;
  const model::Model& model_;
  const model::Layout& layout_;
  ItemCodec codec_;
  std::set<std::pair<EntityId, Identity>> seen_;
};

bool overlap(const OwnField& a, const OwnField& b) {
  const size_t shared = std::min(a.inside.size(), b.inside.size());
  return a.field == b.field &&
         std::equal(a.inside.begin(), a.inside.begin() + static_cast<std::ptrdiff_t>(shared),
                    b.inside.begin());
}

// What one change writes of an entity.
struct WrittenPlace {
  const OwnField* place = nullptr;
  bool is_add = false;
};

std::vector<WrittenPlace> written_places(const Change& change) {
  std::vector<WrittenPlace> places;
  for (const Assigned& assigned : change.assigned)
    places.push_back({.place = &assigned.to, .is_add = change.kind == Kind::kAdd});
  for (const OwnField& removed : change.removed) places.push_back({.place = &removed});
  return places;
}

// Two writes of one value would depend on their order; sums do not. Two parameters may be the same entity.
Result<void> check_pair(const model::Model& model, const Change& a, const Change& b) {
  const auto whole = [](const Change& change) { return is_made(change) || change.kind == Kind::kDelete; };
  const std::string name = "the " + model.entities[a.entity].name + " " + shown(a.identity);
  if (whole(a) && whole(b)) return Error{Code::kInvalid, name + " is written as a whole twice"};
  const bool is_check = a.kind == Kind::kCheck || b.kind == Kind::kCheck;
  const bool is_unlink = a.kind == Kind::kUnlink || b.kind == Kind::kUnlink;
  if ((a.kind == Kind::kDelete || b.kind == Kind::kDelete) && !is_check && !is_unlink)
    return Error{Code::kInvalid, name + " is changed and deleted in the same operation"};
  for (const WrittenPlace& one : written_places(a)) {
    for (const WrittenPlace& other : written_places(b)) {
      const bool are_sums = one.is_add && other.is_add && one.place->inside == other.place->inside;
      if (overlap(*one.place, *other.place) && !are_sums)
        return Error{Code::kInvalid, "the field " + model.entities[a.entity].fields[one.place->field].name +
                                         " of " + name + " is written twice"};
    }
  }
  return {};
}

Result<void> check_pairs(const model::Model& model, const std::vector<Change>& changes) {
  for (size_t i = 0; i < changes.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const Change &a = changes[j], &b = changes[i];
      if (a.entity == b.entity && a.identity == b.identity) TRY(check_pair(model, a, b));
    }
    for (const Change& other : changes) {
      if (other.kind != Kind::kDelete) continue;
      const bool is_linked =
          std::any_of(changes[i].ends.begin(), changes[i].ends.end(), [&](const auto& each) {
            return model.end(each.first).target == other.entity && each.second == other.identity;
          });
      if (is_linked && changes[i].kind != Kind::kUnlink)
        return Error{Code::kInvalid, "the " + model.entities[other.entity].name + " " +
                                         shown(other.identity) +
                                         " is linked and deleted in the same operation"};
    }
  }
  return {};
}

// The values that are read for it.
std::vector<const StoredValue*> stored_values(const Change& change) {
  std::vector<const StoredValue*> values;
  const auto add = [&](const ChangeOperand& operand) {
    if (const auto* stored = std::get_if<StoredValue>(&operand)) values.push_back(stored);
  };
  for (const Assigned& assigned : change.assigned) {
    add(assigned.first);
    for (const auto& [mark, operand] : assigned.rest) add(operand);
  }
  for (const Checked& checked : change.checks) {
    for (const ChangeOperand& operand : checked.operands) add(operand);
  }
  for (const auto& [name, stored] : change.edge_operands) values.push_back(&stored);
  return values;
}

}  // namespace

Result<void> check_changes(const model::Model& model, const std::vector<Change>& changes,
                           std::chrono::system_clock::time_point now) {
  if (changes.size() > 1) TRY(check_pairs(model, changes));
  for (const Change& change : changes) {
    TRY(check_times(model, change, now));
    if (change.kind == Kind::kDelete) TRY(check_deletion(model, change.entity));
    if (is_made(change)) {
      for (const EndId end : model.entities[change.entity].ends) {
        const model::End& declared = model.end(end);
        if (declared.is_required && !declared.leads_to_many &&
            !is_given(changes, end, change.entity, change.identity))
          return Error{Code::kInvalid,
                       with_article(model.entities[change.entity].name) + " needs its " + declared.name};
      }
    }
    if (change.kind == Kind::kUnlink) continue;
    for (const auto& [end, to] : change.ends) TRY(check_link(model, change, end, to));
  }
  return {};
}

Result<void> check_there(Database& database, const model::Model& model, const model::Layout& layout,
                         const std::vector<Change>& changes) {
  Presence presence(database, model, layout);
  const auto is_new = [&](EntityId entity, const Identity& identity) {
    return std::any_of(changes.begin(), changes.end(), [&](const Change& change) {
      return is_made(change) && change.entity == entity && change.identity == identity;
    });
  };
  for (const Change& change : changes) {
    if (!is_new(change.entity, change.identity)) TRY(presence.need(change.entity, change.identity));
    for (const auto& [end, to] : change.ends) {
      if (model.relations[end.relation].syntax->unchecked) continue;
      if (!is_new(model.end(end).target, to)) TRY(presence.need(model.end(end).target, to));
    }
    for (const StoredValue* const stored : stored_values(change)) {
      if (!is_new(stored->entity, stored->identity)) TRY(presence.need(stored->entity, stored->identity));
    }
  }
  return {};
}

}  // namespace sheaf::run
