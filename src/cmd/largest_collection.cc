#include "cmd/largest_collection.h"

#include <map>

#include "base/try.h"
#include "run/plain_json.h"

namespace sheaf::cmd {
namespace {

Result<KeySchema> keys_of(Database& database, const std::string& table, const std::string& index) {
  const TableDescription description = TRY(database.describe_table(table));
  if (index.empty()) return description.key;
  for (const IndexDescription& each : description.indexes) {
    if (each.name == index) return each.key;
  }
  return Error{Code::kNotFound, "there is no index " + index + " of " + table};
}

std::string key_text(const KeySchema& keys, ItemView item) {
  std::string text;
  for (const auto& attribute : keys.partition) {
    const auto value = item.find(attribute.name);
    if (value) text += (text.empty() ? "" : ", ") + run::to_plain_json(*value);
  }
  return text;
}

}  // namespace

Result<cost::Collection> largest_collection(Database& database, const std::string& table,
                                            const std::string& index) {
  const KeySchema keys = TRY(keys_of(database, table, index));
  std::map<std::string, cost::Collection> collections;
  Scan scan{.table = table};
  if (!index.empty()) scan.index = index;
  while (true) {
    const Page page = TRY(database.scan(scan));
    for (size_t i = 0; i < page.items.size(); ++i) {
      cost::Collection& collection = collections[key_text(keys, page.items[i])];
      ++collection.items;
      collection.bytes += page.items[i].size_bytes();
    }
    if (!page.last_key) break;
    scan.start_key = page.last_key;
  }
  cost::Collection largest;
  for (const auto& [key, collection] : collections) {
    if (collection.bytes <= largest.bytes) continue;
    largest = collection;
    largest.key = key;
  }
  return largest;
}

}  // namespace sheaf::cmd
