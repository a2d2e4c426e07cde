#include "store/committer.h"

#include <algorithm>
#include <cassert>

namespace sheaf::store {
namespace {

// A group larger than this makes its first members wait for bytes that are not theirs.
constexpr size_t kGroupBytesMax = 1 << 20;
constexpr size_t kGroupBatchesMax = 1024;

// A loop has other things to do than to write what others submit.
constexpr int kGroupsOnLoopMax = 4;

// Stamps are reserved this far ahead, so that they grow across restarts even if the clock was put back. After
// a crash the next life begins up to this far ahead of the clock, so no more than what keeps the cost of
// reserving small.
constexpr Stamp kReserveUs = 1'000'000;

// Adds of the whole group, one entry a counter.
FoldedAdds fold_adds(std::span<const Admitted> group) {
  FoldedAdds adds;
  for (const Admitted& admitted : group) {
    for (size_t i = 0; i < admitted.batch->entry_count(); ++i) {
      const Batch::Entry entry = admitted.batch->entry(i);
      if (entry.kind == EntryKind::kAdd) adds.emplace_back(entry.key, entry.value);
    }
  }
  std::sort(adds.begin(), adds.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  auto kept = adds.begin();
  for (auto next = adds.begin(); next != adds.end(); ++next) {
    if (next == kept) continue;
    if (next->first == kept->first) {
      fold_sums(kept->second, next->second);
    } else if (++kept != next) {
      *kept = std::move(*next);
    }
  }
  if (kept != adds.end()) adds.erase(kept + 1, adds.end());
  return adds;
}

}  // namespace

Committer::Committer(GroupWriter& writer, const Clock& clock, const CommitterOptions& options)
    : writer_(writer),
      clock_(clock),
      options_(options),
      versions_(options.first_stamp),
      last_given_(options.first_stamp),
      last_visible_(options.first_stamp),
      thread_([this] { run(); }) {}

Committer::~Committer() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    turn_.notify_all();
  }
  thread_.join();
  // What was reserved and not given out is given back. If this fails, a later life begins further ahead.
  if (reserved_ > 0 && !failure()) static_cast<void>(writer_.write({}, {}, last_given_ + 1).ok());
}

std::optional<std::string> Committer::failure() const {
  std::lock_guard lock(mutex_);
  return failure_;
}

Committer::Figures Committer::figures() const {
  std::lock_guard lock(mutex_);
  return {.groups = groups_, .batches = batches_, .queued = queue_.size(), .queued_bytes = queued_bytes_};
}

void Committer::answer(Pending& pending, Outcome outcome) {
  pending.loop->post(
      [done = std::move(pending.done), outcome = std::move(outcome)]() mutable { done(std::move(outcome)); });
}

// A loop may end before it gets there.
class Committer::Lead {
 public:
  explicit Lead(Committer& committer) : committer_(&committer) {}
  Lead(Lead&& other) noexcept : committer_(std::exchange(other.committer_, nullptr)) {}
  Lead& operator=(Lead&&) = delete;
  ~Lead() {
    if (committer_ != nullptr) committer_->yield_lead();
  }

  void take() { std::exchange(committer_, nullptr)->lead_on_loop(); }

 private:
  Committer* committer_;
};

void Committer::submit(Batch batch, Loop& loop, Done done) {
  Pending pending{.batch = std::move(batch), .loop = &loop, .done = std::move(done)};
  const bool may_lead = loop.may_lead();
  bool lead_later = false;
  std::optional<std::string> refusal;
  {
    std::lock_guard lock(mutex_);
    if (failure_) {
      refusal = failure_;
    } else if (stopping_) {
      refusal = "the database is closed";
    } else {
      queued_bytes_ += pending.batch.byte_count();
      queue_.push_back(std::move(pending));
      if (led_) {
        if (thread_leads_ && queue_.size() == expected_) turn_.notify_all();
        return;
      }
      led_ = true;
      if (!may_lead && writer_.may_wait()) return hand_over();
      lead_later = !may_lead;
    }
  }
  // Outside the lock: what the loop does with it is not ours to know.
  if (refusal) return answer(pending, {.kind = Outcome::Kind::kRefused, .reason = *std::move(refusal)});
  // Later: what else the loop is about to submit joins the group.
  if (lead_later) return loop.post([lead = Lead(*this)]() mutable { lead.take(); });

  for (int groups = 0; groups < options_.groups_per_caller_max; ++groups) {
    if (!write_next_group()) return;
  }
  yield_lead();
}

void Committer::lead_on_loop() {
  for (int groups = 0; groups < kGroupsOnLoopMax; ++groups) {
    if (writer_.may_wait() || reservation_due()) break;
    if (!write_next_group()) return;
  }
  yield_lead();
}

// A reservation is synced, and a loop must not wait for that.
bool Committer::reservation_due() const {
  const auto now = static_cast<Stamp>(std::max<int64_t>(clock_.now_us(), 0));
  return std::max(last_given_, now) + kGroupBatchesMax >= reserved_;
}

void Committer::yield_lead() {
  std::lock_guard lock(mutex_);
  if (queue_.empty()) {
    give_back();
  } else {
    hand_over();
  }
}

void Committer::hand_over() {
  thread_leads_ = true;
  turn_.notify_all();
}

void Committer::give_back() {
  led_ = false;
  thread_leads_ = false;
  if (stopping_) turn_.notify_all();
}

void Committer::run() {
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      turn_.wait(lock, [this] { return thread_leads_ || (stopping_ && !led_); });
      if (!thread_leads_) return;
    }
    do {
      gather();
    } while (write_next_group());
  }
}

// Callers that were answered a moment ago are about to ask again. A group without them would make them wait
// for a sync of its own.
void Committer::gather() {
  std::unique_lock lock(mutex_);
  if (options_.gather_us_max == 0 || queue_.size() >= expected_) return;
  turn_.wait_for(lock, std::chrono::microseconds(options_.gather_us_max),
                 [this] { return stopping_ || queue_.size() >= expected_; });
}

// Writes one group, or gives the lead back because there is none.
bool Committer::write_next_group() {
  Group group;
  {
    std::lock_guard lock(mutex_);
    if (queue_.empty()) {
      give_back();
      return false;
    }
    group = take_group();
  }
  write_group(group);
  return true;
}

Committer::Group Committer::take_group() {
  Group group;
  size_t bytes = 0;
  while (!queue_.empty() && group.size() < kGroupBatchesMax) {
    const size_t batch_bytes = queue_.front().batch.byte_count();
    if (!group.empty() && bytes + batch_bytes > kGroupBytesMax) break;
    bytes += batch_bytes;
    group.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  queued_bytes_ -= bytes;
  return group;
}

bool Committer::guards_hold(const Batch& batch) const {
  for (size_t i = 0; i < batch.entry_count(); ++i) {
    const Batch::Entry entry = batch.entry(i);
    if (entry.kind == EntryKind::kGuard && !versions_.holds(entry.key, entry.version)) return false;
  }
  return true;
}

void Committer::record_writes(const Batch& batch, Stamp stamp) {
  for (size_t i = 0; i < batch.entry_count(); ++i) {
    const Batch::Entry entry = batch.entry(i);
    if (entry.kind == EntryKind::kPut || entry.kind == EntryKind::kErase) versions_.record(entry.key, stamp);
  }
}

Stamp Committer::next_stamp() {
  last_given_ = std::max(last_given_ + 1, static_cast<Stamp>(std::max<int64_t>(clock_.now_us(), 0)));
  return last_given_;
}

void Committer::write_group(Group& group) {
  const std::optional<std::string> failed = failure();
  std::vector<Admitted> admitted;
  std::vector<Outcome> outcomes(group.size());
  admitted.reserve(group.size());
  for (size_t i = 0; i < group.size(); ++i) {
    const Batch& batch = group[i].batch;
    if (failed) {
      outcomes[i] = {.kind = Outcome::Kind::kRefused, .reason = *failed};
    } else if (!guards_hold(batch)) {
      outcomes[i] = {.kind = Outcome::Kind::kGuardFailed};
    } else if (std::optional<std::string> reason = writer_.refuse(batch)) {
      outcomes[i] = {.kind = Outcome::Kind::kRefused, .reason = *std::move(reason)};
    } else {
      const Stamp stamp = next_stamp();
      record_writes(batch, stamp);
      admitted.push_back({.batch = &batch, .stamp = stamp});
      outcomes[i] = {.kind = Outcome::Kind::kApplied, .stamp = stamp};
    }
  }
  if (!admitted.empty()) {
    std::optional<Stamp> reserve;
    if (last_given_ >= reserved_) reserve = reserved_ = last_given_ + kReserveUs;
    const Result<void> written = writer_.write(admitted, fold_adds(admitted), reserve);
    if (written.ok()) {
      groups_.fetch_add(1, std::memory_order_relaxed);
      batches_.fetch_add(admitted.size(), std::memory_order_relaxed);
      last_visible_.store(last_given_, std::memory_order_release);
    } else {
      const std::string& reason = written.error().message;
      for (Outcome& outcome : outcomes) {
        if (outcome.kind == Outcome::Kind::kApplied)
          outcome = {.kind = Outcome::Kind::kUnknown, .reason = reason};
      }
      std::lock_guard lock(mutex_);
      failure_ = "writes are refused until the database is opened again, because one failed: " + reason;
    }
  }
  {
    std::lock_guard lock(mutex_);
    expected_ = group.size() + queue_.size();
  }
  for (size_t i = 0; i < group.size(); ++i) answer(group[i], std::move(outcomes[i]));
}

}  // namespace sheaf::store
