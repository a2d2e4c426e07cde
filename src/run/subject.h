// One entity that an operation touches: what is known of it, and what becomes of it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "run/change.h"
#include "run/item_change.h"
#include "run/list_entry.h"
#include "run/record.h"

namespace sheaf::run {

// A child that lies in its parent's item, and what is done to it.
struct EmbeddedChange {
  model::EndId end;  // from the parent
  model::EntityId child = 0;
  Fields ids;  // which one
  enum class Kind : uint8_t { kPut, kChange, kDelete } kind = Kind::kChange;
  Fields fields;                                    // kPut: all of it
  std::vector<std::pair<Assigned, bool>> assigned;  // true: add
  std::vector<OwnField> removed;
  std::vector<Expected> expected;  // of the child, by the names of its fields
};

struct Subject {
  enum class Fate : uint8_t {
    kKept,
    kNew,
    kUpserted,  // one of the others, once it is known whether it is there
    kDeleted,
    kMarked,  // a job deletes it
  };

  model::EntityId entity = 0;
  Identity identity;
  Fate fate = Fate::kKept;
  bool must_exist = false;
  bool is_source = false;  // what is stored must be known

  // The fields that the operation writes.
  const Change* made = nullptr;                            // kPut, kUpsert
  std::optional<Fields> made_fields;                       // those of the document, with what else is written
  std::vector<std::pair<const Assigned*, bool>> assigned;  // true: add
  std::vector<const OwnField*> removed;
  bool is_settled = false;  // of a child that lies in its parent: its parent has what becomes of it

  bool is_loaded = false;
  std::optional<Item> stored;
  Record before;
  Record after;

  // What changes of it.
  std::set<model::FieldId> fields;
  std::set<model::EndId, EndOrder> ends;        // references on its own item
  std::vector<std::pair<Assigned, bool>> sums;  // blindly, without knowing what is stored; true: add
  std::vector<OwnField> removed_inside;
  std::map<model::FieldId, int64_t> counts;
  std::vector<std::pair<model::EndId, Identity>> list_adds;  // to lists of ids
  std::vector<std::pair<model::EndId, Identity>> list_removes;
  std::vector<EmbeddedChange> embedded;
  std::vector<EntryChange> entries;
  std::set<model::EndId, EndOrder> connected;  // ends that the operation itself has linked
  std::set<model::EndId, EndOrder> unlinked;   // or unlinked, without knowing what is stored
  std::set<model::FieldId> computed_from;      // what was read, and must still be so
  std::vector<Expected> expected;
  std::string job;                          // kMarked: its id; kDeleted: the job that does it
  std::optional<int64_t> mirrored_version;  // what operations keep is given

  // Nothing happens to it but that it is counted down: if it is going itself, nobody needs the count.
  bool is_only_counted_down() const {
    if (is_changed() || must_exist || fate != Fate::kKept || !expected.empty() || counts.empty())
      return false;
    for (const auto& [field, count] : counts) {
      if (count > 0) return false;
    }
    return true;
  }

  // It only loses entries, and is counted down: it may be going itself.
  bool is_only_released() const {
    if (!fields.empty() || !ends.empty() || !sums.empty() || !removed_inside.empty() || !list_adds.empty() ||
        !list_removes.empty() || !embedded.empty() || entries.empty() || must_exist || fate != Fate::kKept ||
        !expected.empty())
      return false;
    for (const EntryChange& each : entries) {
      if (each.is_put) return false;
    }
    for (const auto& [field, count] : counts) {
      if (count > 0) return false;
    }
    return true;
  }

  // Its version tells of its own fields: what it is linked to, or has embedded, lies elsewhere in other
  // layouts.
  bool has_new_version() const {
    const bool is_given = mirrored_version && stored && *mirrored_version != before.version;
    return is_given || !fields.empty() || !sums.empty() || !removed_inside.empty();
  }

  bool is_changed() const {
    return has_new_version() || !ends.empty() || !list_adds.empty() || !list_removes.empty() ||
           !embedded.empty() || !entries.empty();
  }
};

// Under which attribute a part of the identity of what an end leads to is stored.
std::string reference_attribute(const model::Model& model, model::EndId end, size_t part);

// Where a field is stored, inside what it is in.
AttributePath path_of(const model::Field& field, const std::vector<std::string>& inside);

// Puts into `transaction` what becomes of the subject's own item. Its item was read if plan::needs_stored
// says so.
Result<void> write_subject(const model::Model& model, const model::Layout& layout, const Subject& subject,
                           const std::string& now_text, bool is_first_try, Transaction& transaction);

}  // namespace sheaf::run
