#include "run/subject.h"

#include <algorithm>

#include "base/article.h"
#include "base/try.h"
#include "model/value_type.h"
#include "plan/write_needs.h"
#include "run/document.h"
#include "run/field_items.h"
#include "run/guards.h"
#include "run/item_codec.h"
#include "run/stored_items.h"
#include "run/system_table.h"

namespace sheaf::run {
namespace {

using model::EndId;
using model::FieldId;

class SubjectWriter {
 public:
  SubjectWriter(const model::Model& model, const model::Layout& layout, const Subject& subject,
                const std::string& now_text, Transaction& transaction)
      : model_(model),
        layout_(layout),
        subject_(subject),
        entity_(model.entities[subject.entity]),
        kind_(*layout.kind(subject.entity)),
        table_(layout.tables[kind_.table]),
        now_text_(now_text),
        transaction_(transaction),
        codec_(model, layout) {}

  Result<void> run(bool is_first_try) {
    const Item key = TRY(address());
    if (!kind_.is_by_field()) return fill(transaction_.change(table_.name, table_.pk.name, key));
    ItemChange whole{.table = table_.name, .key = key, .pk_name = table_.pk.name};
    TRY(fill(whole));
    const bool may_be_marked = !plan::dependant_ends(model_, layout_, subject_.entity).empty();
    change_fields(model_, table_, kind_, whole,
                  {.may_be_marked = may_be_marked, .is_first_try = is_first_try}, transaction_);
    return {};
  }

 private:
  Result<void> fill(ItemChange& change) {
    switch (subject_.fate) {
      case Subject::Fate::kNew:
        return put(change);
      case Subject::Fate::kDeleted:
        return erase(change);
      case Subject::Fate::kMarked:
        expect_there(change);
        change.action = ItemChange::Action::kUpdate;
        change.set(kDeletingAttribute, Value(subject_.job));
        break;
      case Subject::Fate::kKept:
      case Subject::Fate::kUpserted:
        TRY(keep(change));
        break;
    }
    for (const Expected& expected : subject_.expected) change.expect(expected);
    return {};
  }

  std::string name() const { return "the " + entity_.name + " " + shown(subject_.identity); }
  Error absent() const {
    return {Code::kNotFound, "there is no " + entity_.name + " " + shown(subject_.identity)};
  }

  Result<Item> address() const {
    if (subject_.fate == Subject::Fate::kNew) {
      const Item item = TRY(codec_.encode(subject_.after));
      return key_of(table_, item);
    }
    if (subject_.stored) return key_of(table_, *subject_.stored);
    return codec_.key(subject_.entity, subject_.identity);
  }

  void expect_there(ItemChange& change) const {
    // One whose key its id does not tell may have moved since it was read.
    const bool may_move = subject_.stored && !plan::has_known_key(model_, layout_, subject_.entity);
    const bool is_race = subject_.is_only_counted_down() || may_move;
    change.expect({.kind = Expected::Kind::kExists, .error = absent(), .is_race = is_race});
    change.expect({.kind = Expected::Kind::kMissing,
                   .path = {std::string(kDeletingAttribute)},
                   .error = {Code::kNotFound, name() + " is being deleted"},
                   .is_race = is_race});
  }

  // --- New, gone

  Result<void> put(ItemChange& change) {
    Record record = subject_.after;
    for (const auto& [field, count] : subject_.counts) {
      const auto sum = sheaf::add(record.fields[entity_.fields[field].name].view().number(), Number(count));
      if (sum.ok()) record.fields[entity_.fields[field].name] = Value(*sum);
    }
    change.item = TRY(codec_.encode(record));
    change.action = ItemChange::Action::kPut;
    for (const Expected& expected : subject_.expected) change.expect(expected);
    change.expect({.kind = Expected::Kind::kAbsent,
                   .error = {Code::kInUse, "there is already " + with_article(entity_.name) + " " +
                                               shown(subject_.identity)}});
    for (const Guard& guard : guards_of(model_, layout_, record)) take(guard);
    return {};
  }

  Result<void> erase(ItemChange& change) {
    change.action = ItemChange::Action::kDelete;
    if (subject_.job.empty()) {
      expect_there(change);
    } else {
      change.expect({.kind = Expected::Kind::kEquals,
                     .path = {std::string(kDeletingAttribute)},
                     .values = {Value(subject_.job)},
                     .error = absent()});
    }
    for (const Expected& expected : subject_.expected) change.expect(expected);
    if (!subject_.stored) return {};
    for (const Guard& guard : guards_of(model_, layout_, subject_.before)) {
      // The value must still be the one whose guard goes.
      release(guard);
    }
    for (FieldId id = 0; id < entity_.fields.size(); ++id) {
      if (entity_.fields[id].syntax->is_unique) expect_unchanged(change, entity_.fields[id].attribute);
    }
    // Whoever it led to is told; it must still be they.
    for (const EndId end : entity_.ends) {
      // Where each names the other, the job that deletes it has told them.
      if (!layout_.is_named(end) || layout_.is_mutual(end)) continue;
      if (layout_.storage(end) == model::EndStorage::kIds) {
        expect_unchanged(change, model_.end(end).name);
        continue;
      }
      const model::EntityId target = model_.end(end).target;
      for (size_t part = 0; part < model_.entities[target].identity.size(); ++part) {
        expect_unchanged(change, reference_attribute(model_, end, part));
      }
    }
    return {};
  }

  ItemChange& guard_change(const Guard& guard) {
    return transaction_.change(system_table_name(model_), "pk", guard.key);
  }

  void take(const Guard& guard) {
    ItemChange& change = guard_change(guard);
    change.action = ItemChange::Action::kPut;
    change.item = guard_item(guard);
    change.expect({.kind = Expected::Kind::kAbsent, .error = {Code::kInUse, guard.why}});
  }

  void release(const Guard& guard) {
    ItemChange& change = guard_change(guard);
    change.action = ItemChange::Action::kDelete;
  }

  // --- Changed

  Result<void> keep(ItemChange& change) {
    if (!subject_.is_changed() && subject_.counts.empty()) {
      if (subject_.must_exist) expect_there(change);
      return {};
    }
    if (!subject_.is_only_released()) expect_there(change);
    change.action = ItemChange::Action::kUpdate;
    add_sums(change);
    TRY(add_lists(change));
    TRY(change_entries(model_, subject_.entries, change));
    TRY(add_embedded(change));
    if (!subject_.fields.empty() || !subject_.ends.empty()) {
      TRY(subject_.stored ? add_difference(change) : add_blindly());
    }
    if (is_moved_) return {};
    if (subject_.has_new_version()) add_kept_fields(change);
    for (const auto& [attribute, value] : plain_) change.set(attribute, value);
    for (const std::string& attribute : gone_) {
      if (!plain_.contains(attribute)) change.remove(attribute);
    }
    return {};
  }

  void add_kept_fields(ItemChange& change) {
    if (subject_.mirrored_version) {
      if (layout_.has_version(model_, subject_.entity))
        plain_[version_attribute(entity_)] = Value(*subject_.mirrored_version);
      return;
    }
    for (const model::Field& field : entity_.fields) {
      if (field.kept == model::Kept::kUpdated) plain_[field.attribute] = Value(now_text_);
    }
    if (!layout_.has_version(model_, subject_.entity)) return;
    const AttributePath path{version_attribute(entity_)};
    plain_.erase(version_attribute(entity_));
    change.sets.emplace_back(path, Sum{{.operand = path, .if_missing = Value(0)}, {.operand = Value(1)}});
  }

  void expect_unchanged(ItemChange& change, const std::string& attribute) const {
    if (attribute == table_.pk.name || (table_.sk && attribute == table_.sk->name)) return;
    const auto value = subject_.stored->find(attribute);
    if (value) {
      change.expect(
          {.kind = Expected::Kind::kEquals, .path = {attribute}, .values = {Value(*value)}, .is_race = true});
    } else {
      change.expect({.kind = Expected::Kind::kMissing, .path = {attribute}, .is_race = true});
    }
  }

  // From what was read to what is to be, under the condition that what decided the keys is unchanged.
  Result<void> add_difference(ItemChange& change) {
    const ItemView stored = *subject_.stored;
    const Item before = TRY(codec_.encode(subject_.before));
    const Item after = TRY(codec_.encode(subject_.after));
    if (!(key_of(table_, after) == key_of(table_, stored))) return move(change, before, after);
    for (const Attribute attribute : after.view()) {
      const auto was = stored.find(attribute.name);
      if (is_of_entries(attribute.name)) continue;  // they are written one by one
      if (!was || !(Value(*was) == Value(attribute.value)))
        plain_[std::string(attribute.name)] = Value(attribute.value);
    }
    for (const Attribute attribute : before.view()) {
      if (!after.find(attribute.name)) gone_.insert(std::string(attribute.name));
    }
    for (const std::string& attribute : deciding_attributes()) expect_unchanged(change, attribute);
    change_unique_guards(change);
    return {};
  }

  // The primary key changes: another item takes its place.
  Result<void> move(ItemChange& change, const Item& before, const Item& after) {
    Item moved = *subject_.stored;
    for (const Attribute attribute : before.view()) moved.remove(attribute.name);
    for (const Attribute attribute : after.view()) moved.set(attribute.name, attribute.value);
    for (const Attribute attribute : before.view()) expect_unchanged(change, std::string(attribute.name));
    change.action = ItemChange::Action::kDelete;
    change.sets.clear();
    change.removes.clear();
    ItemChange& put = transaction_.change(table_.name, table_.pk.name, key_of(table_, after));
    put.action = ItemChange::Action::kPut;
    if (subject_.has_new_version()) {
      for (const model::Field& field : entity_.fields) {
        if (field.kept == model::Kept::kUpdated && !subject_.mirrored_version)
          moved.set(field.attribute, Value(now_text_));
      }
      if (layout_.has_version(model_, subject_.entity))
        moved.set(version_attribute(entity_),
                  Value(subject_.mirrored_version.value_or(subject_.before.version + 1)));
    }
    put.item = std::move(moved);
    put.expect({.kind = Expected::Kind::kAbsent,
                .error = {Code::kInUse, "there is another item where " + name() + " would be"}});
    change_unique_guards(change);
    is_moved_ = true;
    return {};
  }

  // Attributes whose old values went into keys that are written now.
  std::set<std::string> deciding_attributes() const {
    std::set<std::string> attributes;
    const auto add_source = [&](const model::FieldPath& path) {
      if (path.ends.empty()) {
        attributes.insert(entity_.fields[path.field].attribute);
        return;
      }
      const EndId end = path.ends.front();
      const model::EntityId target = model_.end(end).target;
      for (size_t part = 0; part < model_.entities[target].identity.size(); ++part)
        attributes.insert(reference_attribute(model_, end, part));
    };
    const auto is_changed = [&](const model::FieldPath& path) {
      return path.ends.empty() ? subject_.fields.contains(path.field)
                               : subject_.ends.contains(path.ends.front());
    };
    for (const model::IndexEntry& entry : kind_.entries) {
      std::vector<model::FieldPath> paths;
      for (const model::Hole* hole : entry.pk.holes()) paths.push_back(hole->source.path);
      if (entry.sk) {
        for (const model::Hole* hole : entry.sk->holes()) paths.push_back(hole->source.path);
      }
      for (const model::Condition& condition : entry.when)
        paths.push_back({.ends = condition.place.ends, .field = condition.place.field});
      if (std::none_of(paths.begin(), paths.end(), is_changed)) continue;
      for (const model::FieldPath& path : paths) add_source(path);
    }
    for (const FieldId field : subject_.fields) {
      if (entity_.fields[field].syntax->is_unique) attributes.insert(entity_.fields[field].attribute);
    }
    for (const EndId end : subject_.ends) add_source({.ends = {end}});
    for (const FieldId field : subject_.computed_from) add_source({.field = field});
    return attributes;
  }

  void change_unique_guards(ItemChange& change) {
    for (const FieldId id : subject_.fields) {
      const model::Field& field = entity_.fields[id];
      if (!field.syntax->is_unique) continue;
      const auto was = subject_.before.fields.find(field.name);
      const auto is = subject_.after.fields.find(field.name);
      const bool was_there = was != subject_.before.fields.end();
      const bool is_there = is != subject_.after.fields.end();
      if (was_there && is_there && was->second == is->second) continue;
      if (was_there) release(unique_guard(model_, layout_, subject_.before, id, was->second));
      if (is_there) take(unique_guard(model_, layout_, subject_.after, id, is->second));
      expect_unchanged(change, field.attribute);
    }
  }

  // Without knowing what is stored: no key that is written needs it.
  Result<void> add_blindly() {
    for (const FieldId id : subject_.fields) {
      const model::Field& field = entity_.fields[id];
      const auto value = subject_.after.fields.find(field.name);
      if (value == subject_.after.fields.end()) {
        gone_.insert(field.attribute);
      } else {
        plain_[field.attribute] = value->second;
      }
    }
    for (const EndId end : subject_.ends) {
      const auto reference = subject_.after.references.find(end);
      const bool is_there = reference != subject_.after.references.end() && !reference->second.empty();
      const model::EntityId target = model_.end(end).target;
      for (size_t part = 0; part < model_.entities[target].identity.size(); ++part) {
        const std::string attribute = reference_attribute(model_, end, part);
        if (is_there) {
          plain_[attribute] =
              value_of(reference->second.front()[part], identity_field(model_, target, part).type);
        } else {
          gone_.insert(attribute);
        }
      }
      add_copies_blindly(end);
    }
    TRY(codec_.encode_changed_keys(subject_.after, subject_.fields, subject_.ends, plain_, gone_));
    if (entity_.syntax->ttl) {
      const auto ttl = model_.find_field(subject_.entity, entity_.syntax->ttl->text);
      if (ttl && subject_.fields.contains(*ttl)) {
        codec_.encode_expiry(subject_.after, table_, plain_);
        if (table_.ttl && !plain_.contains(*table_.ttl)) gone_.insert(*table_.ttl);
      }
    }
    return {};
  }

  void add_copies_blindly(EndId end) {
    for (const model::CopiedFields& copied : layout_.relations[end.relation].copies) {
      if (copied.side != end.side) continue;
      const auto copies = subject_.after.copies.find(end);
      for (const FieldId id : copied.fields) {
        const std::string& field = model_.entities[model_.end(end).target].fields[id].name;
        const std::string attribute = model_.end(end).name + "_" + field;
        const bool is_there = copies != subject_.after.copies.end() && copies->second.contains(field);
        if (is_there) {
          plain_[attribute] = copies->second.at(field);
        } else {
          gone_.insert(attribute);
        }
      }
      const std::string attribute = copy_version_attribute(model_.end(end).name);
      const auto version = subject_.after.copy_versions.find(end);
      if (version != subject_.after.copy_versions.end()) {
        plain_[attribute] = Value(version->second);
      } else {
        gone_.insert(attribute);
      }
    }
  }

  // --- Parts of the item

  // A child in its parent's item has its fields by their names.
  static AttributePath path_in(const AttributePath& prefix, const model::Field& field,
                               const std::vector<std::string>& inside) {
    AttributePath path = prefix;
    path.emplace_back(prefix.empty() ? field.attribute : field.name);
    for (const std::string& name : inside) path.emplace_back(name);
    return path;
  }

  Term term_of(char mark, const ChangeOperand& operand, const AttributePath& prefix,
               const model::Entity& entity) const {
    if (const auto* value = std::get_if<Value>(&operand)) return {.mark = mark, .operand = *value};
    const auto& own = std::get<OwnField>(operand);
    return {.mark = mark, .operand = path_in(prefix, entity.fields[own.field], own.inside)};
  }

  void add_assigned(ItemChange& change, const Assigned& assigned, bool is_add, const AttributePath& prefix,
                    const model::Entity& entity) const {
    const model::Field& field = entity.fields[assigned.to.field];
    AttributePath to = path_in(prefix, field, assigned.to.inside);
    const auto* plain = std::get_if<Value>(&assigned.first);
    if (is_add && field.type.kind == language::Type::Kind::kSet && plain != nullptr && prefix.empty()) {
      change.adds.emplace_back(field.attribute, *plain);
      return;
    }
    if (!is_add && assigned.rest.empty() && plain != nullptr) {
      change.sets.emplace_back(std::move(to), *plain);
      return;
    }
    Sum sum;
    if (is_add) sum.push_back({.operand = to, .if_missing = Value(0)});
    sum.push_back(term_of('+', assigned.first, prefix, entity));
    for (const auto& [mark, operand] : assigned.rest) sum.push_back(term_of(mark, operand, prefix, entity));
    change.sets.emplace_back(std::move(to), std::move(sum));
  }

  void add_sums(ItemChange& change) {
    for (const auto& [assigned, is_add] : subject_.sums) add_assigned(change, assigned, is_add, {}, entity_);
    for (const OwnField& own : subject_.removed_inside)
      change.removes.push_back(path_of(entity_.fields[own.field], own.inside));
    for (const auto& [id, count] : subject_.counts) {
      if (count == 0) continue;
      const AttributePath path{entity_.fields[id].attribute};
      change.sets.emplace_back(path,
                               Sum{{.operand = path, .if_missing = Value(0)}, {.operand = Value(count)}});
    }
  }

  static Value listed(const Identity& identity) {
    if (identity.size() == 1) return Value(identity.front());
    return Value::list(std::vector<Value>(identity.begin(), identity.end()));
  }

  // A list that one is put into and another taken from is written as a whole.
  bool is_rewritten(EndId end) const {
    const auto has = [&](const auto& list) {
      return std::any_of(list.begin(), list.end(), [&](const auto& each) { return each.first == end; });
    };
    return has(subject_.list_adds) && has(subject_.list_removes);
  }

  Result<void> rewrite_list(ItemChange& change, EndId end) {
    std::vector<Identity> now = subject_.before.references.at(end);
    for (const auto& [each, identity] : subject_.list_removes) {
      if (each == end) std::erase(now, identity);
    }
    for (const auto& [each, identity] : subject_.list_adds) {
      if (!(each == end)) continue;
      if (std::find(now.begin(), now.end(), identity) != now.end())
        return Error{Code::kInUse, name() + " is linked already to " + shown(identity)};
      now.push_back(identity);
    }
    std::vector<Value> values;
    for (const Identity& identity : now) values.push_back(listed(identity));
    change.set(model_.end(end).name, Value::list(values));
    expect_unchanged(change, model_.end(end).name);
    return {};
  }

  Result<void> add_lists(ItemChange& change) {
    std::set<EndId, EndOrder> rewritten;
    for (const auto& [end, identity] : subject_.list_adds) {
      if (is_rewritten(end)) {
        if (rewritten.insert(end).second) TRY(rewrite_list(change, end));
        continue;
      }
      const AttributePath path{model_.end(end).name};
      change.sets.emplace_back(path, Appended{.element = listed(identity)});
      change.expect({.kind = Expected::Kind::kNotContains,
                     .path = path,
                     .values = {listed(identity)},
                     .error = {Code::kInUse, name() + " is linked already to " + shown(identity)}});
    }
    for (const auto& [end, identity] : subject_.list_removes) {
      if (is_rewritten(end)) continue;
      const std::vector<Identity>& listed_now = subject_.before.references.at(end);
      const auto at = std::find(listed_now.begin(), listed_now.end(), identity);
      const AttributePath path{model_.end(end).name, static_cast<size_t>(at - listed_now.begin())};
      change.removes.push_back(path);
      change.expect(
          {.kind = Expected::Kind::kEquals, .path = path, .values = {listed(identity)}, .is_race = true});
    }
    return {};
  }

  bool is_of_entries(std::string_view attribute) const {
    return std::any_of(entity_.ends.begin(), entity_.ends.end(), [&](EndId end) {
      return layout_.storage(end) == model::EndStorage::kEntries && model_.end(end).name == attribute;
    });
  }

  Result<void> add_embedded(ItemChange& change) {
    for (const EmbeddedChange& each : subject_.embedded) {
      const std::string& end = model_.end(each.end).name;
      const model::Entity& child = model_.entities[each.child];
      const bool is_list = layout_.relations[each.end.relation].embed_as == language::Via::EmbedAs::kList;
      const std::string child_name = embedded_name(model_, each.child, each.ids);
      const std::string shown_child = child.name + " " + shown(child_identity(each));
      const Error missing{Code::kNotFound, "there is no " + shown_child};
      const Error there{Code::kInUse, "there is already " + with_article(shown_child)};
      AttributePath path{end, child_name};
      if (is_list) {
        const auto at = list_place(each);
        if (each.kind == EmbeddedChange::Kind::kPut) {
          if (at) return there;
          Value element(item_of(each.fields));
          TRY(check_nesting(element, 1));
          change.sets.emplace_back(AttributePath{end}, Appended{.element = std::move(element)});
          expect_unchanged(change, end);
          continue;
        }
        if (!at) return missing;
        path = {end, *at};
        for (const auto& [id, value] : each.ids) {
          AttributePath id_path = path;
          id_path.emplace_back(id);
          change.expect(
              {.kind = Expected::Kind::kEquals, .path = id_path, .values = {value}, .is_race = true});
        }
      }
      if (each.kind == EmbeddedChange::Kind::kPut) {
        Fields rest = each.fields;
        for (const auto& [id, value] : each.ids) rest.erase(id);
        Value element(item_of(rest));
        TRY(check_nesting(element, 1));
        change.sets.emplace_back(path, std::move(element));
        change.expect({.kind = Expected::Kind::kMissing, .path = path, .error = there});
        continue;
      }
      change.expect({.kind = Expected::Kind::kPresent, .path = path, .error = missing});
      if (each.kind == EmbeddedChange::Kind::kDelete) {
        change.removes.push_back(path);
        continue;
      }
      for (const auto& [assigned, is_add] : each.assigned)
        add_assigned(change, assigned, is_add, path, child);
      for (const OwnField& own : each.removed)
        change.removes.push_back(path_in(path, child.fields[own.field], own.inside));
      for (const Expected& expected : each.expected) {
        Expected inside = expected;
        inside.path.insert(inside.path.begin(), path.begin(), path.end());
        change.expect(std::move(inside));
      }
    }
    return {};
  }

  // All of it, as if the child had an item of its own.
  Identity child_identity(const EmbeddedChange& each) const {
    const model::Entity& child = model_.entities[each.child];
    Identity identity;
    if (child.within == each.end.other()) identity = subject_.identity;
    for (const model::Field& field : child.fields) {
      if (field.is_id && each.ids.contains(field.name))
        identity.push_back(key_text(each.ids.at(field.name)).value_or(""));
    }
    return identity;
  }

  std::optional<size_t> list_place(const EmbeddedChange& each) const {
    const auto children = subject_.before.embedded.find(each.end);
    if (children == subject_.before.embedded.end()) return std::nullopt;
    for (size_t i = 0; i < children->second.size(); ++i) {
      const Fields& fields = children->second[i];
      const bool is_it = std::all_of(each.ids.begin(), each.ids.end(), [&](const auto& id) {
        const auto found = fields.find(id.first);
        return found != fields.end() && found->second == id.second;
      });
      if (is_it) return i;
    }
    return std::nullopt;
  }

  const model::Model& model_;
  const model::Layout& layout_;
  const Subject& subject_;
  const model::Entity& entity_;
  const model::ItemKind& kind_;
  const model::Table& table_;
  const std::string& now_text_;
  Transaction& transaction_;
  ItemCodec codec_;
  Fields plain_;
  std::set<std::string> gone_;
  bool is_moved_ = false;
};

}  // namespace

std::string reference_attribute(const model::Model& model, EndId end, size_t part) {
  return model.end(end).name + "_" + identity_attribute(model, model.end(end).target, part);
}

AttributePath path_of(const model::Field& field, const std::vector<std::string>& inside) {
  AttributePath path{field.attribute};
  for (const std::string& name : inside) path.emplace_back(name);
  return path;
}

Result<void> write_subject(const model::Model& model, const model::Layout& layout, const Subject& subject,
                           const std::string& now_text, bool is_first_try, Transaction& transaction) {
  return SubjectWriter(model, layout, subject, now_text, transaction).run(is_first_try);
}

}  // namespace sheaf::run
