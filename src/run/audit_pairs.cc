// Edges, entries on both sides, and copies of what they lead to.
#include <algorithm>
#include <chrono>

#include "base/try.h"
#include "run/auditor.h"
#include "run/jobs.h"
#include "run/list_entry.h"
#include "run/pool.h"
#include "run/stored_items.h"
#include "run/system_table.h"
#include "run/time_text.h"
#include "run/value_check.h"

namespace sheaf::run {

using model::EndId;
using model::EntityId;
using FindingKind = Finding::Kind;

namespace {

// An item of an edge with all that both of a pair have alike.
std::string whole_text(const model::Model& model, const Edge& edge) {
  std::string text = edge_text(model, edge);
  for (const auto& [name, value] : edge.fields) text += name + std::string(value.view().encoded());
  return text;
}

}  // namespace

Result<void> Auditor::check_copies(const Found& found, EndId end, const Identity& source_id,
                                   const Fields& copies, int64_t version, const std::string& what,
                                   const Edge* entry) {
  const auto source = records_.find({model_.end(end).target, source_id});
  if (source == records_.end()) return {};
  const Record& record = source->second.record;
  std::string wrong;
  bool is_copied = false;
  for (const model::CopiedFields& copied : layout_.relations[end.relation].copies) {
    if (copied.side != end.side) continue;
    is_copied = true;
    for (const model::FieldId id : copied.fields) {
      const std::string& name = model_.entities[record.entity].fields[id].name;
      const auto is = copies.find(name);
      const auto should = record.fields.find(name);
      const bool is_same = (is == copies.end()) == (should == record.fields.end()) &&
                           (is == copies.end() || is->second == should->second);
      if (is_same) continue;
      wrong += (wrong.empty() ? "" : ", ") + model_.end(end).name + "." + name;
    }
  }
  if (!is_copied || wrong.empty()) return {};
  if (version < record.version && copying_.contains({record.entity, record.identity})) {
    ++audit_.copies_under_way;
    return {};
  }
  Finding& finding = tell(FindingKind::kDrift, what, "its copy of " + wrong + " is not what the source says");
  if (!options_.repairs) return {};
  // By the job that would have done it, so that keys follow, too.
  Item item = job_item(model_, layout_,
                       {.kind = NewJob::Kind::kCopy,
                        .id = new_ulid(std::chrono::system_clock::now()),
                        .entity = record.entity,
                        .identity = record.identity},
                       std::chrono::system_clock::now(), 0);
  UpdateItem older = older_copy(found, end, entry);
  TRY(database_.update_item(older));
  TRY(database_.put_item({.table = system_table_name(model_), .item = std::move(item)}));
  finding.is_mended = true;
  return {};
}

// A copy that claims to be as new as its source would not be overwritten.
UpdateItem Auditor::older_copy(const Found& found, EndId end, const Edge* entry) const {
  const model::Table& table = layout_.tables[found.table];
  UpdateItem update{.table = table.name,
                    .key = key_of(table, found.item),
                    .update = "REMOVE #v",
                    .condition = "attribute_exists(#p)",
                    .names = {{"#v", copy_version_attribute(model_.end(end).name)}, {"#p", table.pk.name}}};
  if (entry == nullptr) return update;
  update.update = "REMOVE #e.#n.#v";
  update.condition = "attribute_exists(#e.#n)";
  update.names = {{"#v", copy_version_attribute(model_.end(end).name)},
                  {"#e", model_.end(end).name},
                  {"#n", entry_name(model_, end, *entry)}};
  return update;
}

Result<void> Auditor::check_edge(const FoundEdge& found) {
  const Edge& edge = found.edge;
  const model::Relation& relation = model_.relations[edge.relation];
  bool is_dangling = false;
  for (const int side : {0, 1})
    is_dangling = is_dangling || !is_there(relation.ends[side].target, edge.ends[side]);
  if (is_dangling && !relation.syntax->unchecked) {
    Finding& finding = tell(FindingKind::kDangling, name_of(edge), "one of the two is not there");
    if (!options_.repairs) return {};
    Transaction transaction;
    change_of(transaction, found).action = ItemChange::Action::kDelete;
    return commit(transaction, finding);
  }
  check_fields(edge);
  TRY(check_keys(found, codec_.encode(edge), name_of(edge)));
  for (const int side : {0, 1}) {
    if (edge.leads && *edge.leads != side) continue;
    TRY(check_copies(found, {.relation = edge.relation, .side = side}, edge.ends[side], edge.copies[side],
                     edge.copy_versions[side], name_of(edge)));
  }
  return {};
}

void Auditor::check_fields(const Edge& edge) {
  for (const model::Field& field : model_.relations[edge.relation].edge_fields) {
    const auto value = edge.fields.find(field.name);
    if (value == edge.fields.end()) {
      if (!field.is_optional)
        tell(FindingKind::kMisfit, name_of(edge), "the field " + field.name + " is missing");
    } else if (const auto why = misfit(value->second, field)) {
      tell(FindingKind::kMisfit, name_of(edge), "the field " + field.name + " " + *why);
    }
  }
}

Result<void> Auditor::check_entry(const FoundRecord& found, EndId end, const Edge& entry) {
  check_fields(entry);
  return check_copies(found, end, entry.ends[end.side], entry.copies[end.side], entry.copy_versions[end.side],
                      name_of(entry), &entry);
}

// A pair that has two items, or entries, has both, and they say the same.
Result<void> Auditor::check_twins() {
  std::set<std::string> stored;
  for (const FoundEdge& found : edges_) stored.insert(whole_text(model_, found.edge));
  for (const auto& [key, found] : records_) {
    for (const auto& [end, entries] : found.record.entries) {
      for (const Edge& entry : entries) stored.insert(whole_text(model_, entry));
    }
  }
  const auto check = [&](const Found& found, const Edge& edge) -> Result<void> {
    const model::Relation& relation = model_.relations[edge.relation];
    const bool is_dangling =
        !is_there(relation.ends[0].target, edge.ends[0]) || !is_there(relation.ends[1].target, edge.ends[1]);
    if (is_dangling && !relation.syntax->unchecked) return {};  // which is told
    for (Edge& twin : codec_.directions(edge)) {
      if (!stored.contains(whole_text(model_, twin))) TRY(mend_twin(found, edge, std::move(twin)));
    }
    return {};
  };
  for (const FoundEdge& found : edges_) TRY(check(found, found.edge));
  for (const auto& [key, found] : records_) check_mutual_ids(found);
  for (const auto& [key, found] : records_) {
    if (found.is_deleting) continue;  // others have let go of it, one by one
    for (const auto& [end, entries] : found.record.entries) {
      for (const Edge& entry : entries) TRY(check(found, entry));
    }
  }
  return {};
}

// Who has somebody in a list is in the list of that one.
void Auditor::check_mutual_ids(const FoundRecord& found) {
  for (const auto& [end, targets] : found.record.references) {
    if (layout_.storage(end) != model::EndStorage::kIds || !layout_.is_mutual(end) || found.is_deleting)
      continue;
    for (const Identity& target : targets) {
      const auto other = records_.find({model_.end(end).target, target});
      if (other == records_.end()) continue;  // which is told
      const auto back = other->second.record.references.find(end);
      const bool is_there =
          back != other->second.record.references.end() &&
          std::find(back->second.begin(), back->second.end(), found.record.identity) != back->second.end();
      if (!is_there)
        tell(FindingKind::kHalfPair, name_of(found.record),
             "its end " + model_.end(end).name + " leads to " + shown(target) + ", and that one's not back");
    }
  }
}

Result<void> Auditor::mend_twin(const Found& found, const Edge& edge, Edge twin) {
  Finding& finding = tell(FindingKind::kHalfPair, name_of(edge),
                          "it is stored in one direction, and nothing like it in the other");
  if (!options_.repairs) return {};
  const EndId end{.relation = twin.relation, .side = *twin.leads};
  const auto source = records_.find({model_.end(end).target, twin.ends[end.side]});
  for (const model::CopiedFields& copied : layout_.relations[end.relation].copies) {
    if (copied.side != end.side || source == records_.end()) continue;
    const Record& record = source->second.record;
    for (const model::FieldId id : copied.fields) {
      const auto value = record.fields.find(model_.entities[record.entity].fields[id].name);
      if (value != record.fields.end()) twin.copies[end.side][value->first] = value->second;
    }
    twin.copy_versions[end.side] = record.version;
  }
  // Put back under the condition that nothing is there: of two that differ nobody knows which is right.
  Transaction transaction;
  if (layout_.is_edge(end)) {
    Item item = TRY(codec_.encode(twin));
    const model::Table& table = layout_.tables[layout_.item_kinds[codec_.item_kind(twin)].table];
    ItemChange& change = transaction.change(table.name, table.pk.name, key_of(table, item));
    change.action = ItemChange::Action::kPut;
    change.item = std::move(item);
    change.expect({.kind = Expected::Kind::kAbsent, .is_race = true});
  } else {
    const auto holder = records_.find({model_.end(end).holder, twin.ends[1 - end.side]});
    const bool is_alone = !model_.end(end).leads_to_many;
    if (is_alone && holder->second.record.entries.contains(end)) return {};
    const AttributePath path{model_.end(end).name, entry_name(model_, end, twin)};
    ItemChange& change = change_of(transaction, holder->second);
    change.action = ItemChange::Action::kUpdate;
    change.sets.emplace_back(path, entry_value(model_, end, twin));
    change.expect({.kind = Expected::Kind::kMissing, .path = path, .is_race = true});
    expect_unchanged(change, holder->second.item, model_.end(end).name);
  }
  ItemChange& kept = change_of(transaction, found);
  for (const Attribute attribute : found.item.view()) expect_unchanged(kept, found.item, attribute.name);
  return commit(transaction, finding);
}

}  // namespace sheaf::run
