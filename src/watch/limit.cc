#include "watch/limit.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <vector>

#include "language/diagnostic.h"

namespace sheaf::watch {
namespace {

constexpr LimitText kLimitTexts[] = {
    {Limit::kItemBytes, "item-bytes", "G1", Measure::kBytes, "an item's size",
     "move what grows in it into items of its own", true, false},
    {Limit::kEmbedded, "few", "G2", Measure::kCount, "children in one item",
     "store the relation via collection, or via index", false, false, true},
    {Limit::kListed, "declared-max", "G1", Measure::kPercent, "a list in one item, of its declared max",
     "say in the model how many there can be; what grows on is stored via edges or index", false, false,
     true},
    {Limit::kCollectionBytes, "collection-bytes", "G3", Measure::kBytes, "an item collection's size",
     "split it by time or shard, or archive what is old", false, false},
    {Limit::kCollectionBytesMax, "collection-bytes-max", "G3", Measure::kBytes,
     "an item collection's size, with a local index",
     "split it by time or shard before writes to it are refused; or do without the local index", true, false},
    {Limit::kCollectionItems, "collection-items", "G4", Measure::kCount, "items of a collection",
     "split it by time or shard, or archive what is old", false, false},
    {Limit::kSortKeyBytes, "sort-key-bytes", "G12", Measure::kBytes, "a sort key's length",
     "shorten the names that its template has, or give its fields a max", true, false},
    {Limit::kPartitionReads, "partition-reads", "G11", Measure::kUnitsPerSecond, "reads of one partition key",
     "cache it, or spread it over shards", true, true},
    {Limit::kPartitionWrites, "partition-writes", "G11", Measure::kUnitsPerSecond,
     "writes of one partition key", "spread it over shards, or give hot items partitions of their own", true,
     true},
    {Limit::kThrottled, "throttled", "G7", Measure::kRequestsPerSecond, "requests that were refused",
     "raise the throughput, or spread the key that is named", true, true},
    {Limit::kFewKeys, "few-keys", "G10", Measure::kFlag, "traffic that goes to five partition keys or fewer",
     "choose a partition key with more values", false, true},
    {Limit::kUneven, "uneven", "G11", Measure::kFlag, "one partition key that has half of the traffic",
     "spread it over shards, or cache it", false, true},
};

struct LineName {
  std::string_view name;
  int64_t& (*line)(Lines&);
};
// Those that are watched, of the linter's; and those of traffic.
constexpr LineName kLineNames[] = {
    {"item-bytes", [](Lines& lines) -> int64_t& { return lines.limits.item_bytes; }},
    {"few", [](Lines& lines) -> int64_t& { return lines.limits.few; }},
    {"collection-bytes", [](Lines& lines) -> int64_t& { return lines.limits.collection_bytes; }},
    {"collection-items", [](Lines& lines) -> int64_t& { return lines.limits.collection_items; }},
    {"sort-key-bytes", [](Lines& lines) -> int64_t& { return lines.limits.sort_key_bytes; }},
    {"near-percent", [](Lines& lines) -> int64_t& { return lines.limits.near_percent; }},
    {"collection-bytes-max", [](Lines& lines) -> int64_t& { return lines.collection_bytes_max; }},
    {"partition-reads", [](Lines& lines) -> int64_t& { return lines.partition_reads; }},
    {"partition-writes", [](Lines& lines) -> int64_t& { return lines.partition_writes; }},
};
constexpr int64_t kLineMax = int64_t{1} << 50;

// 10412 -> 10,412
std::string grouped(double value) {
  std::string digits = std::to_string(static_cast<int64_t>(std::floor(value)));
  for (auto place = static_cast<std::ptrdiff_t>(digits.size()) - 3; place > 0; place -= 3)
    digits.insert(static_cast<size_t>(place), ",");
  return digits;
}

std::string rate_text(double value) {
  std::array<char, 32> text;
  const int length = std::snprintf(text.data(), text.size(), "%.2g", value);
  return value >= 10 ? grouped(value) : std::string(text.data(), static_cast<size_t>(length));
}

std::string bytes_text(double bytes) {
  struct Unit {
    double bytes;
    const char* name;
  };
  static constexpr Unit kUnits[] = {{1 << 30, " GB"}, {1 << 20, " MB"}, {1 << 10, " KB"}};
  for (const Unit& unit : kUnits) {
    if (bytes < unit.bytes) continue;
    std::array<char, 32> text;
    const double amount = bytes / unit.bytes;
    const bool is_whole = amount >= 100 || amount == std::floor(amount);
    const int length = std::snprintf(text.data(), text.size(), is_whole ? "%.0f" : "%.1f", amount);
    return std::string(text.data(), static_cast<size_t>(length)) + unit.name;
  }
  return grouped(bytes) + " bytes";
}

}  // namespace

std::span<const LimitText> limit_texts() { return kLimitTexts; }

const LimitText& text_of(Limit limit) { return kLimitTexts[static_cast<size_t>(limit)]; }

Result<void> set_line(Lines& lines, std::string_view assignment) {
  const auto wrong = [](std::string message) { return Error{Code::kInvalid, std::move(message)}; };
  const size_t equals = assignment.find('=');
  if (equals == std::string_view::npos)
    return wrong("write NAME=VALUE in place of " + std::string(assignment));
  const std::string_view name = assignment.substr(0, equals), value = assignment.substr(equals + 1);
  std::vector<std::string_view> names;
  for (const LineName& each : kLineNames) {
    names.push_back(each.name);
    if (each.name != name) continue;
    int64_t number = 0;
    const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (code != std::errc{} || end != value.data() + value.size() || number < 1 || number > kLineMax)
      return wrong("the limit " + std::string(name) + " is a whole number from 1 on, not " +
                   std::string(value));
    each.line(lines) = number;
    return {};
  }
  const std::string_view near = language::nearest(name, names);
  return wrong("there is no limit " + std::string(name) +
               (near.empty() ? "" : "; there is " + std::string(near)) + " (sheaf watch --list lists them)");
}

double line_of(Limit limit, const Lines& lines) {
  const auto number = [](int64_t value) { return static_cast<double>(value); };
  switch (limit) {
    case Limit::kItemBytes:
      return number(lines.limits.item_bytes);
    case Limit::kEmbedded:
      return number(lines.limits.few + 1);
    case Limit::kCollectionBytes:
      return number(lines.limits.collection_bytes);
    case Limit::kCollectionBytesMax:
      return number(lines.collection_bytes_max);
    case Limit::kCollectionItems:
      return number(lines.limits.collection_items);
    case Limit::kSortKeyBytes:
      return number(lines.limits.sort_key_bytes);
    case Limit::kPartitionReads:
      return number(lines.partition_reads);
    case Limit::kPartitionWrites:
      return number(lines.partition_writes);
    case Limit::kListed:
      return 100;
    case Limit::kThrottled:
    case Limit::kFewKeys:
    case Limit::kUneven:
      break;
  }
  return 1;
}

double warning_line_of(Limit limit, const Lines& lines) {
  // A single request in an hour is a fraction of one a second.
  if (limit == Limit::kThrottled) return 1e-9;
  const double line = line_of(limit, lines);
  // As many as the model allows are not too many.
  if (limit == Limit::kListed) return std::nextafter(line, 2 * line);
  return text_of(limit).is_hard ? line * static_cast<double>(lines.limits.near_percent) / 100 : line;
}

std::optional<Severity> severity_of(Limit limit, double value, const Lines& lines) {
  if (value < warning_line_of(limit, lines)) return std::nullopt;
  if (limit == Limit::kThrottled) return Severity::kError;
  return text_of(limit).is_hard && value >= line_of(limit, lines) ? Severity::kError : Severity::kWarning;
}

std::string amount_text(Limit limit, double value) {
  switch (text_of(limit).measure) {
    case Measure::kBytes:
      return bytes_text(value);
    case Measure::kCount:
      return grouped(value);
    case Measure::kPercent:
      // Rounded up: 101 of 100 are more than all, and so are 1,001 of 1,000.
      return grouped(std::ceil(value)) + " %";
    case Measure::kUnitsPerSecond:
      return rate_text(value) + " units a second";
    case Measure::kRequestsPerSecond:
      return rate_text(value) + " requests a second";
    case Measure::kFlag:
      break;
  }
  return value > 0 ? "yes" : "no";
}

}  // namespace sheaf::watch
