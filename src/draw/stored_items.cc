#include "draw/stored_items.h"

#include <algorithm>
#include <map>

#include "base/try.h"
#include "draw/attribute_uses.h"
#include "run/item_codec.h"
#include "run/plain_json.h"
#include "value/base64.h"

namespace sheaf::draw {
namespace {

constexpr size_t kValueCharactersMax = 240;
constexpr char kSystemMark = '_';

// Keys of one attribute have one type; others cannot be compared, and stay where they are.
bool is_less(std::optional<ValueView> a, std::optional<ValueView> b) {
  if (!a || !b) return false;
  const auto order = compare(*a, *b);
  return order && *order < 0;
}

}  // namespace

Result<std::vector<StoredItem>> stored_items(const model::Model& model, const model::Layout& layout,
                                             const run::Data& data) {
  const run::ItemCodec codec(model, layout);
  std::vector<StoredItem> items;
  for (const run::Record& record : data.records) {
    const auto kind = layout.kind_of_entity[record.entity];
    if (!kind) continue;  // it exists as an end of edges only
    for (Item& item : TRY(codec.items(record))) items.push_back({.kind = *kind, .item = std::move(item)});
  }
  for (const run::Edge& edge : data.edges) {
    for (const run::Edge& each : codec.directions(edge)) {
      Item item = TRY(codec.encode(each));
      items.push_back({.kind = codec.item_kind(each), .item = std::move(item)});
    }
  }
  return items;
}

void hide_system_values(const model::Model& model, const model::Layout& layout,
                        std::vector<StoredItem>& items) {
  for (StoredItem& stored : items) {
    const std::optional<model::EntityId>& entity = layout.item_kinds[stored.kind].entity;
    if (!entity) continue;
    for (const model::EndId end : model.entities[*entity].ends) {
      if (layout.storage(end) != model::EndStorage::kEntries) continue;
      const auto list = stored.item.find(model.end(end).name);
      if (!list || list->type() != Type::kMap) continue;
      Item shown;
      for (const Attribute entry : list->map()) {
        Item fields;
        for (const Attribute field : entry.value.map()) {
          if (!field.name.starts_with(kSystemMark)) fields.set(field.name, field.value);
        }
        shown.set(entry.name, Value(std::move(fields)));
      }
      stored.item.set(model.end(end).name, Value(std::move(shown)));
    }
  }
}

ViewKeys keys_of(const model::Layout& layout, const plan::View& view) {
  const model::Table& table = layout.tables[view.table];
  if (!view.index) return {.partition = &table.pk, .sort = table.sk ? &*table.sk : nullptr};
  const model::Index& index = table.indexes[*view.index];
  return {.partition = &index.pk, .sort = index.sk ? &*index.sk : nullptr};
}

std::string name_of(const model::Layout& layout, const plan::View& view) {
  const model::Table& table = layout.tables[view.table];
  return view.index ? "index " + table.name + "." + table.indexes[*view.index].name : "table " + table.name;
}

std::vector<plan::View> views(const model::Layout& layout) {
  std::vector<plan::View> all;
  for (size_t table = 0; table < layout.tables.size(); ++table) {
    all.push_back({.table = table});
    for (size_t index = 0; index < layout.tables[table].indexes.size(); ++index)
      all.push_back({.table = table, .index = index});
  }
  return all;
}

std::vector<Partition> partitions(const Subject& subject, const plan::View& view) {
  const ViewKeys keys = keys_of(subject.layout, view);
  const model::Table& table = subject.layout.tables[view.table];
  std::map<std::string, Partition> found;  // by the encoded key
  for (size_t i = 0; i < subject.items.size(); ++i) {
    const StoredItem& stored = subject.items[i];
    if (subject.layout.item_kinds[stored.kind].table != view.table) continue;
    const auto key = stored.item.find(keys.partition->name);
    if (!key || (keys.sort != nullptr && !stored.item.find(keys.sort->name))) continue;
    Partition& partition = found[std::string(key->encoded())];
    if (partition.items.empty()) partition.key = Value(*key);
    partition.items.push_back(i);
  }
  std::vector<Partition> all;
  for (auto& [encoded, partition] : found) {
    std::stable_sort(partition.items.begin(), partition.items.end(), [&](size_t a, size_t b) {
      const auto attribute = [&](size_t item, const model::KeyAttribute* key) {
        return key == nullptr ? std::nullopt : subject.items[item].item.find(key->name);
      };
      // What shares its index keys is in the order of the table's.
      for (const model::KeyAttribute* key : {keys.sort, &table.pk, table.sk ? &*table.sk : nullptr}) {
        if (is_less(attribute(a, key), attribute(b, key))) return true;
        if (is_less(attribute(b, key), attribute(a, key))) return false;
      }
      return false;
    });
    all.push_back(std::move(partition));
  }
  const auto first_kind = [&](const Partition& partition) {
    size_t first = subject.layout.item_kinds.size();
    for (const size_t item : partition.items) first = std::min(first, subject.items[item].kind);
    return first;
  };
  std::stable_sort(all.begin(), all.end(), [&](const Partition& a, const Partition& b) {
    if (first_kind(a) != first_kind(b)) return first_kind(a) < first_kind(b);
    return is_less(a.key.view(), b.key.view());
  });
  return all;
}

std::vector<std::string> shown_attributes(const Subject& subject, const StoredItem& item,
                                          const plan::View& view) {
  const model::ItemKind& kind = subject.layout.item_kinds[item.kind];
  const model::Table& table = subject.layout.tables[view.table];
  const ViewKeys keys = keys_of(subject.layout, view);
  const auto is_key = [](const ViewKeys& of, const std::string& name) {
    return of.partition->name == name || (of.sort != nullptr && of.sort->name == name);
  };
  const auto is_shown = [&](const std::string& name) {
    if (is_key(keys, name)) return false;
    if (name.starts_with(kSystemMark) && !subject.shows_all) return false;
    if (!view.index) return true;
    const model::Index& index = table.indexes[*view.index];
    const bool is_included =
        std::find(index.included.begin(), index.included.end(), name) != index.included.end();
    return index.projection == language::Gsi::Projection::kAll || is_included ||
           is_key(keys_of(subject.layout, {.table = view.table}), name);
  };
  std::vector<std::string> names;
  for (const AttributeUse& use : attribute_uses(subject.model, subject.layout, kind)) {
    if (item.item.find(use.attribute)) names.push_back(use.attribute);
  }
  for (const Attribute attribute : item.item.view()) {
    if (std::find(names.begin(), names.end(), attribute.name) == names.end())
      names.emplace_back(attribute.name);
  }
  std::erase_if(names, [&](const std::string& name) { return !is_shown(name); });
  return names;
}

std::string value_text(ValueView value) {
  std::string text;
  if (value.type() == Type::kString) {
    text = value.bytes().empty() ? "\"\"" : std::string(value.bytes());
  } else if (value.type() == Type::kBinary) {
    append_base64(text, value.bytes());
  } else {
    text = run::to_plain_json(value);
  }
  std::string_view rest = text;
  for (size_t count = 0; count < kValueCharactersMax && !rest.empty(); ++count) take_code_point(rest);
  if (rest.empty()) return text;
  return text.substr(0, text.size() - rest.size()) + "… (" + std::to_string(text.size()) + " bytes)";
}

Hue hue_of(const model::Model& model, const model::ItemKind& kind) {
  return kind.entity ? *kind.entity : model.entities.size() + *kind.relation;
}

}  // namespace sheaf::draw
