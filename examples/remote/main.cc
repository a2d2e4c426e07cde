// A program whose database is elsewhere: counts its visits in a table behind an endpoint, and tells what the
// endpoint can do.
//   remote_example URL
#include <sheaf/remote_database.h>

#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace {

using namespace sheaf;

const std::string kTable = "Visits";

// Errors are values. This program cannot go on after one.
template <typename T>
T value_of(Result<T> result) {
  if (result.ok()) return std::move(*result);
  std::cerr << "failed: " << result.error().message << "\n";
  std::exit(1);
}

void tell(std::string_view what, std::optional<bool> can) {
  std::cout << "  " << what << ": " << (!can ? "unknown" : *can ? "yes" : "no") << "\n";
}

// Returns when it can be used. Somebody else may have been here before.
void create_table(Database& db) {
  const Result<TableDescription> created =
      db.create_table({.table = kTable, .key = {.partition = {{"place"}}}});
  if (!created.ok() && created.error().code != Code::kInUse) value_of(created);
}

// A transaction is done once, also if an answer gets lost on the way and it is asked for again.
void count_visit(Database& db) {
  value_of(db.transact_write_items({.actions = {UpdateItem{.table = kTable,
                                                           .key = {{"place", "here"}},
                                                           .update = "ADD visits :one",
                                                           .values = {{":one", 1}}}}}));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: remote_example URL\n";
    return 2;
  }
  const Endpoint endpoint{.url = argv[1], .access_key = AccessKey{.id = "any", .secret = "any"}};
  const std::unique_ptr<Database> db = value_of(connect(endpoint));
  create_table(*db);
  count_visit(*db);
  const Got got = value_of(db->get_item({.table = kTable, .key = {{"place", "here"}}, .consistent = true}));
  std::cout << "visit number " << got.item->find("visits")->number().to_string() << "\n";

  const Capabilities can = value_of(find_capabilities(endpoint));
  std::cout << "what " << endpoint.url << " has:\n";
  tell("transactions", can.transactions);
  tell("index keys of several attributes", can.multi_attribute_keys);
  tell("indexes added later", can.indexes_added_later);
  tell("capacity figures", can.capacity_figures);
  tell("streams", can.streams);
  tell("time to live", can.time_to_live);
}
