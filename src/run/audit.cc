#include "run/audit.h"

#include <algorithm>
#include <chrono>

#include "base/try.h"
#include "plan/write_needs.h"
#include "run/auditor.h"
#include "run/field_items.h"
#include "run/jobs.h"
#include "run/stored_items.h"
#include "run/system_table.h"
#include "run/value_check.h"

namespace sheaf::run {

using model::EndId;
using model::EntityId;
using FindingKind = Finding::Kind;

Result<Audit> Auditor::run() {
  const std::vector<Job> jobs = TRY(list_jobs(database_, model_, layout_));
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  for (const Job& job : jobs) {
    jobs_.insert(job.id);
    if (job.kind == NewJob::Kind::kCopy) copying_.insert({job.entity, job.identity});
    audit_.oldest_job_ms =
        std::max(audit_.oldest_job_ms,
                 std::chrono::duration_cast<std::chrono::milliseconds>(now).count() - job.created_ms);
  }
  for (size_t table = 0; table < layout_.tables.size(); ++table) TRY(read_table(table));
  close_fields();
  for (const auto& [key, found] : records_) TRY(check_record(found));
  for (const FoundEdge& found : edges_) TRY(check_edge(found));
  TRY(check_twins());
  TRY(check_ends());
  TRY(check_counts());
  TRY(check_guards());
  return std::move(audit_);
}

Result<void> Auditor::read_table(size_t table) {
  Scan scan{.table = layout_.tables[table].name, .consistent = true};
  while (true) {
    const Page page = TRY(database_.scan(scan));
    for (size_t i = 0; i < page.items.size(); ++i) read_item(table, page.items[i]);
    if (!page.last_key) return {};
    scan.start_key = page.last_key;
  }
}

void Auditor::read_item(size_t table, ItemView item) {
  ++audit_.items;
  auto decoded = codec_.decode(table, item);
  if (!decoded) {
    tell(FindingKind::kForeign, key_text_in(table, item),
         "no entity and no relation of the model explains it");
    return;
  }
  if (auto* record = std::get_if<Record>(&*decoded)) {
    if (layout_.is_by_field(record->entity)) return read_field(table, item, std::move(*record));
    ++audit_.entities;
    FoundRecord found;
    found.table = table;
    found.item = Item(item);
    found.is_deleting = item.find(kDeletingAttribute).has_value();
    if (found.is_deleting) ++audit_.being_deleted;
    const auto key = std::pair(record->entity, record->identity);
    for (const auto& [end, entries] : record->entries) audit_.edges += end.side == 0 ? entries.size() : 0;
    found.record = std::move(*record);
    if (records_.contains(key)) tell(FindingKind::kTwice, name_of(found.record), "two items have this id");
    records_.emplace(key, std::move(found));
  } else {
    FoundEdge found;
    found.table = table;
    found.item = Item(item);
    found.edge = std::move(std::get<Edge>(*decoded));
    if (found.edge.leads.value_or(0) == 0) ++audit_.edges;
    edges_.push_back(std::move(found));
  }
}

void Auditor::read_field(size_t table, ItemView item, Record record) {
  const model::ItemKind& kind = *layout_.kind(record.entity);
  const auto [at, is_new] = records_.try_emplace(std::pair(record.entity, record.identity));
  FoundRecord& found = at->second;
  join_field(model_, layout_.tables[table], kind, item, found.item);
  found.table = table;
  if (item.find(kDeletingAttribute)) found.is_deleting = true;
  if (is_new) {
    found.record = std::move(record);
    return;
  }
  found.record.fields.merge(record.fields);
  found.record.is_fragment = found.record.is_fragment && record.is_fragment;
}

// Now that all fields were seen.
void Auditor::close_fields() {
  for (auto at = records_.begin(); at != records_.end();) {
    const FoundRecord& found = at->second;
    if (!layout_.is_by_field(found.record.entity)) {
      ++at;
    } else if (!found.record.is_fragment) {
      ++audit_.entities;
      if (found.is_deleting) ++audit_.being_deleted;
      ++at;
    } else {
      const model::FieldId anchor = *layout_.kind(found.record.entity)->anchor;
      tell(FindingKind::kMisfit, name_of(found.record),
           "some of its fields are there, and not " +
               model_.entities[found.record.entity].fields[anchor].name + ": so it is not");
      at = records_.erase(at);
    }
  }
}

std::string Auditor::key_text_in(size_t table, ItemView item) const {
  const model::Table& declared = layout_.tables[table];
  std::string text = declared.name + " " + key_text(*item.find(declared.pk.name)).value_or("?");
  if (declared.sk) text += " / " + key_text(*item.find(declared.sk->name)).value_or("?");
  return text;
}

std::string Auditor::name_of(const Record& record) const {
  return model_.entities[record.entity].name + " " + shown(record.identity);
}

std::string Auditor::name_of(const Edge& edge) const {
  const model::Relation& relation = model_.relations[edge.relation];
  return model_.entities[relation.ends[0].holder].name + "." + relation.ends[0].name + " " +
         shown(edge.ends[1]) + " - " + shown(edge.ends[0]);
}

Finding& Auditor::tell(FindingKind kind, std::string what, std::string message) {
  audit_.findings.push_back({.kind = kind, .what = std::move(what), .message = std::move(message)});
  return audit_.findings.back();
}

bool Auditor::is_there(EntityId entity, const Identity& identity) const {
  return !layout_.has_items(entity) || records_.contains({entity, identity});
}

ItemChange& Auditor::change_of(Transaction& transaction, const Found& found) const {
  const model::Table& table = layout_.tables[found.table];
  ItemChange& change = transaction.change(table.name, table.pk.name, key_of(table, found.item));
  change.expect({.kind = Expected::Kind::kExists, .is_race = true});
  return change;
}

void Auditor::expect_unchanged(ItemChange& change, const Item& item, std::string_view attribute) {
  if (const auto value = item.find(attribute)) {
    change.expect({.kind = Expected::Kind::kEquals,
                   .path = {std::string(attribute)},
                   .values = {Value(*value)},
                   .is_race = true});
  } else {
    change.expect({.kind = Expected::Kind::kMissing, .path = {std::string(attribute)}, .is_race = true});
  }
}

Result<void> Auditor::commit(Transaction& transaction, Finding& finding) {
  Figures unused;
  const Transaction::Outcome outcome = TRY(transaction.commit(database_, unused));
  finding.is_mended = outcome == Transaction::Outcome::kDone;
  return {};
}

Result<void> Auditor::check_record(const FoundRecord& found) {
  const Record& record = found.record;
  const model::Entity& entity = model_.entities[record.entity];
  if (found.is_deleting) return check_mark(found);
  for (const model::Field& field : entity.fields) {
    const auto value = record.fields.find(field.name);
    if (value == record.fields.end()) {
      if (!field.is_optional && field.kept == model::Kept::kNo && !field.count_of)
        tell(FindingKind::kMisfit, name_of(record), "the field " + field.name + " is missing");
    } else if (const auto why = misfit(value->second, field)) {
      tell(FindingKind::kMisfit, name_of(record), "the field " + field.name + " " + *why);
    }
  }
  for (const auto& [end, targets] : record.references) {
    for (const Identity& target : targets) {
      if (!is_there(model_.end(end).target, target) && !model_.relations[end.relation].syntax->unchecked)
        tell(FindingKind::kDangling, name_of(record),
             "its end " + model_.end(end).name + " leads to " + shown(target) + ", which is not there");
    }
  }
  TRY(check_keys(found, codec_.encode(record), name_of(record)));
  for (const auto& [end, targets] : record.references) {
    if (model_.end(end).leads_to_many || targets.empty() || layout_.is_mutual(end)) continue;
    const auto copies = record.copies.find(end);
    const auto version = record.copy_versions.find(end);
    TRY(check_copies(found, end, targets.front(), copies == record.copies.end() ? Fields() : copies->second,
                     version == record.copy_versions.end() ? 0 : version->second, name_of(record)));
  }
  for (const auto& [end, entries] : record.entries) {
    for (const Edge& entry : entries) TRY(check_entry(found, end, entry));
  }
  return {};
}

Result<void> Auditor::check_mark(const FoundRecord& found) {
  const std::string job(found.item.find(kDeletingAttribute)->bytes());
  if (jobs_.contains(job)) return {};
  Finding& finding =
      tell(FindingKind::kLostMark, name_of(found.record), "it is being deleted, and no job does it");
  if (!options_.repairs) return {};
  // Its job is put back: the deletion was asked for.
  Item item = job_item(model_, layout_,
                       {.kind = NewJob::Kind::kDelete,
                        .id = job,
                        .entity = found.record.entity,
                        .identity = found.record.identity},
                       std::chrono::system_clock::now(), 0);
  TRY(database_.put_item({.table = system_table_name(model_), .item = std::move(item)}));
  finding.is_mended = true;
  return {};
}

// Index keys, the tag and where it expires follow from the rest.
Result<void> Auditor::check_keys(const Found& found, const Result<Item>& encoded, const std::string& what) {
  if (!encoded.ok()) {
    tell(FindingKind::kMisfit, what, encoded.error().message);
    return {};
  }
  const model::Table& table = layout_.tables[found.table];
  std::set<std::string> names;
  for (const model::Index& index : table.indexes) {
    names.insert(index.pk.name);
    if (index.sk) names.insert(index.sk->name);
  }
  names.erase(table.pk.name);
  if (table.sk) names.erase(table.sk->name);
  Transaction transaction;
  ItemChange& change = change_of(transaction, found);
  change.action = ItemChange::Action::kUpdate;
  std::string wrong;
  for (const std::string& name : names) {
    const auto is = found.item.find(name);
    const auto should = encoded->find(name);
    if (is.has_value() == should.has_value() && (!is || Value(*is) == Value(*should))) continue;
    wrong += (wrong.empty() ? "" : ", ") + name + " is " + (is ? key_text(*is).value_or("?") : "missing") +
             " and should be " + (should ? key_text(*should).value_or("?") : "missing");
    if (should) {
      change.set(name, Value(*should));
    } else {
      change.remove(name);
    }
  }
  if (wrong.empty()) return {};
  Finding& finding = tell(FindingKind::kStaleKey, what, wrong);
  if (!options_.repairs) return {};
  for (const Attribute attribute : found.item.view()) expect_unchanged(change, found.item, attribute.name);
  return commit(transaction, finding);
}

// By end and holder.
std::map<std::tuple<size_t, int, Identity>, std::vector<Identity>> Auditor::links() const {
  std::map<std::tuple<size_t, int, Identity>, std::vector<Identity>> links;
  const auto add = [&](EndId end, const Identity& from, const Identity& to) {
    links[{end.relation, end.side, from}].push_back(to);
    links[{end.relation, 1 - end.side, to}].push_back(from);
  };
  for (const auto& [key, found] : records_) {
    for (const auto& [end, targets] : found.record.references) {
      for (const Identity& target : targets) {
        if (layout_.is_mutual(end)) {
          links[{end.relation, end.side, found.record.identity}].push_back(target);
        } else {
          add(end, found.record.identity, target);
        }
      }
    }
  }
  for (const FoundEdge& found : edges_) {
    const Edge& edge = found.edge;
    if (edge.leads) {
      links[{edge.relation, *edge.leads, edge.ends[1 - *edge.leads]}].push_back(edge.ends[*edge.leads]);
    } else {
      add({.relation = edge.relation, .side = 0}, edge.ends[1], edge.ends[0]);
    }
  }
  return links;
}

Result<void> Auditor::check_ends() {
  links_ = links();
  for (const auto& [key, found] : records_) {
    if (found.is_deleting) continue;
    for (const EndId end : model_.entities[found.record.entity].ends) {
      if (layout_.is_embedded(end) || model_.end(end).leads_to_many) continue;
      const auto linked = links_.find({end.relation, end.side, found.record.identity});
      const size_t count = linked == links_.end() ? 0 : linked->second.size();
      if (count == 0 && model_.end(end).is_required)
        tell(FindingKind::kMissingEnd, name_of(found.record),
             "its end " + model_.end(end).name + " leads to nobody");
      if (count > 1)
        tell(FindingKind::kTwice, name_of(found.record),
             "its end " + model_.end(end).name + " leads to " + std::to_string(count));
    }
  }
  return {};
}

Result<void> Auditor::check_counts() {
  for (const auto& [key, found] : records_) {
    if (found.is_deleting) continue;
    for (const model::Field& field : model_.entities[found.record.entity].fields) {
      if (!field.count_of) continue;
      const auto linked =
          links_.find({field.count_of->relation, field.count_of->side, found.record.identity});
      const auto embedded = found.record.embedded.find(*field.count_of);
      const size_t count = (linked == links_.end() ? 0 : linked->second.size()) +
                           (embedded == found.record.embedded.end() ? 0 : embedded->second.size());
      const Value should(static_cast<int64_t>(count));
      const auto is = found.record.fields.find(field.name);
      if (is != found.record.fields.end() && is->second == should) continue;
      Finding& finding =
          tell(FindingKind::kWrongCount, name_of(found.record),
               field.name + " is " +
                   (is == found.record.fields.end() ? "missing" : key_text(is->second).value_or("?")) +
                   " and should be " + key_text(should).value_or("?"));
      if (!options_.repairs) continue;
      Transaction whole, by_field;
      ItemChange& change = change_of(whole, found);
      change.action = ItemChange::Action::kUpdate;
      change.set(field.attribute, should);
      expect_unchanged(change, found.item, field.attribute);
      const model::ItemKind& kind = *layout_.kind(found.record.entity);
      if (kind.is_by_field())
        change_fields(model_, layout_.tables[found.table], kind, change, {.may_be_marked = true}, by_field);
      TRY(commit(kind.is_by_field() ? by_field : whole, finding));
    }
  }
  return {};
}

std::vector<Guard> Auditor::guards() const {
  std::vector<Guard> guards;
  for (const auto& [key, found] : records_) {
    for (Guard& guard : guards_of(model_, layout_, found.record)) guards.push_back(std::move(guard));
  }
  for (const auto& [key, targets] : links_) {
    const EndId end{.relation = std::get<0>(key), .side = std::get<1>(key)};
    if (plan::needs_one_guard(model_, layout_, end) && targets.size() == 1)
      guards.push_back(one_guard(model_, layout_, end, std::get<2>(key), targets.front()));
  }
  return guards;
}

Result<void> Auditor::check_guards() {
  std::map<std::string, Item> stored;
  Scan scan{.table = system_table_name(model_), .consistent = true};
  while (true) {
    const Page page = TRY(database_.scan(scan));
    for (size_t i = 0; i < page.items.size(); ++i) {
      const std::string pk(page.items[i].find("pk")->bytes());
      for (const std::string_view kind : {"unique#", "one#", "id#"}) {
        if (pk.starts_with(std::string(kind) + layout_.name + "#")) stored.emplace(pk, Item(page.items[i]));
      }
    }
    if (!page.last_key) break;
    scan.start_key = page.last_key;
  }
  for (const Guard& guard : guards()) {
    const std::string pk(guard.key.find("pk")->bytes());
    const auto there = stored.find(pk);
    const bool is_right = there != stored.end() && guard_owner(there->second) == guard.owner;
    if (!is_right) TRY(mend_guard(guard, pk, there != stored.end()));
    if (there != stored.end()) stored.erase(there);
  }
  for (const auto& [pk, item] : stored) {
    Finding& finding = tell(FindingKind::kStrayGuard, pk, "it guards what is not there");
    if (!options_.repairs) continue;
    Transaction transaction;
    ItemChange& change =
        transaction.change(system_table_name(model_), "pk", system_key(pk, item.find("sk")->bytes()));
    change.action = ItemChange::Action::kDelete;
    expect_unchanged(change, item, kGuardOwner);
    TRY(commit(transaction, finding));
  }
  return {};
}

Result<void> Auditor::mend_guard(const Guard& guard, const std::string& pk, bool is_there) {
  Finding& finding = tell(FindingKind::kMissingGuard, pk,
                          is_there ? "it is taken by somebody else than " + shown(guard.owner)
                                   : "it is not there, and " + shown(guard.owner) + " should have it");
  if (!options_.repairs || is_there) return {};
  Transaction transaction;
  ItemChange& change = transaction.change(system_table_name(model_), "pk", guard.key);
  change.action = ItemChange::Action::kPut;
  change.item = guard_item(guard);
  change.expect({.kind = Expected::Kind::kAbsent, .is_race = true});
  return commit(transaction, finding);
}

std::string_view name_of(Finding::Kind kind) {
  switch (kind) {
    case FindingKind::kForeign:
      return "foreign";
    case FindingKind::kMisfit:
      return "misfit";
    case FindingKind::kStaleKey:
      return "stale-key";
    case FindingKind::kDangling:
      return "dangling";
    case FindingKind::kMissingEnd:
      return "missing-end";
    case FindingKind::kTwice:
      return "twice";
    case FindingKind::kMissingGuard:
      return "missing-guard";
    case FindingKind::kStrayGuard:
      return "stray-guard";
    case FindingKind::kWrongCount:
      return "wrong-count";
    case FindingKind::kDrift:
      return "drift";
    case FindingKind::kLostMark:
      return "lost-mark";
    case FindingKind::kHalfPair:
      return "half-pair";
  }
  return "";
}

Result<Audit> audit(Database& database, const model::Model& model, const model::Layout& layout,
                    const AuditOptions& options) {
  return Auditor(database, model, layout, options).run();
}

}  // namespace sheaf::run
