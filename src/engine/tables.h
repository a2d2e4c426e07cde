// Making, changing and removing tables. What is checked here is what depends on the tables that there are;
// that a request makes sense by itself, its sender has checked.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "engine/table.h"

namespace sheaf::engine {

inline constexpr size_t kTagsMax = 50;

// Said of kIncludedMax.
inline constexpr std::string_view kTooManyIncluded =
    "Number of NonKeyAttributes over all indexes exceeds the per-table limit of 100";

// A new, empty table. `wanted` has no ids yet; its last stream, if any, is to be opened. kInUse if the name
// is taken.
Result<TableRef> create_table(Engine& engine, TableSettings wanted);

// The table as the store has it now, whatever its status.
Result<TableRef> current_table(Engine& engine, std::string_view name);
// "Table: name not found"
Error no_such_table(std::string_view name);

// Marks the table as deleting; its items go in the background, then its name is free. kInvalid if it is
// protected, kInUse if it is already going.
Result<TableRef> delete_table(Engine& engine, std::string_view name);

// What is not given stays as it is; of a Throughput, what is 0. A maximum of -1 is taken away.
struct TableUpdate {
  std::optional<BillingMode> billing;
  std::optional<Throughput> throughput;
  std::map<std::string, Throughput> index_throughput;
  std::optional<bool> deletion_protected;
  std::optional<std::string> table_class;
  std::optional<IndexSettings> add_index;   // filled in the background
  std::optional<std::string> remove_index;  // cleared in the background
  std::optional<StreamView> open_stream;
  bool close_stream = false;
};
// kLimitExceeded while an index is being created or removed and another is to be; kNotFound for an index that
// is not there. An index that is still being filled can be removed.
Result<TableRef> update_table(Engine& engine, std::string_view name, const TableUpdate& update);

Error one_index_at_a_time();
// `verb`: what is to be done with the index, for the message if it is a local one.
Result<IndexSettings*> find_global_index(TableSettings& table, const std::string& name,
                                         std::string_view verb);

// Turns time to live on or off.
Result<TableRef> update_ttl(Engine& engine, std::string_view name, const std::string& attribute,
                            bool enabled);

Result<TableRef> add_tags(Engine& engine, std::string_view name,
                          const std::map<std::string, std::string>& tags);
Result<TableRef> remove_tags(Engine& engine, std::string_view name, const std::vector<std::string>& keys);

struct Totals {
  int64_t items = 0;
  int64_t bytes = 0;
};
// Of a table or an index.
Result<Totals> totals_of(Engine& engine, Id table_or_index);

// How many items the filling of an index has looked at; nothing if it is not being filled.
Result<std::optional<int64_t>> items_filled(Engine& engine, Id index);

}  // namespace sheaf::engine
