#include <algorithm>

#include "model/value_type.h"
#include "prove/layout_maker.h"
#include "prove/random_names.h"

namespace sheaf::prove {
namespace {

using TableWords = std::vector<std::string>;

std::string plain_lower(const std::string& name) {
  std::string text;
  for (const char c : name) {
    if (fits_in_keys(std::string_view(&c, 1)))
      text += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  }
  return text;
}

}  // namespace

// A key attribute is a string, a number or a binary: other types stand for one of those.
void LayoutMaker::write_types(TableDraft& table) {
  static const TableWords strings = {"", "", "", "", " string", " time", " date", " ulid", " uuid"};
  const auto word = [&](AttributeType type) -> std::string {
    if (type == AttributeType::kString) return draw_.chance.of(strings);
    if (type == AttributeType::kBinary) return " binary";
    return maybe() ? " number" : " int";
  };
  table.pk_word = word(table.pk_type);
  table.sk_word = word(table.sk_type);
}

// DynamoDB's rule: 3 to 255 letters, digits, _, - and .
std::string LayoutMaker::table_name(const std::string& wanted) {
  std::string name = wanted.size() < 3 ? wanted + "_table" : wanted;
  static const TableWords forms = {"", "", "", "-v1", ".data", "_t"};
  name += draw_.chance.of(forms);
  while (!names_.insert(name).second) name += "x";
  return name;
}

size_t LayoutMaker::add_table(const std::string& wanted) {
  // Most layouts replace the tables of their base: it would go on to have the others, too.
  for (const TableDraft& table : base_.tables) {
    if (!names_.contains(table.name) && draw_.chance.percent(80)) return fill_table(table.name);
  }
  return fill_table(table_name(wanted));
}

size_t LayoutMaker::fill_table(const std::string& name) {
  names_.insert(name);
  static const std::vector<std::pair<std::string, std::string>> keys = {
      {"PK", "SK"}, {"pk", "sk"}, {"p_k", "s_k"}, {"partition", "sort"}, {"hash key", "range-key"},
      {"PK", "SK"}};
  const auto& [pk, sk] = draw_.chance.of(keys);
  TableDraft table{.name = name, .pk = pk, .sk = sk};
  if (draw_.chance.percent(60)) table.tag = maybe() ? "T" : "item_type";
  write_types(table);
  const bool expires =
      std::any_of(model_.entities.begin(), model_.entities.end(),
                  [](const model::Entity& entity) { return entity.syntax->ttl.has_value(); });
  if (expires || draw_.chance.one_in(15)) table.ttl = "time_to_live";
  // Every item the other way round.
  if (draw_.chance.one_in(6))
    table.indexes.push_back(
        {.name = "inverted", .pk = sk, .sk = pk, .is_over_table_keys = true, .is_shared = false});
  // One of the base with this name is replaced.
  const auto same = std::find_if(made_.tables.begin(), made_.tables.end(),
                                 [&](const TableDraft& each) { return each.name == table.name; });
  if (same != made_.tables.end()) {
    *same = std::move(table);
    return static_cast<size_t>(same - made_.tables.begin());
  }
  made_.tables.push_back(std::move(table));
  return made_.tables.size() - 1;
}

void LayoutMaker::put_into(EntityId entity, size_t table) {
  table_of_[entity] = table;
  PhysicalDraft& physical = made_.entities[entity];
  physical.table = made_.tables[table].name;
}

void LayoutMaker::make_tables() {
  for (EntityId entity = 0; entity < model_.entities.size(); ++entity)
    inherited_[entity] = std::move(made_.entities[entity].indexes);
  for (PhysicalDraft& physical : made_.entities) physical.indexes.clear();
  const size_t kind = draw_.wants(Topic::kSeveralTables, 55) ? draw_.chance.between(1, 3) : 0;
  static const TableWords words = {"app", "main", "data", "table1", "one"};
  const size_t first = add_table(draw_.chance.of(words));
  const size_t second = kind == 2 ? add_table("second") : first;
  for (EntityId entity = 0; entity < model_.entities.size(); ++entity) {
    const bool is_alone = !parent_relation(entity) && !has_children_in_partition(entity) &&
                          !is_by_field(entity) && has_items(entity) && can_be_keyed(entity);
    is_natural_[entity] = is_alone && (kind == 1 || (kind == 3 && maybe()));
    put_into(entity, draw_.chance.one_in(2) ? first : second);
  }
  // Children lie where their parents do.
  for (size_t round = 0; round < model_.entities.size(); ++round) {
    for (EntityId entity = 0; entity < model_.entities.size(); ++entity) {
      if (const auto relation = parent_relation(entity))
        put_into(entity, table_of_[model_.relations[*relation].ends[0].holder]);
    }
  }
  edge_table_ = first;
  const bool has_one = made_.tables.size() == 1 &&
                       std::none_of(is_natural_.begin(), is_natural_.end(), [](bool is) { return is; });
  for (EntityId entity = 0; entity < model_.entities.size(); ++entity) {
    PhysicalDraft& physical = made_.entities[entity];
    if (!has_items(entity)) physical.table = base_.entities[entity].table;
    if (has_one && base_.entities[entity].table.empty() && !draw_.chance.one_in(5)) physical.table.clear();
  }
}

// Tables of the base that nothing lies in any more: their indexes would name attributes that no item has.
void LayoutMaker::clear_unused() {
  for (TableDraft& table : made_.tables) {
    if (!names_.contains(table.name)) table.indexes.clear();
  }
}

std::string LayoutMaker::attribute_name(const HoleDraft& hole, const std::string& otherwise) {
  if (!maybe()) return otherwise;
  std::string name;
  for (const std::string& part : hole.names) name += (name.empty() ? "" : "_") + part;
  return name;
}

// A table of its own, whose keys are the ids themselves.
void LayoutMaker::make_natural(EntityId entity) {
  const std::vector<HoleDraft> ids = keys_.identity(entity);
  const size_t table = add_table(plain_lower(model_.entities[entity].name));
  TableDraft& made = made_.tables[table];
  std::erase_if(made.indexes, [](const IndexDraft&) { return true; });
  const auto can_be_bare = [](const HoleDraft& hole) {
    return hole.type.kind != language::Type::Kind::kBool;
  };
  KeysDraft keys;
  const bool is_split = ids.size() > 1 && draw_.chance.percent(70);
  const std::vector<HoleDraft> first(ids.begin(), is_split ? ids.begin() + 1 : ids.end());
  const std::vector<HoleDraft> rest(first.size() == ids.size() ? ids.end() : ids.begin() + 1, ids.end());
  const bool is_bare = first.size() == 1 && can_be_bare(first.front()) && draw_.chance.percent(75);
  made.pk = attribute_name(first.front(), "id_of_" + plain_lower(words_[entity]));
  if (is_bare) {
    keys.pk = keys_.bare(first.front());
    made.pk_type = attribute_type(first.front().type);
  } else {
    made.pk = "pk_of_item";
    keys.pk = keys_.joined(maybe() ? words_[entity] : "", first);
  }
  made.sk.clear();
  if (rest.size() == 1 && can_be_bare(rest.front()) && maybe()) {
    made.sk = attribute_name(rest.front(), "sort_key");
    keys.sk = keys_.bare(rest.front());
    made.sk_type = attribute_type(rest.front().type);
  } else if (!rest.empty()) {
    made.sk = "sort_key";
    keys.sk = keys_.joined("", rest);
  } else if (const auto ordered = draw_.chance.one_in(6) ? own_field(entity, true) : std::nullopt) {
    made.sk = attribute_name(*ordered, "sort_key");
    keys.sk = keys_.bare(*ordered);
    found_by_id_[entity] = false;
  }
  if (made.sk == made.pk) made.sk = "sort_key_2";
  write_types(made);
  made_.entities[entity].key = std::move(keys);
  put_into(entity, table);
  is_keyed_[entity] = true;
}

}  // namespace sheaf::prove
