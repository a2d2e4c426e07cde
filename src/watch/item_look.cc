#include "watch/item_look.h"

#include "run/item_codec.h"

namespace sheaf::watch {
namespace {

using KindOf = std::variant<run::Record, run::Edge>;

void add_kind(const KeyNames::Stored& stored, const KindOf& decoded, ItemLook& look) {
  const model::Model& model = *stored.model;
  const auto* const record = std::get_if<run::Record>(&decoded);
  if (record == nullptr) return;
  const model::Entity& entity = model.entities[record->entity];
  look.subject.kind = entity.name;
  const auto name = [&](model::EndId end) { return entity.name + "." + model.end(end).name; };
  for (const auto& [end, children] : record->embedded) {
    if (!children.empty()) look.embedded.push_back({name(end), children.size()});
  }
  for (const auto& [end, references] : record->references) {
    // Of an end that leads to one, the item names just that.
    const model::End& declared = model.end(end);
    if (!declared.leads_to_many || references.empty() || !declared.max || *declared.max <= 0) continue;
    look.listed.push_back({name(end), references.size(), *declared.max});
  }
}

}  // namespace

Item key_of_item(const KeySchema& key, ItemView item) {
  Item found = partition_of_item(key, item);
  for (const KeyAttribute& attribute : key.sort) {
    if (const auto value = item.find(attribute.name)) found.set(attribute.name, *value);
  }
  return found;
}

Item partition_of_item(const KeySchema& key, ItemView item) {
  Item found;
  for (const KeyAttribute& attribute : key.partition) {
    if (const auto value = item.find(attribute.name)) found.set(attribute.name, *value);
  }
  return found;
}

int64_t sort_key_bytes(const KeySchema& key, ItemView item) {
  int64_t bytes = 0;
  for (const KeyAttribute& attribute : key.sort) {
    const auto value = item.find(attribute.name);
    const auto text = value ? run::key_text(*value) : std::nullopt;
    if (text) bytes += static_cast<int64_t>(text->size());
  }
  return bytes;
}

ItemLook look_at(const KeyNames& names, const TableDescription& table, ItemView item) {
  ItemLook look{.key = key_of_item(table.key, item),
                .bytes = item.size_bytes(),
                .sort_key_bytes = sort_key_bytes(table.key, item)};
  KeyName name = names.item(table.name, "", look.key);
  look.subject = {.table = table.name,
                  .kind = std::move(name.kind),
                  .key = look.key.to_json(),
                  .name = std::move(name.text)};
  for (const KeyNames::Stored& stored : names.stored(table.name)) {
    const run::ItemCodec codec(*stored.model, *stored.layout);
    const std::optional<KindOf> decoded = codec.decode(stored.table, item);
    if (!decoded) continue;
    add_kind(stored, *decoded, look);
    break;
  }
  return look;
}

}  // namespace sheaf::watch
