#include "reference/operation_runner.h"

#include <algorithm>

#include "reference/change.h"
#include "reference/field_change.h"

namespace sheaf::reference {
namespace {

using Kind = Change::Kind;
using Names = std::vector<std::string>;

bool is_made(const Change& change) { return change.kind == Kind::kPut || change.kind == Kind::kUpsert; }

class OperationRunner {
 public:
  OperationRunner(const State& before, const Request& request, const Moment& now)
      : before_(before),
        schema_(before.schema()),
        request_(request),
        now_(now),
        images_(before),
        result_{.after = before} {}

  WriteResult run() {
    if (!request_.wrong.empty()) refuse(Refusal::kInvalid, request_.wrong, true);
    for (const Change& change : request_.changes) check_alone(change);
    check_together();
    if (!is_hopeless_) {
      check_there();
      // What operands and checks see: S4.2.
      for (const Change& change : request_.changes) {
        if (is_made(change))
          images_.put(change.entity, {.identity = change.identity, .fields = made_fields(change)});
      }
      for (const Change& change : request_.changes) {
        if (change.kind == Kind::kCheck) check(change);
      }
      for (const Change& change : request_.changes) put(change);
      for (const Change& change : request_.changes) write_fields(change);
      for (const Change& change : request_.changes) write_links(change);
      for (const Change& change : request_.changes) {
        if (change.kind == Kind::kDelete && before_.exists(change.entity, change.identity))
          erase(change.entity, change.identity);
      }
      check_after();
    }
    return conclude();
  }

 private:
  struct Found {
    Refusal refusal;
    bool is_static;
  };

  State& after() { return result_.after; }

  // `is_static`: whatever is stored.
  void refuse(Refusal refusal, std::string why, bool is_static = false) {
    found_.push_back({refusal, is_static});
    is_hopeless_ = is_hopeless_ || is_static;
    result_.reasons.push_back(std::move(why));
  }

  // S4.1: which one is told.
  WriteResult conclude() {
    const auto has = [&](Refusal refusal) {
      return std::any_of(found_.begin(), found_.end(),
                         [&](const Found& each) { return each.refusal == refusal; });
    };
    if (is_hopeless_) {
      result_.refusals = {Refusal::kInvalid};
    } else if (has(Refusal::kNotFound)) {
      result_.refusals = {Refusal::kNotFound};
      if (has(Refusal::kInvalid)) result_.refusals.insert(Refusal::kInvalid);
    } else {
      for (const Found& each : found_) result_.refusals.insert(each.refusal);
    }
    if (!result_.refusals.empty()) result_.after = before_;
    return std::move(result_);
  }

  std::string name_of(size_t entity, const Identity& identity) const {
    return schema_.entities[entity].name + " " + value_of(identity).to_json();
  }

  // --- What makes no sense by itself

  void check_alone(const Change& change) {
    if (is_made(change)) {
      for (const EndRef end : schema_.entities[change.entity].ends) {
        const End& declared = schema_.end(end);
        if (declared.is_required && !is_given(change, end))
          refuse(Refusal::kInvalid, "it needs its " + declared.name, true);
      }
    }
    for (const auto& [end, to] : change.ends) {
      const Relation& relation = schema_.relations[end.relation];
      const bool is_self = relation.ends[0].holder == relation.ends[0].target && change.identity == to;
      if (change.kind != Kind::kUnlink && is_self && !relation.syntax->loops)
        refuse(Refusal::kInvalid, "it would be linked with itself", true);
      const bool is_new = change.kind == Kind::kLink || is_made(change);
      if (is_new && lacks(relation, whole_edge(relation, change.edge_fields)))
        refuse(Refusal::kInvalid, "the link lacks a field", true);
    }
    for (const Assignment& each : change.assigned) check_known(change, each);
    if (change.kind != Kind::kDelete) return;
    for (const EndRef end : schema_.entities[change.entity].ends) {
      if (end.side == 0 && !schema_.relations[end.relation].syntax->on_delete &&
          schema_.end(end.other()).is_required)
        refuse(Refusal::kInvalid, "on delete is not said", true);
    }
  }

  // A value that the request gives, and that the field cannot hold.
  void check_known(const Change& change, const Assignment& assigned) {
    if (assigned.expression == nullptr || !is_known(*assigned.expression)) return;
    const language::Type type = inner_type(assigned.field->type, assigned.inside, 0);
    const Computed computed =
        compute(*assigned.expression, [&](const language::Operand& each) { return operand(each, type); });
    bool is_right = computed.value.has_value();
    if (is_right && change.kind == Kind::kSet) {
      const auto stored = stored_value(*computed.value, type);
      is_right = stored && (!assigned.inside.empty() || fits(*stored, *assigned.field, now_));
    } else if (is_right) {
      is_right = type.kind == language::Type::Kind::kSet || computed.value->type() == Type::kNumber;
    }
    if (!is_right) refuse(Refusal::kInvalid, assigned.field->name + " cannot hold the value", true);
  }

  bool is_given(const Change& made, EndRef end) const {
    return std::any_of(request_.changes.begin(), request_.changes.end(), [&](const Change& change) {
      if (change.kind == Kind::kUnlink) return false;
      return std::any_of(change.ends.begin(), change.ends.end(), [&](const auto& each) {
        const bool is_from =
            each.first == end && change.entity == made.entity && change.identity == made.identity;
        return is_from || (each.first == end.other() && each.second == made.identity);
      });
    });
  }

  // S4.10
  Fields whole_edge(const Relation& relation, Fields fields) const {
    for (const Field& field : relation.edge_fields) {
      if (!fields.contains(field.name) && field.syntax->default_value)
        fields[field.name] = literal_value(*field.syntax->default_value, field.type, now_);
    }
    return fields;
  }

  static bool lacks(const Relation& relation, const Fields& fields) {
    return std::any_of(relation.edge_fields.begin(), relation.edge_fields.end(), [&](const Field& field) {
      return !field.is_optional && !fields.contains(field.name);
    });
  }

  // S4.3
  void check_together() {
    for (size_t i = 0; i < request_.changes.size(); ++i) {
      for (size_t j = 0; j < request_.changes.size(); ++j) {
        const Change &one = request_.changes[i], &other = request_.changes[j];
        if (i == j) continue;
        const bool is_same = one.entity == other.entity && one.identity == other.identity;
        const bool is_whole = is_made(one) || one.kind == Kind::kDelete;
        const bool is_also_whole = is_made(other) || other.kind == Kind::kDelete;
        if (is_same && is_whole && is_also_whole)
          refuse(Refusal::kInvalid, "it is written as a whole twice", true);
        if (one.kind != Kind::kDelete) continue;
        const bool changes = other.kind == Kind::kSet || other.kind == Kind::kAdd ||
                             other.kind == Kind::kRemove || other.kind == Kind::kLink;
        if (is_same && changes) refuse(Refusal::kInvalid, "what is deleted is changed", true);
        const bool leads_there =
            other.kind != Kind::kUnlink &&
            std::any_of(other.ends.begin(), other.ends.end(), [&](const auto& each) {
              return schema_.end(each.first).target == one.entity && each.second == one.identity;
            });
        if (leads_there) refuse(Refusal::kInvalid, "what is deleted is linked", true);
      }
    }
    check_overlaps();
  }

  struct Target {
    size_t entity;
    const Identity* identity;
    Names path;
    bool is_add;
  };

  void check_overlaps() {
    std::vector<Target> targets;
    for (const Change& change : request_.changes) {
      const auto add = [&](const Assignment& each) {
        Names path = {each.field->name};
        path.insert(path.end(), each.inside.begin(), each.inside.end());
        const Target target{change.entity, &change.identity, std::move(path), change.kind == Kind::kAdd};
        for (const Target& other : targets) {
          if (other.entity != target.entity || *other.identity != *target.identity) continue;
          const size_t common = std::min(other.path.size(), target.path.size());
          const bool overlaps =
              std::equal(other.path.begin(), other.path.begin() + static_cast<std::ptrdiff_t>(common),
                         target.path.begin());
          const bool adds_up = other.is_add && target.is_add && other.path == target.path;
          if (overlaps && !adds_up) refuse(Refusal::kInvalid, "two writes of " + target.path.front(), true);
        }
        targets.push_back(target);
      };
      for (const Assignment& each : change.assigned) add(each);
      for (const Assignment& each : change.removed) add(each);
    }
  }

  // --- Who must be there

  bool is_there(size_t entity, const Identity& identity) const {
    return before_.exists(entity, identity) ||
           std::any_of(request_.changes.begin(), request_.changes.end(), [&](const Change& change) {
             return is_made(change) && change.entity == entity && change.identity == identity;
           });
  }

  void need(size_t entity, const Identity& identity) {
    if (!is_there(entity, identity)) refuse(Refusal::kNotFound, "there is no " + name_of(entity, identity));
  }

  void check_there() {
    for (const Change& change : request_.changes) {
      if (change.kind == Kind::kPut && before_.find(change.entity, change.identity) != nullptr)
        refuse(Refusal::kInUse, "there is a " + name_of(change.entity, change.identity));
      const bool is_link = change.kind == Kind::kLink || change.kind == Kind::kUnlink;
      const bool is_checked =
          !is_link || !schema_.relations[change.ends.front().first.relation].syntax->unchecked;
      if (!is_made(change) && is_checked) need(change.entity, change.identity);
      for (const auto& [end, to] : change.ends) {
        if (change.kind != Kind::kUnlink && !schema_.relations[end.relation].syntax->unchecked)
          need(schema_.end(end).target, to);
      }
    }
  }

  // --- Values: S4.2, S4.5, S4.8

  // Nothing if the field is missing, or nobody is there.
  std::optional<Value> stored(size_t entity, const Identity& identity, const Names& names) {
    const Thing* const thing = images_.find(entity, identity);
    if (thing == nullptr) return std::nullopt;
    if (const Field* const field = schema_.find_field(entity, names.front()))
      return inside(images_.field(*thing, *field), Names(names.begin() + 1, names.end()));
    const EndRef end = *schema_.find_end(entity, names.front());
    const std::vector<Link> links = linked(end, identity);
    if (links.empty()) return std::nullopt;
    if (names.size() == 1) return Value(true);
    const Names rest(names.begin() + 1, names.end());
    if (rest.front() == "edge") return std::nullopt;
    const std::optional<Value> value = stored(schema_.end(end).target, links.front().target(end), rest);
    return value ? value : identity_part(schema_.end(end).target, links.front().target(end), rest);
  }

  // The document of what is put says whom it leads to.
  std::vector<Link> linked(EndRef end, const Identity& from) const {
    for (const Change& change : request_.changes) {
      if (!is_made(change) || change.entity != schema_.end(end).holder || change.identity != from) continue;
      for (const auto& [given, to] : change.ends) {
        Link link;
        link.ends[end.side] = to;
        link.ends[1 - end.side] = from;
        if (given == end) return {link};
      }
    }
    return before_.links(end, from);
  }

  std::optional<Value> identity_part(size_t entity, const Identity& identity, const Names& names) const {
    const std::vector<IdentityPart> parts = schema_.identity(entity);
    for (size_t i = 0; i < parts.size(); ++i) {
      Names path;
      for (const EndRef end : parts[i].ends) path.push_back(schema_.end(end).name);
      path.push_back(parts[i].field);
      if (path == names) return identity[i];
    }
    return std::nullopt;
  }

  std::optional<Value> operand(const language::Operand& operand, const language::Type& type) {
    if (const auto* literal = std::get_if<language::Literal>(&operand))
      return literal_value(*literal, type, now_);
    const auto& path = std::get<language::Path>(operand);
    const size_t id = request_.parameter(path);
    const Argument& argument = request_.arguments[id];
    const auto* entity = std::get_if<language::Name>(&request_.operation->parameters[id].type);
    if (entity == nullptr) return argument.value;
    Names names;
    for (size_t i = 1; i < path.names.size(); ++i) names.push_back(path.names[i].text);
    const size_t type_id = *schema_.find_entity(entity->text);
    if (auto known = identity_part(type_id, *argument.identity, names)) return known;
    if (!is_there(type_id, *argument.identity))
      refuse(Refusal::kNotFound, "there is no " + name_of(type_id, *argument.identity));
    return stored(type_id, *argument.identity, names);
  }

  void check(const Change& change) {
    const language::Condition& condition = *change.check;
    Names names;
    for (size_t i = 1; i < condition.path.names.size(); ++i) names.push_back(condition.path.names[i].text);
    std::vector<std::optional<Value>> operands;
    for (const language::Operand& each : condition.operands) {
      const auto* path = std::get_if<language::Path>(&each);
      if (path != nullptr && !request_.arguments[request_.parameter(*path)].is_given()) return;
      operands.push_back(operand(each, type_of(change.entity, names)));
    }
    std::optional<Value> value = identity_part(change.entity, change.identity, names);
    if (!value) value = stored(change.entity, change.identity, names);
    if (!passes(condition.test, value, operands))
      refuse(Refusal::kConflict, "the check on " + names.back() + " fails");
  }

  language::Type type_of(size_t entity, const Names& names) const {
    language::Type type{.kind = language::Type::Kind::kAny};
    for (size_t i = 0; i < names.size(); ++i) {
      if (const Field* const field = schema_.find_field(entity, names[i]))
        return inner_type(field->type, names, i + 1);
      const auto end = schema_.find_end(entity, names[i]);
      if (!end) return type;
      entity = schema_.end(*end).target;
    }
    return type;
  }

  static language::Type inner_type(language::Type type, const Names& names, size_t from) {
    for (size_t i = from; i < names.size(); ++i) {
      language::Type inner{.kind = language::Type::Kind::kAny};
      if (type.kind == language::Type::Kind::kMap) inner = language::Type(type.element.front());
      for (const language::Field& field : type.fields) {
        if (field.name.text == names[i]) inner = field.type.value_or(language::Type{});
      }
      type = std::move(inner);
    }
    return type;
  }

  // --- Fields

  Fields made_fields(const Change& change) const {
    Fields fields = change.fields;
    const Thing* const was = before_.find(change.entity, change.identity);
    const Entity& entity = schema_.entities[change.entity];
    for (const Field& field : entity.fields) {
      const bool is_time = field.kept == Field::Kept::kCreated || field.kept == Field::Kept::kUpdated;
      if (is_time) fields[field.name] = was != nullptr ? was->fields.at(field.name) : Value(now_);
      if (field.kept == Field::Kept::kVersion)
        fields[field.name] = was != nullptr ? was->fields.at(field.name) : Value(1);
    }
    return fields;
  }

  void put(const Change& change) {
    if (!is_made(change)) return;
    Thing made{.identity = change.identity, .fields = made_fields(change)};
    const Thing* const was = before_.find(change.entity, change.identity);
    if (was != nullptr && change.kind == Kind::kUpsert) {
      for (const Field& field : schema_.entities[change.entity].fields) {
        const auto old = was->fields.find(field.name);
        const auto now = made.fields.find(field.name);
        const bool is_kept =
            old != was->fields.end() && now != made.fields.end() && old->second == now->second;
        if (field.is_immutable && old != was->fields.end() && !is_kept)
          refuse(Refusal::kInvalid, field.name + " is immutable");
      }
      if (!(made.fields == was->fields)) note_write(change, made);
    }
    after().put(change.entity, std::move(made));
  }

  // S4.9
  void note_write(const Change& change, Thing& thing) {
    if (before_.find(change.entity, change.identity) == nullptr) return;
    if (!written_.emplace(change.entity, key_of(change.identity)).second) return;
    const Entity& entity = schema_.entities[change.entity];
    if (entity.has_timestamps) thing.fields["updated_at"] = Value(now_);
    if (entity.has_version)
      thing.fields["version"] =
          Value(*add(thing.fields.at("version").view().number(), Value(1).view().number()));
  }

  void write_fields(const Change& change) {
    if (change.assigned.empty() && change.removed.empty()) return;
    Thing* const thing = after().find(change.entity, change.identity);
    if (thing == nullptr) return;
    note_write(change, *thing);
    for (const Assignment& each : change.assigned) assign(change, each, *thing);
    for (const Assignment& each : change.removed) remove(each, *thing);
  }

  void assign(const Change& change, const Assignment& assigned, Thing& thing) {
    const language::Type type = inner_type(assigned.field->type, assigned.inside, 0);
    Computed computed{.outcome = Computed::Outcome::kValue, .value = assigned.value};
    if (assigned.expression != nullptr)
      computed =
          compute(*assigned.expression, [&](const language::Operand& each) { return operand(each, type); });
    const bool is_given = assigned.expression == nullptr || is_known(*assigned.expression);
    if (!computed.value)
      return refuse(Refusal::kInvalid, "an operand of " + assigned.field->name + " is missing or no number",
                    is_given);
    std::optional<Value> value = computed.value;
    const bool is_add = change.kind == Kind::kAdd;
    if (is_add)
      value = added(inside(field_of(thing, *assigned.field), assigned.inside), *computed.value, type);
    if (value && !is_add) value = stored_value(*value, type);
    if (!value)
      return refuse(Refusal::kInvalid, assigned.field->name + " cannot hold the result", is_given && !is_add);
    auto whole = replaced(field_of(thing, *assigned.field), assigned.inside, 0, *value);
    if (!whole || !fits(*whole, *assigned.field, now_))
      return refuse(Refusal::kInvalid, assigned.field->name + " cannot hold the result",
                    is_given && !is_add && assigned.inside.empty());
    thing.fields[assigned.field->name] = std::move(*whole);
  }

  // Whether its value depends on the request alone.
  bool is_known(const language::Expression& expression) const {
    const auto is_given_one = [&](const language::Operand& operand) {
      const auto* path = std::get_if<language::Path>(&operand);
      return path == nullptr || path->names.size() == 1;
    };
    return is_given_one(expression.first) &&
           std::all_of(expression.rest.begin(), expression.rest.end(),
                       [&](const auto& each) { return is_given_one(each.second); });
  }

  static std::optional<Value> field_of(const Thing& thing, const Field& field) {
    const auto found = thing.fields.find(field.name);
    return found == thing.fields.end() ? std::nullopt : std::optional(found->second);
  }

  void remove(const Assignment& removed, Thing& thing) {
    if (removed.inside.empty()) {
      thing.fields.erase(removed.field->name);
      return;
    }
    const auto found = thing.fields.find(removed.field->name);
    if (found == thing.fields.end()) return;
    found->second = without(found->second, removed.inside, 0);
    if (!fits(found->second, *removed.field, now_))
      refuse(Refusal::kInvalid, "a member that is never missing is removed");
  }

  // --- Links: S4.6

  void write_links(const Change& change) {
    for (const auto& [end, to] : change.ends) {
      const bool is_replaced =
          change.kind == Kind::kUpsert && before_.find(change.entity, change.identity) != nullptr;
      if (change.kind == Kind::kUnlink) {
        if (after().remove(end, change.identity, to) == 0)
          refuse(Refusal::kNotFound, "they are not linked by " + schema_.end(end).name);
      } else if ((change.kind == Kind::kSet || is_replaced) && !schema_.end(end).is_many) {
        move(end, change.identity, to);
      } else {
        link(end, change.identity, to, change.edge_fields);
      }
    }
    for (const EndRef end : change.removed_ends) {
      for (const Link& link : after().links(end, change.identity))
        after().remove(end, change.identity, link.target(end));
    }
  }

  void link(EndRef end, const Identity& from, const Identity& to, const Fields& given) {
    const Relation& relation = schema_.relations[end.relation];
    Link made{.fields = whole_edge(relation, given)};
    if (lacks(relation, made.fields)) refuse(Refusal::kInvalid, "the link lacks a field");
    made.ends[end.side] = to;
    made.ends[1 - end.side] = from;
    const std::vector<Link> there = after().links(end, from);
    const bool is_linked = std::any_of(there.begin(), there.end(), [&](const Link& each) {
      return each.target(end) == to &&
             std::all_of(relation.edge_fields.begin(), relation.edge_fields.end(), [&](const Field& field) {
               return !field.is_id || each.fields.at(field.name) == made.fields[field.name];
             });
    });
    if (is_linked) return refuse(Refusal::kInUse, "they are linked already");
    if (!relation.ends[end.side].is_many && !there.empty())
      return refuse(Refusal::kInUse, schema_.end(end).name + " is taken");
    const EndRef back = schema_.back(end);
    if (!schema_.end(back).is_many && !after().links(back, to).empty())
      return refuse(Refusal::kInUse, schema_.end(back).name + " is taken");
    after().add(end.relation, std::move(made));
  }

  void move(EndRef end, const Identity& from, const Identity& to) {
    const std::vector<Link> there = after().links(end, from);
    if (!there.empty() && there.front().target(end) == to) return;
    Fields fields;
    if (!there.empty()) {
      fields = there.front().fields;
      after().remove(end, from, there.front().target(end));
    }
    link(end, from, to, fields);
  }

  // --- Deletions: S4.7

  void erase(size_t entity, const Identity& identity) {
    if (after().find(entity, identity) == nullptr) return;
    after().erase(entity, identity);
    for (const EndRef end : schema_.entities[entity].ends) {
      const auto& on_delete = schema_.relations[end.relation].syntax->on_delete;
      for (const Link& link : after().links(end, identity)) {
        const bool is_child = end.side == 0;
        const bool is_self = schema_.end(end).target == entity && link.target(end) == identity;
        after().remove(end, identity, link.target(end));
        if (!is_child || !on_delete || is_self) continue;
        if (on_delete->first == language::OnDelete::kRestrict)
          refuse(Refusal::kInUse, name_of(entity, identity) + " still has " + schema_.end(end).name);
        if (on_delete->first == language::OnDelete::kCascade)
          erase(schema_.end(end).target, link.target(end));
      }
    }
  }

  // --- What must hold in the end: S1.5, S1.7

  void check_after() {
    for (size_t id = 0; id < schema_.entities.size(); ++id) {
      for (const EndRef end : schema_.entities[id].ends) {
        if (!schema_.end(end).is_required) continue;
        for (const auto& [key, thing] : after().things(id)) {
          if (after().links(end, thing.identity).empty())
            refuse(Refusal::kInUse, name_of(id, thing.identity) + " needs its " + schema_.end(end).name);
        }
      }
      for (const Field& field : schema_.entities[id].fields) {
        std::set<std::string> seen;
        for (const auto& [key, thing] : after().things(id)) {
          const auto value = thing.fields.find(field.name);
          const bool is_taken =
              field.is_unique && value != thing.fields.end() && !seen.insert(value->second.to_json()).second;
          if (is_taken) refuse(Refusal::kInUse, "the value of " + field.name + " is taken");
        }
      }
    }
  }

  const State& before_;
  const Schema& schema_;
  const Request& request_;
  const Moment& now_;
  State images_;  // with the documents that are put
  WriteResult result_;
  std::vector<Found> found_;
  bool is_hopeless_ = false;
  std::set<std::pair<size_t, std::string>> written_;
};

}  // namespace

WriteResult run_operation(const State& before, const std::string& name, const std::vector<Value>& arguments,
                          const Moment& now, const std::vector<Identity>& generated) {
  const Request request = read_request(before.schema(), name, arguments, now, generated);
  return OperationRunner(before, request, now).run();
}

}  // namespace sheaf::reference
