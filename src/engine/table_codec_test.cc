#include <gtest/gtest.h>

#include "engine/engine_fixture.h"
#include "engine/table.h"

namespace sheaf::engine {
namespace {

// Every setting differs from its default, and from its neighbours.
TableSettings every_setting() {
  TableSettings settings =
      table_settings("orders", {.partition = {text_key("PK")}, .sort = {number_key("SK")}});
  settings.id = 11;
  IndexSettings local = local_index("by-due", binary_key("due"), ProjectionKind::kKeysOnly);
  local.id = 12;
  IndexSettings global = global_index("by-place",
                                      {.partition = {text_key("a"), number_key("b")},
                                       .sort = {binary_key("c"), text_key("d"), text_key("e")}},
                                      ProjectionKind::kInclude, {"total", "status"});
  global.id = 4'000'000'000;
  global.status = IndexStatus::kCreating;
  global.throughput = {.read_units = 1,
                       .write_units = 2,
                       .read_units_max = 3,
                       .write_units_max = 4,
                       .read_units_warm = 9,
                       .write_units_warm = 10};
  global.throughput_changes = {.raised_us = 500, .lowered_us = 600, .lowered_that_day = 7};
  global.insights = {
      .enabled = true, .mode = InsightsMode::kThrottledKeys, .changed_us = 1300, .enabled_us = 1400};
  settings.indexes = {local, global};
  settings.streams = {
      {.id = 14, .view = StreamView::kKeysOnly, .shard_bits = 5, .created_us = 100, .closed_us = 200},
      {.id = 15, .view = StreamView::kNewImage, .created_us = 300}};
  settings.ttl = {.attribute = "expires", .enabled = true, .changed_us = 400, .id = 16};
  settings.billing = BillingMode::kProvisioned;
  settings.on_demand_since_us = 700;
  settings.throughput = {.read_units = 5,
                         .write_units = 6,
                         .read_units_max = 7,
                         .write_units_max = 8,
                         .read_units_warm = 11,
                         .write_units_warm = 12};
  settings.throughput_changes = {.raised_us = 800, .lowered_us = 900, .lowered_that_day = 10};
  settings.table_class = "STANDARD_INFREQUENT_ACCESS";
  settings.class_changed_us = 1000;
  settings.deletion_protected = true;
  settings.insights = {
      .enabled = true, .mode = InsightsMode::kThrottledKeys, .changed_us = 1100, .enabled_us = 1200};
  settings.tags = {{"team", "sales"}, {"empty", ""}};
  settings.created_us = kTestStartUs;
  settings.status = TableStatus::kDeleting;
  return settings;
}

Result<TableSettings> decode(const Item& item) { return decode_settings(std::string(item.encoded())); }

TEST(TableCodec, EverySettingReadsBack) {
  const Result<TableSettings> read = decode(encode_settings(every_setting()));
  ASSERT_TRUE(read.ok()) << outcome_of(read);
  EXPECT_EQ(*read, every_setting());
}

TEST(TableCodec, TheSmallestTableReadsBack) {
  const TableSettings smallest = table_settings("t", {.partition = {text_key("PK")}, .sort = {}});
  const Result<TableSettings> read = decode(encode_settings(smallest));
  ASSERT_TRUE(read.ok()) << outcome_of(read);
  EXPECT_EQ(*read, smallest);
}

TEST(TableCodec, EveryEnumeratorReadsBack) {
  TableSettings settings = every_setting();
  const auto expect_same = [&] {
    const Result<TableSettings> read = decode(encode_settings(settings));
    ASSERT_TRUE(read.ok()) << outcome_of(read);
    EXPECT_EQ(*read, settings);
  };
  for (const auto projection : {ProjectionKind::kAll, ProjectionKind::kKeysOnly, ProjectionKind::kInclude}) {
    settings.indexes[0].projection = projection;
    expect_same();
  }
  for (const auto status : {IndexStatus::kCreating, IndexStatus::kActive, IndexStatus::kDeleting}) {
    settings.indexes[0].status = status;
    expect_same();
  }
  for (const auto view :
       {StreamView::kKeysOnly, StreamView::kNewImage, StreamView::kOldImage, StreamView::kNewAndOldImages}) {
    settings.streams[0].view = view;
    expect_same();
  }
  for (const auto billing : {BillingMode::kProvisioned, BillingMode::kOnDemand}) {
    settings.billing = billing;
    expect_same();
  }
  for (const auto mode : {InsightsMode::kAccessedAndThrottledKeys, InsightsMode::kThrottledKeys}) {
    settings.insights.mode = mode;
    expect_same();
  }
  for (const auto status : {TableStatus::kActive, TableStatus::kUpdating, TableStatus::kDeleting}) {
    settings.status = status;
    expect_same();
  }
}

// A later version may add settings; this one reads what it knows.
TEST(TableCodec, SettingsFromTheFutureAreIgnored) {
  Item item = encode_settings(every_setting());
  item.set("encryption", Value(Item{{"key", "k"}}));
  std::vector<Value> indexes;
  for (const ValueView each : item.find("indexes")->list()) {
    Item index(each.map());
    index.set("compression", Value(true));
    indexes.emplace_back(index);
  }
  item.set("indexes", Value::list(indexes));
  const Result<TableSettings> read = decode(item);
  ASSERT_TRUE(read.ok()) << outcome_of(read);
  EXPECT_EQ(*read, every_setting());
}

// Data directories of the first versions do not have them.
constexpr std::string_view kLaterSettings[] = {"on_demand_since_us", "throughput_changes", "class_changed_us",
                                               "insights"};

TEST(TableCodec, LaterSettingsMayBeMissing) {
  Item item = encode_settings(every_setting());
  for (const std::string_view name : kLaterSettings) item.remove(name);
  std::vector<Value> indexes;
  for (const ValueView each : item.find("indexes")->list()) {
    Item index(each.map());
    index.remove("throughput_changes");
    index.remove("insights");
    indexes.emplace_back(index);
  }
  item.set("indexes", Value::list(indexes));
  Item throughput(item.find("throughput")->map());
  throughput.remove("read_warm");
  throughput.remove("write_warm");
  item.set("throughput", Value(throughput));

  TableSettings expected = every_setting();
  expected.on_demand_since_us = expected.class_changed_us = 0;
  expected.throughput_changes = expected.indexes[1].throughput_changes = {};
  expected.insights = expected.indexes[1].insights = {};
  expected.throughput.read_units_warm = expected.throughput.write_units_warm = 0;
  const Result<TableSettings> read = decode(item);
  ASSERT_TRUE(read.ok()) << outcome_of(read);
  EXPECT_EQ(*read, expected);
}

TEST(TableCodec, AMissingSettingIsNamed) {
  const Item whole = encode_settings(every_setting());
  for (const Attribute attribute : whole.view()) {
    if (std::find(std::begin(kLaterSettings), std::end(kLaterSettings), attribute.name) !=
        std::end(kLaterSettings))
      continue;
    Item item = whole;
    item.remove(attribute.name);
    const Result<TableSettings> read = decode(item);
    ASSERT_FALSE(read.ok()) << attribute.name;
    EXPECT_EQ(read.error(),
              (Error{Code::kCorrupt, "a table's settings lack " + std::string(attribute.name)}));
  }
}

TEST(TableCodec, ASettingOfAnotherTypeIsRefused) {
  const Item whole = encode_settings(every_setting());
  for (const Attribute attribute : whole.view()) {
    Item item = whole;
    item.set(attribute.name, Value());
    EXPECT_EQ(outcome_of(decode(item)), "a table's settings lack " + std::string(attribute.name));
  }
}

// Replaces one attribute of the first element of a list.
Item with_first(Item item, std::string_view list, std::string_view name, const Value& value) {
  std::vector<Value> elements;
  for (const ValueView each : item.find(list)->list()) elements.emplace_back(each);
  Item first(elements.front().view().map());
  first.set(name, value);
  elements.front() = Value(first);
  item.set(list, Value::list(elements));
  return item;
}

TEST(TableCodec, ValuesThatNoVersionWritesAreRefused) {
  const Item whole = encode_settings(every_setting());
  const auto refusal = [](const Item& item) {
    const Result<TableSettings> read = decode(item);
    return read.ok() ? "ok" : read.error().code == Code::kCorrupt ? "corrupt" : read.error().message;
  };
  EXPECT_EQ(refusal(whole), "ok");
  EXPECT_EQ(refusal(with_first(whole, "streams", "shard_bits", Value(0))), "ok");
  EXPECT_EQ(refusal(with_first(whole, "streams", "shard_bits", Value(7))), "ok");
  EXPECT_EQ(refusal(with_first(whole, "streams", "shard_bits", Value(8))), "corrupt");
  Item item = whole;
  item.set("status", Value(3));
  EXPECT_EQ(refusal(item), "corrupt");
  item.set("status", Value(-1));
  EXPECT_EQ(refusal(item), "corrupt");
  item.set("status", Value(*Number::parse("0.5")));
  EXPECT_EQ(refusal(item), "corrupt");
  EXPECT_EQ(refusal(with_first(whole, "indexes", "id", Value(int64_t{1} << 32))), "corrupt");
  EXPECT_EQ(refusal(with_first(whole, "indexes", "id", Value(-1))), "corrupt");
  EXPECT_EQ(refusal(with_first(whole, "indexes", "projection", Value(3))), "corrupt");
  EXPECT_EQ(refusal(with_first(whole, "indexes", "included", Value::list({1}))), "corrupt");
  EXPECT_EQ(refusal(with_first(whole, "streams", "view", Value(4))), "corrupt");
  for (const Type type : {Type::kNull, Type::kBool, Type::kMap, Type::kNumberSet}) {
    EXPECT_EQ(refusal(with_first(whole, "partition", "type", Value(static_cast<int>(type)))), "corrupt");
  }
  item = whole;
  for (const char* name : {"mode", "changed_us", "enabled"}) {
    Item insights(whole.find("insights")->map());
    insights.set(name, Value("text"));
    item.set("insights", Value(insights));
    EXPECT_EQ(refusal(item), "corrupt") << name;
  }
  for (const auto& [mode, expected] :
       {std::pair(-1, "corrupt"), std::pair(0, "ok"), std::pair(1, "ok"), std::pair(2, "corrupt")}) {
    Item insights(whole.find("insights")->map());
    insights.set("mode", Value(mode));
    item.set("insights", Value(insights));
    EXPECT_EQ(refusal(item), expected) << mode;
  }
  item = whole;
  item.set("tags", Value(Item{{"team", 7}}));
  EXPECT_EQ(refusal(item), "corrupt");
  item.set("tags", whole.find("tags").value());
  item.set("sort", Value::list({"SK"}));
  EXPECT_EQ(refusal(item), "corrupt");
}

TEST(TableCodec, DamagedBytesAreRefused) {
  const std::string whole(encode_settings(every_setting()).encoded());
  EXPECT_FALSE(decode_settings("").ok());
  for (size_t length = 1; length < whole.size(); ++length) {
    EXPECT_FALSE(decode_settings(whole.substr(0, length)).ok()) << length;
  }
  EXPECT_FALSE(decode_settings(whole + '\0').ok());
}

TEST(Table, KnowsItsKeysPrefixesAndIndexes) {
  const Table table(every_setting(), store::Version{7});
  EXPECT_EQ(table.catalog_key, table_catalog_key("orders"));
  EXPECT_EQ(table.item_prefix, space_key(store::Space::kItems, 11));
  ASSERT_NE(table.find_index("by-due"), nullptr);
  EXPECT_EQ(table.find_index("by-due")->prefix, space_key(store::Space::kIndexes, 12));
  EXPECT_EQ(table.find_index("by-nothing"), nullptr);
  EXPECT_EQ(table.settings.find_index("by-place")->id, 4'000'000'000);
  EXPECT_EQ(table.settings.find_index("by-nothing"), nullptr);
  EXPECT_TRUE(contains(table.settings.key, "PK"));
  EXPECT_TRUE(contains(table.settings.key, "SK"));
  EXPECT_FALSE(contains(table.settings.key, "due"));
}

TEST(Table, AnIndexHoldsTheKeysOfBothAndWhatItIncludes) {
  TableSettings settings = every_setting();
  settings.indexes.push_back(global_index("everything", {.partition = {text_key("x")}, .sort = {}}));
  const Table table(settings, store::Version{1});
  const Index& keys_only = *table.find_index("by-due");
  for (const std::string_view name : {"PK", "SK", "due"}) EXPECT_TRUE(keys_only.projects(name)) << name;
  EXPECT_FALSE(keys_only.projects("total"));
  const Index& including = *table.find_index("by-place");
  for (const std::string_view name : {"PK", "SK", "a", "b", "c", "d", "e", "total", "status"}) {
    EXPECT_TRUE(including.projects(name)) << name;
  }
  EXPECT_FALSE(including.projects("due"));
  EXPECT_TRUE(table.find_index("everything")->projects("due"));
}

TEST(Table, OnlyTheLastStreamCanBeOpen) {
  TableSettings settings = every_setting();
  ASSERT_NE(settings.open_stream(), nullptr);
  EXPECT_EQ(settings.open_stream()->id, 15u);
  settings.streams.back().closed_us = 500;
  EXPECT_EQ(settings.open_stream(), nullptr);
  settings.streams.clear();
  EXPECT_EQ(settings.open_stream(), nullptr);
}

TEST(Table, KnowsWhetherItsCollectionsAreLimited) {
  TableSettings settings = every_setting();
  EXPECT_TRUE(settings.has_local_index());
  settings.indexes.erase(settings.indexes.begin());
  EXPECT_FALSE(settings.has_local_index());
}

}  // namespace
}  // namespace sheaf::engine
