#include "store/faulty_store.h"

#include <algorithm>
#include <chrono>

#include "base/try.h"

namespace sheaf::store {

ShuffledTasks::ShuffledTasks(uint64_t seed, uint32_t delay_us_max)
    : random_(seed), delay_us_max_(delay_us_max), thread_([this] { run(); }) {}

ShuffledTasks::~ShuffledTasks() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

void ShuffledTasks::post(Task task) {
  std::lock_guard lock(mutex_);
  tasks_.push_back(std::move(task));
  changed_.notify_all();
}

void ShuffledTasks::drain() {
  std::unique_lock lock(mutex_);
  hurried_ = true;
  changed_.notify_all();
  changed_.wait(lock, [this] { return tasks_.empty() && !running_; });
  hurried_ = false;
}

void ShuffledTasks::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    const std::chrono::microseconds delay(random_() % (uint64_t{delay_us_max_} + 1));
    changed_.wait_for(lock, delay, [this] { return stopping_ || hurried_; });
    std::swap(tasks_[random_() % tasks_.size()], tasks_.back());
    Task task = std::move(tasks_.back());
    tasks_.pop_back();
    running_ = true;
    lock.unlock();
    task();
    lock.lock();
    running_ = false;
    changed_.notify_all();
  }
}

class FaultyView final : public View {
 public:
  FaultyView(FaultyStore& store, std::unique_ptr<View> inner, const ViewOptions& options)
      : store_(store),
        inner_(std::move(inner)),
        snapshot_(options.snapshot),
        cached_only_(options.cached_only) {}

  Result<Read> read(std::string_view key) override {
    if (would_block()) return not_cached();
    return inner_->read(key);
  }

  // Without a snapshot each key is read for itself: only a snapshot promises one state (invariant 3).
  Result<std::vector<Read>> read_many(std::span<const std::string> keys) override {
    if (would_block()) return not_cached();
    if (snapshot_) return inner_->read_many(keys);
    std::vector<Read> reads;
    for (const std::string& key : keys) reads.push_back(TRY(inner_->read(key)));
    return reads;
  }

  Result<ScanEnd> scan(const Range& range, const ScanOptions& options,
                       FunctionRef<bool(std::string_view, std::string_view)> row) override {
    uint64_t rows_until_block = UINT64_MAX;
    if (would_block()) {
      rows_until_block = store_.below(4);
      if (rows_until_block == 0) return not_cached();
    }
    ScanOptions bounded = options;
    if (store_.happens_counted(store_.options_.scan_short, &FaultCounts::scans_short))
      bounded.rows_max = std::min(options.rows_max, static_cast<uint32_t>(1 + store_.below(4)));
    std::string last;
    bool blocked = false, stopped = false;
    Result<ScanEnd> end = inner_->scan(range, bounded, [&](std::string_view key, std::string_view value) {
      blocked = rows_until_block-- == 0;
      if (blocked) return false;
      last.assign(key);
      stopped = !row(key, value);
      return !stopped;
    });
    if (blocked) return not_cached();
    if (end.ok() && !end->more && !last.empty() &&
        store_.happens_counted(store_.options_.scan_rest_empty, &FaultCounts::scan_rests_empty)) {
      if (options.direction == Direction::kForward) last.push_back('\0');
      return ScanEnd{.more = true, .resume = std::move(last)};
    }
    return end;
  }

 private:
  bool would_block() {
    return cached_only_ && store_.happens_counted(store_.options_.would_block, &FaultCounts::would_block);
  }
  static Error not_cached() { return {Code::kWouldBlock, "not in memory"}; }

  FaultyStore& store_;
  const std::unique_ptr<View> inner_;
  const bool snapshot_;
  const bool cached_only_;
};

FaultyStore::FaultyStore(std::unique_ptr<Store> inner, const FaultyOptions& options)
    : options_(options),
      inner_(std::move(inner)),
      random_(options.seed),
      shuffled_(options.seed + 1, options.delay_us_max) {}

FaultyStore::~FaultyStore() {
  shuffled_.drain();  // what is still to be submitted
  inner_.reset();
  shuffled_.drain();  // what is still to be answered
}

bool FaultyStore::happens(double probability) {
  // Drawn also if it cannot happen: then switching one fault on leaves the others where they were.
  return std::uniform_real_distribution<double>(0, 1)(random_) < probability;
}

bool FaultyStore::happens_counted(double probability, uint64_t FaultCounts::*fault) {
  std::lock_guard lock(mutex_);
  const bool yes = happens(probability);
  counts_.*fault += yes;
  return yes;
}

void FaultyStore::count(uint64_t FaultCounts::*fault) {
  std::lock_guard lock(mutex_);
  ++(counts_.*fault);
}

void FaultyStore::fail(uint64_t FaultCounts::*fault) {
  std::lock_guard lock(mutex_);
  ++(counts_.*fault);
  failed_ = options_.refuse_after_unknown;
}

uint64_t FaultyStore::below(uint64_t bound) {
  std::lock_guard lock(mutex_);
  return random_() % bound;
}

FaultyStore::Fate FaultyStore::draw_fate(const Batch& batch) {
  bool guarded = false;
  for (size_t i = 0; i < batch.entry_count(); ++i) guarded |= batch.entry(i).kind == EntryKind::kGuard;
  std::lock_guard lock(mutex_);
  Fate fate;
  fate.guard_failed = happens(options_.guard_failed) && guarded;
  fate.unknown_applied = happens(options_.unknown_applied);
  fate.unknown_not_applied = happens(options_.unknown_not_applied) && !fate.unknown_applied;
  fate.submit_delayed = happens(options_.submit_delayed);
  fate.answer_delayed = happens(options_.answer_delayed);
  return fate;
}

bool FaultyStore::refuses() {
  std::lock_guard lock(mutex_);
  counts_.refused += failed_;
  return failed_;
}

std::unique_ptr<View> FaultyStore::view(const ViewOptions& options) {
  return std::make_unique<FaultyView>(*this, inner_->view(options), options);
}

void FaultyStore::answer(Loop& loop, Done done, Outcome outcome, bool delayed) {
  auto tell = [&loop, done = std::move(done), outcome = std::move(outcome)]() mutable {
    loop.post([done = std::move(done), outcome = std::move(outcome)]() mutable { done(std::move(outcome)); });
  };
  if (!delayed) return tell();
  count(&FaultCounts::answers_delayed);
  shuffled_.post(std::move(tell));
}

void FaultyStore::submit(Batch batch, Loop& loop, Done done) {
  const Fate fate = draw_fate(batch);
  if (!fate.submit_delayed) return commit_inner(std::move(batch), loop, std::move(done), fate);
  count(&FaultCounts::submits_delayed);
  shuffled_.post([this, fate, &loop, batch = std::move(batch), done = std::move(done)]() mutable {
    commit_inner(std::move(batch), loop, std::move(done), fate);
  });
}

void FaultyStore::commit_inner(Batch batch, Loop& loop, Done done, Fate fate) {
  if (refuses()) {
    Outcome refused = {.kind = Outcome::Kind::kRefused, .reason = "refused until reopened (injected)"};
    return answer(loop, std::move(done), std::move(refused), fate.answer_delayed);
  }
  if (fate.guard_failed) {
    count(&FaultCounts::guards_failed);
    return answer(loop, std::move(done), {.kind = Outcome::Kind::kGuardFailed}, fate.answer_delayed);
  }
  if (fate.unknown_not_applied) {
    fail(&FaultCounts::unknown_not_applied);
    Outcome unknown = {.kind = Outcome::Kind::kUnknown, .reason = "unknown (injected)"};
    return answer(loop, std::move(done), std::move(unknown), fate.answer_delayed);
  }
  inner_->submit(std::move(batch), loop.may_block() ? blocking_ : non_blocking_,
                 [this, fate, &loop, done = std::move(done)](Outcome outcome) mutable {
                   if (fate.unknown_applied && outcome.kind == Outcome::Kind::kApplied) {
                     outcome = {.kind = Outcome::Kind::kUnknown, .reason = "unknown (injected)"};
                     fail(&FaultCounts::unknown_applied);
                   }
                   answer(loop, std::move(done), std::move(outcome), fate.answer_delayed);
                 });
}

Result<void> FaultyStore::drop(const Range& range) {
  if (refuses()) return Error{Code::kUnavailable, "refused until reopened (injected)"};
  return inner_->drop(range);
}

Result<void> FaultyStore::checkpoint(const std::string& directory) {
  if (refuses()) return Error{Code::kUnavailable, "refused until reopened (injected)"};
  return inner_->checkpoint(directory);
}

Stamp FaultyStore::last_stamp() const { return inner_->last_stamp(); }

void FaultyStore::reopen() {
  std::lock_guard lock(mutex_);
  failed_ = false;
}

FaultCounts FaultyStore::counts() const {
  std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace sheaf::store
