// What can be read of a table some of whose stored bytes are damaged.
//
// A page that holds anything damaged cannot be had, and where the damage ends nobody says. But a Scan may be
// of up to a million segments, which are ranges of keys of their own: those behind the damage can be read.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "sheaf/database.h"

#include "engine/table.h"

namespace sheaf::transfer {

inline bool is_damage(Code code) { return code == Code::kCorrupt || code == Code::kIo; }

class Salvage {
 public:
  // How pages are asked for, and what is done with them. Errors of `take` end it, as all do that are no
  // damage.
  struct Calls {
    std::function<Result<Page>(const Scan&)> scan;
    std::function<Result<Page>(const Query&)> query;
    std::function<Result<void>(const Page&)> take;
    std::function<bool()> is_over;
  };
  Salvage(const TableDescription& table, uint32_t segment_count, Calls calls);

  // Every item of the segment that can be read, once. The number of places where something is missing.
  Result<uint64_t> read(uint32_t segment);

 private:
  // As far as it could be read; nothing: not at all.
  struct Reached {
    bool is_end = false;
    bool has_items = false;
    std::optional<Item> last_key;
  };
  Result<Reached> read_part(uint64_t part, uint64_t part_count);
  Result<void> read_rest_of_collection(const Item& last_key);
  Result<bool> is_readable(uint64_t sliver);
  Result<uint64_t> next_readable(uint64_t begin, uint64_t end);
  Result<uint64_t> sliver_of(const Item& key) const;

  const TableDescription& table_;
  const engine::Table known_;
  const Calls calls_;
  const uint64_t slivers_each_;  // of a segment; a power of two
  const uint64_t slivers_;       // of the table
};

}  // namespace sheaf::transfer
