// Data as items in the tables of a layout, in batches. The guards of an entity or link go into the batch of
// its items, so that whoever is interrupted between two batches leaves none without the other.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sheaf/database.h"

#include "run/data_file.h"
#include "run/seen_filter.h"

namespace sheaf::run {

// What becomes of items that are there with the same key.
enum class WhatIsThere : uint8_t {
  kIsNotAsked,  // it is written over, and nothing is read
  kIsKept,      // what is the same stays, what differs is refused
  // What is the same stays; what differs is written over, and counted, with the next version. What data
  // leaves open stays as it is.
  kIsReplaced
};

struct DataWriterOptions {
  WhatIsThere what_is_there = WhatIsThere::kIsNotAsked;
  // Asked between batches; true: no other begins. May be empty.
  std::function<bool()> is_ended;
};

// Items, without guards.
struct Written {
  size_t items = 0;
  size_t replaced = 0;    // of these, over one that was there and differed
  size_t there = 0;       // that were there already, but for what data leaves open; they were not written
  bool is_ended = false;  // before all was written
};

// For one thread.
class DataWriter {
 public:
  DataWriter(Database& database, const model::Model& model, const model::Layout& layout,
             DataWriterOptions options = {});

  // kInvalid if something in it, or somebody who is there, has taken what a guard promises to one; kInUse if
  // what is there is kept and differs. Nothing of `data` is written then. What was there before is read only
  // if some table held anything when the writer was first used; otherwise that alone of which this writer may
  // have written something. Nobody else should write meanwhile.
  Result<void> write(const Data& data);
  // Also after an error, whose batch may be written in part.
  const Written& written() const { return written_; }

 private:
  struct Put {
    size_t table = 0;  // of the layout; behind its last: the system table
    Item item;
    const Guard* guard = nullptr;  // that it is, if it is one
    bool is_gone = false;          // this is the key of one that is deleted
  };
  using Place = std::pair<size_t, std::string>;  // table and key
  using Found = std::map<Place, Item>;
  // An entity or a link, and what is put for it, guards first.
  struct Unit {
    const Record* record = nullptr;
    const Edge* edge = nullptr;
    std::vector<Guard> guards;
    std::vector<Put> puts;
    // What is there of it, and what is to be there with all that the data leaves open.
    Found found;
    std::optional<Record> there, whole;
    std::optional<Edge> whole_edge;
    size_t replaced = 0;
    bool is_there = false;  // all of it
  };
  using Somebody = std::pair<model::EntityId, Identity>;
  using Versions = std::map<Somebody, int64_t>;  // of who was there

  Result<std::vector<Unit>> units_of(const Data& data) const;
  Result<void> fill_puts(Unit& unit) const;
  Result<bool> has_items();
  Item key_of(const Put& put) const;
  Place place_of(const Put& put) const;
  const std::string& table_name(size_t table) const;
  bool note(const Unit& unit);
  // Works out which of the units are there, and how the others are written over what is.
  Result<void> compare(std::vector<Unit>& units);
  std::vector<Put> field_places(const Unit& unit) const;
  Result<Found> find(std::span<Unit* const> units) const;
  Result<void> settle(Unit& unit, const Found& found) const;
  Result<void> settle_record(Unit& unit) const;
  Result<std::optional<Record>> record_there(Unit& unit) const;
  Result<std::optional<Record>> record_elsewhere(Unit& unit) const;
  void settle_edge(Unit& unit) const;
  void follow(Unit& unit, const Versions& versions) const;
  Result<void> judge(Unit& unit) const;
  bool differs(const Unit& unit, const std::vector<Item>& items) const;
  std::string name_of(const Unit& unit) const;
  Result<void> put_all(const std::vector<Unit>& units);
  Result<void> put(const std::vector<const Unit*>& units);

  Database& database_;
  const model::Model& model_;
  const model::Layout& layout_;
  const DataWriterOptions options_;
  const std::string system_table_;
  std::optional<bool> has_items_;
  SeenFilter put_;  // by table and key, if there was nothing before
  Written written_;
};

}  // namespace sheaf::run
