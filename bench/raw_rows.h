// The rows that the database keeps for an item, for loops that write and read them without it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "sheaf/value.h"

#include "bench/raw_rocksdb.h"

namespace sheaf::bench {

struct Rows {
  std::string key, record, total_key, collection_key, sums;
};

// A number with zeros in front.
std::string text_of(uint64_t number, int digits);

// An item of about `bytes`, as DynamoDB counts them, with the attributes that items have. Its table has the
// key attributes PK and SK.
Item make_item(const std::string& partition, const std::string& sort, size_t bytes);
Item key_of(const std::string& partition, const std::string& sort);

// Of the first table of a database. A key alone is enough for the keys of the rows.
Rows rows_of(const Item& item);
// Where the rows of the items of one partition key begin and end.
std::pair<std::string, std::string> collection_bounds(const std::string& partition);

void put_rows(RawRocksdb& raw, rocksdb::WriteBatch& batch, const Rows& rows);
// Ends the program if it is not fine.
void check(const rocksdb::Status& status);

}  // namespace sheaf::bench
