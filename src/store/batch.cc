#include "store/batch.h"

#include <cassert>
#include <cstring>
#include <limits>

namespace sheaf::store {

void Batch::record(EntryKind kind, std::string_view key, std::string_view value, Version version) {
  assert(!key.empty());
  assert(bytes_.size() + key.size() + value.size() <= kBatchBytesMax);
  const auto start = static_cast<uint32_t>(bytes_.size());
  bytes_.append(key).append(value);
  const auto key_bytes = static_cast<uint32_t>(key.size());
  records_.push_back({.kind = kind,
                      .key_start = start,
                      .key_bytes = key_bytes,
                      .value_start = start + key_bytes,
                      .value_bytes = static_cast<uint32_t>(value.size()),
                      .version = version});
}

void Batch::guard(std::string_view key, Version version) { record(EntryKind::kGuard, key, {}, version); }

void Batch::put(std::string_view key, std::string_view value) { record(EntryKind::kPut, key, value, {}); }

void Batch::erase(std::string_view key) { record(EntryKind::kErase, key, {}, {}); }

void Batch::add(std::string_view key, std::span<const int64_t> deltas) {
  assert(!deltas.empty() && deltas.size() <= kSumsMax);
  record(EntryKind::kAdd, key, {reinterpret_cast<const char*>(deltas.data()), deltas.size_bytes()}, {});
}

void Batch::append(std::string_view prefix, std::string_view value) {
  assert(append_count_ <= std::numeric_limits<uint16_t>::max());
  ++append_count_;
  record(EntryKind::kAppend, prefix, value, {});
}

Batch::Entry Batch::entry(size_t index) const {
  const Record& found = records_[index];
  const std::string_view bytes = bytes_;
  return {.kind = found.kind,
          .key = bytes.substr(found.key_start, found.key_bytes),
          .value = bytes.substr(found.value_start, found.value_bytes),
          .version = found.version};
}

std::vector<int64_t> decode_sums(std::string_view value) {
  std::vector<int64_t> sums(value.size() / sizeof(int64_t));
  if (!sums.empty()) std::memcpy(sums.data(), value.data(), sums.size() * sizeof(int64_t));
  return sums;
}

std::string encode_sums(std::span<const int64_t> sums) {
  return {reinterpret_cast<const char*>(sums.data()), sums.size_bytes()};
}

void fold_sums(std::string& sums, std::string_view deltas) {
  if (sums.size() < deltas.size()) sums.resize(deltas.size(), '\0');
  for (size_t at = 0; at + sizeof(int64_t) <= deltas.size(); at += sizeof(int64_t)) {
    uint64_t sum, delta;  // unsigned, so that it wraps instead of being undefined
    std::memcpy(&sum, sums.data() + at, sizeof(sum));
    std::memcpy(&delta, deltas.data() + at, sizeof(delta));
    sum += delta;
    std::memcpy(sums.data() + at, &sum, sizeof(sum));
  }
}

}  // namespace sheaf::store
