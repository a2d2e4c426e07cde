// What `sheaf top` shows, at one moment; and how.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cmd/heat_client.h"
#include "cmd/metrics_page.h"
#include "watch/watcher.h"

namespace sheaf::cmd {

struct TopKey {
  std::string place;  // table, or table/index
  bool of_writes = false;
  bool is_partition = false;  // a partition key; else an item's
  std::string kind;
  std::string name;
  std::string key;  // as JSON
  double units_per_second = 0;
  double times_per_second = 0;
  double share = 0;  // of its table or index and direction
};

// An entity or relation.
struct TopKind {
  std::string place;
  std::string kind;  // empty: no model explains it
  double read_units = 0;
  double write_units = 0;
};

struct TopCollection {
  std::string table;
  std::string name;
  std::string key;  // as JSON
  CollectionSize size;
  watch::Forecast forecast;  // of its items
};

struct TopSnapshot {
  int64_t at_us = 0;
  std::string endpoint;
  double seconds = 0;                       // what rates are about
  std::vector<ToldHeat> resources;          // tables and indexes, without keys
  std::vector<TopKey> keys;                 // the hottest of all
  std::vector<TopKey> throttled;            // partition keys whose requests were refused
  std::vector<TopKind> kinds;               // about: from keys that were picked at random
  std::vector<TopCollection> collections;   // those that are read or written
  std::vector<OperationLatency> latencies;  // empty if there are no metrics
  bool is_since_start = false;              // latencies
  std::string trouble;                      // why something is missing
};

// Adds up and sorts: the hottest first, the busiest first, those that grow most first.
void add_keys(TopSnapshot& snapshot, const ToldHeat& told, const watch::KeyNames& names);
void arrange(TopSnapshot& snapshot, size_t rows_max);

// What a snapshot is of.
std::string top_heading(const TopSnapshot& snapshot);
struct TopSection {
  std::string title;
  std::string table;  // its head, and a line for each
  int rank = 0;       // where there is no room for all: the lowest first
};
// From above to below, those that have something to tell.
std::vector<TopSection> top_sections(const TopSnapshot& snapshot);

// All of it.
std::string top_text(const TopSnapshot& snapshot);
// In one line, without its end.
std::string top_json(const TopSnapshot& snapshot);

}  // namespace sheaf::cmd
