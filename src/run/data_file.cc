#include "run/data_file.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/article.h"
#include "base/try.h"
#include "plan/write_needs.h"
#include "run/data_lines.h"
#include "run/data_writer.h"
#include "run/guards.h"
#include "run/item_codec.h"
#include "run/plain_json.h"
#include "run/value_check.h"

namespace sheaf::run {
namespace {

using model::EndId;
using model::EntityId;

constexpr std::string_view kLinks = "links";

class DataReader {
 public:
  DataReader(const model::Model& model, const model::Layout& layout) : model_(model), layout_(layout) {}

  // `name` stands before the places in messages.
  Result<void> take(const std::string& name, ValueView document) {
    prefix_ = name;
    where_ = "";
    if (document.type() != Type::kMap) return wrong("the data is an object with a list for each entity");
    for (const Attribute part : document.map()) {
      if (part.name == kLinks) continue;
      const auto entity = model_.find_entity(part.name);
      if (!entity) return wrong("there is no entity " + std::string(part.name));
      if (part.value.type() != Type::kList) return wrong(std::string(part.name) + " must be a list");
      size_t number = 0;
      for (const ValueView each : part.value.list()) {
        where_ = std::string(part.name) + "[" + std::to_string(number++) + "]";
        TRY(read_entity(*entity, each));
      }
      where_ = "";
    }
    if (const auto links = document.map().find(kLinks)) TRY(read_links(*links));
    return {};
  }

  // `is_part`: links that are items may follow elsewhere.
  Result<Data> finish(bool is_part) {
    for (const Linked& each : linked_) TRY(connect(each));
    TRY(check_required(is_part));
    fill_copies();
    drop_embedded();
    return std::move(data_);
  }

 private:
  struct Linked {
    EndId end;
    Identity from;
    Identity to;
    Fields fields;
    std::string prefix;
    std::string where;
  };

  Error wrong(const std::string& why) const {
    return {Code::kInvalid, prefix_ + where_ + (where_.empty() ? "" : ": ") + why};
  }

  Result<void> read_entity(EntityId id, ValueView value) {
    const DocumentOptions options{.now = std::chrono::system_clock::now(), .takes_kept_fields = true};
    Result<Document> read = read_document(model_, layout_, id, value, options);
    if (!read.ok()) return wrong(read.error().message);
    Record& record = read->record;
    if (find(id, record.identity) != nullptr)
      return wrong("there is " + with_article(model_.entities[id].name) + " " + shown(record.identity) +
                   " already");
    for (auto& [end, target] : read->ends)
      linked_.push_back(
          {.end = end, .from = record.identity, .to = std::move(target), .prefix = prefix_, .where = where_});
    if (layout_.has_version(model_, id)) record.version = 1;
    places_[{id, record.identity}] = data_.records.size();
    data_.records.push_back(std::move(record));
    return {};
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
      if (part.value.type() != Type::kList) return wrong("a list of links is needed");
      for (const ValueView link : part.value.list()) TRY(read_link(*end, link));
    }
    return {};
  }

  Result<void> read_link(EndId end, ValueView link) {
    if (link.type() != Type::kList || link.list().size() < 2)
      return wrong("a link is [from, to] or [from, to, { fields }]");
    Linked made{.end = end, .prefix = prefix_, .where = where_};
    made.from = TRY(identity(model_.end(end).holder, *link.list().at(0)));
    made.to = TRY(identity(model_.end(end).target, *link.list().at(1)));
    if (const auto fields = link.list().at(2)) {
      if (fields->type() != Type::kMap) return wrong("the fields of a link are an object");
      TRY(read_edge_fields(model_.relations[end.relation].edge_fields, *fields, made.fields));
    }
    linked_.push_back(std::move(made));
    return {};
  }

  Result<void> read_edge_fields(const std::vector<model::Field>& declared, ValueView given,
                                Fields& fields) const {
    for (const Attribute part : given.map()) {
      const auto field = std::find_if(declared.begin(), declared.end(),
                                      [&](const model::Field& each) { return each.name == part.name; });
      if (field == declared.end()) return wrong("its links have no field " + std::string(part.name));
      if (const auto why = misfit(part.value, *field)) return wrong("the field " + field->name + " " + *why);
      fields[field->name] = stored_form(part.value, field->type);
    }
    return {};
  }

  Result<Identity> identity(EntityId entity, ValueView value) const {
    Result<Identity> made = identity_of(model_, entity, value);
    if (!made.ok()) return wrong(made.error().message);
    return made;
  }

  Record* find(EntityId entity, const Identity& identity) {
    const auto place = places_.find({entity, identity});
    return place == places_.end() ? nullptr : &data_.records[place->second];
  }

  void count(EndId end, const Identity& holder) {
    Record* const record = find(model_.end(end).holder, holder);
    if (record == nullptr) return;
    for (const model::Field& field : model_.entities[record->entity].fields) {
      if (field.count_of != end) continue;
      const auto sum = add(record->fields[field.name].view().number(), Number(1));
      if (sum.ok()) record->fields[field.name] = Value(*sum);
    }
  }

  Result<void> connect(const Linked& link) {
    prefix_ = link.prefix;
    where_ = link.where;
    const EndId end = link.end;
    if (!seen_.insert(seen_text(link)).second) return {};
    count(end, link.from);
    const bool is_loop = model_.back(end) == end && link.from == link.to;
    if (!is_loop) count(model_.back(end), link.to);
    if (layout_.is_embedded(end)) return embed(link);
    const bool has_entries = layout_.storage(end) == model::EndStorage::kEntries;
    if (layout_.is_edge(end) || has_entries) {
      Edge edge{.relation = end.relation, .fields = link.fields};
      edge.ends[end.side] = link.to;
      edge.ends[1 - end.side] = link.from;
      if (const auto why = lacking(model_.relations[end.relation].edge_fields, edge.fields))
        return wrong("the link lacks " + *why);
      if (has_entries) return add_entries(edge);
      data_.edges.push_back(std::move(edge));
      return {};
    }
    const EndId naming = layout_.naming_end(end);
    const Identity& holder = naming == end ? link.from : link.to;
    Record* const record = find(model_.end(naming).holder, holder);
    if (record == nullptr)
      return wrong("there is no " + model_.entities[model_.end(naming).holder].name + " " + shown(holder));
    std::vector<Identity>& references = record->references[naming];
    if (!model_.end(naming).leads_to_many && !references.empty())
      return wrong("the end " + model_.end(naming).name + " leads to two");
    references.push_back(naming == end ? link.to : link.from);
    if (!layout_.is_mutual(end) || link.from == link.to) return {};
    // Of symmetric relations both keep one.
    Record* const other = find(model_.end(naming).holder, link.to);
    if (other == nullptr)
      return wrong("there is no " + model_.entities[model_.end(naming).holder].name + " " + shown(link.to));
    other->references[naming].push_back(link.from);
    return {};
  }

  Result<void> add_entries(const Edge& edge) {
    for (Edge& each : ItemCodec(model_, layout_).directions(edge)) {
      const EndId end{.relation = each.relation, .side = *each.leads};
      const Identity& holder = each.ends[1 - end.side];
      Record* const record = find(model_.end(end).holder, holder);
      if (record == nullptr)
        return wrong("there is no " + model_.entities[model_.end(end).holder].name + " " + shown(holder));
      std::vector<Edge>& entries = record->entries[end];
      if (!model_.end(end).leads_to_many && !entries.empty())
        return wrong("the end " + model_.end(end).name + " leads to two");
      entries.push_back(std::move(each));
    }
    return {};
  }

  // A child that is written by itself, as it is for other layouts, goes into its parent.
  Result<void> embed(const Linked& link) {
    const bool is_from_parent = link.end.side == 0;
    const EndId end = is_from_parent ? link.end : link.end.other();
    const Identity& parent_id = is_from_parent ? link.from : link.to;
    const Identity& child_id = is_from_parent ? link.to : link.from;
    Record* const parent = find(model_.end(end).holder, parent_id);
    const Record* const child = find(model_.end(end).target, child_id);
    if (parent == nullptr)
      return wrong("there is no " + model_.entities[model_.end(end).holder].name + " " + shown(parent_id));
    if (child == nullptr)
      return wrong("there is no " + model_.entities[model_.end(end).target].name + " " + shown(child_id));
    parent->embedded[end].push_back(child->fields);
    parent->embedded_made[end].push_back(child->made);
    return {};
  }

  // They have no items.
  void drop_embedded() {
    std::erase_if(data_.records, [&](const Record& record) {
      return std::any_of(model_.entities[record.entity].ends.begin(),
                         model_.entities[record.entity].ends.end(),
                         [&](EndId end) { return end.side == 1 && layout_.is_embedded(end); });
    });
  }

  // The same pair may be written from both sides.
  std::string seen_text(const Linked& link) const {
    const bool is_first = link.end.side == 0;
    std::string one = joined(is_first ? link.from : link.to), other = joined(is_first ? link.to : link.from);
    if (model_.back(link.end) == link.end && other < one) std::swap(one, other);
    std::string text = std::to_string(link.end.relation) + "\n" + one + "\n" + other + "\n";
    for (const auto& [name, value] : link.fields) text += name + std::string(value.view().encoded());
    return text;
  }

  Result<void> check_required(bool is_part) {
    std::map<std::pair<EntityId, Identity>, std::vector<EndId>> has;
    for (const Linked& link : linked_) {
      has[{model_.end(link.end).holder, link.from}].push_back(link.end);
      has[{model_.end(link.end).target, link.to}].push_back(link.end.other());
    }
    for (const Record& record : data_.records) {
      const std::vector<EndId>& ends = has[{record.entity, record.identity}];
      for (const EndId end : model_.entities[record.entity].ends) {
        const bool is_there =
            std::find(ends.begin(), ends.end(), end) != ends.end() || layout_.is_embedded(end);
        if (!model_.end(end).is_required || is_there || (is_part && layout_.is_edge(end))) continue;
        prefix_ = "";
        where_ = model_.entities[record.entity].name + " " + shown(record.identity);
        return wrong("the end " + model_.end(end).name + " is missing");
      }
    }
    return {};
  }

  void copy(EndId end, const Identity& source, Fields& fields, int64_t& version) {
    const Record* const record = find(model_.end(end).target, source);
    if (record == nullptr) return;
    for (const model::CopiedFields& copied : layout_.relations[end.relation].copies) {
      if (copied.side != end.side) continue;
      version = record->version;
      for (const model::FieldId id : copied.fields) {
        const std::string& name = model_.entities[record->entity].fields[id].name;
        const auto value = record->fields.find(name);
        if (value != record->fields.end()) fields[name] = value->second;
      }
    }
  }

  void fill_copies() {
    for (Record& record : data_.records) {
      for (const auto& [end, targets] : record.references) {
        if (model_.end(end).leads_to_many || targets.empty()) continue;
        Fields fields;
        int64_t version = 0;
        copy(end, targets.front(), fields, version);
        if (version == 0) continue;
        record.copies[end] = std::move(fields);
        record.copy_versions[end] = version;
      }
    }
    for (Record& record : data_.records) {
      for (auto& [end, entries] : record.entries) {
        for (Edge& each : entries)
          copy(end, each.ends[end.side], each.copies[end.side], each.copy_versions[end.side]);
      }
    }
    for (Edge& edge : data_.edges) {
      const bool is_symmetric = model_.relations[edge.relation].is_symmetric;
      for (const int side : {0, 1})
        copy({.relation = edge.relation, .side = is_symmetric ? 0 : side}, edge.ends[side], edge.copies[side],
             edge.copy_versions[side]);
    }
  }

  const model::Model& model_;
  const model::Layout& layout_;
  Data data_;
  std::map<std::pair<EntityId, Identity>, size_t> places_;
  std::vector<Linked> linked_;
  std::set<std::string> seen_;
  std::string prefix_;
  std::string where_;
};

}  // namespace

Result<Data> read_data(const model::Model& model, const model::Layout& layout, std::string_view json) {
  const Value document = TRY(from_plain_json(json));
  DataReader reader(model, layout);
  TRY(reader.take("", document));
  return reader.finish(false);
}

Result<Data> read_data(const model::Model& model, const model::Layout& layout,
                       const std::vector<DataText>& texts, bool is_part) {
  DataReader reader(model, layout);
  for (const DataText& text : texts) {
    const Result<Value> document = from_plain_json(text.json);
    if (!document.ok()) return Error{document.error().code, text.name + document.error().message};
    TRY(reader.take(text.name, *document));
  }
  return reader.finish(is_part);
}

// Guards of pairs are those that no item by itself can promise.
std::vector<Guard> all_guards_of(const model::Model& model, const model::Layout& layout,
                                 const Record& record) {
  std::vector<Guard> guards;
  // Of one without a kind nothing is stored.
  if (layout.kind(record.entity) != nullptr) guards = guards_of(model, layout, record);
  for (const auto& [end, targets] : record.references) {
    if (!plan::needs_one_guard(model, layout, end.other())) continue;
    for (const Identity& target : targets)
      guards.push_back(one_guard(model, layout, end.other(), target, record.identity));
  }
  return guards;
}

std::vector<Guard> all_guards_of(const model::Model& model, const model::Layout& layout, const Edge& edge) {
  std::vector<Guard> guards;
  const bool is_loop = model.relations[edge.relation].is_symmetric && edge.ends[0] == edge.ends[1];
  for (const int side : {0, 1}) {
    const EndId end{.relation = edge.relation, .side = side};
    if ((!is_loop || side == 0) && plan::needs_one_guard(model, layout, end))
      guards.push_back(one_guard(model, layout, end, edge.ends[1 - side], edge.ends[side]));
  }
  return guards;
}

std::vector<Guard> guards_of(const model::Model& model, const model::Layout& layout, const Data& data) {
  std::vector<Guard> guards;
  const auto add = [&](std::vector<Guard> found) {
    for (Guard& guard : found) guards.push_back(std::move(guard));
  };
  for (const Record& record : data.records) add(all_guards_of(model, layout, record));
  for (const Edge& edge : data.edges) add(all_guards_of(model, layout, edge));
  return guards;
}

Result<size_t> load_data(Database& database, const model::Model& model, const model::Layout& layout,
                         const Data& data) {
  DataWriter writer(database, model, layout);
  TRY(writer.write(data));
  return writer.written().items;
}

}  // namespace sheaf::run
