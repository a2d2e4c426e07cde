#include "run/stored_items.h"

#include <algorithm>
#include <map>

#include "base/article.h"
#include "base/try.h"
#include "plan/related.h"
#include "plan/write_needs.h"
#include "run/field_items.h"
#include "run/item_codec.h"
#include "run/requests.h"

namespace sheaf::run {
namespace {

// All of one that is stored field by field: they have a partition of their own.
Result<std::optional<Item>> find_fields(Database& database, const model::Model& model,
                                        const model::Layout& layout, model::EntityId entity,
                                        const Identity& identity, Figures& figures) {
  const model::ItemKind& kind = *layout.kind(entity);
  const plan::Plan plan = *plan::lookup_plan(model, layout, entity);
  const std::vector<Argument> none;
  Query query = TRY(RequestBuilder(model, layout, plan, none).query(plan.requests.front(), {{0, identity}}));
  Item whole;
  do {
    const Page page = TRY(database.query(query));
    ++figures.requests;
    figures.units += page.capacity.total();
    for (size_t i = 0; i < page.items.size(); ++i)
      join_field(model, layout.tables[kind.table], kind, page.items[i], whole);
    query.start_key = page.last_key;
  } while (query.start_key);
  return is_whole(model, kind, whole) ? std::optional(std::move(whole)) : std::nullopt;
}

}  // namespace

Item key_of(const model::Table& table, ItemView item) {
  Item key;
  key.set(table.pk.name, *item.find(table.pk.name));
  if (table.sk) key.set(table.sk->name, *item.find(table.sk->name));
  return key;
}

Item position_key(const model::Table& table, std::optional<size_t> index, ItemView item) {
  Item key;
  const auto add = [&](const model::KeyAttribute& attribute) {
    if (const auto value = item.find(attribute.name)) key.set(attribute.name, *value);
  };
  add(table.pk);
  if (table.sk) add(*table.sk);
  if (!index) return key;
  add(table.indexes[*index].pk);
  if (table.indexes[*index].sk) add(*table.indexes[*index].sk);
  return key;
}

Result<void> get_items(Database& database, const model::Layout& layout, const TableKeys& keys, bool is_strong,
                       Figures& figures, const std::function<void(size_t, ItemView)>& on_item) {
  const auto take = [&](size_t table, ItemView item) {
    ++figures.items_read;
    on_item(table, item);
  };
  if (keys.size() == 1) {
    const auto& [table, key] = keys.front();
    const Got got =
        TRY(database.get_item({.table = layout.tables[table].name, .key = key, .consistent = is_strong}));
    ++figures.requests;
    figures.units += got.capacity.total();
    if (got.item) take(table, *got.item);
    return {};
  }
  for (size_t begin = 0; begin < keys.size(); begin += kBatchKeysMax) {
    BatchGetItems batch;
    std::map<std::string, size_t> tables;
    for (size_t i = begin; i < std::min(keys.size(), begin + kBatchKeysMax); ++i) {
      const std::string& name = layout.tables[keys[i].first].name;
      tables[name] = keys[i].first;
      batch.tables[name].keys.push_back(keys[i].second);
      batch.tables[name].consistent = is_strong;
    }
    while (!batch.tables.empty()) {
      const BatchGot got = TRY(database.batch_get_items(batch));
      ++figures.requests;
      for (const auto& [name, capacity] : got.capacity) figures.units += capacity.total();
      for (const auto& [name, items] : got.items) {
        for (size_t i = 0; i < items.size(); ++i) take(tables.at(name), items[i]);
      }
      std::map<std::string, BatchGetItems::Table> rest;
      for (const auto& [name, left] : got.unprocessed) {
        rest[name] = batch.tables[name];
        rest[name].keys = left;
      }
      batch.tables = std::move(rest);
    }
  }
  return {};
}

Result<std::optional<Item>> find_item(Database& database, const model::Model& model,
                                      const model::Layout& layout, model::EntityId entity,
                                      const Identity& identity, Figures& figures) {
  if (layout.is_by_field(entity)) return find_fields(database, model, layout, entity, identity, figures);
  const ItemCodec codec(model, layout);
  const size_t table = layout.kind(entity)->table;
  std::optional<Item> found;
  const auto keep = [&](size_t, ItemView item) {
    const auto decoded = codec.decode(table, item);
    const auto* record = decoded ? std::get_if<Record>(&*decoded) : nullptr;
    if (record != nullptr && record->entity == entity && record->identity == identity) found = Item(item);
  };
  if (plan::has_known_key(model, layout, entity)) {
    Item key = TRY(codec.key(entity, identity));
    TRY(get_items(database, layout, TableKeys(1, std::pair(table, std::move(key))), true, figures, keep));
    return found;
  }
  const auto plan = plan::lookup_plan(model, layout, entity);
  if (!plan)
    return Error{Code::kInvalid, "the id of " + with_article(model.entities[entity].name) +
                                     " does not tell its key in this layout, and no index is led by it"};
  const std::vector<Argument> none;
  const Query query =
      TRY(RequestBuilder(model, layout, *plan, none).query(plan->requests.front(), {{0, identity}}));
  const Page page = TRY(database.query(query));
  ++figures.requests;
  figures.units += page.capacity.total();
  for (size_t i = 0; i < page.items.size() && !found; ++i) {
    Item key = key_of(layout.tables[table], page.items[i]);
    TRY(get_items(database, layout, TableKeys(1, std::pair(table, std::move(key))), true, figures, keep));
  }
  return found;
}

}  // namespace sheaf::run
