#include "run/data_file.h"

#include <algorithm>

#include "base/try.h"
#include "run/item_codec.h"
#include "run/plain_json.h"

namespace sheaf::run {
namespace {

using model::EndId;
using model::EntityId;
using Via = language::Via::Kind;

constexpr size_t kBatchItemsMax = 25;
constexpr std::string_view kLinks = "links";

class DataReader {
 public:
  DataReader(const model::Model& model, const model::Layout& layout) : model_(model), layout_(layout) {}

  Result<Data> run(ValueView document) {
    if (document.type() != Type::kMap)
      return Error{Code::kInvalid, "the data is an object with a list for each entity"};
    for (const Attribute part : document.map()) {
      if (part.name == kLinks) continue;
      const auto entity = model_.find_entity(part.name);
      if (!entity) return Error{Code::kInvalid, "there is no entity " + std::string(part.name)};
      if (part.value.type() != Type::kList)
        return Error{Code::kInvalid, std::string(part.name) + " must be a list"};
      size_t number = 0;
      for (const ValueView each : part.value.list()) {
        where_ = std::string(part.name) + "[" + std::to_string(number++) + "]";
        TRY(read_entity(*entity, each));
      }
    }
    if (const auto links = document.map().find(kLinks)) TRY(read_links(*links));
    fill_copies();
    return std::move(data_);
  }

 private:
  Error wrong(const std::string& why) const { return {Code::kInvalid, where_ + ": " + why}; }

  Result<void> read_entity(EntityId id, ValueView value) {
    if (value.type() != Type::kMap) return wrong("an entity is an object");
    const model::Entity& entity = model_.entities[id];
    Record record{.entity = id};
    std::vector<std::pair<EndId, Identity>> later;  // edges
    for (const Attribute part : value.map()) {
      if (const auto field = model_.find_field(id, part.name)) {
        record.fields[std::string(part.name)] = Value(part.value);
        continue;
      }
      const auto end = model_.find_end(id, part.name);
      if (!end) return wrong("a " + entity.name + " has no " + std::string(part.name));
      const Via via = layout_.relations[end->relation].via;
      if (via == Via::kEmbed && end->side == 0) {
        TRY(read_embedded(record, *end, part.value));
      } else if (model_.end(*end).leads_to_many && via != Via::kIds) {
        return wrong(std::string(part.name) + " leads to many: write links, or their own " +
                     std::string(part.name));
      } else if (via == Via::kIds) {
        if (part.value.type() != Type::kList) return wrong(std::string(part.name) + " is a list of ids");
        for (const ValueView one : part.value.list())
          record.references[*end].push_back(TRY(identity(model_.end(*end).target, one)));
      } else {
        Identity target = TRY(identity(model_.end(*end).target, part.value));
        if (via == Via::kEdges || via == Via::kGraph) {
          later.emplace_back(*end, std::move(target));
        } else {
          record.references[*end].push_back(std::move(target));
        }
      }
    }
    for (const model::FieldPath& path : entity.identity)
      record.identity.push_back(TRY(identity_part(record, path, later)));
    for (auto& [end, target] : later) {
      Edge edge{.relation = end.relation};
      edge.ends[end.side] = std::move(target);
      edge.ends[1 - end.side] = record.identity;
      data_.edges.push_back(std::move(edge));
    }
    for (const model::Field& field : entity.fields) {
      if (field.syntax->default_value && !record.fields.contains(field.name) &&
          !field.syntax->default_value->text.empty())
        record.fields[field.name] = value_of(field.syntax->default_value->text, field.type);
      if (!field.is_optional && !field.count_of && !record.fields.contains(field.name))
        return wrong("the field " + field.name + " is missing");
    }
    for (const EndId end : entity.ends) {
      const bool is_there =
          record.references.contains(end) ||
          std::any_of(later.begin(), later.end(), [&](const auto& each) { return each.first == end; });
      if (model_.end(end).is_required && !is_there)
        return wrong("the end " + model_.end(end).name + " is missing");
    }
    data_.records.push_back(std::move(record));
    return {};
  }

  Result<void> read_embedded(Record& record, EndId end, ValueView list) {
    if (list.type() != Type::kList) return wrong(model_.end(end).name + " is a list of what is embedded");
    for (const ValueView child : list.list()) {
      if (child.type() != Type::kMap) return wrong(model_.end(end).name + " holds objects");
      Fields fields;
      for (const Attribute part : child.map()) {
        if (!model_.find_field(model_.end(end).target, part.name))
          return wrong("there is no field " + std::string(part.name));
        fields[std::string(part.name)] = Value(part.value);
      }
      record.embedded[end].push_back(std::move(fields));
    }
    return {};
  }

  Result<std::string> identity_part(const Record& record, const model::FieldPath& path,
                                    const std::vector<std::pair<EndId, Identity>>& later) const {
    if (path.ends.empty()) {
      const model::Field& field = model_.entities[record.entity].fields[path.field];
      const auto value = record.fields.find(field.name);
      const auto text = value == record.fields.end() ? std::nullopt : key_text(value->second);
      if (!text) return wrong("the id " + field.name + " is missing");
      return *text;
    }
    const Identity* parent = nullptr;
    const auto reference = record.references.find(path.ends.front());
    if (reference != record.references.end() && !reference->second.empty())
      parent = &reference->second.front();
    for (const auto& [end, target] : later) {
      if (end == path.ends.front()) parent = &target;
    }
    if (parent == nullptr) return wrong("the end " + model_.end(path.ends.front()).name + " is missing");
    const EntityId target = model_.end(path.ends.front()).target;
    const model::FieldPath rest{.ends = {path.ends.begin() + 1, path.ends.end()}, .field = path.field};
    const auto& theirs = model_.entities[target].identity;
    return (*parent)[static_cast<size_t>(std::find(theirs.begin(), theirs.end(), rest) - theirs.begin())];
  }

  Result<Identity> identity(EntityId entity, ValueView value) const {
    Result<Identity> made = identity_of(model_, entity, value);
    if (!made.ok()) return wrong(made.error().message);
    return made;
  }

  Result<void> read_links(ValueView links) {
    where_ = kLinks;
    if (links.type() != Type::kMap) return wrong("an object with a list for each Entity.end");
    for (const Attribute part : links.map()) {
      where_ = std::string(part.name);
      const size_t dot = part.name.find('.');
      const auto entity = model_.find_entity(part.name.substr(0, dot));
      const auto end = entity && dot != std::string_view::npos
                           ? model_.find_end(*entity, part.name.substr(dot + 1))
                           : std::nullopt;
      if (!end) return wrong("this is no Entity.end");
      if (!layout_.relations[end->relation].edge_kind) {
        TRY(read_id_links(*end, part.value));
        continue;
      }
      if (part.value.type() != Type::kList) return wrong("a list of links is needed");
      for (const ValueView link : part.value.list()) TRY(read_link(*end, link));
    }
    return {};
  }

  Result<void> read_link(EndId end, ValueView link) {
    if (link.type() != Type::kList || link.list().size() < 2)
      return wrong("a link is [from, to] or [from, to, { fields }]");
    Edge edge{.relation = end.relation};
    edge.ends[1 - end.side] = TRY(identity(model_.end(end).holder, *link.list().at(0)));
    edge.ends[end.side] = TRY(identity(model_.end(end).target, *link.list().at(1)));
    if (const auto fields = link.list().at(2)) {
      if (fields->type() != Type::kMap) return wrong("the fields of a link are an object");
      for (const Attribute field : fields->map()) edge.fields[std::string(field.name)] = Value(field.value);
    }
    data_.edges.push_back(std::move(edge));
    return {};
  }

  // Where a list of ids is kept, from whichever side the links are written.
  Result<void> read_id_links(EndId end, ValueView links) {
    if (links.type() != Type::kList) return wrong("a list of links is needed");
    for (const ValueView link : links.list()) {
      if (link.type() != Type::kList || link.list().size() < 2) return wrong("a link is [from, to]");
      const Identity from = TRY(identity(model_.end(end).holder, *link.list().at(0)));
      const Identity to = TRY(identity(model_.end(end).target, *link.list().at(1)));
      const bool is_holder = layout_.relations[end.relation].ids_side == end.side;
      const EndId held = is_holder ? end : end.other();
      bool found = false;
      for (Record& record : data_.records) {
        if (record.entity != model_.end(held).holder || record.identity != (is_holder ? from : to)) continue;
        record.references[held].push_back(is_holder ? to : from);
        found = true;
      }
      if (!found) return wrong("there is no such " + model_.entities[model_.end(held).holder].name);
    }
    return {};
  }

  const Record* find(EntityId entity, const Identity& identity) const {
    for (const Record& record : data_.records) {
      if (record.entity == entity && record.identity == identity) return &record;
    }
    return nullptr;
  }

  Fields copied(EndId end, const Identity& source) const {
    Fields fields;
    const Record* const record = find(model_.end(end).target, source);
    if (record == nullptr) return fields;
    for (const model::CopiedFields& copy : layout_.relations[end.relation].copies) {
      if (copy.side != end.side) continue;
      for (const model::FieldId id : copy.fields) {
        const std::string& name = model_.entities[record->entity].fields[id].name;
        const auto value = record->fields.find(name);
        if (value != record->fields.end()) fields[name] = value->second;
      }
    }
    return fields;
  }

  void fill_copies() {
    for (Record& record : data_.records) {
      for (const auto& [end, targets] : record.references) {
        if (layout_.relations[end.relation].copies.empty() || targets.size() != 1) continue;
        if (Fields fields = copied(end, targets.front()); !fields.empty())
          record.copies[end] = std::move(fields);
      }
    }
    for (Edge& edge : data_.edges) {
      for (const int side : {0, 1})
        edge.copies[side] = copied({.relation = edge.relation, .side = side}, edge.ends[side]);
    }
  }

  const model::Model& model_;
  const model::Layout& layout_;
  Data data_;
  std::string where_;
};

}  // namespace

Result<Identity> identity_of(const model::Model& model, EntityId entity, ValueView value) {
  Identity identity;
  const size_t parts = model.entities[entity].identity.size();
  if (parts == 1) {
    auto text = key_text(value);
    if (text) identity.push_back(std::move(*text));
  } else if (value.type() == Type::kList) {
    for (const ValueView part : value.list()) {
      if (auto text = key_text(part)) identity.push_back(std::move(*text));
    }
  }
  if (identity.size() == parts) return identity;
  std::string wanted;
  for (size_t part = 0; part < parts; ++part)
    wanted += (part > 0 ? ", " : "") + model.text(entity, model.entities[entity].identity[part]);
  return Error{Code::kInvalid, "the id of a " + model.entities[entity].name + " is " +
                                   (parts == 1 ? wanted : "[" + wanted + "]")};
}

Result<Data> read_data(const model::Model& model, const model::Layout& layout, std::string_view json) {
  const Value document = TRY(from_plain_json(json));
  return DataReader(model, layout).run(document);
}

Result<size_t> load_data(Database& database, const model::Model& model, const model::Layout& layout,
                         const Data& data) {
  const ItemCodec codec(model, layout);
  std::vector<std::pair<std::string, Item>> items;
  for (const Record& record : data.records) {
    const model::ItemKind* const kind = layout.kind(record.entity);
    if (kind == nullptr) continue;  // it exists as an end of edges only
    Item item = TRY(codec.encode(record));
    items.emplace_back(layout.tables[kind->table].name, std::move(item));
  }
  for (const Edge& edge : data.edges) {
    const model::ItemKind& kind = layout.item_kinds[*layout.relations[edge.relation].edge_kind];
    Item item = TRY(codec.encode(edge));
    items.emplace_back(layout.tables[kind.table].name, std::move(item));
  }
  for (size_t begin = 0; begin < items.size(); begin += kBatchItemsMax) {
    BatchWriteItems batch;
    for (size_t i = begin; i < std::min(items.size(), begin + kBatchItemsMax); ++i)
      batch.tables[items[i].first].push_back({.put = true, .item = items[i].second});
    while (!batch.tables.empty()) {
      BatchWritten written = TRY(database.batch_write_items(batch));
      batch.tables = std::move(written.unprocessed);
    }
  }
  return items.size();
}

}  // namespace sheaf::run
