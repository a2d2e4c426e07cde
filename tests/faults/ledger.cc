#include "ledger.h"

#include <cstring>
#include <random>

#include "base/big_endian.h"

namespace sheaf::faults {
namespace {

using store::Batch;
using store::Outcome;
using store::Space;
using store::Stamp;
using Rows = std::map<std::string, std::string>;

constexpr Space kComparedSpaces[] = {Space::kItems, Space::kIndexes, Space::kLog, Space::kCounters,
                                     Space::kJobs};

std::string in_space(Space space) { return std::string(1, static_cast<char>(space)); }

// A table id and a hash, as items have them, then the number.
std::string row_key(Space space, const Write& write) {
  std::string key = in_space(space);
  append_u32(key, 7);
  append_u64(key, write.writer * 0x9e3779b97f4a7c15u);
  append_u32(key, write.number);
  return key;
}

std::string log_prefix(const Write& write) {
  return in_space(Space::kLog) + (write.writer % 2 == 0 ? "a" : "b");
}
std::string total_key() { return in_space(Space::kCounters) + "total"; }
std::string writer_key(const Write& write) {
  return in_space(Space::kCounters) + "writer" + std::to_string(write.writer);
}

// Different for every batch, and not to be compressed.
std::string value_of(const std::string& id, uint32_t bytes) {
  std::mt19937_64 random(std::hash<std::string>()(id));
  std::string value(bytes, '\0');
  for (size_t at = 0; at < bytes; at += 8) {
    const uint64_t word = random();
    std::memcpy(value.data() + at, &word, std::min<size_t>(8, bytes - at));
  }
  return value;
}

// Two steps behind, an item goes again.
bool erases(const Write& write) { return write.number % 3 == 0; }
Write erased(const Write& write) {
  return {.writer = write.writer, .number = write.number - 2, .value_bytes = 0};
}

std::string number_text(const Write& write) {
  std::string text;
  append_u32(text, write.number);
  return text;
}

// Reads everything, in slices.
Rows rows_of(store::Store& from, std::vector<std::string>& problems) {
  Rows rows;
  for (const Space space : kComparedSpaces) {
    store::Range range = {in_space(space), std::string(1, static_cast<char>(static_cast<int>(space) + 1))};
    for (bool more = true; more;) {
      const auto end = from.view({})->scan(range, {}, [&](std::string_view key, std::string_view value) {
        rows.emplace(key, value);
        return true;
      });
      if (!end.ok()) {
        problems.push_back("cannot be read: " + end.error().message);
        return rows;
      }
      more = end->more;
      range.begin = end->resume;
    }
  }
  return rows;
}

void apply(Rows& rows, const std::string& id, const Write& write, Stamp stamp) {
  rows[row_key(Space::kItems, write)] = value_of(id, write.value_bytes);
  rows[row_key(Space::kIndexes, write)] = id;
  if (erases(write)) rows.erase(row_key(Space::kItems, erased(write)));
  rows[head_key(write.writer)] = number_text(write);
  store::fold_sums(rows[total_key()], store::encode_sums(std::vector<int64_t>{1, write.value_bytes}));
  store::fold_sums(rows[writer_key(write)], store::encode_sums(std::vector<int64_t>{1}));
  std::string log_key = log_prefix(write);
  append_u64(log_key, stamp);
  append_u16(log_key, 0);
  rows[log_key] = id;
}

std::string printable(const std::string& key) {
  std::string text;
  for (const char byte : key) {
    constexpr char kDigits[] = "0123456789abcdef";
    text.push_back(kDigits[static_cast<unsigned char>(byte) >> 4]);
    text.push_back(kDigits[byte & 15]);
  }
  return text;
}

// Their first difference, or nothing.
std::string difference(const Rows& right, const Rows& found) {
  for (const auto& [key, value] : right) {
    const auto at = found.find(key);
    if (at == found.end()) return printable(key) + " is missing";
    if (at->second != value) return printable(key) + " has another value";
  }
  for (const auto& [key, value] : found) {
    if (!right.contains(key)) return printable(key) + " should not be there";
  }
  return "";
}

}  // namespace

std::string head_key(uint32_t writer) {
  std::string key = in_space(Space::kJobs) + "head";
  append_u32(key, writer);
  return key;
}

uint32_t head_number(const store::Read& head) { return head.value ? read_u32(head.value->data()) : 0; }

void Ledger::begin_life() {
  std::lock_guard lock(mutex_);
  ++life_;
}

std::string Ledger::begin(const Write& write, Batch& batch) {
  std::lock_guard lock(mutex_);
  const std::string id =
      std::to_string(write.writer) + "/" + std::to_string(write.number) + "/" + std::to_string(++begun_);
  entries_[id] = {.write = write, .life = life_, .older = newest_};
  batch.put(row_key(Space::kItems, write), value_of(id, write.value_bytes));
  batch.put(row_key(Space::kIndexes, write), id);
  if (erases(write)) batch.erase(row_key(Space::kItems, erased(write)));
  batch.put(head_key(write.writer), number_text(write));
  batch.add(total_key(), std::vector<int64_t>{1, write.value_bytes});
  batch.add(writer_key(write), std::vector<int64_t>{1});
  batch.append(log_prefix(write), id);
  return id;
}

void Ledger::told(const std::string& id, const Outcome& outcome) {
  std::lock_guard lock(mutex_);
  Entry& entry = entries_[id];
  switch (outcome.kind) {
    case Outcome::Kind::kApplied:
      entry.state = State::kApplied;
      entry.stamp = outcome.stamp;
      if (entry.stamp <= entry.older)
        problems_.push_back("the stamp of " + id + " is not newer than one before it");
      newest_ = std::max(newest_, entry.stamp);
      break;
    case Outcome::Kind::kUnknown:
      entry.state = State::kUnknown;
      break;
    case Outcome::Kind::kGuardFailed:
    case Outcome::Kind::kRefused:
      entry.state = State::kNotApplied;
      break;
  }
}

void Ledger::saw(const std::string& id) {
  std::lock_guard lock(mutex_);
  if (const auto found = entries_.find(id); found != entries_.end()) {
    found->second.seen = true;
  } else {
    problems_.push_back(id + " was shown and never written");
  }
}

std::set<std::string> Ledger::acknowledged() const {
  std::lock_guard lock(mutex_);
  std::set<std::string> ids;
  for (const auto& [id, entry] : entries_) {
    if (entry.state == State::kApplied || (entry.seen && entry.state != State::kGone)) ids.insert(id);
  }
  return ids;
}

Ledger::Comparison Ledger::compare_locked(store::Store& store, const std::set<std::string>& expected,
                                          std::map<Stamp, std::string>& present) const {
  Comparison result{.problems = problems_};
  const Rows rows = rows_of(store, result.problems);
  if (!result.problems.empty()) return result;

  // The log says which batches are there, and in which order they were committed.
  std::set<std::string> there;
  for (auto row = rows.lower_bound(in_space(Space::kLog)); row != rows.end(); ++row) {
    if (row->first.front() != static_cast<char>(Space::kLog)) break;
    const Stamp stamp = read_u64(row->first.data() + 2);
    if (!present.emplace(stamp, row->second).second) result.problems.push_back("two batches have one stamp");
    if (!there.insert(row->second).second) result.problems.push_back(row->second + " is there twice");
  }
  Rows right;
  std::map<int, Stamp> newest;  // of each life
  for (const auto& [stamp, id] : present) {
    const auto found = entries_.find(id);
    if (found == entries_.end()) {
      result.problems.push_back(id + " was never written");
      continue;
    }
    const Entry& entry = found->second;
    if (entry.state == State::kNotApplied) result.problems.push_back(id + " was refused and is there");
    if (entry.state == State::kApplied && entry.stamp != stamp)
      result.problems.push_back(id + " has another stamp than was told");
    newest[entry.life] = stamp;
    apply(right, id, entry.write, stamp);
  }
  if (std::string wrong = difference(right, rows); !wrong.empty())
    result.problems.push_back("a batch is half there: " + wrong);

  for (const std::string& id : expected) {
    ++result.acknowledged;
    if (there.contains(id)) continue;
    ++result.lost;
    const Entry& entry = entries_.at(id);
    if (entry.state != State::kApplied) continue;  // shown: its stamp is not known
    if (const auto kept = newest.find(entry.life); kept != newest.end() && entry.stamp < kept->second)
      result.problems.push_back(id + " is lost and a later one is not");
  }
  for (const auto& [id, entry] : entries_) {
    if (entry.state == State::kUnknown) ++(there.contains(id) ? result.unknown_there : result.unknown_gone);
  }
  return result;
}

Ledger::Comparison Ledger::compare(store::Store& store, const std::set<std::string>& expected) const {
  std::lock_guard lock(mutex_);
  std::map<Stamp, std::string> present;
  return compare_locked(store, expected, present);
}

Ledger::Comparison Ledger::settle(store::Store& store) {
  const std::set<std::string> expected = acknowledged();
  std::lock_guard lock(mutex_);
  std::map<Stamp, std::string> present;
  Comparison result = compare_locked(store, expected, present);
  for (auto& [id, entry] : entries_) {
    if (entry.state != State::kNotApplied) entry.state = State::kGone;
    entry.seen = false;
  }
  for (const auto& [stamp, id] : present) {
    entries_[id].state = State::kApplied;
    entries_[id].stamp = stamp;
  }
  return result;
}

}  // namespace sheaf::faults
