// The engine: tables, items, indexes, transactions and change log on top of a store. Requests arrive bound
// and checked as far as that is possible without reading; there is no text and no JSON here.
#pragma once

#include <atomic>
#include <bitset>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "engine/catalog.h"
#include "engine/key_locks.h"
#include "engine/meter.h"
#include "engine/past.h"
#include "engine/store_keys.h"
#include "store/store.h"

namespace sheaf::engine {

struct EngineOptions {
  // DynamoDB's limit for item collections of tables with a local index; writes beyond it fail with kTooLarge.
  int64_t collection_bytes_max = int64_t{10} << 30;
  // A collection that has so many bytes or items, or four fifths of the limit it has, is reported, once for
  // each crossing.
  int64_t collection_bytes_warning = int64_t{1} << 30;
  int64_t collection_items_warning = 10'000;
  // Runs on the thread that wrote, after the write was answered for. Must not call back into the database.
  std::function<void(const CollectionWarning&)> on_collection_warning;
  ThrottleOptions throttle;
  bool heat = false;  // hot keys are counted
  // Which tables have readers that may be late; see OpenOptions.
  std::vector<Lag> index_lags;
  std::vector<Lag> read_lags;
  uint64_t lag_seed = 1;
};

// Which collections are known to be over which warning lines, so that each crossing is reported once.
// Thread-safe.
class CollectionWarnings {
 public:
  using Lines = std::bitset<3>;  // by CollectionLine

  // Notes over which lines a collection is; those that it was not over before.
  Lines rises(const ItemPlace& place, Lines over);

 private:
  static constexpr size_t kRememberedMax = 1 << 16;  // then it forgets, and reports again

  std::mutex mutex_;
  std::unordered_map<uint64_t, Lines> over_;  // by hash
};

// What all operations share. Thread-safe; must outlive every operation.
struct Engine {
  Engine(store::Store& underlying_store, const Clock& time_source, EngineOptions engine_options)
      : store(underlying_store),
        clock(time_source),
        options(std::move(engine_options)),
        catalog(underlying_store) {
    const bool throttles = options.throttle.throughput || options.throttle.partitions;
    if (throttles || options.heat)
      meter =
          std::make_unique<Meter>(throttles ? std::make_unique<Throttle>(clock, options.throttle) : nullptr,
                                  options.heat ? std::make_unique<traffic::Heat>(clock) : nullptr);
    if (!options.index_lags.empty() || !options.read_lags.empty()) {
      past = std::make_unique<Past>(clock, Past::Options{.index_lags = options.index_lags,
                                                         .read_lags = options.read_lags,
                                                         .seed = options.lag_seed});
    }
  }

  store::Store& store;
  const Clock& clock;
  const EngineOptions options;
  Catalog catalog;
  KeyLocks locks;
  CollectionWarnings collection_warnings;
  std::unique_ptr<Meter> meter;                // null: nobody wants to know what requests take
  std::unique_ptr<Past> past;                  // null: no reader is late
  std::atomic<int64_t> tokens_dropped_us = 0;  // when expired tokens were last dropped
};

}  // namespace sheaf::engine
