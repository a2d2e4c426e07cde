#include "store/memory_store.h"

#include <pthread.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <vector>

#include "base/big_endian.h"
#include "store/committer.h"
#include "store/scan_bounds.h"

namespace sheaf::store {
namespace {

using Rows = std::map<std::string, std::string, std::less<>>;

// Readers share, a writer excludes, and a waiting writer goes before new readers: std::shared_mutex lets a
// stream of readers starve it.
class RowLock {
 public:
  RowLock() {
    pthread_rwlockattr_t attributes;
    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&lock_, &attributes);
    pthread_rwlockattr_destroy(&attributes);
  }
  ~RowLock() { pthread_rwlock_destroy(&lock_); }
  RowLock(const RowLock&) = delete;
  RowLock& operator=(const RowLock&) = delete;

  void lock_shared() { pthread_rwlock_rdlock(&lock_); }
  void lock() { pthread_rwlock_wrlock(&lock_); }
  void unlock() { pthread_rwlock_unlock(&lock_); }

 private:
  pthread_rwlock_t lock_;
};

// Belongs to one thread. A thread that scans or holds a snapshot may read on, while it would wait for ever if
// it took the lock again behind a waiting writer.
class ReadLock {
 public:
  explicit ReadLock(RowLock& lock) : lock_(lock), older_(newest_) {
    if (!is_held(lock_)) lock_.lock_shared();
    newest_ = this;
  }
  ~ReadLock() {
    ReadLock** at = &newest_;
    while (*at != this) at = &(*at)->older_;
    *at = older_;
    if (!is_held(lock_)) lock_.unlock();
  }
  ReadLock(const ReadLock&) = delete;
  ReadLock& operator=(const ReadLock&) = delete;

  // Whether this thread has one.
  static bool is_held(const RowLock& lock) {
    const ReadLock* each = newest_;
    while (each != nullptr && &each->lock_ != &lock) each = each->older_;
    return each != nullptr;
  }

 private:
  // Those of this thread. Nothing that has to be destroyed: databases may be used until the process has
  // ended.
  static inline thread_local ReadLock* newest_ = nullptr;

  RowLock& lock_;
  ReadLock* older_;
};

// The first row behind `range`.
Rows::const_iterator end_of(const Rows& rows, const Range& range) {
  if (!ends_with_space(range)) return rows.lower_bound(range.end);
  return rows.lower_bound(std::string(1, static_cast<char>(range.begin.front() + 1)));
}

class MemoryView final : public View {
 public:
  MemoryView(const Rows& rows, RowLock& lock, Stamp stamp, bool snapshot)
      : rows_(rows), lock_(lock), version_(Version{stamp}) {
    if (snapshot) held_.emplace(lock);
  }

  Result<Read> read(std::string_view key) override {
    return locked([&] { return find(key); });
  }

  Result<std::vector<Read>> read_many(std::span<const std::string> keys) override {
    return locked([&] {
      std::vector<Read> reads;
      reads.reserve(keys.size());
      for (const std::string& key : keys) reads.push_back(find(key));
      return reads;
    });
  }

  Result<ScanEnd> scan(const Range& range, const ScanOptions& options,
                       FunctionRef<bool(std::string_view, std::string_view)> row) override {
    assert(is_key(range.begin));
    if (is_empty(range)) return ScanEnd{};
    return locked([&] {
      return options.direction == Direction::kForward ? forward(range, options, row)
                                                      : backward(range, options, row);
    });
  }

 private:
  template <typename F>
  auto locked(F read) -> decltype(read()) {
    std::optional<ReadLock> lock;
    if (!held_) lock.emplace(lock_);
    return read();
  }

  Read find(std::string_view key) const {
    assert(is_key(key));
    const auto found = rows_.find(key);
    if (found == rows_.end()) return {.value = std::nullopt, .version = version_};
    return {.value = found->second, .version = version_};
  }

  ScanEnd forward(const Range& range, const ScanOptions& options,
                  FunctionRef<bool(std::string_view, std::string_view)> row) const {
    SliceBounds bounds(options);
    const auto end = end_of(rows_, range);
    for (auto at = rows_.lower_bound(range.begin); at != end; ++at) {
      if (!bounds.take(at->first.size() + at->second.size())) return {.more = true, .resume = at->first};
      if (!row(at->first, at->second)) return {.more = true, .resume = at->first + '\0'};
    }
    return {};
  }

  ScanEnd backward(const Range& range, const ScanOptions& options,
                   FunctionRef<bool(std::string_view, std::string_view)> row) const {
    SliceBounds bounds(options);
    for (auto at = end_of(rows_, range); at != rows_.begin();) {
      --at;
      if (at->first < range.begin) break;
      if (!bounds.take(at->first.size() + at->second.size()))
        return {.more = true, .resume = at->first + '\0'};
      if (!row(at->first, at->second)) return {.more = true, .resume = at->first};
    }
    return {};
  }

  const Rows& rows_;
  RowLock& lock_;
  const Version version_;
  std::optional<ReadLock> held_;
};

class MemoryStore final : public Store, private GroupWriter {
 public:
  explicit MemoryStore(const Clock& clock) : committer_(*this, clock, {.groups_per_caller_max = 16}) {}

  std::unique_ptr<View> view(const ViewOptions& options) override {
    // The stamp first: what is read may be newer than it, never older.
    const Stamp stamp = committer_.last_stamp();
    return std::make_unique<MemoryView>(rows_, lock_, stamp, options.snapshot);
  }

  void submit(Batch batch, Loop& loop, Done done) override {
    assert(!ReadLock::is_held(lock_));  // invariant 9
    committer_.submit(std::move(batch), loop, std::move(done));
  }

  Result<void> drop(const Range& range) override {
    assert(is_key(range.begin) && !ReadLock::is_held(lock_));
    if (is_empty(range)) return {};
    lock_.lock();
    rows_.erase(rows_.lower_bound(range.begin), end_of(rows_, range));
    lock_.unlock();
    return {};
  }

  Result<void> checkpoint(const std::string&) override {
    return Error{Code::kInvalid, "a database in memory cannot be checkpointed"};
  }

  Stamp last_stamp() const override { return committer_.last_stamp(); }

 private:
  std::optional<std::string> refuse(const Batch&) override { return std::nullopt; }
  bool may_wait() const override { return false; }

  Result<void> write(std::span<const Admitted> group, const FoldedAdds& adds, std::optional<Stamp>) override {
    lock_.lock();
    for (const Admitted& admitted : group) apply(*admitted.batch, admitted.stamp);
    for (const auto& [key, deltas] : adds) {
      auto found = rows_.find(key);
      if (found == rows_.end()) found = rows_.emplace(key, std::string()).first;
      fold_sums(found->second, deltas);
    }
    lock_.unlock();
    return {};
  }

  void apply(const Batch& batch, Stamp stamp) {
    uint16_t position = 0;
    for (size_t i = 0; i < batch.entry_count(); ++i) {
      const Batch::Entry entry = batch.entry(i);
      switch (entry.kind) {
        case EntryKind::kPut:
          rows_.insert_or_assign(std::string(entry.key), entry.value);
          break;
        case EntryKind::kErase:
          if (const auto found = rows_.find(entry.key); found != rows_.end()) rows_.erase(found);
          break;
        case EntryKind::kAppend: {
          std::string key(entry.key);
          append_u64(key, stamp);
          append_u16(key, position++);
          rows_.insert_or_assign(std::move(key), entry.value);
          break;
        }
        case EntryKind::kGuard:
        case EntryKind::kAdd:
          break;
      }
    }
  }

  Rows rows_;
  RowLock lock_;
  Committer committer_;  // last: its thread writes into the rows
};

}  // namespace

std::unique_ptr<Store> open_memory_store(const Clock& clock) { return std::make_unique<MemoryStore>(clock); }

}  // namespace sheaf::store
