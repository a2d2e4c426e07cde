#include "run/field_items.h"

#include <algorithm>

#include "run/record.h"

namespace sheaf::run {
namespace {

using model::kValueAttribute;

// The texts in its sort key; the last is the attribute.
std::vector<std::string> sort_values(const model::Table& table, const model::ItemKind& kind, ItemView item) {
  const auto text = item.find(table.sk->name);
  return kind.sk->decode(text->bytes()).value_or(std::vector<std::string>());
}

Item field_item(const model::Table& table, const model::ItemKind& kind, ItemView key, ValueView value) {
  Item item(key);
  if (table.tag) item.set(*table.tag, Value(kind.tag));
  item.set(kValueAttribute, value);
  return item;
}

class Splitter {
 public:
  Splitter(const model::Model& model, const model::Table& table, const model::ItemKind& kind,
           const ItemChange& whole, const FieldChangeOptions& options, Transaction& transaction)
      : entity_(model.entities[*kind.entity]),
        table_(table),
        kind_(kind),
        whole_(whole),
        may_be_marked_(options.may_be_marked),
        is_first_try_(options.is_first_try),
        transaction_(transaction) {}

  void run() {
    switch (whole_.action) {
      case ItemChange::Action::kPut:
        put();
        break;
      case ItemChange::Action::kDelete:
        for (const model::Field& field : entity_.fields) {
          if (!field.is_id) part(field.attribute).action = ItemChange::Action::kDelete;
        }
        break;
      case ItemChange::Action::kUpdate:
        update();
        break;
      case ItemChange::Action::kCheck:
        break;
    }
    for (const Expected& expected : whole_.expected) expect(expected);
  }

 private:
  const model::Field& anchor() const { return entity_.fields[*kind_.anchor]; }

  ItemChange& part(std::string_view attribute) {
    return transaction_.change(whole_.table, whole_.pk_name, field_key(table_, kind_, whole_.key, attribute));
  }

  // In whose item something lies, and as what: attributes that are no fields are the anchor's.
  ItemChange& part_of(AttributePath& path) {
    const std::string attribute = std::get<std::string>(path.front());
    if (field_named(entity_, attribute) == nullptr) return part(anchor().attribute);
    path.front() = std::string(kValueAttribute);
    return part(attribute);
  }

  void put() {
    for (const Attribute attribute : whole_.item.view()) {
      if (field_named(entity_, attribute.name) == nullptr) continue;
      ItemChange& change = part(attribute.name);
      change.action = ItemChange::Action::kPut;
      change.item = field_item(table_, kind_, change.key, attribute.value);
    }
  }

  void update() {
    for (const auto& [path, what] : whole_.sets) {
      AttributePath to = path;
      ItemChange& change = part_of(to);
      begin_update(change);
      change.sets.emplace_back(std::move(to), moved(what));
    }
    for (const AttributePath& path : whole_.removes) {
      AttributePath from = path;
      ItemChange& change = part_of(from);
      const bool is_field = field_named(entity_, std::get<std::string>(path.front())) != nullptr;
      if (is_field && path.size() == 1) {
        change.action = ItemChange::Action::kDelete;
        continue;
      }
      begin_update(change);
      change.removes.push_back(std::move(from));
    }
    for (const auto& [attribute, elements] : whole_.adds) {
      ItemChange& change = part(attribute);
      begin_update(change);
      change.adds.emplace_back(kValueAttribute, elements);
    }
  }

  // A field that was missing may come into being so.
  void begin_update(ItemChange& change) {
    if (change.action == ItemChange::Action::kUpdate) return;
    change.action = ItemChange::Action::kUpdate;
    if (table_.tag) change.set(*table_.tag, Value(kind_.tag));
  }

  // Sums are of the field itself: what needs others is computed before.
  static std::variant<Value, Sum, Appended> moved(const std::variant<Value, Sum, Appended>& what) {
    const auto* sum = std::get_if<Sum>(&what);
    if (sum == nullptr) return what;
    Sum made = *sum;
    for (Term& term : made) {
      if (auto* path = std::get_if<AttributePath>(&term.operand))
        path->front() = std::string(kValueAttribute);
    }
    return made;
  }

  void expect(Expected expected) {
    switch (expected.kind) {
      case Expected::Kind::kExists:
        return expect_there(expected);
      case Expected::Kind::kAbsent:
        part(anchor().attribute).expect(std::move(expected));
        return;
      default:
        break;
    }
    const bool is_mark = expected.path == AttributePath{std::string(kDeletingAttribute)};
    if (is_mark && expected.kind == Expected::Kind::kMissing && !may_be_marked_) return;
    ItemChange& change = part_of(expected.path);
    change.expect(std::move(expected));
  }

  // Any field that is never missing tells as well that the entity is there, in one item instead of two;
  // unless the model has it since a short while and this entity has not. Then it is tried again with the
  // anchor.
  void expect_there(const Expected& expected) {
    ItemChange* const told = may_be_marked_ || !is_first_try_ ? nullptr : changed_and_never_missing();
    if (told == nullptr) {
      part(anchor().attribute).expect(expected);
      return;
    }
    Expected there = expected;
    there.is_race = true;
    told->expect(std::move(there));
  }

  ItemChange* changed_and_never_missing() {
    if (whole_.action != ItemChange::Action::kUpdate) return nullptr;
    for (const model::Field& field : entity_.fields) {
      if (!field.tells_presence()) continue;
      ItemChange* const change =
          transaction_.find(whole_.table, field_key(table_, kind_, whole_.key, field.attribute));
      if (change != nullptr && change->action == ItemChange::Action::kUpdate) return change;
    }
    return nullptr;
  }

  const model::Entity& entity_;
  const model::Table& table_;
  const model::ItemKind& kind_;
  const ItemChange& whole_;
  const bool may_be_marked_;
  const bool is_first_try_;
  Transaction& transaction_;
};

}  // namespace

const model::Field* field_named(const model::Entity& entity, std::string_view attribute) {
  for (const model::Field& field : entity.fields) {
    if (!field.is_id && field.attribute == attribute) return &field;
  }
  return nullptr;
}

Item field_key(const model::Table& table, const model::ItemKind& kind, ItemView item,
               std::string_view attribute) {
  std::vector<std::string> values = sort_values(table, kind, item);
  values.back() = attribute;
  Item key;
  key.set(table.pk.name, *item.find(table.pk.name));
  key.set(table.sk->name, Value(*kind.sk->encode(values)));
  return key;
}

const model::Field* field_of(const model::Model& model, const model::Table& table,
                             const model::ItemKind& kind, ItemView item) {
  const std::vector<std::string> values = sort_values(table, kind, item);
  return values.empty() ? nullptr : field_named(model.entities[*kind.entity], values.back());
}

std::vector<Item> field_items(const model::Model& model, const model::Table& table,
                              const model::ItemKind& kind, ItemView whole) {
  std::vector<Item> items;
  for (const model::Field& field : model.entities[*kind.entity].fields) {
    const auto value = whole.find(field.attribute);
    if (!field.is_id && value)
      items.push_back(field_item(table, kind, field_key(table, kind, whole, field.attribute), *value));
  }
  return items;
}

void join_field(const model::Model& model, const model::Table& table, const model::ItemKind& kind,
                ItemView item, Item& whole) {
  const model::Field* const field = field_of(model, table, kind, item);
  const auto value = item.find(kValueAttribute);
  if (field == nullptr || !value) return;
  whole.set(field->attribute, *value);
  if (field != &model.entities[*kind.entity].fields[*kind.anchor]) return;
  for (const Attribute attribute : item) {
    if (attribute.name != kValueAttribute) whole.set(attribute.name, attribute.value);
  }
}

bool is_whole(const model::Model& model, const model::ItemKind& kind, ItemView item) {
  return item.find(model.entities[*kind.entity].fields[*kind.anchor].attribute).has_value();
}

void change_fields(const model::Model& model, const model::Table& table, const model::ItemKind& kind,
                   const ItemChange& whole, const FieldChangeOptions& options, Transaction& transaction) {
  Splitter(model, table, kind, whole, options, transaction).run();
}

}  // namespace sheaf::run
