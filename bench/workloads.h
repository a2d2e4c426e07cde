// What is asked of the servers: the items, the requests and how right answers look.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench/pattern.h"

namespace sheaf::bench {

// What is in the table before anything is measured.
struct DataSizes {
  uint64_t items = 10'000;     // of 1 KB, for GetItem and BatchGetItem
  uint64_t collections = 100;  // of 100 items of 200 B
  uint64_t orders = 2'000;     // of 6 items of 150 B: the order, four lines and a shipment
};

inline constexpr size_t kItemBytes = 1024;
inline constexpr size_t kCollectionItemBytes = 200;
inline constexpr size_t kCollectionItems = 100;
inline constexpr size_t kOrderItemBytes = 150;
inline constexpr size_t kOrderLines = 4;
inline constexpr size_t kOrderItems = kOrderLines + 2;
inline constexpr size_t kBatchWrites = 25;
inline constexpr size_t kBatchReads = 25;
inline constexpr size_t kTransactionWrites = 3;

// Requests that differ in a number.
struct Workload {
  std::string operation;  // "GetItem"
  Pattern body;
  uint64_t numbers = 0;           // the number is a random one below this; 0: each request has the next one
  std::vector<Pattern> expected;  // is in every answer
  size_t answer_bytes_min = 0;
  size_t checked_each = 64;  // one answer in so many is looked at
  // A GetItem that finds what was written, which contains the second.
  Pattern read_back;
  Pattern written;
};

Workload get_item(std::string_view table, const DataSizes& sizes);
Workload put_item(std::string_view table);
Workload query_collection(std::string_view table, const DataSizes& sizes);
Workload query_order(std::string_view table, const DataSizes& sizes);
Workload transact_write(std::string_view table);
Workload batch_get(std::string_view table, const DataSizes& sizes);
Workload batch_write(std::string_view table);

// What fills the table, and how many requests of it.
struct Filling {
  Workload workload;
  uint64_t requests = 0;
};
Filling fill_items(std::string_view table, const DataSizes& sizes);
Filling fill_collections(std::string_view table, const DataSizes& sizes);
Filling fill_orders(std::string_view table, const DataSizes& sizes);

// The body of a CreateTable request.
std::string table_definition(std::string_view table);

}  // namespace sheaf::bench
