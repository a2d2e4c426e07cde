#include "migrate/side.h"

#include <algorithm>

#include "base/try.h"
#include "plan/related.h"
#include "plan/write_needs.h"
#include "run/document.h"
#include "run/found_edges.h"
#include "run/item_shape.h"
#include "run/stored_items.h"

namespace sheaf::migrate {

using model::EndId;
using model::EndStorage;
using model::EntityId;
using run::Fields;
using run::Identity;
using run::Record;

Side::Side(Database& database, const model::Model& model, const model::Layout& layout)
    : database_(database), model_(model), layout_(layout), codec_(model, layout) {
  for (const model::ItemKind& kind : layout.item_kinds) {
    std::vector<std::string>& names = attributes_.emplace_back();
    for (const run::ShapeValue& value : run::item_shape(model, layout, kind)) {
      // Copies follow from what others say.
      if (!value.is_in_key && value.kind != run::ShapeValue::Kind::kCopy) names.push_back(value.attribute);
    }
  }
}

SourceItem Side::source(size_t table, const Item& item, std::optional<size_t> kind) const {
  const model::Table& stored = layout_.tables[table];
  SourceItem made{
      .table = stored.name, .pk_name = stored.pk.name, .key = run::key_of(stored, item), .item = item};
  if (!kind) return made;
  for (const std::string& name : attributes_[*kind]) {
    if (!item.find(name)) made.missing.push_back(name);
  }
  return made;
}

bool Side::finds(EntityId entity) const {
  if (const auto end = layout_.embedding_end(model_, entity)) return finds(model_.end(*end).holder);
  return layout_.has_items(entity) && (plan::has_known_key(model_, layout_, entity) ||
                                       plan::lookup_plan(model_, layout_, entity).has_value());
}

SeenEntity Side::seen(const Record& record) const {
  SeenEntity made{.entity = record.entity, .identity = record.identity, .version = record.version};
  for (const model::Field& field : model_.entities[record.entity].fields) {
    const auto value = record.fields.find(field.name);
    if (value != record.fields.end() && !field.count_of) made.fields[field.name] = value->second;
  }
  for (const EndId end : model_.entities[record.entity].ends) {
    if (!layout_.is_named(end)) continue;
    made.told.insert(end);
    if (layout_.storage(end) == EndStorage::kEntries) {
      const auto entries = record.entries.find(end);
      if (entries == record.entries.end()) continue;
      for (const run::Edge& edge : entries->second)
        made.links.push_back({.end = end, .to = edge.ends[end.side], .fields = edge.fields});
      continue;
    }
    const auto references = record.references.find(end);
    if (references == record.references.end()) continue;
    for (const Identity& to : references->second) made.links.push_back({.end = end, .to = to});
  }
  return made;
}

std::vector<SeenEntity> Side::embedded_in(const Record& record) const {
  std::vector<SeenEntity> children;
  for (const auto& [end, list] : record.embedded) {
    const model::Entity& child = model_.entities[model_.end(end).target];
    for (const Fields& fields : list) {
      SeenEntity made{.entity = model_.end(end).target, .identity = record.identity, .fields = fields};
      for (const model::Field& field : child.fields) {
        if (!field.is_id) continue;
        const auto value = fields.find(field.name);
        made.identity.push_back(value == fields.end() ? "" : run::key_text(value->second).value_or(""));
      }
      made.told.insert(end.other());
      made.links.push_back({.end = end.other(), .to = record.identity});
      children.push_back(std::move(made));
    }
  }
  return children;
}

// Edges of ends that lead to one belong to their holder.
Result<void> Side::add_edges(SeenEntity& seen, std::vector<SourceItem>& sources) const {
  for (const EndId end : model_.entities[seen.entity].ends) {
    if (model_.end(end).leads_to_many || !layout_.is_edge(end)) continue;
    if (!plan::related_plan(model_, layout_, end)) continue;
    run::Figures unused;
    const auto found = TRY(run::find_edges(database_, model_, layout_, end, seen.identity,
                                           std::chrono::system_clock::now(), unused));
    seen.told.insert(end);
    for (const run::FoundEdge& each : found) {
      // An index may tell of what is gone.
      const Item key = run::key_of(layout_.tables[each.table], each.item);
      const Got got =
          TRY(database_.get_item({.table = layout_.tables[each.table].name, .key = key, .consistent = true}));
      if (!got.item) continue;
      sources.push_back(source(each.table, *got.item, codec_.item_kind(each.edge)));
      seen.links.push_back({.end = end, .to = each.edge.ends[end.side], .fields = each.edge.fields});
    }
  }
  return {};
}

Result<Sight> Side::find_embedded(EntityId entity, const Identity& identity, EndId end) const {
  const Identity parent = run::parent_in(model_, entity, identity, end.other());
  run::Figures unused;
  const auto item = TRY(run::find_item(database_, model_, layout_, model_.end(end).holder, parent, unused));
  Sight sight;
  if (!item) return sight;
  const size_t table = layout_.kind(model_.end(end).holder)->table;
  sight.sources.push_back(source(table, *item, layout_.kind_of_entity[model_.end(end).holder]));
  sight.is_deleting = item->find(run::kDeletingAttribute).has_value();
  auto decoded = codec_.decode(table, *item);
  const auto* record = decoded ? std::get_if<Record>(&*decoded) : nullptr;
  if (record == nullptr || sight.is_deleting) return sight;
  for (SeenEntity& child : embedded_in(*record)) {
    if (child.entity == entity && child.identity == identity) sight.entity = std::move(child);
  }
  return sight;
}

Result<Sight> Side::find(EntityId entity, const Identity& identity) const {
  if (const auto end = layout_.embedding_end(model_, entity)) return find_embedded(entity, identity, *end);
  if (!finds(entity))
    return Error{Code::kInvalid, "the id of " + model_.entities[entity].name +
                                     " leads nowhere in the layout " + layout_.name};
  run::Figures unused;
  const auto item = TRY(run::find_item(database_, model_, layout_, entity, identity, unused));
  Sight sight;
  const size_t table = layout_.kind(entity)->table;
  if (!item) {
    if (plan::has_known_key(model_, layout_, entity) && !layout_.is_by_field(entity)) {
      Item key = TRY(codec_.key(entity, identity));
      sight.sources.push_back({.table = layout_.tables[table].name,
                               .pk_name = layout_.tables[table].pk.name,
                               .key = std::move(key),
                               .item = std::nullopt});
    }
    return sight;
  }
  sight.is_deleting = item->find(run::kDeletingAttribute).has_value();
  if (!layout_.is_by_field(entity))
    sight.sources.push_back(source(table, *item, layout_.kind_of_entity[entity]));
  auto decoded = codec_.decode(table, *item);
  const auto* record = decoded ? std::get_if<Record>(&*decoded) : nullptr;
  if (record == nullptr || sight.is_deleting) return sight;
  sight.entity = seen(*record);
  TRY(add_edges(*sight.entity, sight.sources));
  return sight;
}

Result<Side::FoundLinks> Side::find_links(EndId end, const Identity& from, const Identity& to) const {
  FoundLinks found;
  const auto look_in = [&](EndId naming, const Identity& holder, const Identity& target) -> Result<void> {
    found.is_known = finds(model_.end(naming).holder);
    if (!found.is_known) return {};
    const Sight sight = TRY(find(model_.end(naming).holder, holder));
    found.sources = sight.sources;
    if (!sight.entity) return {};
    for (const Link& link : sight.entity->links) {
      if (link.end == naming && link.to == target) found.fields.push_back(link.fields);
    }
    return {};
  };
  switch (layout_.storage(end)) {
    case EndStorage::kReference:
    case EndStorage::kIds:
    case EndStorage::kEntries:
      TRY(look_in(end, from, to));
      return found;
    case EndStorage::kOther:
      TRY(look_in(end.other(), to, from));
      return found;
    case EndStorage::kEmbedded:
    case EndStorage::kEmbeds: {
      const bool is_child = layout_.storage(end) == EndStorage::kEmbedded;
      const EndId to_parent = is_child ? end : end.other();
      TRY(look_in(to_parent, is_child ? from : to, is_child ? to : from));
      return found;
    }
    case EndStorage::kEdge:
      break;
  }
  // From the side that is read strongly, if there is one.
  EndId along = end;
  const auto direct = plan::related_plan(model_, layout_, end);
  const auto back = plan::related_plan(model_, layout_, model_.back(end));
  const bool is_turned = (!direct || !direct->is_strong) && back && (!direct || back->is_strong);
  if (is_turned) along = model_.back(end);
  found.is_known = direct || back;
  if (!found.is_known) return found;
  run::Figures unused;
  const auto edges = TRY(run::find_edges(database_, model_, layout_, along, is_turned ? to : from,
                                         std::chrono::system_clock::now(), unused));
  for (const run::FoundEdge& each : edges) {
    if (each.edge.ends[along.side] != (is_turned ? from : to)) continue;
    found.fields.push_back(each.edge.fields);
    if (!each.edge.is_partial)
      found.sources.push_back(source(each.table, each.item, codec_.item_kind(each.edge)));
  }
  return found;
}

Result<std::optional<Item>> Side::walk(size_t table, const std::optional<Item>& from, uint32_t items,
                                       const Walker& walker) const {
  const Page page = TRY(database_.scan(
      {.table = layout_.tables[table].name, .limit = items, .start_key = from, .consistent = true}));
  for (size_t i = 0; i < page.items.size(); ++i) {
    const Item item(page.items[i]);
    if (item.find(run::kDeletingAttribute)) continue;
    auto decoded = codec_.decode(table, item);
    if (!decoded) {
      if (walker.on_unexplained) walker.on_unexplained(source(table, item, std::nullopt));
      continue;
    }
    const auto* const edge = std::get_if<run::Edge>(&*decoded);
    const std::optional<size_t> kind =
        edge ? codec_.item_kind(*edge) : layout_.kind_of_entity[std::get<Record>(*decoded).entity];
    const SourceItem at = source(table, item, kind);
    if (edge != nullptr) {
      // Of a pair with two items, one is enough.
      if (!edge->leads || *edge->leads == 0) TRY(walker.on_edge(*edge, at));
      continue;
    }
    const auto& record = std::get<Record>(*decoded);
    if (record.is_fragment) continue;
    SeenEntity whole = seen(record);
    std::vector<SourceItem> unused;
    if (!finds(record.entity)) TRY(add_edges(whole, unused));
    TRY(walker.on_entity(whole, at));
    for (const SeenEntity& child : embedded_in(record)) TRY(walker.on_entity(child, at));
  }
  return page.last_key;
}

}  // namespace sheaf::migrate
