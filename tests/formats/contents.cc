#include "formats/contents.h"

#include "api/local_database.h"
#include "base/try.h"
#include "store/rocks_store.h"
#include "value/value_json.h"

namespace sheaf::formats {
namespace {

constexpr int64_t kNowS = kWrittenUs / 1'000'000;

KeyAttribute text(std::string name) { return {std::move(name), Type::kString}; }
KeyAttribute number(std::string name) { return {std::move(name), Type::kNumber}; }
KeyAttribute binary(std::string name) { return {std::move(name), Type::kBinary}; }

Number parsed(std::string_view digits) { return *Number::parse(digits); }

// An item with values of all types.
Item everything(std::string_view pk, int64_t sk) {
  const Value list = Value::list({"x", 1, Value()});
  return Item{{"pk", pk},
              {"sk", sk},
              {"text", "Gr\u00fc\u00dfe \U0001F33E"},
              {"empty", ""},
              {"exact", parsed("-12345678901234567890.123456789012345678")},
              {"bytes", Value::binary(std::string_view("\0\xff\x01", 3))},
              {"yes", true},
              {"nothing", Value()},
              {"list", list},
              {"map", Item{{"deep", Item{{"deeper", list}}}}},
              {"texts", Value::string_set({"b", "a"})},
              {"numbers", Value::number_set({parsed("-1E-130"), parsed("0"),
                                             parsed("9.9999999999999999999999999999999999999E+125")})},
              {"binaries", Value::binary_set({"z", std::string_view("\0", 1)})}};
}

CreateTable orders() {
  return {.table = "orders",
          .key = {.partition = {text("pk")}, .sort = {number("sk")}},
          .local_indexes = {{.name = "by-due",
                             .key = {.partition = {text("pk")}, .sort = {text("due")}},
                             .projection = ProjectionKind::kKeysOnly}},
          .global_indexes = {{.name = "by-state",
                              .key = {.partition = {text("state"), number("year")},
                                      .sort = {binary("code"), text("due")}},
                              .projection = ProjectionKind::kInclude,
                              .included = {"total"},
                              .throughput = {.read_units = 3, .write_units = 4}},
                             {.name = "inverted",
                              .key = {.partition = {number("sk")}, .sort = {text("pk")}},
                              .throughput = {.read_units = 1, .write_units = 2}}},
          .billing = BillingMode::kProvisioned,
          .throughput = {.read_units = 5, .write_units = 6},
          .stream = StreamView::kNewAndOldImages,
          .deletion_protected = true,
          .table_class = "STANDARD_INFREQUENT_ACCESS",
          .tags = {{"team", "sales"}}};
}

Item order(int64_t i) {
  Item item{{"pk", "customer#" + std::to_string(i % 5)}, {"sk", i * 1000 - 20'000}, {"total", i}};
  if (i % 2 == 0) item.set("due", Value("2027-01-" + std::to_string(10 + i % 20)));
  if (i % 3 == 0) item.set("state", Value(i % 6 == 0 ? "open" : "shipped"));
  item.set("year", Value(2026 + i % 2));
  item.set("code", Value::binary(std::string(1 + i % 3, static_cast<char>(i))));
  return item;
}

Result<void> put(Database& database, const std::string& table, Item item) {
  TRY(database.put_item({.table = table, .item = std::move(item)}));
  return {};
}

Result<void> work(Database& database) {
  while (TRY(database.run_background_work())) {
  }
  return {};
}

std::string json(ItemView item) {
  std::string out;
  append_json(out, item);
  return out;
}

std::string key_text(const KeySchema& key) {
  std::string out;
  for (const auto* part : {&key.partition, &key.sort}) {
    for (const KeyAttribute& attribute : *part)
      out += " " + attribute.name + ":" + std::to_string(static_cast<int>(attribute.type));
    if (part == &key.partition) out += " |";
  }
  return out;
}

Result<void> tell_items(Database& database, const std::string& table, const std::optional<std::string>& index,
                        std::string& out) {
  Scan scan{.table = table, .index = index, .limit = 7};
  do {
    const Page page = TRY(database.scan(scan));
    for (size_t i = 0; i < page.items.size(); ++i) out += "    " + json(page.items[i]) + "\n";
    scan.start_key = page.last_key;
  } while (scan.start_key);
  return {};
}

Result<void> tell_stream(Database& database, const std::string& table, const StreamDescription& stream,
                         std::string& out) {
  for (uint32_t shard = 0; shard < stream.shard_count; ++shard) {
    const StreamRead read = TRY(
        database.read_stream({.table = table, .stream = stream.id, .shard = shard, .from = kOldestRecord}));
    for (const ChangeEvent& event : read.events) {
      out += "    " + std::to_string(shard) + " " + std::to_string(event.sequence.stamp) + "." +
             std::to_string(event.sequence.position) + " " + std::to_string(static_cast<int>(event.kind)) +
             (event.expired ? " expired " : " ") + json(event.key);
      out += " " + (event.old_image ? json(*event.old_image) : std::string("-"));
      out += " " + (event.new_image ? json(*event.new_image) : std::string("-")) + "\n";
    }
  }
  return {};
}

Result<void> tell_table(Database& database, const std::string& name, std::string& out) {
  const TableDescription table = TRY(database.describe_table(name));
  out += "table " + name + " id=" + std::to_string(table.id) + key_text(table.key) +
         " status=" + std::to_string(static_cast<int>(table.status)) +
         " billing=" + std::to_string(static_cast<int>(table.billing)) + " " +
         std::to_string(table.throughput.read_units) + "/" + std::to_string(table.throughput.write_units) +
         " class=" + table.table_class + (table.deletion_protected ? " protected" : "") +
         " ttl=" + table.ttl_attribute + (table.ttl_enabled ? " on" : " off") +
         " created=" + std::to_string(table.created_us) + "\n";
  for (const auto& [tag, value] : table.tags) out += "  tag " + tag + "=" + value + "\n";
  if (table.status == TableStatus::kDeleting) return {};
  out += "  items " + std::to_string(table.item_count) + " bytes " + std::to_string(table.size_bytes) + "\n";
  TRY(tell_items(database, name, std::nullopt, out));
  for (const IndexDescription& index : table.indexes) {
    out += "  index " + index.name + (index.local ? " local" : " global") + key_text(index.key) +
           " projection=" + std::to_string(static_cast<int>(index.projection)) +
           " status=" + std::to_string(static_cast<int>(index.status));
    if (index.status == IndexStatus::kActive) {
      out +=
          " items " + std::to_string(index.item_count) + " bytes " + std::to_string(index.size_bytes) + "\n";
      TRY(tell_items(database, name, index.name, out));
    } else {
      out += "\n";
    }
  }
  for (const StreamDescription& stream : table.streams) {
    out += "  stream id=" + std::to_string(stream.id) +
           " view=" + std::to_string(static_cast<int>(stream.view)) + (stream.open ? " open" : " closed") +
           " shards=" + std::to_string(stream.shard_count) + "\n";
    TRY(tell_stream(database, name, stream, out));
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<Database>> open_sample(const std::string& directory, const Clock& clock) {
  auto store = TRY(store::open_rocks_store({.directory = directory}, clock));
  return api::make_local_database(std::move(store), clock, {.background_thread = false});
}

Result<void> write_first(Database& database) {
  TRY(database.create_table(orders()));
  for (int64_t i = 0; i < 40; ++i) TRY(put(database, "orders", order(i)));
  TRY(put(database, "orders", everything("all", 1)));
  TRY(database.update_time_to_live("orders", "expires", true));
  for (int64_t i = 0; i < 4; ++i) {
    Item item = order(i);
    item.set("expires", Value(kNowS - 3'600 + i * 3'630));  // the first at once, the second in half a minute
    TRY(put(database, "orders", item));
  }
  TRY(database.create_table(
      {.table = "plain", .key = {.partition = {binary("id")}}, .stream = StreamView::kKeysOnly}));
  for (int i = 0; i < 20; ++i)
    TRY(put(database, "plain",
            {{"id", Value::binary(std::string(static_cast<size_t>(i) + 1, '\0'))}, {"n", i}}));
  TRY(database.create_table({.table = "gone", .key = {.partition = {number("id")}}}));
  TRY(put(database, "gone", {{"id", 1}}));
  TRY(database.delete_table("gone"));
  return work(database);
}

TransactWriteItems transfer() {
  return {.actions = {UpdateItem{.table = "orders",
                                 .key = {{"pk", "customer#1"}, {"sk", -19'000}},
                                 .update = "ADD moved :one",
                                 .values = {{":one", 1}}},
                      PutItem{.table = "plain", .item = {{"id", Value::binary("moved")}, {"n", 1}}}},
          .token = "a-token-that-was-used"};
}

Result<void> write_second(Database& database) {
  TRY(database.transact_write_items(transfer()));
  for (int64_t i = 0; i < 40; i += 4)
    TRY(database.update_item({.table = "orders",
                              .key = {{"pk", "customer#" + std::to_string(i % 5)}, {"sk", i * 1000 - 20'000}},
                              .update = "SET due = :due REMOVE #y",
                              .names = {{"#y", "year"}},
                              .values = {{":due", "2027-02-01"}}}));
  TRY(database.delete_item({.table = "orders", .key = {{"pk", "customer#3"}, {"sk", -17'000}}}));
  // Nothing of this has been done when the database is closed.
  TRY(database.update_table({.table = "plain", .close_stream = true}));
  TRY(database.update_table({.table = "plain", .open_stream = StreamView::kOldImage}));
  TRY(put(database, "plain", {{"id", Value::binary("last")}, {"n", 99}}));
  TRY(database.update_table(
      {.table = "plain",
       .add_index = IndexDeclaration{.name = "by-n", .key = {.partition = {number("n")}}}}));
  TRY(database.create_table({.table = "going", .key = {.partition = {text("id")}}}));
  TRY(put(database, "going", {{"id", "x"}}));
  TRY(database.delete_table("going"));
  return {};
}

Result<std::string> tell(Database& database) {
  std::string out;
  for (const std::string& name : TRY(database.list_tables())) TRY(tell_table(database, name, out));
  for (int i = 0; i < 5; ++i) {
    const std::string pk = "customer#" + std::to_string(i);
    const CollectionSize size = TRY(database.collection_size("orders", {{"pk", pk}}));
    out += "collection " + pk + " " + std::to_string(size.item_count) + " " +
           std::to_string(size.size_bytes) + "\n";
  }
  return out;
}

}  // namespace sheaf::formats
