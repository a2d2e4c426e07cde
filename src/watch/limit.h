// The limits that are watched, where their lines are, and how grave it is to be at them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sheaf/result.h"

#include "lint/finding.h"
#include "lint/limits.h"

namespace sheaf::watch {

using lint::Severity;

enum class Limit : uint8_t {
  kItemBytes,           // of one item
  kEmbedded,            // children that lie in one item
  kListed,              // ids or entries in one item: percent of the max that the model declares
  kCollectionBytes,     // of one partition key: worth a word
  kCollectionBytesMax,  // of one partition key, with a local index: no more are taken
  kCollectionItems,     // of one partition key
  kSortKeyBytes,        // of one item
  kPartitionReads,      // units a second of one partition key
  kPartitionWrites,
  kThrottled,  // requests a second that were refused
  kFewKeys,    // 1 if the traffic goes to a handful of partition keys
  kUneven,     // 1 if one partition key has most of the traffic
};

enum class Measure : uint8_t { kBytes, kCount, kPercent, kUnitsPerSecond, kRequestsPerSecond, kFlag };

struct LimitText {
  Limit limit;
  std::string_view name;   // item-bytes
  std::string_view point;  // of doc/coverage.md: G1
  Measure measure;
  std::string_view meaning;
  std::string_view advice;
  // Others enforce it: near it is worth a warning, at it an error.
  bool is_hard;
  // It is there while it goes on, and gone when nobody speaks of it; else it is a size, which stays.
  bool is_of_traffic;
  // Many keys may be beyond it at once, and for one reason, which the model has: they are told of together.
  bool is_of_relation = false;
};
std::span<const LimitText> limit_texts();
const LimitText& text_of(Limit limit);

// Where the lines are: the linter's, and those that only traffic and indexes have.
struct Lines {
  lint::Limits limits;
  int64_t collection_bytes_max = int64_t{10} << 30;
  int64_t partition_reads = 3000;
  int64_t partition_writes = 1000;
};
// NAME=VALUE, of item-bytes, few, collection-bytes, collection-items, sort-key-bytes, near-percent,
// collection-bytes-max, partition-reads, partition-writes. kInvalid, with what there is instead.
Result<void> set_line(Lines& lines, std::string_view assignment);

// What a figure may not reach; of kEmbedded, the first that is too many.
double line_of(Limit limit, const Lines& lines);
// From which value on there is something to tell.
double warning_line_of(Limit limit, const Lines& lines);
// Nothing: all is well.
std::optional<Severity> severity_of(Limit limit, double value, const Lines& lines);

// 1.2 GB, 10,412, 120 %, 812 units a second
std::string amount_text(Limit limit, double value);

}  // namespace sheaf::watch
