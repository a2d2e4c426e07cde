#include "server/collections_endpoint.h"

#include <simdjson.h>

#include <vector>

#include "base/try.h"
#include "service/route.h"
#include "wire/item_reader.h"
#include "wire/json_object.h"

namespace sheaf::server {
namespace {

using service::Reply;
using wire::JsonObject;

struct AskedCollections {
  std::string table;
  std::vector<Item> keys;
};

Error wrong_query(std::string message) { return {Code::kInvalid, std::move(message)}; }

Result<Item> read_partition_key(const std::string& text) {
  simdjson::dom::parser parser;
  wire::Json tree;
  if (parser.parse(simdjson::padded_string(text)).get(tree) != simdjson::SUCCESS || !tree.is_object())
    return wrong_query(R"(key must be a partition key such as {"PK":{"S":"ORG#1"}}, not ')" + text + "'");
  return wire::ItemReader().item(tree);
}

Result<AskedCollections> read_collections_query(std::string_view target) {
  const std::optional<service::Query> query = service::query_of(target);
  if (!query) return wrong_query("the query is not properly escaped");
  AskedCollections asked;
  for (const auto& [name, value] : *query) {
    if (name == "table") {
      asked.table = value;
    } else if (name == "key") {
      asked.keys.push_back(TRY(read_partition_key(value)));
    } else {
      return wrong_query("there is no parameter " + name + ": there are table and key");
    }
  }
  if (asked.table.empty()) return wrong_query("say of which table: table=NAME");
  if (asked.keys.empty() || asked.keys.size() > kCollectionsAskedMax)
    return wrong_query("1 to " + std::to_string(kCollectionsAskedMax) +
                       R"( partition keys can be asked for: key={"PK":{"S":"ORG#1"}} for each)");
  return asked;
}

Result<std::string> sizes_text(Database& database, const AskedCollections& asked) {
  std::vector<CollectionSize> sizes;
  for (const Item& key : asked.keys) sizes.push_back(TRY(database.collection_size(asked.table, key)));
  std::string out;
  {
    JsonObject object(out);
    object.text("table", asked.table);
    size_t place = 0;
    wire::append_json_list(object.member("collections"), sizes, [&](const CollectionSize& size) {
      JsonObject each(out);
      each.member("key") += asked.keys[place++].to_json();
      each.integer("items", size.item_count);
      each.integer("bytes", size.size_bytes);
    });
  }
  return out;
}

}  // namespace

bool is_collections(std::string_view target) { return target.substr(0, target.find('?')) == "/collections"; }

Reply CollectionsEndpoint::answer(std::string_view target) {
  const Result<AskedCollections> asked = read_collections_query(target);
  if (!asked.ok()) return service::problem(asked.error());
  Result<std::string> body = sizes_text(database_, *asked);
  if (!body.ok()) return service::problem(body.error());
  return {.body = std::move(*body)};
}

}  // namespace sheaf::server
