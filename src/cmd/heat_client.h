// What a Sheaf server tells of its heat and of item collections over HTTP (GET /heat, GET /collections).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/heat.h"
#include "sheaf/remote_database.h"
#include "sheaf/result.h"
#include "sheaf/table.h"

#include "watch/key_names.h"
#include "watch/sampler.h"

namespace sheaf::cmd {

// One table or index as the server tells it.
struct ToldHeat {
  std::string table;
  std::string index;  // empty: the table itself
  HeatReport report;
  // By the key's JSON, as far as the server has models that explain them; those of items and partitions.
  std::map<std::string, watch::KeyName> names;
  watch::SizesByKey collections;  // of partition keys that are read or written
};

// kCorrupt if it is none.
Result<ToldHeat> read_heat(std::string_view json);
Result<std::vector<ToldHeat>> read_all_heat(std::string_view json);
// As many as there are, in their order.
Result<std::vector<CollectionSize>> read_collection_sizes(std::string_view json);

class HeatClient {
 public:
  explicit HeatClient(Endpoint endpoint);

  // kInvalid if the endpoint is none that tells it, or does not count it; kUnavailable if it does not answer,
  // or not now.
  Result<ToldHeat> ask(const AskHeat& request) const;
  // Tables and indexes without their keys.
  Result<std::vector<ToldHeat>> ask_all(int64_t seconds) const;
  // In as many requests as it takes. Keys that are too long to ask for are left out.
  Result<watch::SizesByKey> collection_sizes(const std::string& table,
                                             const std::vector<Item>& partition_keys) const;

 private:
  // `what` it would tell: for the error.
  Result<std::string> get(const std::string& target, std::string_view what) const;

  const Endpoint endpoint_;
};

// What a watcher asks of a database behind this endpoint: its heat and sizes if it is a Sheaf server, and
// what every other tells. The database must outlive it.
watch::Source source_behind(Database& database, const Endpoint& endpoint);

}  // namespace sheaf::cmd
