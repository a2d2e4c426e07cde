// Which tables have readers that may be late, and by how much.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "sheaf/result.h"
#include "sheaf/table.h"

#include "engine/capacity.h"
#include "engine/table.h"

namespace sheaf::engine {

struct LagRange {
  int64_t min_us;
  int64_t max_us;
};

// Nothing: never late.
struct TableLags {
  std::optional<LagRange> of_global_indexes;
  std::optional<LagRange> of_reads;  // eventually consistent ones, of the table and its local indexes

  // Whether such a read may be late. `index` is null for the table itself.
  bool is_late(const Index* index, ReadMode mode) const;
};

// kInvalid, with what is wrong; see OpenOptions::index_lags.
Result<void> check_lags(const std::vector<Lag>& lags);

// Immutable.
class Lags {
 public:
  // Both pass check_lags.
  Lags(const std::vector<Lag>& index_lags, const std::vector<Lag>& read_lags);

  // Null: no reader of the table is ever late. Lives as long as this.
  const TableLags* of(const std::string& table) const;

 private:
  TableLags others_;
  std::unordered_map<std::string, TableLags> named_;
};

}  // namespace sheaf::engine
