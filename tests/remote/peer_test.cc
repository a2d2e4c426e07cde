// What a program asks of a remote database, it is told as by one in its own process, whoever the endpoint is.
#include "remote/peer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <thread>

namespace sheaf::remote {
namespace {

std::vector<std::string> sorted(const ItemList& items) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < items.size(); ++i) texts.push_back(items[i].to_json());
  std::sort(texts.begin(), texts.end());
  return texts;
}

// All pages of a query or a scan, from first to last.
template <typename Request, typename Ask>
std::vector<Item> all_pages(Request request, Ask ask) {
  std::vector<Item> items;
  do {
    const Page page = ask(request);
    for (size_t i = 0; i < page.items.size(); ++i) items.emplace_back(page.items[i]);
    request.start_key = page.last_key;
  } while (request.start_key);
  return items;
}
std::vector<Item> all_pages(Database& database, const Query& request) {
  return all_pages(request, [&](const Query& query) { return must(database.query(query)); });
}
std::vector<Item> all_pages(Database& database, const Scan& request) {
  return all_pages(request, [&](const Scan& scan) { return must(database.scan(scan)); });
}

TEST_F(PeerTest, TellsWhatItCanDo) {
  create(table_of("Things", "pk"));
  EXPECT_EQ(must(find_capabilities(peer().endpoint)), peer().capabilities);
  EXPECT_EQ(must(there_->list_tables()), (Texts{"Things"})) << "nothing is left of the attempts";
}

TEST_F(PeerTest, KeepsItemsOfAllTypes) {
  create(table_of("Things", "pk", "sk"));
  const Item key{{"pk", "ключ \"1\"\n"}, {"sk", "\xf0\x9f\x8c\xbe"}};
  Item item = key;
  item.set("empty", Value(""));
  item.set("text", Value("a\\b/c\x01"));
  item.set("number", Value(*Number::parse("-1.2345678901234567890123456789012345678E-100")));
  item.set("integer", Value(int64_t{12345678901234567}));
  item.set("bytes", Value::binary(std::string_view("\0\xff\x80", 3)));
  item.set("words", Value::string_set({"a", "b"}));
  item.set("numbers", Value::number_set({Number(1), *Number::parse("2.5")}));
  item.set("blobs", Value::binary_set({"\x01", "\xff"}));
  item.set("map", Value(Item{{"list", Value::list({1, Value(Item{{"deep", true}, {"nothing", Value()}}),
                                                   Value::list({})})}}));
  put("Things", item);
  EXPECT_EQ(must(there_->get_item({.table = "Things", .key = key, .consistent = true})).item, item);
  const GetItem part{
      .table = "Things", .key = key, .projection = "#m.#l[1].deep", .names = {{"#m", "map"}, {"#l", "list"}}};
  EXPECT_EQ(must(there_->get_item(part)).item, must(here_->get_item(part)).item);
  EXPECT_EQ(must(there_->get_item({.table = "Things", .key = {{"pk", "a"}, {"sk", "b"}}})).item,
            std::nullopt);
}

TEST_F(PeerTest, ReadsPageByPage) {
  CreateTable table = table_of("Things", "pk", "sk");
  table.local_indexes = {index_of("backwards", "pk", "place")};
  table.global_indexes = {index_of("all-kinds", "kind", "sk", ProjectionKind::kKeysOnly)};
  create(table);
  const std::string padding(8000, 'x');
  for (int i = 0; i < 300; ++i) {
    char number[8];
    std::snprintf(number, sizeof number, "%04d", i);
    put("Things", {{"pk", i % 3 == 0 ? "a" : "b"},
                   {"sk", number},
                   {"kind", i % 2 == 0 ? "even" : "odd"},
                   {"n", i},
                   {"place", std::to_string(999 - i)},
                   {"padding", padding}});
  }
  const Query b{.table = "Things", .key_condition = "pk = :p", .values = {{":p", "b"}}};
  EXPECT_TRUE(must(there_->query(b)).last_key) << "more than a megabyte";
  std::vector<Query> queries(7, b);
  queries[1].descending = true;
  queries[2].limit = 7;
  queries[3].key_condition = "pk = :p AND sk BETWEEN :from AND :to";
  queries[3].values.set(":from", Value("0100"));
  queries[3].values.set(":to", Value("0200"));
  queries[4].filter = "n >= :n AND contains(kind, :v)";
  queries[4].values.set(":n", Value(150));
  queries[4].values.set(":v", Value("e"));
  queries[5].projection = "sk, n";
  queries[6] = {.table = "Things",
                .index = "all-kinds",
                .key_condition = "kind = :k AND begins_with(sk, :s)",
                .values = {{":k", "odd"}, {":s", "01"}},
                .limit = 9};
  queries.push_back({.table = "Things",
                     .index = "backwards",
                     .key_condition = "pk = :p AND place < :b",
                     .projection = "sk",
                     .values = {{":p", "a"}, {":b", "850"}}});
  for (size_t i = 0; i < queries.size(); ++i)
    EXPECT_EQ(all_pages(*there_, queries[i]), all_pages(*here_, queries[i])) << "query " << i;

  Query count = queries[3];
  count.select = Select::kCount;
  EXPECT_EQ(must(there_->query(count)).count, must(here_->query(count)).count);
  std::vector<std::string> parts, whole;
  for (uint32_t segment = 0; segment < 4; ++segment) {
    for (const Item& item :
         all_pages(*there_, Scan{.table = "Things", .limit = 50, .segment = segment, .segment_count = 4}))
      parts.push_back(item.to_json());
  }
  for (const Item& item : all_pages(*here_, Scan{.table = "Things"})) whole.push_back(item.to_json());
  std::sort(parts.begin(), parts.end());
  std::sort(whole.begin(), whole.end());
  EXPECT_EQ(parts, whole);
}

TEST_F(PeerTest, WritesAndTellsWhatWasThere) {
  create(table_of("Things", "pk"));
  const Item key{{"pk", "a"}};
  put("Things", {{"pk", "a"}, {"n", 1}, {"list", Value::list({"x"})}});
  const auto same = [&](const UpdateItem& update) {
    const Written there = must(there_->update_item(update));
    const Written here = must(here_->update_item(update));
    EXPECT_EQ(there.condition_met, here.condition_met) << *update.update;
    EXPECT_EQ(there.attributes, here.attributes) << *update.update;
  };
  for (const ReturnValues values : {ReturnValues::kNone, ReturnValues::kAllOld, ReturnValues::kUpdatedOld,
                                    ReturnValues::kAllNew, ReturnValues::kUpdatedNew}) {
    same({.table = "Things",
          .key = key,
          .update = "SET n = n + :one, #l = list_append(#l, :more) REMOVE gone ADD words :words",
          .condition = "attribute_exists(pk) AND n > :zero",
          .names = {{"#l", "list"}},
          .values =
              {{":one", 1}, {":zero", 0}, {":more", Value::list({5})}, {":words", Value::string_set({"w"})}},
          .return_values = values});
  }
  same({.table = "Things",
        .key = key,
        .update = "SET n = :n",
        .condition = "n = :n",
        .values = {{":n", -1}},
        .return_values = ReturnValues::kAllNew});
  const DeleteItem erase{.table = "Things", .key = key, .return_values = ReturnValues::kAllOld};
  EXPECT_EQ(must(there_->delete_item(erase)).attributes, must(here_->delete_item(erase)).attributes);
  const PutItem once{.table = "Things", .item = key, .condition = "attribute_not_exists(pk)"};
  EXPECT_TRUE(must(there_->put_item(once)).condition_met);
  EXPECT_FALSE(must(there_->put_item(once)).condition_met);
  EXPECT_GT(must(there_->put_item({.table = "Things", .item = key})).capacity.table, 0);
}

TEST_F(PeerTest, WritesAndReadsInBatches) {
  create(table_of("Things", "pk"));
  create(table_of("Others", "pk"));
  BatchWriteItems writes;
  BatchGetItems gets;
  for (int i = 0; i < 25; ++i) {
    const std::string table = i % 2 == 0 ? "Things" : "Others";
    const Item key{{"pk", std::to_string(i)}};
    writes.tables[table].push_back({.put = true, .item = {{"pk", std::to_string(i)}, {"n", i}}});
    gets.tables[table].keys.push_back(key);
  }
  EXPECT_TRUE(must(there_->batch_write_items(writes)).unprocessed.empty());
  must(here_->batch_write_items(writes));
  const BatchGot there = must(there_->batch_get_items(gets));
  const BatchGot here = must(here_->batch_get_items(gets));
  EXPECT_TRUE(there.unprocessed.empty());
  EXPECT_EQ(there.items.size(), 2u);
  for (const auto& [table, items] : here.items) EXPECT_EQ(sorted(there.items.at(table)), sorted(items));
  must(there_->batch_write_items({.tables = {{"Things", {{.put = false, .item = {{"pk", "0"}}}}}}}));
  EXPECT_EQ(must(there_->scan({.table = "Things"})).count, 12u);
}

TEST_F(PeerTest, RunsTransactionsOnce) {
  create(table_of("Things", "pk"));
  const auto count = [](const char* key) {
    return UpdateItem{
        .table = "Things", .key = {{"pk", key}}, .update = "ADD n :one", .values = {{":one", 1}}};
  };
  const TransactWriteItems both{.actions = {count("a"), count("b")}};
  if (!*peer().capabilities.transactions) {
    const Error error = refusal(there_->transact_write_items(both));
    EXPECT_EQ(error.code, Code::kInvalid);
    EXPECT_TRUE(error.message.starts_with("UnknownOperationException")) << error.message;
    return;
  }
  EXPECT_TRUE(must(there_->transact_write_items(both)).applied);
  const TransactWriteItems known{.actions = both.actions, .token = "a-token-of-this-test"};
  EXPECT_FALSE(must(there_->transact_write_items(known)).replayed);
  EXPECT_TRUE(must(there_->transact_write_items(known)).applied);
  const TransactGot got = must(there_->transact_get_items(
      {.gets = {{.table = "Things", .key = {{"pk", "a"}}}, {.table = "Things", .key = {{"pk", "none"}}}}}));
  EXPECT_EQ(got.items, (std::vector<std::optional<Item>>{Item{{"pk", "a"}, {"n", 2}}, std::nullopt}));

  const TransactWritten cancelled = must(there_->transact_write_items(
      {.actions = {count("a"), ConditionCheck{.table = "Things",
                                              .key = {{"pk", "b"}},
                                              .condition = "n > :n",
                                              .values = {{":n", 100}},
                                              .return_item_on_failure = true}}}));
  EXPECT_FALSE(cancelled.applied);
  ASSERT_EQ(cancelled.reasons.size(), 2u);
  EXPECT_EQ(cancelled.reasons[0].code, CancellationReason::Code::kNone);
  EXPECT_EQ(cancelled.reasons[1].code, CancellationReason::Code::kConditionalCheckFailed);
  EXPECT_EQ(cancelled.reasons[1].item, (Item{{"pk", "b"}, {"n", 2}}));
  EXPECT_EQ(refusal(there_->transact_write_items({.actions = {count("c")}, .token = known.token})).code,
            Code::kMismatch);
}

TEST_F(PeerTest, DescribesTablesAsTheyWereDeclared) {
  CreateTable table = table_of("Things", "pk", "sk");
  table.key.sort[0].type = Type::kNumber;
  table.local_indexes = {index_of("local", "pk", "l", ProjectionKind::kInclude, {"a", "b"})};
  table.global_indexes = {index_of("global", "g", "", ProjectionKind::kKeysOnly)};
  create(table);
  const auto same = [&](const TableDescription& there, const TableDescription& here) {
    EXPECT_EQ(there.name, here.name);
    EXPECT_EQ(there.key, here.key);
    EXPECT_EQ(there.billing, here.billing);
    EXPECT_EQ(there.status, TableStatus::kActive);
    ASSERT_EQ(there.indexes.size(), here.indexes.size());
    for (size_t i = 0; i < here.indexes.size(); ++i) {
      EXPECT_EQ(there.indexes[i].name, here.indexes[i].name);
      EXPECT_EQ(there.indexes[i].local, here.indexes[i].local);
      EXPECT_EQ(there.indexes[i].key, here.indexes[i].key);
      EXPECT_EQ(there.indexes[i].projection, here.indexes[i].projection);
      EXPECT_EQ(there.indexes[i].included, here.indexes[i].included);
      EXPECT_EQ(there.indexes[i].status, IndexStatus::kActive);
    }
  };
  same(must(there_->describe_table("Things")), must(here_->describe_table("Things")));

  must(there_->tag_table("Things", {{"owner", "me"}, {"stage", "test"}}));
  must(there_->untag_table("Things", {"stage"}));
  EXPECT_EQ(must(there_->describe_table("Things")).tags,
            (std::map<std::string, std::string>{{"owner", "me"}}));
  if (!*peer().capabilities.time_to_live) {
    EXPECT_EQ(refusal(there_->update_time_to_live("Things", "expires", true)).code, Code::kInvalid);
  } else {
    must(there_->update_time_to_live("Things", "expires", true));
    EXPECT_TRUE(await([&] { return must(there_->describe_table("Things")).ttl_enabled; }));
    EXPECT_EQ(must(there_->describe_table("Things")).ttl_attribute, "expires");
  }
}

TEST_F(PeerTest, AddsAndRemovesIndexes) {
  create(table_of("Things", "pk"));
  for (int i = 0; i < 10; ++i)
    put("Things", {{"pk", std::to_string(i)}, {"kind", i % 2 == 0 ? "even" : "odd"}});
  const auto index_count = [&] {
    const TableDescription table = must(there_->describe_table("Things"));
    return table.status == TableStatus::kActive ? static_cast<int>(table.indexes.size()) : -1;
  };
  const UpdateTable adding{.table = "Things", .add_index = index_of("by-kind", "kind", "pk")};
  if (!*peer().capabilities.indexes_added_later) {
    EXPECT_EQ(refusal(there_->update_table(adding)).code, Code::kInvalid);
    return;
  }
  must(there_->update_table(adding));
  ASSERT_TRUE(await([&] { return index_count() == 1; }));
  const Query odd{
      .table = "Things", .index = "by-kind", .key_condition = "kind = :k", .values = {{":k", "odd"}}};
  EXPECT_EQ(column(must(there_->query(odd)).items, "pk"), (Texts{"1", "3", "5", "7", "9"}));
  must(there_->update_table({.table = "Things", .remove_index = "by-kind"}));
  ASSERT_TRUE(await([&] { return index_count() == 0; }));
  EXPECT_EQ(refusal(there_->query(odd)).code, Code::kInvalid);
}

TEST_F(PeerTest, FindsItemsByIndexKeysOfSeveralAttributes) {
  CreateTable table = table_of("Things", "pk");
  IndexDeclaration index = index_of("by-place", "country", "year");
  index.key.partition.push_back({"city"});
  index.key.sort.push_back({"month"});
  table.global_indexes = {index};
  const Query query{.table = "Things",
                    .index = "by-place",
                    .key_condition = "country = :c AND city = :t AND #y = :y AND #m > :m",
                    .names = {{"#y", "year"}, {"#m", "month"}},
                    .values = {{":c", "at"}, {":t", "wien"}, {":y", "2025"}, {":m", "16"}}};
  if (!*peer().capabilities.multi_attribute_keys) {
    const bool can = there_->create_table(table).ok() && there_->query(query).ok();
    EXPECT_FALSE(can);
    return;
  }
  create(table);
  for (int i = 0; i < 12; ++i) {
    put("Things", {{"pk", std::to_string(i)},
                   {"country", "at"},
                   {"city", i % 2 == 0 ? "wien" : "graz"},
                   {"year", i < 6 ? "2024" : "2025"},
                   {"month", std::to_string(10 + i)}});
  }
  EXPECT_EQ(column(must(there_->query(query)).items, "pk"), (Texts{"8", "10"}));
  EXPECT_EQ(all_pages(*there_, query), all_pages(*here_, query));
}

TEST_F(PeerTest, ListsMoreTablesThanOneAnswerHolds) {
  Texts names;
  for (int i = 100; i < 204; ++i) {
    names.push_back("Table" + std::to_string(i));
    must(there_->create_table(table_of(names.back(), "pk")));
  }
  EXPECT_EQ(must(there_->list_tables()), names);
}

TEST_F(PeerTest, RefusesAsADatabaseInThisProcessDoes) {
  create(table_of("Things", "pk", "sk"));
  const auto same = [](const char* what, const auto& there, const auto& here) {
    EXPECT_EQ(refusal(there).code, refusal(here).code) << what << ": " << refusal(there).message;
  };
  const GetItem nowhere{.table = "Nowhere", .key = {{"pk", "a"}}};
  same("no table", there_->get_item(nowhere), here_->get_item(nowhere));
  const GetItem half{.table = "Things", .key = {{"pk", "a"}}};
  same("half a key", there_->get_item(half), here_->get_item(half));
  const PutItem keyless{.table = "Things", .item = {{"a", "b"}}};
  same("no key", there_->put_item(keyless), here_->put_item(keyless));
  const Query wrong{.table = "Things", .key_condition = "pk ="};
  same("no expression", there_->query(wrong), here_->query(wrong));
  same("a table twice", there_->create_table(table_of("Things", "pk")),
       here_->create_table(table_of("Things", "pk")));
  same("no table to delete", there_->delete_table("Nowhere"), here_->delete_table("Nowhere"));
  const PutItem large{.table = "Things",
                      .item = {{"pk", "a"}, {"sk", "b"}, {"large", std::string(410'000, 'x')}}};
  same("too large", there_->put_item(large), here_->put_item(large));
}

TEST_F(PeerTest, ServesManyThreads) {
  create(table_of("Counts", "pk"));
  std::atomic<int> failures = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 25; ++i) {
        const Result<Written> written = there_->update_item(
            {.table = "Counts", .key = {{"pk", "n"}}, .update = "ADD n :one", .values = {{":one", 1}}});
        if (!written.ok()) ++failures;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
  const Got got = must(there_->get_item({.table = "Counts", .key = {{"pk", "n"}}, .consistent = true}));
  EXPECT_EQ(got.item, (Item{{"pk", "n"}, {"n", 200}}));
}

}  // namespace
}  // namespace sheaf::remote
