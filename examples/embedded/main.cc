// A program with a database inside: organisations and their users in one table. Run it twice on the same
// directory to see that everything stays.
//   embedded_example DIRECTORY
#include <sheaf/database.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>

namespace {

using namespace sheaf;

const std::string kTable = "Organisations";

// Errors are values. This program cannot go on after one.
template <typename T>
T value_of(Result<T> result) {
  if (result.ok()) return std::move(*result);
  std::cerr << "failed: " << result.error().message << "\n";
  std::exit(1);
}

// Generic keys: PK and SK hold "ORG#<name>" or "USER#<name>", so that an organisation and its users are one
// item collection. The index turns the relation around: all organisations of a user.
void create_table(Database& db) {
  const Result<TableDescription> created =
      db.create_table({.table = kTable,
                       .key = {.partition = {{"PK"}}, .sort = {{"SK"}}},
                       .global_indexes = {{.name = "GSI1",
                                           .key = {.partition = {{"GSI1PK"}}, .sort = {{"GSI1SK"}}},
                                           .projection = ProjectionKind::kAll}},
                       .stream = StreamView::kNewAndOldImages});
  if (!created.ok() && created.error().code != Code::kInUse) value_of(created);
}

// A failed condition is an outcome, not an error.
void add(Database& db, Item item) {
  const std::string name = item.to_json();
  const Written written = value_of(
      db.put_item({.table = kTable, .item = std::move(item), .condition = "attribute_not_exists(PK)"}));
  std::cout << (written.condition_met ? "added " : "was there: ") << name << "\n";
}

void add_user(Database& db, const std::string& organisation, const std::string& user,
              const std::string& role) {
  add(db, {{"PK", "ORG#" + organisation},
           {"SK", "USER#" + user},
           {"role", role},
           {"GSI1PK", "USER#" + user},
           {"GSI1SK", "ORG#" + organisation}});
}

void print(const std::string& title, const Page& page) {
  std::cout << title << " (" << page.count << " items, " << page.capacity.total() << " read units)\n";
  for (size_t i = 0; i < page.items.size(); ++i) std::cout << "  " << page.items[i].to_json() << "\n";
}

// The role changes and the organisation's counter with it, or neither.
void promote(Database& db, const std::string& organisation, const std::string& user) {
  const TransactWritten outcome = value_of(db.transact_write_items(
      {.actions = {UpdateItem{.table = kTable,
                              .key = {{"PK", "ORG#" + organisation}, {"SK", "USER#" + user}},
                              .update = "SET #role = :owner",
                              .condition = "attribute_exists(PK) AND #role <> :owner",
                              .names = {{"#role", "role"}},
                              .values = {{":owner", "owner"}}},
                   UpdateItem{.table = kTable,
                              .key = {{"PK", "ORG#" + organisation}, {"SK", "ORG#" + organisation}},
                              .update = "ADD owners :one",
                              .values = {{":one", 1}}}}}));
  std::cout << user << (outcome.applied ? " is now an owner of " : " was an owner already of ")
            << organisation << "\n";
}

void print_changes(Database& db) {
  const StreamDescription stream = value_of(db.describe_table(kTable)).streams.back();
  size_t count = 0;
  for (uint32_t shard = 0; shard < stream.shard_count; ++shard) {
    ReadStream request{.table = kTable, .stream = stream.id, .shard = shard};
    for (StreamRead read = value_of(db.read_stream(request)); !read.events.empty();
         read = value_of(db.read_stream(request))) {
      for (const ChangeEvent& event : read.events)
        std::cout << "  " << (event.old_image ? "changed " : "inserted ") << event.key.to_json() << "\n";
      count += read.events.size();
      request.from = read.next;
    }
  }
  std::cout << count << " changes in the stream\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: embedded_example DIRECTORY\n";
    return 2;
  }
  const std::unique_ptr<Database> db = value_of(Database::open(argv[1]));
  create_table(*db);
  add(*db, {{"PK", "ORG#acme"}, {"SK", "ORG#acme"}, {"plan", "pro"}, {"owners", 0}});
  add_user(*db, "acme", "alice", "member");
  add_user(*db, "acme", "bob", "member");
  add_user(*db, "initech", "alice", "guest");
  promote(*db, "acme", "alice");
  print("users of acme", value_of(db->query({.table = kTable,
                                             .key_condition = "PK = :org AND begins_with(SK, :users)",
                                             .values = {{":org", "ORG#acme"}, {":users", "USER#"}},
                                             .consistent = true})));
  print("organisations of alice", value_of(db->query({.table = kTable,
                                                      .index = "GSI1",
                                                      .key_condition = "GSI1PK = :user",
                                                      .values = {{":user", "USER#alice"}}})));
  print_changes(*db);
}
