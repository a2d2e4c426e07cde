// What is read and written most, and how evenly.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/value.h"

namespace sheaf {

inline constexpr uint32_t kHotKeysMax = 64;

struct AskHeat {
  std::string table;
  std::string index;       // empty: the table itself
  int64_t seconds = 60;    // how far to look back: 1 to 3,600
  uint32_t keys_max = 20;  // so many of each kind: 1 to kHotKeysMax
};

struct HotKey {
  Item key;  // its attributes
  double units_per_second = 0;
  double times_per_second = 0;  // reads or writes that concerned it
  double share = 0;             // of all units, from 0 to 1
};

// One of some keys that were picked at random, each read or write with the same chance.
struct SampledKey {
  Item key;
  double share = 0;  // of the units of all that were picked
};

// One direction.
struct HeatOf {
  double units_per_second = 0;
  double requests_per_second = 0;
  double throttled_per_second = 0;
  double partition_keys = 0;  // how many different ones, about; beyond 5,000, more than that
  // The units of each quarter of the table or index, by the hash of the partition key: how well it spreads.
  std::array<double, 4> quarters{};
  // The hottest, hottest first, by partition key and by partition and sort key. Never too much; a key that
  // was among the hottest all the time is told to within a few per cent.
  std::vector<HotKey> partitions;
  std::vector<HotKey> items;                 // empty if there is no sort key
  std::vector<HotKey> throttled_partitions;  // by requests that were refused
  // What is touched at all, hot or not: up to 64 whole keys. What the shares of a kind of keys add up to is
  // about its share of all units, to within 0.06 two times out of three.
  std::vector<SampledKey> sample;
};

// What does not bode well.
struct HeatFinding {
  enum class Kind : uint8_t {
    kThrottled,  // requests were refused
    kHotKey,     // one partition key is near the most that one partition can bear
    kUneven,     // one partition key has most of the traffic
    kFewKeys,    // the traffic goes to a handful of partition keys
  };
  Kind kind;
  bool of_writes;
  std::string text;  // without the key
};
std::string_view name_of(HeatFinding::Kind kind);  // "hot-key"

struct HeatReport {
  double seconds = 0;  // that it covers: a little more than was asked for, or since the database was opened
  HeatOf reads;
  HeatOf writes;
  uint32_t partitions = 0;  // where partitions have ceilings: how many there are by now
  std::vector<HeatFinding> findings;
};

}  // namespace sheaf
