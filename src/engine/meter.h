// What requests take from tables and indexes, told to whoever wants to know: the throttle, which may refuse
// it, and the heat.
#pragma once

#include <memory>
#include <string_view>

#include "sheaf/result.h"

#include "base/clock.h"
#include "engine/capacity.h"
#include "engine/item_change.h"
#include "engine/query_plan.h"
#include "engine/row_sample.h"
#include "engine/store_keys.h"
#include "engine/throttle.h"
#include "traffic/heat.h"
#include "traffic/own_reads.h"

namespace sheaf::engine {

// What a write takes.
struct WriteCost {
  const Table& table;
  const ItemPlace& place;
  HalfUnits half_units;  // of the table
  const std::vector<EntryWrite>& entries;
};

// Thread-safe.
class Meter {
 public:
  // Without `throttle` nothing is refused, without `heat` nothing counted.
  Meter(std::unique_ptr<Throttle> throttle, std::unique_ptr<traffic::Heat> heat)
      : throttle_(std::move(throttle)), heat_(std::move(heat)) {}

  // Whether a request may begin. Errors as Throttle::admit.
  Result<void> admit_read(const Table& table, const ItemPlace& place) {
    return admit(table, nullptr, Access::kRead, place.key, false);
  }
  Result<void> admit_page(const KeyRange& keys);
  Result<void> admit_write(const WriteCost& write, bool is_transaction);
  // What a write takes is known before it is done. Who is let in pays at once, so that of many that come
  // together not all are let in by what is left for one.
  void take_write(const WriteCost& write);

  // What it took, afterwards; of a write only what is hot is counted then.
  void charge_read(const Table& table, const ItemPlace& place, HalfUnits half_units) {
    if (traffic::OwnReads::are_on()) return;
    take(table, nullptr, Access::kRead, place.key, half_units);
    count(table, nullptr, Access::kRead, place.key, half_units);
  }
  void charge_page(const KeyRange& keys, const Consumed& consumed, const RowSample& rows);
  void count_write(const WriteCost& write);

  // Of a table that is deleted. What it was asked for of late stays in the heat.
  void forget(const Table& table) {
    if (throttle_ != nullptr) throttle_->forget(table);
  }

  const Throttle* throttle() const { return throttle_.get(); }
  const traffic::Heat* heat() const { return heat_.get(); }

 private:
  Result<void> admit(const Table& table, const Index* index, Access access, std::string_view key,
                     bool is_transaction);
  // From what the table or index has, and for its heat.
  void take(const Table& table, const Index* index, Access access, std::string_view key,
            HalfUnits half_units) {
    if (throttle_ != nullptr) throttle_->charge(table, index, access, key, half_units);
  }
  void count(const Table& table, const Index* index, Access access, std::string_view key,
             HalfUnits half_units);
  void throttle_page(const KeyRange& keys, HalfUnits half_units, const RowSample& rows);
  void heat_page(const KeyRange& keys, HalfUnits half_units, const RowSample& rows);

  const std::unique_ptr<Throttle> throttle_;
  const std::unique_ptr<traffic::Heat> heat_;
};

}  // namespace sheaf::engine
