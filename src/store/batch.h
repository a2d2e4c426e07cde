// What changes together: guards that must hold, and the writes that then apply whole or not at all.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::store {

// Names the state of a key as one view saw it. Opaque above the store; never reused.
enum class Version : uint64_t {};

// The place of a batch in the order of commits: microseconds since 1970, made strictly increasing.
using Stamp = uint64_t;

inline constexpr size_t kStampBytes = 8;
inline constexpr size_t kPositionBytes = 2;
inline constexpr uint32_t kBatchBytesMax = 64u << 20;
inline constexpr size_t kSumsMax = 4;

// One kind of entry a letter of the contract (doc/store-contract.md).
enum class EntryKind : uint8_t { kGuard, kPut, kErase, kAdd, kAppend };

class Batch {
 public:
  struct Entry {
    EntryKind kind;
    std::string_view key;
    std::string_view value;  // kPut, kAppend: the bytes; kAdd: the deltas, eight bytes each
    Version version;         // kGuard
  };

  // The batch applies only if `key` is as it was when `version` was read, present or absent.
  void guard(std::string_view key, Version version);
  void put(std::string_view key, std::string_view value);
  void erase(std::string_view key);
  // Adds `deltas` (at most kSumsMax) to the sums under `key`. Commutes with every other add; never guarded.
  void add(std::string_view key, std::span<const int64_t> deltas);
  // Writes a log row under `prefix` + stamp + position, both filled in at commit. At most 65,536 a batch.
  void append(std::string_view prefix, std::string_view value);

  // Makes room for so many more entries and bytes at once.
  void reserve(size_t entries, size_t bytes) {
    records_.reserve(records_.size() + entries);
    bytes_.reserve(bytes_.size() + bytes);
  }

  bool empty() const { return records_.empty(); }
  size_t entry_count() const { return records_.size(); }
  size_t byte_count() const { return bytes_.size(); }
  Entry entry(size_t index) const;

 private:
  struct Record {
    EntryKind kind;
    uint32_t key_start, key_bytes, value_start, value_bytes;
    Version version;
  };
  void record(EntryKind kind, std::string_view key, std::string_view value, Version version);

  std::string bytes_;
  std::vector<Record> records_;
  uint32_t append_count_ = 0;
};

// The sums that a read of a counter returned; absent sums are zero.
std::vector<int64_t> decode_sums(std::string_view value);
std::string encode_sums(std::span<const int64_t> sums);
// Adds `deltas` to `sums` in place; both in their encoded form.
void fold_sums(std::string& sums, std::string_view deltas);

}  // namespace sheaf::store
