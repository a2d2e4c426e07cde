#include "plan/operation_plan.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/article.h"
#include "plan/computed_values.h"
#include "plan/entry_units.h"
#include "plan/item_bytes.h"
#include "plan/related.h"
#include "plan/write_needs.h"
#include "plan/write_refusals.h"

namespace sheaf::plan {
namespace {

using model::EndId;
using model::EndStorage;
using model::EntityId;
using Kind = language::Write::Kind;
using Action = PlannedAction::Kind;

constexpr size_t kNobody = ~size_t{0};  // no parameter

// What an operation does to the entity of one parameter.
struct Touched {
  EntityChange change;
  bool is_new = false;
  bool is_marked = false;  // a job deletes it
  bool is_read = false;    // for other reasons than its keys: it is copied from, or added up
  bool must_exist = false;
  bool is_written = false;
  bool is_copied = false;  // a job brings copies in step
  std::set<model::FieldId> written;
  std::set<model::FieldId> removed;  // of those
};

class OperationPlanner {
 public:
  OperationPlanner(const model::Model& model, const model::Layout& layout, const model::Operation& operation)
      : model_(model), layout_(layout), operation_(operation) {}

  std::variant<OperationPlan, Refusal> run() {
    for (const model::Write& write : operation_.writes) {
      at_ = write.syntax->span;
      note(write);
      if (refusal_) return *refusal_;
    }
    read();
    if (refusal_) return *refusal_;
    act();
    plan_.operation = &operation_;
    plan_.cost = cost_of(plan_);
    return std::move(plan_);
  }

 private:
  Touched& touched(size_t parameter) {
    Touched& each = touched_[parameter];
    each.change.entity = *operation_.parameters[parameter].entity;
    return each;
  }

  // Of the item of an entity: what lies in it of others is read, written and checked with it.
  double bytes_of(EntityId entity) const {
    const auto& kind = layout_.kind_of_entity[entity];
    return kind ? item_bytes(model_, layout_, *kind, {.table = layout_.item_kinds[*kind].table}) : kItemBytes;
  }

  void read_point(EntityId entity, std::string what) {
    points_.push_back(std::move(what));
    point_bytes_.push_back(bytes_of(entity));
  }

  // `change` and `attributes` of an update: what is known of them.
  void act_on_item(Action kind, EntityId entity, std::string what, const EntityChange& change = {},
                   const std::vector<std::string>& attributes = {}) {
    PlannedAction made{.kind = kind, .what = std::move(what), .bytes = bytes_of(entity)};
    if (const auto& item_kind = layout_.kind_of_entity[entity]) {
      // In a new one there is nobody yet.
      if (kind == Action::kPut)
        made.bytes = own_bytes(model_, layout_, *item_kind, {.table = layout_.item_kinds[*item_kind].table});
      made.index_units = entry_units(model_, layout_, *item_kind, kind, change, attributes);
    }
    plan_.actions.push_back(std::move(made));
  }

  std::string name_of(size_t parameter) const {
    return model_.entities[*operation_.parameters[parameter].entity].name + " $" +
           operation_.parameters[parameter].name;
  }

  // An item, or one for each direction; of symmetric relations both are of one kind.
  void act_on_edge(Action kind, EndId end) {
    const model::StoredRelation& stored = layout_.relations[end.relation];
    const auto second = stored.both_directions && !stored.twin_kind ? stored.edge_kind : stored.twin_kind;
    for (const auto& item_kind : {stored.edge_kind, second}) {
      if (!item_kind) continue;
      const model::ItemKind& edge = layout_.item_kinds[*item_kind];
      plan_.actions.push_back({.kind = kind,
                               .what = "edge " + edge.name,
                               .bytes = own_bytes(model_, layout_, *item_kind, {.table = edge.table}),
                               .index_units = entry_units(model_, layout_, *item_kind, kind)});
    }
  }

  language::Span first_write(size_t parameter) const {
    for (const model::Write& write : operation_.writes) {
      if (write.parameter == parameter) return write.syntax->span;
    }
    return operation_.syntax->name.span;
  }

  void refuse(std::string message, std::string fix) {
    if (!refusal_) refusal_ = Refusal{.message = std::move(message), .fix = std::move(fix), .span = at_};
  }

  // --- What it touches

  void note(const model::Write& write) {
    const EntityId entity = *operation_.parameters[write.parameter].entity;
    if (const auto end = layout_.embedding_end(model_, entity)) return note_embedded(write, *end);
    const Kind kind = write.syntax->kind;
    if (!layout_.has_items(entity) && kind != Kind::kLink && kind != Kind::kUnlink)
      return refuse(with_article(model_.entities[entity].name) + " has no items of its own to write",
                    "write what holds it, or store it as items");
    Touched& self = touched(write.parameter);
    switch (kind) {
      case Kind::kPut:
        self.is_new = self.is_written = true;
        note_document(write.parameter);
        break;
      case Kind::kUpsert:
        self.change.is_upserted = self.is_written = true;
        note_document(write.parameter);
        note_replaced(self);
        break;
      case Kind::kDelete:
        note_delete(write.parameter, self);
        break;
      case Kind::kSet:
      case Kind::kAdd:
        note_assigned(write, self);
        break;
      case Kind::kRemove:
        note_removed(write, self);
        break;
      case Kind::kLink:
      case Kind::kUnlink:
        note_end(write.places.front().ends.front(), write.parameter, write.linked.front(), kind);
        note_operands(write.edge_values, kNobody);
        break;
      case Kind::kCheck:
        self.must_exist = true;
        note_checked(write);
        break;
    }
  }

  // A document may name to whom its ends lead: those that it must have, unless the operation links them.
  void note_document(size_t parameter) {
    const EntityId entity = *operation_.parameters[parameter].entity;
    for (const EndId end : model_.entities[entity].ends) {
      const bool is_linked =
          std::any_of(operation_.writes.begin(), operation_.writes.end(), [&](const model::Write& write) {
            return write.parameter == parameter && !write.places.empty() &&
                   !write.places.front().ends.empty() && write.places.front().ends.front() == end;
          });
      if (!model_.end(end).is_required || is_linked || !layout_.has_items(model_.end(end).target)) continue;
      if (!has_known_key(model_, layout_, model_.end(end).target) &&
          !lookup_plan(model_, layout_, model_.end(end).target))
        return refuse("the id of " + with_article(model_.entities[model_.end(end).target].name) + ", its " +
                          model_.end(end).name + ", does not tell its key",
                      "add an index that is led by it");
      const std::string target =
          model_.entities[model_.end(end).target].name + " of its " + model_.end(end).name;
      if (layout_.is_edge(end)) act_on_edge(Action::kPut, end);
      for (const model::CopiedFields& copied : layout_.relations[end.relation].copies) {
        if (copied.side == end.side) read_point(model_.end(end).target, target);
      }
      const bool is_written = is_counted(model_, end) || layout_.is_mutual(end);
      act_on_item(is_written ? Action::kUpdate : Action::kCheck, model_.end(end).target, target);
    }
  }

  // An upsert may change all that can change.
  void note_replaced(Touched& self) {
    const std::vector<model::Field>& fields = model_.entities[self.change.entity].fields;
    for (model::FieldId id = 0; id < fields.size(); ++id) {
      const bool is_kept = fields[id].kept != model::Kept::kNo || fields[id].count_of;
      if (!fields[id].is_id && !fields[id].syntax->is_immutable && !is_kept) note_copied(self, id);
    }
    for (const EndId end : model_.entities[self.change.entity].ends) {
      const bool is_within = model_.entities[self.change.entity].within == end;
      if (end.side == 1 && !model_.end(end).leads_to_many && !is_within) check_move(end);
    }
  }

  void check_move(EndId end) {
    if (const auto why = why_unmovable(model_, layout_, end))
      refuse(*why, "store the relation via index or via edges");
  }

  void note_delete(size_t parameter, Touched& self) {
    const EntityId entity = self.change.entity;
    self.is_written = true;
    if (const auto why = why_undeletable(model_, layout_, entity))
      return refuse(*why, "store the relation via index, collection or edges");
    const std::vector<EndId> dependants = dependant_ends(model_, layout_, entity);
    if (!dependants.empty()) {
      self.is_marked = true;
      std::string who;
      for (const EndId end : dependants) {
        who += (who.empty() ? "" : ", ") + model_.end(end).name;
      }
      plan_.jobs.push_back("delete " + name_of(parameter) + " when its " + who + " are gone or unlinked");
      return;
    }
    self.change.is_deleted = true;
    for (const EndId end : model_.entities[entity].ends) {
      if (!layout_.is_edge(end)) continue;
      read_edges(end, parameter);
      act_on_edge(Action::kDelete, end);
      if (needs_one_guard(model_, layout_, end))
        plan_.actions.push_back({.kind = Action::kDelete, .what = "guard of " + model_.end(end).name});
    }
  }

  void note_assigned(const model::Write& write, Touched& self) {
    size_t linked = 0;
    for (size_t i = 0; i < write.places.size(); ++i) {
      const model::Place& place = write.places[i];
      if (place.kind == model::Place::Kind::kEntity) {
        note_end(place.ends.front(), write.parameter, write.linked[linked++], Kind::kSet);
        continue;
      }
      self.is_written = true;
      self.written.insert(place.field);
      const std::vector<model::Operand>& operands = write.expressions[i];
      note_operands(operands, write.parameter);
      const bool is_plain = write.syntax->kind == Kind::kSet && operands.size() == 1 &&
                            place.inside.empty() &&
                            !is_own_field(model_, operation_, operands.front(), write.parameter);
      const bool is_read = !is_plain && !is_computed_in_update(model_, layout_, operation_, write, i);
      if (is_plain || is_read) self.change.fields.push_back(place.field);
      if (is_read) self.is_read = true;
      note_copied(self, place.field);
    }
  }

  // Values of other entities, which are read, and are conditions.
  void note_operands(const std::vector<model::Operand>& operands, size_t parameter) {
    for (const model::Operand& operand : operands) {
      if (is_stored_elsewhere(model_, operation_, operand, parameter))
        note_stored(*operand.parameter, *operand.place);
    }
  }

  void note_stored(size_t parameter, const model::Place& place) {
    const EntityId entity = *operation_.parameters[parameter].entity;
    if (const auto end = layout_.embedding_end(model_, entity)) {
      read_point(model_.end(*end).holder, model_.entities[model_.end(*end).holder].name + " of $" +
                                              operation_.parameters[parameter].name);
    } else if (layout_.has_items(entity)) {
      touched(parameter).is_read = touched(parameter).must_exist = true;
    }
    for (const EndId end : place.ends) {
      const std::string what =
          model_.entities[model_.end(end).target].name + " of its " + model_.end(end).name;
      if (needs_one_guard(model_, layout_, end)) {
        plan_.reads.push_back(
            {.what = "GetItem: guard of " + model_.end(end).name, .item_bytes = {kItemBytes}});
        plan_.actions.push_back({.kind = Action::kCheck, .what = "guard of " + model_.end(end).name});
      } else if (layout_.is_edge(end)) {
        read_edges(end, parameter);
        act_on_edge(Action::kCheck, end);
      }
      const bool is_known =
          place.kind == model::Place::Kind::kEntity || place.kind == model::Place::Kind::kEdgeField;
      if (is_known || !layout_.has_items(model_.end(end).target)) continue;
      plan_.reads.push_back({.what = "GetItem: " + what, .item_bytes = {bytes_of(model_.end(end).target)}});
      act_on_item(Action::kCheck, model_.end(end).target, what);
    }
  }

  void note_checked(const model::Write& write) {
    for (const model::Condition& condition : write.conditions) {
      note_operands(condition.operands, write.parameter);
      if (!is_tested_in_write(model_, layout_, operation_, write, condition))
        note_stored(write.parameter, condition.place);
    }
  }

  void note_copied(Touched& self, model::FieldId field) {
    if (const auto why = why_unchangeable(model_, layout_, self.change.entity, field))
      return refuse(*why, "store the relation via index or via edges, or do not copy it");
    self.is_copied = self.is_copied || layout_.is_copied(model_, self.change.entity, field);
  }

  void note_removed(const model::Write& write, Touched& self) {
    for (const model::Place& place : write.places) {
      if (place.kind != model::Place::Kind::kEntity) {
        self.is_written = true;
        self.written.insert(place.field);
        if (place.inside.empty()) self.change.fields.push_back(place.field);
        if (place.inside.empty()) self.removed.insert(place.field);
        note_copied(self, place.field);
        continue;
      }
      const EndId end = place.ends.front();
      check_move(end);
      if (layout_.is_edge(end)) {
        read_edges(end, write.parameter);
        act_on_edge(Action::kDelete, end);
      } else {
        self.is_written = self.is_read = true;
        if (layout_.is_mutual(end)) {
          update_former(end);
        } else {
          self.change.ends.push_back(end);
        }
      }
    }
  }

  // The one that an end led to before has an entry for it.
  void update_former(EndId end) {
    act_on_item(Action::kUpdate, model_.end(end).target,
                model_.entities[model_.end(end).target].name + " of its former " + model_.end(end).name);
  }

  void note_end(EndId end, size_t from, size_t to, Kind kind) {
    const model::StoredRelation& stored = layout_.relations[end.relation];
    const bool is_unlink = kind == Kind::kUnlink;
    switch (layout_.storage(end)) {
      case EndStorage::kEdge:
        if (kind == Kind::kSet) {
          read_edges(end, from);
          act_on_edge(Action::kDelete, end);
        } else if (is_unlink && model_.relations[end.relation].has_parallel_edges()) {
          read_edges(end, from);
        }
        act_on_edge(is_unlink ? Action::kDelete : Action::kPut, end);
        for (const EndId each : {end, end.other()}) {
          if (needs_one_guard(model_, layout_, each))
            plan_.actions.push_back({.kind = is_unlink ? Action::kDelete : Action::kPut,
                                     .what = "guard of " + model_.end(each).name});
        }
        break;
      case EndStorage::kReference:
      case EndStorage::kIds:
      case EndStorage::kOther: {
        if (kind == Kind::kSet) check_move(end);
        const EndId naming = layout_.naming_end(end);
        Touched& holder = touched(naming == end ? from : to);
        holder.is_written = true;
        if (layout_.storage(naming) == EndStorage::kIds) {
          holder.is_read = holder.is_read || is_unlink;
        } else {
          holder.change.ends.push_back(naming);
        }
        if (layout_.is_mutual(end)) {
          touched(to).is_written = true;
          touched(to).is_read = touched(to).is_read || is_unlink;
        }
        break;
      }
      case EndStorage::kEntries:
        touched(from).is_written = touched(to).is_written = true;
        if (kind == Kind::kSet) update_former(end);
        if (kind == Kind::kSet || (is_unlink && model_.relations[end.relation].has_parallel_edges()))
          touched(from).is_read = true;
        break;
      case EndStorage::kEmbeds:
      case EndStorage::kEmbedded:
        return refuse("what is embedded belongs to its parent, and cannot be linked",
                      "store the relation in another way");
    }
    for (const size_t parameter : {from, to}) {
      const EndId leaving = parameter == from ? end : end.other();
      Touched& each = touched(parameter);
      const bool is_checked = !is_unlink && !model_.relations[end.relation].syntax->unchecked;
      each.must_exist = each.must_exist || is_checked;
      if (is_counted(model_, leaving.other())) each.is_written = true;
    }
    if (is_unlink) return;
    for (const model::CopiedFields& copied : stored.copies) {
      const EndId to_source{.relation = end.relation, .side = copied.side};
      if (to_source == end) touched(to).is_read = true;
      if (to_source == model_.back(end)) touched(from).is_read = true;
    }
  }

  void note_embedded(const model::Write& write, EndId end) {
    const EntityId entity = *operation_.parameters[write.parameter].entity;
    const bool is_list = layout_.relations[end.relation].embed_as == language::Via::EmbedAs::kList;
    const std::string parent =
        model_.entities[model_.end(end).holder].name + " of $" + operation_.parameters[write.parameter].name;
    const auto& identity = model_.entities[entity].identity;
    const bool is_within = std::any_of(identity.begin(), identity.end(), [&](const model::FieldPath& path) {
      return !path.ends.empty() && path.ends.front() == end.other();
    });
    if (!is_within && write.syntax->kind != Kind::kPut)
      return refuse(
          with_article(model_.entities[entity].name) + " lies in its " +
              model_.entities[model_.end(end).holder].name + ", and its id does not say in which",
          "write entity " + model_.entities[entity].name + " within " + model_.end(end.other()).name);
    const EntityId holder = model_.end(end).holder;
    if (!has_known_key(model_, layout_, holder) && !lookup_plan(model_, layout_, holder))
      return refuse("the id of " + with_article(model_.entities[holder].name) + " does not tell its key",
                    "add an index that is led by it");
    const Kind kind = write.syntax->kind;
    if (kind == Kind::kUpsert || kind == Kind::kLink || kind == Kind::kUnlink)
      return refuse("what is embedded can be put, set, changed, checked and deleted, and nothing else",
                    "store the relation in another way");
    bool is_read = is_list || kind == Kind::kCheck;
    for (size_t i = 0; i < write.expressions.size(); ++i) {
      note_operands(write.expressions[i], write.parameter);
      is_read = is_read || !is_computed_in_update(model_, layout_, operation_, write, i);
    }
    for (const model::Condition& condition : write.conditions)
      note_operands(condition.operands, write.parameter);
    if (is_read) read_point(holder, parent);
    if (kind == Kind::kCheck) return act_on_item(Action::kCheck, holder, parent);
    act_on_item(Action::kUpdate, holder, parent);
  }

  // --- What is read

  std::string view_text(const Plan& plan) const {
    const View& view = plan.requests.front().view;
    const model::Table& table = layout_.tables[view.table];
    return table.name + (view.index ? "." + table.indexes[*view.index].name : "");
  }

  void read_edges(EndId end, size_t parameter) {
    const auto plan = related_plan(model_, layout_, end);
    if (!plan) {
      return refuse("no key leads from " + with_article(model_.entities[model_.end(end).holder].name) +
                        " to its " + model_.end(end).name,
                    "add an index line to the relation");
    }
    plan_.reads.push_back({.what = "Query " + view_text(*plan) + ": edges to " + model_.end(end).name +
                                   " of $" + operation_.parameters[parameter].name,
                           .calls = plan->requests.front().shards()});
  }

  void read() {
    for (const auto& [parameter, each] : touched_) {
      if (each.is_new || !layout_.has_items(each.change.entity)) continue;
      const bool is_needed = each.is_read || !has_known_key(model_, layout_, each.change.entity) ||
                             (each.is_written && needs_stored(model_, layout_, each.change));
      if (!is_needed) continue;
      at_ = first_write(parameter);
      if (layout_.is_by_field(each.change.entity)) {
        const Plan plan = *lookup_plan(model_, layout_, each.change.entity);
        plan_.reads.push_back({.what = "Query " + view_text(plan) + ": " + name_of(parameter)});
        continue;
      }
      if (has_known_key(model_, layout_, each.change.entity)) {
        read_point(each.change.entity, name_of(parameter));
        continue;
      }
      const auto plan = lookup_plan(model_, layout_, each.change.entity);
      if (!plan) {
        refuse(
            "the id of " + with_article(model_.entities[each.change.entity].name) + " does not tell its key",
            "add an index that is led by it");
        return;
      }
      plan_.reads.push_back({.what = "Query " + view_text(*plan) + ", then GetItem: " + name_of(parameter),
                             .calls = 2,
                             .item_bytes = {bytes_of(each.change.entity)}});
    }
    if (points_.empty()) return;
    std::string what;
    for (const std::string& each : points_) what += (what.empty() ? "" : ", ") + each;
    plan_.reads.insert(
        plan_.reads.begin(),
        {.what = (points_.size() > 1 ? "BatchGetItem: " : "GetItem: ") + what, .item_bytes = point_bytes_});
  }

  // --- What is written

  void act() {
    for (const auto& [parameter, each] : touched_) {
      if (!layout_.has_items(each.change.entity)) continue;
      const Action kind = each.is_new                                  ? Action::kPut
                          : each.change.is_deleted                     ? Action::kDelete
                          : each.is_written || each.change.is_upserted ? Action::kUpdate
                                                                       : Action::kCheck;
      if (kind == Action::kCheck && !each.must_exist) continue;
      if (layout_.is_by_field(each.change.entity)) {
        act_on_fields(kind, each, name_of(parameter));
      } else {
        act_on_item(kind, each.change.entity, name_of(parameter), whole_change(each), attributes_of(each));
      }
      add_guards(each, parameter);
      if (each.is_copied && !each.is_new && !each.is_marked)
        plan_.jobs.push_back("bring copies of " + name_of(parameter) + " in step");
    }
    for (size_t i = 0; i < plan_.jobs.size(); ++i)
      plan_.actions.push_back({.kind = Action::kPut, .what = "job"});
    std::stable_sort(plan_.actions.begin(), plan_.actions.end(),
                     [](const PlannedAction& a, const PlannedAction& b) { return a.kind < b.kind; });
  }

  // An upsert may change all that can change.
  EntityChange whole_change(const Touched& each) const {
    EntityChange change = each.change;
    if (!change.is_upserted) return change;
    const model::Entity& entity = model_.entities[change.entity];
    for (model::FieldId id = 0; id < entity.fields.size(); ++id) {
      if (!entity.fields[id].is_id && !entity.fields[id].syntax->is_immutable) change.fields.push_back(id);
    }
    return change;
  }

  // Those that an update of its item changes, as far as they have names.
  std::vector<std::string> attributes_of(const Touched& each) const {
    const model::Entity& entity = model_.entities[each.change.entity];
    std::vector<std::string> attributes;
    for (model::FieldId id = 0; id < entity.fields.size(); ++id) {
      const model::Field& field = entity.fields[id];
      const bool is_kept = field.kept == model::Kept::kUpdated || field.kept == model::Kept::kVersion;
      const bool is_replaced = each.change.is_upserted && !field.is_id && !field.syntax->is_immutable;
      if (each.written.contains(id) || is_kept || is_replaced) attributes.push_back(field.attribute);
    }
    for (const EndId end : each.change.ends) attributes.push_back(model_.end(end).name);
    return attributes;
  }

  // Of what is stored field by field: see change_fields.
  void act_on_fields(Action kind, const Touched& each, const std::string& name) {
    const model::Entity& entity = model_.entities[each.change.entity];
    const bool is_whole = kind == Action::kPut || kind == Action::kDelete || each.change.is_upserted;
    const model::FieldId anchor = *layout_.kind(each.change.entity)->anchor;
    const bool may_be_marked = !dependant_ends(model_, layout_, each.change.entity).empty();
    bool is_told = is_whole;
    for (model::FieldId id = 0; id < entity.fields.size(); ++id) {
      const model::Field& field = entity.fields[id];
      const bool is_kept = field.kept == model::Kept::kUpdated || field.kept == model::Kept::kVersion;
      if (field.is_id || (!is_whole && !each.written.contains(id) && !(is_kept && !each.written.empty())))
        continue;
      const Action done = each.removed.contains(id) ? Action::kDelete : kind;
      const size_t item_kind = *layout_.kind_of_entity[each.change.entity];
      plan_.actions.push_back(
          {.kind = done,
           .what = name + "." + field.name,
           .bytes = own_bytes(model_, layout_, item_kind, {.table = layout_.item_kinds[item_kind].table}),
           .index_units =
               entry_units(model_, layout_, item_kind, done, {.entity = each.change.entity, .fields = {id}},
                           {std::string(model::kValueAttribute)})});
      is_told = is_told || (may_be_marked ? id == anchor : field.tells_presence());
    }
    const std::string anchor_name = name + "." + entity.fields[anchor].name;
    const bool is_counted = kind == Action::kUpdate && each.written.empty() && !each.is_marked && !is_whole;
    if (is_counted) plan_.actions.push_back({.kind = kind, .what = "a count of " + name});
    if (each.is_marked) {
      plan_.actions.push_back({.kind = Action::kUpdate, .what = anchor_name});
    } else if (!is_told) {
      plan_.actions.push_back({.kind = Action::kCheck, .what = anchor_name});
    }
  }

  void add_guards(const Touched& each, size_t parameter) {
    const std::vector<model::Field>& fields = model_.entities[each.change.entity].fields;
    for (model::FieldId id = 0; id < fields.size(); ++id) {
      if (!fields[id].syntax->is_unique || each.is_marked) continue;
      const bool is_changed =
          std::find(each.change.fields.begin(), each.change.fields.end(), id) != each.change.fields.end();
      const std::string what = "guard of " + name_of(parameter) + "." + fields[id].name;
      if (each.is_new || is_changed) plan_.actions.push_back({.kind = Action::kPut, .what = what});
      if (each.change.is_deleted || is_changed)
        plan_.actions.push_back({.kind = Action::kDelete, .what = what});
    }
    if (each.is_new && needs_identity_guard(model_, layout_, each.change.entity))
      plan_.actions.push_back({.kind = Action::kPut, .what = "guard of the id of " + name_of(parameter)});
  }

  const model::Model& model_;
  const model::Layout& layout_;
  const model::Operation& operation_;
  std::map<size_t, Touched> touched_;
  std::vector<std::string> points_;
  std::vector<double> point_bytes_;  // of those
  OperationPlan plan_;
  std::optional<Refusal> refusal_;
  language::Span at_;  // the write that is looked at
};

}  // namespace

std::variant<OperationPlan, Refusal> plan_operation(const model::Model& model, const model::Layout& layout,
                                                    const model::Operation& operation) {
  return OperationPlanner(model, layout, operation).run();
}

}  // namespace sheaf::plan
