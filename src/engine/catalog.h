// The tables that there are. The store's rows are the truth; what is kept here is guarded by every batch that
// uses it.
#pragma once

#include <functional>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/table.h"
#include "store/store.h"

namespace sheaf::engine {

// Thread-safe.
class Catalog {
 public:
  explicit Catalog(store::Store& store) : store_(store) {}

  // The table, from memory if it was asked for before. kNotFound if there is none or it is being deleted.
  Result<TableRef> find(std::string_view name);
  // The table as the store has it now, whatever its status; also what `find` returns from then on.
  Result<TableRef> reload(std::string_view name);

  // Names in order, behind `after` (empty: from the first), at most `count_max`; deleted ones too while they
  // go.
  struct Names {
    std::vector<std::string> names;
    bool more = false;
  };
  Result<Names> list(std::string_view after, uint32_t count_max);

  // Reads the row of `name`, lets `change` decide what becomes of it, and writes that under guard, as often
  // as it takes. `change` gets the settings (nothing if there is no table) and a source of new ids; it
  // returns the new settings, or nothing to remove the row, or an Error to leave everything as it is. It may
  // add rows of its own to the batch.
  class Ids {
   public:
    explicit Ids(Id next) : next_(next) {}
    Id take() { return next_++; }
    Id next() const { return next_; }

   private:
    Id next_;
  };
  using Change = std::function<Result<std::optional<TableSettings>>(
      const std::optional<TableSettings>& before, Ids& ids, store::Batch& batch)>;
  Result<void> change(std::string_view name, const Change& change);

 private:
  struct NameHash {
    using is_transparent = void;
    size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
  };

  store::Store& store_;
  std::mutex reload_mutex_;  // one reading after the other, so that what is kept never gets older
  std::shared_mutex mutex_;  // of tables_
  std::unordered_map<std::string, TableRef, NameHash, std::equal_to<>> tables_;
};

// "Requested resource not found", as DynamoDB says it of a table.
Error table_not_found();

}  // namespace sheaf::engine
