#include "run/archive.h"

#include <algorithm>

#include "base/article.h"
#include "base/try.h"
#include "run/document.h"
#include "run/item_codec.h"
#include "run/plain_json.h"
#include "run/stored_items.h"

namespace sheaf::run {
namespace {

using model::EndId;
using model::EndStorage;

class Archiver {
 public:
  Archiver(Database& database, const model::Model& model, const model::Layout& layout, const Writer& writer,
           const ArchiveOptions& options)
      : database_(database),
        model_(model),
        layout_(layout),
        writer_(writer),
        options_(options),
        entity_(model.entities[options.entity]),
        codec_(model, layout) {}

  Result<Archived> run() {
    Scan scan{.table = layout_.tables[table()].name, .consistent = true};
    while (true) {
      const Page page = TRY(database_.scan(scan));
      archived_.items += page.items.size();
      for (size_t i = 0; i < page.items.size(); ++i) TRY(look_at(page.items[i]));
      TRY(take_out());
      if (options_.progress) options_.progress(archived_);
      if (!page.last_key) return archived_;
      scan.start_key = page.last_key;
    }
  }

 private:
  size_t table() const { return layout_.kind(options_.entity)->table; }

  Result<void> look_at(ItemView item) {
    auto decoded = codec_.decode(table(), item);
    const auto* record = decoded ? std::get_if<Record>(&*decoded) : nullptr;
    if (record == nullptr || record->entity != options_.entity || record->is_fragment) return {};
    if (item.find(kDeletingAttribute)) return {};
    Item whole(item);
    if (layout_.is_by_field(options_.entity)) {
      Figures unused;
      auto found = TRY(find_item(database_, model_, layout_, options_.entity, record->identity, unused));
      if (!found) return {};
      whole = std::move(*found);
      decoded = codec_.decode(table(), whole);
      record = &std::get<Record>(*decoded);
    }
    const auto time = record->fields.find(entity_.fields[options_.by].name);
    if (time == record->fields.end() || time->second.type() != Type::kString ||
        time->second.view().bytes() >= options_.before)
      return {};
    lines_ += to_plain_json(line_of(*record)) + "\n";
    found_.push_back({.kind = Change::Kind::kDelete,
                      .entity = options_.entity,
                      .identity = record->identity,
                      .as_read = std::move(whole)});
    return {};
  }

  Value identity_value(model::EntityId entity, const Identity& identity) const {
    std::vector<Value> parts;
    for (size_t i = 0; i < identity.size(); ++i)
      parts.push_back(value_of(identity[i], identity_field(model_, entity, i).type));
    return parts.size() == 1 ? parts.front() : Value::list(parts);
  }

  Value line_of(const Record& record) const {
    Fields members;
    for (const model::Field& field : entity_.fields) {
      const auto value = record.fields.find(field.name);
      if (value != record.fields.end() && !field.count_of) members[field.name] = value->second;
    }
    for (const auto& [end, identities] : record.references) {
      if (!identities.empty())
        members[model_.end(end).name] = identity_value(model_.end(end).target, identities.front());
    }
    for (const auto& [end, children] : record.embedded) {
      std::vector<Value> list;
      for (const Fields& child : children) list.emplace_back(item_of(child));
      members[model_.end(end).name] = Value::list(list);
    }
    return Value(item_of({{entity_.name, Value::list(std::vector<Value>{Value(item_of(members))})}}));
  }

  Result<void> take_out() {
    if (found_.empty()) return {};
    TRY(options_.keep(lines_));
    for (const Change& change : found_) {
      const Result<WriteReply> done = writer_.run({change});
      if (done.ok()) {
        ++archived_.entities;
      } else if (done.error().code == Code::kConflict) {
        ++archived_.changed;
      } else if (done.error().code == Code::kNotFound) {
        ++archived_.gone;
      } else {
        return done.error();
      }
    }
    lines_.clear();
    found_.clear();
    return {};
  }

  Database& database_;
  const model::Model& model_;
  const model::Layout& layout_;
  const Writer& writer_;
  const ArchiveOptions& options_;
  const model::Entity& entity_;
  const ItemCodec codec_;
  Archived archived_;
  std::string lines_;
  std::vector<Change> found_;
};

}  // namespace

std::optional<std::string> why_not_archived(const model::Model& model, const model::Layout& layout,
                                            model::EntityId entity) {
  const std::string& name = model.entities[entity].name;
  if (!layout.has_items(entity)) return name + " has no items of its own in this layout";
  for (const EndId end : model.entities[entity].ends) {
    const EndStorage storage = layout.storage(end);
    if (storage == EndStorage::kReference || storage == EndStorage::kEmbeds) continue;
    return "what is linked to " + with_article(name) + " by its " + model.end(end).name +
           " is not in its own item, and would not be in the archive";
  }
  return std::nullopt;
}

Result<Archived> archive(Database& database, const model::Model& model, const model::Layout& layout,
                         const Writer& writer, const ArchiveOptions& options) {
  if (const auto why = why_not_archived(model, layout, options.entity)) return Error{Code::kInvalid, *why};
  return Archiver(database, model, layout, writer, options).run();
}

Result<void> restore_line(const model::Model& model, const model::Layout& layout, const Writer& writer,
                          std::string_view line, Restored& restored) {
  const Value data = TRY(from_plain_json(line));
  if (data.type() != Type::kMap) return Error{Code::kInvalid, "an object with a list of entities is needed"};
  for (const Attribute part : data.view().map()) {
    const auto entity = model.find_entity(part.name);
    if (!entity) return Error{Code::kInvalid, "there is no entity " + std::string(part.name)};
    if (part.value.type() != Type::kList)
      return Error{Code::kInvalid, std::string(part.name) + ": a list of entities is needed"};
    for (const ValueView each : part.value.list()) {
      const DocumentOptions options{.now = std::chrono::system_clock::now(), .takes_kept_fields = true};
      Document document = TRY(read_document(model, layout, *entity, each, options));
      Change put{.kind = Change::Kind::kPut,
                 .entity = *entity,
                 .identity = document.record.identity,
                 .fields = std::move(document.record.fields),
                 .embedded = std::move(document.record.embedded),
                 .ends = std::move(document.ends)};
      const Result<WriteReply> done = writer.run({put});
      if (done.ok()) {
        ++restored.entities;
      } else if (done.error().code == Code::kInUse) {
        ++restored.there;
      } else {
        return done.error();
      }
    }
  }
  return {};
}

}  // namespace sheaf::run
