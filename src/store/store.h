// The store contract: ordered bytes, consistent reads, guarded atomic batches. Everything above rests on it,
// and doc/store-contract.md numbers its invariants. One suite (store_contract_test.cc) holds every store to
// it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/result.h"

#include "base/function.h"
#include "base/loop.h"
#include "store/batch.h"

namespace sheaf::store {

// The first byte of every key. What lives in one space is tuned, trimmed and measured apart from the others.
enum class Space : uint8_t {
  kCatalog = 1,   // tables, their ids and settings
  kItems = 2,     // items, by table, partition and sort key
  kIndexes = 3,   // index entries
  kLog = 4,       // change records, by stream, shard and stamp
  kCounters = 5,  // sums: items and bytes of tables, indexes and item collections
  kJobs = 6,      // background work with its cursor and lease
  kTokens = 7,    // idempotency tokens, by time
  kExpiry = 8,    // items that expire, by time
};
inline constexpr uint8_t kSpaceMin = 1;
inline constexpr uint8_t kSpaceMax = 8;

// What a scan returns is bounded: a slice, never a whole table (invariant 8).
inline constexpr uint32_t kSliceBytesMax = 64 * 1024;
inline constexpr uint32_t kSliceRowsMax = 4096;

struct Read {
  std::optional<std::string> value;
  Version version;
};

// Keys from `begin` up to but not including `end`, in the space of `begin`: an `end` in a later space stands
// for the end of that space.
struct Range {
  std::string begin;
  std::string end;
};

enum class Direction : uint8_t { kForward, kBackward };

struct ScanOptions {
  Direction direction = Direction::kForward;
  uint32_t rows_max = kSliceRowsMax;
  uint32_t bytes_max = kSliceBytesMax;
};

// How a scan ended. With `more`, the rest of the range lies at `resume` and beyond it (forward: the new
// `begin`; backward: the new `end`).
struct ScanEnd {
  bool more = false;
  std::string resume;
};

struct ViewOptions {
  // One snapshot for all reads of the view. Without it each read is of a state at least as new as the view's
  // opening; guards made of its versions are safe all the same, and it costs less.
  bool snapshot = false;
  // Answer only from memory: a read that would touch the disk returns kWouldBlock.
  bool cached_only = false;
};

// Reads. For one thread, for a short time: at most one slice, never across a submit by the same thread.
class View {
 public:
  virtual ~View() = default;

  // The value under `key`, or its absence, and the version that guards either. A counter reads as its sums.
  virtual Result<Read> read(std::string_view key) = 0;
  // The same for many keys, in their order.
  virtual Result<std::vector<Read>> read_many(std::span<const std::string> keys) = 0;
  // Calls `row(key, value)` for the rows of `range` in order, until it returns false, the range ends or a
  // bound of `options` is reached. Bounds are upper bounds: fewer rows may come, but the first comes whatever
  // its size. The bytes live for the call of `row` only. An error, kWouldBlock too, may come after rows.
  virtual Result<ScanEnd> scan(const Range& range, const ScanOptions& options,
                               FunctionRef<bool(std::string_view key, std::string_view value)> row) = 0;
};

struct Outcome {
  enum class Kind : uint8_t {
    kApplied,      // whole and, unless the store is relaxed, durable
    kGuardFailed,  // nothing changed: read again and decide again
    kUnknown,      // applied or not, and nobody can tell before the store is opened again
    kRefused,      // nothing changed, and nothing will: the store is closed or failed
  };
  Kind kind;
  Stamp stamp = 0;       // kApplied
  std::string reason{};  // kUnknown, kRefused
};

using Done = UniqueFunction<void(Outcome)>;

struct Figure {
  std::string_view name;  // of static lifetime, like the help: "store_cache_bytes"
  std::string_view help;
  bool grows;  // a count since the opening, not a level
  double value;
};

// Thread-safe.
class Store {
 public:
  virtual ~Store() = default;

  virtual std::unique_ptr<View> view(const ViewOptions& options) = 0;

  // Queues `batch` and returns. Its entries apply in their order. `done` runs exactly once, on `loop`. If
  // `loop.may_lead()`, the calling thread may be the one that writes.
  virtual void submit(Batch batch, Loop& loop, Done done) = 0;

  // Removes keys that nobody will read or write again (invariant 11). Not atomic; may be repeated.
  virtual Result<void> drop(const Range& range) = 0;

  // Writes a copy that can be opened as a store of its own into `directory`, which must not exist.
  virtual Result<void> checkpoint(const std::string& directory) = 0;

  // The stamp of the newest batch that views show.
  virtual Stamp last_stamp() const = 0;

  // What it holds and does, for metrics.
  virtual std::vector<Figure> figures() const { return {}; }
};

// Submits and waits: for callers without a loop of their own.
Outcome commit(Store& store, Batch batch);

}  // namespace sheaf::store
