#include "run/job_worker.h"

#include <algorithm>
#include <thread>

#include "base/article.h"
#include "base/try.h"
#include "plan/related.h"
#include "plan/write_needs.h"
#include "run/guards.h"
#include "run/item_codec.h"
#include "run/list_entry.h"
#include "run/requests.h"
#include "run/spread.h"
#include "run/stored_items.h"
#include "run/system_table.h"

namespace sheaf::run {

using model::EndId;
using model::EntityId;

namespace {

constexpr uint32_t kPageItems = 25;

}  // namespace

// --- Leases

Result<std::optional<Job>> JobWorker::take(const std::string& id) {
  const int64_t now_ms = writer_.now_ms();
  UpdateItem update{.table = system_table_name(model_),
                    .key = job_key(layout_, id),
                    .update = "SET lease_until_ms = :until",
                    .condition = "attribute_exists(pk) AND lease_until_ms < :now",
                    .return_values = ReturnValues::kAllNew};
  update.values.set(":until", Value(now_ms + writer_.options_.lease.count()));
  update.values.set(":now", Value(now_ms));
  const Written written = TRY(database_.update_item(update));
  if (!written.condition_met || !written.attributes) return std::optional<Job>();
  return job_of(model_, *written.attributes);
}

Result<void> JobWorker::renew(const Job& job) {
  UpdateItem update{.table = system_table_name(model_),
                    .key = job_key(layout_, job.id),
                    .update = "SET lease_until_ms = :until ADD done :one",
                    .condition = "attribute_exists(pk)"};
  update.values.set(":until", Value(writer_.now_ms() + writer_.options_.lease.count()));
  update.values.set(":one", Value(1));
  TRY(database_.update_item(update));
  return {};
}

Result<void> JobWorker::finish(const Job& job) {
  TRY(database_.delete_item({.table = system_table_name(model_), .key = job_key(layout_, job.id)}));
  return {};
}

Result<void> JobWorker::run(const Job& job, WriteReply& reply) {
  return job.kind == NewJob::Kind::kCopy ? copy(job, reply) : erase(job, reply);
}

// --- Listing

// Whether an item is one that the end leads to, or an edge there. Between them may lie others, like
// children's children.
bool JobWorker::leads_along(EndId end, size_t table, ItemView item) const {
  const auto decoded = codec_.decode(table, item);
  if (!decoded) return false;
  if (const auto* edge = std::get_if<Edge>(&*decoded)) return edge->relation == end.relation;
  return std::get<Record>(*decoded).entity == model_.end(end).target;
}

// Calls `on_item` for all that the end leads to from there. Returns how many count.
Result<uint64_t> JobWorker::each_related(EndId end, const Identity& from, const Job& job,
                                         const OnItem& on_item, bool* is_strong) {
  const auto plan = plan::related_plan(model_, layout_, end);
  if (!plan)
    return Error{Code::kInvalid, "no key leads from " +
                                     with_article(model_.entities[model_.end(end).holder].name) + " to its " +
                                     model_.end(end).name + " in this layout"};
  if (is_strong != nullptr) *is_strong = plan->is_strong;
  const plan::View& view = plan->requests.front().view;
  const model::Table& table = layout_.tables[view.table];
  const bool is_lean = view.index && table.indexes[*view.index].projection != language::Gsi::Projection::kAll;
  const KnownNodes known{{0, from}};
  PartitionQueries queries(model_, layout_, *plan, known, writer_.options().clock());
  uint64_t count = 0;
  while (true) {
    std::optional<Query> query = TRY(queries.next());
    if (!query) return count;
    query->limit = kPageItems;
    do {
      const Page page = TRY(database_.query(*query));
      for (size_t i = 0; i < page.items.size(); ++i) {
        Item item(page.items[i]);
        if (is_lean) {
          Got got =
              TRY(database_.get_item({.table = table.name, .key = key_of(table, item), .consistent = true}));
          if (!got.item) continue;
          item = std::move(*got.item);
        }
        if (!leads_along(end, view.table, item)) continue;
        const bool counts = TRY(on_item(view.table, item));
        if (counts) ++count;
      }
      query->start_key = page.last_key;
      if (query->start_key || plan->requests.front().is_spread()) TRY(renew(job));
    } while (query->start_key);
  }
}

Result<std::optional<Record>> JobWorker::read(EntityId entity, const Identity& identity,
                                              std::string* deleting) {
  Figures unused;
  const auto item = TRY(find_item(database_, model_, layout_, entity, identity, unused));
  if (!item) return std::optional<Record>();
  if (const auto mark = item->find(kDeletingAttribute); mark && deleting != nullptr)
    *deleting = std::string(mark->bytes());
  auto decoded = codec_.decode(layout_.kind(entity)->table, *item);
  return std::optional<Record>(std::move(std::get<Record>(*decoded)));
}

// --- Copies

Result<void> JobWorker::copy(const Job& job, WriteReply& reply) {
  while (true) {
    const int64_t begun_ms = writer_.now_ms();
    std::string deleting;
    const std::optional<Record> source = TRY(read(job.entity, job.identity, &deleting));
    if (!source || !deleting.empty()) return finish(job);
    bool must_repeat = false;
    for (const model::StoredRelation& stored : layout_.relations) {
      for (const model::CopiedFields& copied : stored.copies) {
        const EndId to_source{.relation = stored.relation, .side = copied.side};
        if (model_.end(to_source).target != job.entity) continue;
        uint64_t stale = 0;
        bool is_strong = plan::has_known_key(model_, layout_, model_.end(to_source).holder);
        const OnItem on_item = [&](size_t table, ItemView item) -> Result<bool> {
          if (stored.both_directions) return refresh_twin(table, item, to_source, *source);
          return refresh(table, item, to_source, *source);
        };
        if (layout_.is_mutual(to_source)) {
          stale = TRY(refresh_entries(job, to_source, *source));
        } else {
          stale = TRY(each_related(model_.back(to_source), job.identity, job, on_item, &is_strong));
        }
        reply.copies += stale;
        // An index may not yet show who was linked just before; it is asked again until it has nothing to
        // say.
        const bool is_late = begun_ms < job.created_ms + writer_.options_.index_lag.count();
        must_repeat = must_repeat || (!is_strong && (stale > 0 || is_late));
      }
    }
    if (!must_repeat) return finish(job);
    TRY(renew(job));
    if (writer_.options_.index_lag.count() > 0) writer_.options_.pause(0);
  }
}

// Whether the reference to the source, or a key that is written with the copies, depends on the attribute.
bool JobWorker::is_deciding(size_t table, const std::string& attribute, EndId to_source) const {
  const EntityId target = model_.end(to_source).target;
  for (size_t part = 0; part < model_.entities[target].identity.size(); ++part) {
    if (attribute == reference_attribute(model_, to_source, part)) return true;
  }
  for (const model::ItemKind& kind : layout_.item_kinds) {
    if (kind.table != table) continue;
    const auto uses = [&](const model::KeyTemplate& key) {
      const std::vector<const model::Hole*> holes = key.holes();
      return std::any_of(holes.begin(), holes.end(),
                         [&](const model::Hole* hole) { return hole->field.attribute == attribute; });
    };
    for (const model::IndexEntry& entry : kind.entries) {
      if (uses(entry.pk) || (entry.sk && uses(*entry.sk))) return true;
    }
  }
  return false;
}

// Whether it was behind.
Result<bool> JobWorker::refresh(size_t table, ItemView listed, EndId to_source, const Record& source) {
  bool is_stale = false;
  std::optional<Item> item = Item(listed);
  for (int tries = 0; item && tries <= writer_.options_.retries_max; ++tries) {
    const Transaction::Outcome outcome = TRY(write_copy(table, *item, to_source, source, is_stale));
    if (outcome == Transaction::Outcome::kDone) return is_stale;
    const model::Table& stored_in = layout_.tables[table];
    Got got = TRY(
        database_.get_item({.table = stored_in.name, .key = key_of(stored_in, *item), .consistent = true}));
    item = std::move(got.item);
  }
  return is_stale;
}

// Listed are the items in the partition of the source; those that lead to it have the copies.
Result<bool> JobWorker::refresh_twin(size_t table, ItemView listed, EndId to_source, const Record& source) {
  const auto decoded = codec_.decode(table, listed);
  const auto* edge = decoded ? std::get_if<Edge>(&*decoded) : nullptr;
  if (edge == nullptr || edge->relation != to_source.relation) return false;
  for (const Edge& twin : codec_.directions(*edge)) {
    if (twin.leads != to_source.side || twin.ends[to_source.side] != source.identity) continue;
    const size_t twin_table = layout_.item_kinds[codec_.item_kind(twin)].table;
    const model::Table& stored_in = layout_.tables[twin_table];
    const Item encoded = TRY(codec_.encode(twin));
    const Got got = TRY(
        database_.get_item({.table = stored_in.name, .key = key_of(stored_in, encoded), .consistent = true}));
    if (!got.item) return false;
    return refresh(twin_table, *got.item, to_source, source);
  }
  return false;
}

// The source's own entries say who has one with copies of it.
Result<uint64_t> JobWorker::refresh_entries(const Job& job, EndId to_source, const Record& source) {
  const auto holders = source.references.find(model_.back(to_source));
  if (holders == source.references.end()) return 0;
  uint64_t stale = 0, listed = 0;
  for (const Identity& holder : holders->second) {
    const bool was_stale = TRY(refresh_entry(holder, to_source, source));
    if (was_stale) ++stale;
    if (++listed % kPageItems == 0) TRY(renew(job));
  }
  return stale;
}

Result<bool> JobWorker::refresh_entry(const Identity& holder, EndId to_source, const Record& source) {
  const EntityId entity = model_.end(to_source).holder;
  const model::Table& table = layout_.tables[layout_.kind(entity)->table];
  bool is_stale = false;
  for (int tries = 0; tries <= writer_.options_.retries_max; ++tries) {
    Figures unused;
    const auto item = TRY(find_item(database_, model_, layout_, entity, holder, unused));
    if (!item) return is_stale;
    const Record record = std::get<Record>(*codec_.decode(layout_.kind(entity)->table, *item));
    Transaction transaction;
    ItemChange& change = transaction.change(table.name, table.pk.name, key_of(table, *item));
    change.action = ItemChange::Action::kUpdate;
    const auto entries = record.entries.find(to_source);
    if (entries == record.entries.end()) return is_stale;
    for (const Edge& entry : entries->second) {
      const bool is_its = entry.ends[to_source.side] == source.identity;
      if (is_its && entry.copy_versions[to_source.side] < source.version)
        set_entry_copies(change, to_source, entry, source);
    }
    if (change.sets.empty()) return is_stale;
    is_stale = true;
    const Transaction::Outcome outcome = TRY(transaction.commit(database_, unused));
    if (outcome == Transaction::Outcome::kDone) return true;
  }
  return is_stale;
}

// Under the condition that the entry is there, with the copies that were read.
void JobWorker::set_entry_copies(ItemChange& change, EndId to_source, const Edge& entry,
                                 const Record& source) const {
  const std::string& end = model_.end(to_source).name;
  const auto path = [&](const std::string& attribute) {
    return AttributePath{end, entry_name(model_, to_source, entry), attribute};
  };
  const AttributePath version = path(copy_version_attribute(end));
  const int64_t known = entry.copy_versions[to_source.side];
  change.expect({.kind = Expected::Kind::kPresent,
                 .path = {end, entry_name(model_, to_source, entry)},
                 .is_race = true});
  change.expect({.kind = known > 0 ? Expected::Kind::kEquals : Expected::Kind::kMissing,
                 .path = version,
                 .values = {Value(known)},
                 .is_race = true});
  change.sets.emplace_back(version, Value(source.version));
  for (const model::CopiedFields& copied : layout_.relations[to_source.relation].copies) {
    if (copied.side != to_source.side) continue;
    for (const model::FieldId id : copied.fields) {
      const std::string& name = model_.entities[source.entity].fields[id].name;
      const auto value = source.fields.find(name);
      if (value != source.fields.end()) {
        change.sets.emplace_back(path(end + "_" + name), value->second);
      } else if (entry.copies[to_source.side].contains(name)) {
        change.removes.push_back(path(end + "_" + name));
      }
    }
  }
}

Result<Transaction::Outcome> JobWorker::write_copy(size_t table_id, ItemView item, EndId to_source,
                                                   const Record& source, bool& is_stale) {
  const model::Table& table = layout_.tables[table_id];
  const auto decoded = codec_.decode(table_id, item);
  if (!decoded) return Transaction::Outcome::kDone;
  Fields fields;
  for (const model::CopiedFields& copied : layout_.relations[to_source.relation].copies) {
    if (copied.side != to_source.side) continue;
    for (const model::FieldId id : copied.fields) {
      const std::string& name = model_.entities[source.entity].fields[id].name;
      const auto value = source.fields.find(name);
      if (value != source.fields.end()) fields[name] = value->second;
    }
  }
  Item before, after;
  int64_t version = 0;
  if (const auto* record = std::get_if<Record>(&*decoded)) {
    const auto references = record->references.find(to_source);
    const bool is_its = references != record->references.end() && !references->second.empty() &&
                        references->second.front() == source.identity;
    if (!is_its) return Transaction::Outcome::kDone;
    const auto known = record->copy_versions.find(to_source);
    version = known == record->copy_versions.end() ? 0 : known->second;
    Record changed = *record;
    changed.copies[to_source] = fields;
    changed.copy_versions[to_source] = source.version;
    before = TRY(codec_.encode(*record));
    after = TRY(codec_.encode(changed));
  } else {
    const auto& edge = std::get<Edge>(*decoded);
    if (edge.relation != to_source.relation || edge.ends[to_source.side] != source.identity)
      return Transaction::Outcome::kDone;
    version = edge.copy_versions[to_source.side];
    Edge changed = edge;
    changed.copies[to_source.side] = fields;
    changed.copy_versions[to_source.side] = source.version;
    before = TRY(codec_.encode(edge));
    after = TRY(codec_.encode(changed));
  }
  // A copy is only overwritten by a later one: a job that comes late does no harm.
  if (version >= source.version) return Transaction::Outcome::kDone;
  is_stale = true;
  Transaction transaction;
  ItemChange& change = transaction.change(table.name, table.pk.name, key_of(table, item));
  const auto unchanged = [&](std::string_view name) {
    const auto value = item.find(name);
    if (value) {
      change.expect({.kind = Expected::Kind::kEquals,
                     .path = {std::string(name)},
                     .values = {Value(*value)},
                     .is_race = true});
    } else {
      change.expect({.kind = Expected::Kind::kMissing, .path = {std::string(name)}, .is_race = true});
    }
  };
  change.expect({.kind = Expected::Kind::kExists, .is_race = true});
  unchanged(copy_version_attribute(model_.end(to_source).name));
  const bool is_moved = !(key_of(table, after) == key_of(table, item));
  if (is_moved) {
    // The key holds a copy: another item takes its place.
    Item moved(item);
    for (const Attribute attribute : before.view()) moved.remove(attribute.name);
    for (const Attribute attribute : after.view()) moved.set(attribute.name, attribute.value);
    for (const Attribute attribute : item) unchanged(attribute.name);
    change.action = ItemChange::Action::kDelete;
    ItemChange& put = transaction.change(table.name, table.pk.name, key_of(table, moved));
    put.action = ItemChange::Action::kPut;
    put.item = std::move(moved);
  } else {
    change.action = ItemChange::Action::kUpdate;
    for (const Attribute attribute : after.view()) {
      const auto was = item.find(attribute.name);
      if (was && Value(*was) == Value(attribute.value)) continue;
      change.set(attribute.name, Value(attribute.value));
    }
    for (const Attribute attribute : before.view()) {
      if (!after.find(attribute.name)) change.remove(attribute.name);
    }
    // Whom it belongs to, and what decides its index keys, is as it was read.
    for (const Attribute attribute : before.view()) {
      const bool is_key = attribute.name == table.pk.name || (table.sk && attribute.name == table.sk->name);
      const auto now = after.find(attribute.name);
      const bool is_same = now && Value(*now) == Value(attribute.value);
      if (!is_key && is_same && is_deciding(table_id, std::string(attribute.name), to_source))
        unchanged(attribute.name);
    }
  }
  Figures unused;
  return transaction.commit(database_, unused);
}

}  // namespace sheaf::run
