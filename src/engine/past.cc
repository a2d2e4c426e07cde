#include "engine/past.h"

#include <algorithm>
#include <cassert>

namespace sheaf::engine {
namespace {

// About what a row takes beside its bytes.
constexpr size_t kRowBytesBeside = 160;

size_t bytes_of(std::string_view key, const std::optional<std::string>& before) {
  return kRowBytesBeside + key.size() + (before ? before->size() : 0);
}

// One of SplitMix64's numbers: the seed's nth.
uint64_t nth_number(uint64_t seed, uint64_t n) {
  uint64_t mixed = seed + (n + 1) * 0x9e3779b97f4a7c15;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  return mixed ^ (mixed >> 31);
}

}  // namespace

Past::Past(const Clock& clock, const Options& options)
    : clock_(clock),
      lags_(options.index_lags, options.read_lags),
      seed_(options.seed),
      bytes_max_(options.bytes_max) {}

Past::Pending Past::begin(std::vector<Overwritten> changes) {
  Pending pending;
  if (changes.empty()) return pending;
  std::lock_guard lock(mutex_);
  for (Overwritten& overwritten : changes) {
    Change& change = *pending.emplace_back(std::make_unique<Change>());
    change.lags = overwritten.lags;
    for (PastRow& row : overwritten.base_rows) add(change, std::move(row), true);
    for (PastRow& row : overwritten.index_rows) add(change, std::move(row), false);
  }
  return pending;
}

void Past::end(Pending pending, store::Outcome::Kind outcome) {
  if (pending.empty()) return;
  using Kind = store::Outcome::Kind;
  const bool is_made = outcome == Kind::kApplied || outcome == Kind::kUnknown;
  std::lock_guard lock(mutex_);
  for (std::unique_ptr<Change>& change : pending) {
    if (is_made) {
      schedule(std::move(change));
    } else {
      remove(*change);
    }
  }
  prune();
}

void Past::add(Change& change, PastRow row, bool is_base) {
  bytes_ += bytes_of(row.key, row.value);
  const auto at = rows_.try_emplace(std::move(row.key)).first;
  at->second.push_back({.change = &change, .is_base = is_base, .before = std::move(row.value)});
  change.rows.push_back(at);
}

void Past::schedule(std::unique_ptr<Change> change) {
  const int64_t now_us = clock_.now_us();
  change->base_us = now_us + draw(change->lags->of_reads);
  change->index_us = now_us + draw(change->lags->of_global_indexes);
  // Readers that are here already go on seeing what they saw.
  int64_t least_base_us = moments_.empty() ? 0 : *moments_.rbegin() + 1;
  int64_t least_index_us = least_base_us;
  const std::vector<Version>& of_item = change->rows.front()->second;
  assert(of_item.back().change == change.get());
  if (of_item.size() > 1) {
    const Change& earlier = *of_item[of_item.size() - 2].change;
    least_base_us = std::max(least_base_us, earlier.base_us);
    least_index_us = std::max(least_index_us, earlier.index_us);
  }
  change->base_us = std::max(change->base_us, least_base_us);
  change->index_us = std::max(change->index_us, least_index_us);
  const int64_t all_us = std::max(change->base_us, change->index_us);
  scheduled_.emplace(all_us, std::move(change));
}

// Both numbers of a change are drawn whatever its table's lags are, so that a lag does not change the
// others'.
int64_t Past::draw(const std::optional<LagRange>& range) {
  const uint64_t number = nth_number(seed_, drawn_++);
  if (!range) return 0;
  const auto choices = static_cast<uint64_t>(range->max_us - range->min_us) + 1;
  return range->min_us + static_cast<int64_t>(number % choices);
}

void Past::remove(const Change& change) {
  for (const Rows::iterator& row : change.rows) {
    std::vector<Version>& versions = row->second;
    const auto found = std::find_if(versions.begin(), versions.end(),
                                    [&](const Version& version) { return version.change == &change; });
    bytes_ -= bytes_of(row->first, found->before);
    versions.erase(found);
    if (versions.empty()) rows_.erase(row);
  }
}

// Takes out what every reader sees, those to come included.
void Past::prune() {
  const int64_t now_us = clock_.now_us();
  while (!scheduled_.empty()) {
    const int64_t seen_us = scheduled_.begin()->first;
    if (bytes_ > bytes_max_) forced_us_ = std::max(forced_us_, seen_us);
    if (seen_us > std::max(now_us, forced_us_)) return;
    if (!moments_.empty() && seen_us > *moments_.begin()) return;
    remove(*scheduled_.begin()->second);
    scheduled_.erase(scheduled_.begin());
  }
}

size_t Past::bytes() const {
  std::lock_guard lock(mutex_);
  return bytes_;
}

std::optional<PastRow> Past::row_at(const Rows::value_type& row, int64_t moment_us) {
  for (const Version& version : row.second) {
    if (version.seen_us() > moment_us) return PastRow{.key = row.first, .value = version.before};
  }
  return std::nullopt;
}

Past::Reader::Reader(Past& past) : past_(past) {
  std::lock_guard lock(past_.mutex_);
  moment_us_ = std::max(past_.clock_.now_us(), past_.forced_us_);
  past_.moments_.insert(moment_us_);
}

Past::Reader::~Reader() {
  std::lock_guard lock(past_.mutex_);
  past_.moments_.erase(past_.moments_.find(moment_us_));
  past_.prune();
}

std::optional<PastRow> Past::Reader::find(std::string_view key) const {
  std::lock_guard lock(past_.mutex_);
  const auto found = past_.rows_.find(key);
  return found == past_.rows_.end() ? std::nullopt : row_at(*found, moment_us_);
}

std::optional<PastRow> Past::Reader::first(std::string_view begin, std::string_view end) const {
  std::lock_guard lock(past_.mutex_);
  for (auto at = past_.rows_.lower_bound(begin); at != past_.rows_.end() && at->first < end; ++at) {
    if (std::optional<PastRow> row = row_at(*at, moment_us_)) return row;
  }
  return std::nullopt;
}

std::optional<PastRow> Past::Reader::last(std::string_view begin, std::string_view end) const {
  std::lock_guard lock(past_.mutex_);
  for (auto at = past_.rows_.lower_bound(end); at != past_.rows_.begin();) {
    --at;
    if (at->first < begin) break;
    if (std::optional<PastRow> row = row_at(*at, moment_us_)) return row;
  }
  return std::nullopt;
}

}  // namespace sheaf::engine
