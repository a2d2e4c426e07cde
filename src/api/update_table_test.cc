// UpdateTable, DeleteTable, time to live and tags.
#include <chrono>

#include "api/database_fixture.h"

namespace sheaf {
namespace {

class UpdateTableTest : public DatabaseTest {
 protected:
  UpdateTableTest() {
    CreateTable table = table_of("Things", "pk", "sk");
    table.local_indexes = {index_of("lsi", "pk", "l")};
    table.global_indexes = {index_of("gsi", "g")};
    create(table);
  }

  TableDescription update(const UpdateTable& change) { return must(db_->update_table(change)); }
  Error refused(const UpdateTable& change) { return refusal(db_->update_table(change)); }
  // A table that was on demand once stays ready for as much.
  static Throughput with_on_demand_warmth(Throughput throughput) {
    throughput.read_units_warm = 12'000;
    throughput.write_units_warm = 4'000;
    return throughput;
  }
  Page query_index(const std::string& index, const std::string& attribute, const Value& value) {
    return must(db_->query({.table = "Things",
                            .index = index,
                            .key_condition = attribute + " = :v",
                            .values = {{":v", value}}}));
  }
};

TEST_F(UpdateTableTest, SomethingMustChange) {
  EXPECT_EQ(
      refused({.table = "Things"}),
      invalid("At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
              "GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, "
              "MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, "
              "DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required"));
}

TEST_F(UpdateTableTest, TheTableMustExist) {
  EXPECT_EQ(refused({.table = "Nothing", .deletion_protected = true}),
            (Error{Code::kNotFound, "Requested resource not found: Table: Nothing not found"}));
  EXPECT_EQ(refusal(db_->delete_table("Nothing")),
            (Error{Code::kNotFound, "Requested resource not found: Table: Nothing not found"}));
}

TEST_F(UpdateTableTest, ProtectionKeepsATableFromBeingDeleted) {
  EXPECT_TRUE(update({.table = "Things", .deletion_protected = true}).deletion_protected);
  EXPECT_EQ(refusal(db_->delete_table("Things")),
            invalid("Resource cannot be deleted as it is currently protected against deletion. Disable "
                    "deletion protection first."));
  update({.table = "Things", .deletion_protected = false});
  must(db_->delete_table("Things"));
}

TEST_F(UpdateTableTest, KindsOfChangesAreKeptApart) {
  EXPECT_EQ(refused({.table = "Things", .billing = BillingMode::kOnDemand, .deletion_protected = true}),
            invalid_parameter("DeletionProtection modification must be the only operation in the request"));
  EXPECT_EQ(refused({.table = "Things", .table_class = "STANDARD", .close_stream = true}),
            invalid_parameter("TableClass modification must be the only operation in the request"));
  const Throughput units{.read_units = 1, .write_units = 1};
  EXPECT_EQ(refused({.table = "Things", .throughput = units, .open_stream = StreamView::kKeysOnly}),
            invalid_parameter("You cannot modify stream status while updating table IOPS"));
  EXPECT_EQ(refused({.table = "Things",
                     .billing = BillingMode::kProvisioned,
                     .throughput = units,
                     .open_stream = StreamView::kKeysOnly}),
            invalid_parameter("You cannot modify stream status while updating table IOPS"));
  EXPECT_EQ(refused({.table = "Things", .throughput = units, .remove_index = "gsi"}),
            invalid_parameter("You cannot create or delete index while updating table IOPS"));
  EXPECT_EQ(refused({.table = "Things", .remove_index = "gsi", .open_stream = StreamView::kKeysOnly}),
            invalid_parameter("You cannot create or delete index while changing stream status"));
  const Throughput warm{.read_units_warm = 13'000};
  EXPECT_EQ(
      refused({.table = "Things", .throughput = warm, .add_index = index_of("more", "m")}),
      invalid_parameter("Create global secondary index cannot be specified when updating WarmThroughput"));
  EXPECT_EQ(refused({.table = "Things", .throughput = warm, .remove_index = "gsi"}),
            invalid_parameter("WarmThroughput must be the only operation in the request"));
}

TEST_F(UpdateTableTest, OfChangesThatMustBeAloneTheClassIsNamedFirst) {
  const Throughput warm{.read_units_warm = 13'000};
  EXPECT_EQ(
      refused({.table = "Things", .throughput = warm, .deletion_protected = true, .table_class = "STANDARD"}),
      invalid_parameter("TableClass modification must be the only operation in the request"));
  EXPECT_EQ(refused({.table = "Things", .throughput = warm, .deletion_protected = true}),
            invalid_parameter("DeletionProtection modification must be the only operation in the request"));
}

TEST_F(UpdateTableTest, ThroughputFollowsTheBillingMode) {
  const Throughput five{.read_units = 5, .write_units = 5};
  const Throughput six{.read_units = 6, .write_units = 5};
  EXPECT_EQ(refused({.table = "Things", .throughput = five}),
            invalid_parameter("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when "
                              "BillingMode is PAY_PER_REQUEST"));
  EXPECT_EQ(refused({.table = "Things", .billing = BillingMode::kProvisioned}),
            invalid_parameter("ProvisionedThroughput must be specified when BillingMode is PROVISIONED"));
  EXPECT_EQ(refused({.table = "Things", .billing = BillingMode::kProvisioned, .throughput = five}),
            invalid_parameter("ProvisionedThroughput must be specified for index: gsi"));
  const TableDescription provisioned = update({.table = "Things",
                                               .billing = BillingMode::kProvisioned,
                                               .throughput = five,
                                               .index_throughput = {{"gsi", five}}});
  EXPECT_EQ(provisioned.billing, BillingMode::kProvisioned);
  EXPECT_EQ(provisioned.throughput, with_on_demand_warmth(five));

  EXPECT_EQ(
      refused({.table = "Things", .throughput = five}),
      invalid("The provisioned throughput for the table will not change. The requested value equals the "
              "current value. Current ReadCapacityUnits provisioned for the table: 5. Requested "
              "ReadCapacityUnits: 5. Current WriteCapacityUnits provisioned for the table: 5. Requested "
              "WriteCapacityUnits: 5. Refer to the Amazon DynamoDB Developer Guide for current limits "
              "and how to request higher limits."));
  EXPECT_EQ(update({.table = "Things", .throughput = six}).throughput, with_on_demand_warmth(six));
  EXPECT_EQ(refused({.table = "Things", .index_throughput = {{"gsi", five}}}).message.substr(0, 62),
            "The provisioned throughput for the index gsi will not change. ");
  EXPECT_EQ(
      refused({.table = "Things", .add_index = index_of("more", "m")}),
      invalid_parameter("Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: more"));

  const TableDescription back = update({.table = "Things", .billing = BillingMode::kOnDemand});
  EXPECT_EQ(back.throughput, Throughput{});
  EXPECT_EQ(back.indexes[1].throughput, Throughput{});
  EXPECT_EQ(
      refused({.table = "Things", .index_throughput = {{"gsi", five}}}),
      invalid_parameter("The only Updates for index: gsi when TableThroughputMode is PAY_PER_REQUEST can "
                        "be to OnDemandThroughput, WarmThroughput"));
}

TEST_F(UpdateTableTest, AnIndexIsFilledFromTheItemsThatAreThere) {
  for (int i = 0; i < 1000; ++i) {
    put("Things", {{"pk", "p" + std::to_string(i % 7)},
                   {"sk", std::to_string(i)},
                   {"kind", i % 2 == 0 ? "even" : "odd"},
                   {"rank", i}});
  }
  IndexDeclaration wanted = index_of("by_kind", "kind", "rank", ProjectionKind::kKeysOnly);
  wanted.key.sort[0].type = Type::kNumber;
  const TableDescription begun = update({.table = "Things", .add_index = wanted});
  EXPECT_EQ(begun.status, TableStatus::kUpdating);
  EXPECT_EQ(begun.indexes.back().status, IndexStatus::kCreating);
  EXPECT_EQ(
      refusal(db_->query(
          {.table = "Things", .index = "by_kind", .key_condition = "kind = :v", .values = {{":v", "even"}}})),
      invalid("Cannot read from backfilling global secondary index: by_kind"));
  // Writers do not wait for the filling.
  must(db_->delete_item({.table = "Things", .key = {{"pk", "p0"}, {"sk", "0"}}}));
  put("Things", {{"pk", "p1"}, {"sk", "1"}, {"kind", "even"}, {"rank", 1}});
  put("Things", {{"pk", "new"}, {"sk", "1"}, {"kind", "even"}, {"rank", -1}});

  EXPECT_TRUE(must(db_->run_background_work()));
  EXPECT_GT(must(db_->describe_table("Things")).indexes.back().items_filled, 0);
  settle();
  const TableDescription done = must(db_->describe_table("Things"));
  EXPECT_EQ(done.status, TableStatus::kActive);
  EXPECT_EQ(done.indexes.back().status, IndexStatus::kActive);
  EXPECT_EQ(done.indexes.back().item_count, 1000);
  const Page even = query_index("by_kind", "kind", "even");
  EXPECT_EQ(even.count, 501u);
  EXPECT_EQ(column(even.items, "rank")[0], "-1");
  EXPECT_EQ(column(even.items, "rank")[1], "1");
  EXPECT_EQ(column(even.items, "rank")[2], "2");
}

TEST_F(UpdateTableTest, FillingLeavesOutWhatTheIndexCannotHold) {
  put("Things", {{"pk", "a"}, {"sk", "1"}, {"late", "text"}});
  put("Things", {{"pk", "a"}, {"sk", "2"}, {"late", 5}});
  put("Things", {{"pk", "a"}, {"sk", "3"}, {"late", ""}});
  put("Things", {{"pk", "a"}, {"sk", "4"}, {"late", std::string(2049, 'x')}});
  put("Things", {{"pk", "a"}, {"sk", "5"}});
  update({.table = "Things", .add_index = index_of("by_late", "late")});
  settle();
  EXPECT_EQ(must(db_->describe_table("Things")).indexes.back().item_count, 1);
  EXPECT_EQ(must(db_->scan({.table = "Things", .index = "by_late"})).count, 1u);

  // Such an item can still be updated where it does not concern the index.
  must(db_->update_item({.table = "Things",
                         .key = {{"pk", "a"}, {"sk", "2"}},
                         .update = "SET note = :v",
                         .values = {{":v", 1}}}));
  for (const Item& same : {Item{{"pk", "a"}, {"sk", "2"}, {"late", 5}, {"note", 1}},
                           Item{{"pk", "a"}, {"sk", "2"}, {"late", 5}}}) {
    EXPECT_EQ(refusal(db_->put_item({.table = "Things", .item = same})),
              invalid_parameter("Type mismatch for Index Key late Expected: S Actual: N IndexName: by_late"));
  }
}

TEST_F(UpdateTableTest, AnIndexThatIsRemovedCannotBeUsed) {
  put("Things", {{"pk", "a"}, {"sk", "1"}, {"g", "x"}});
  EXPECT_EQ(update({.table = "Things", .remove_index = "gsi"}).indexes[1].status, IndexStatus::kDeleting);
  const Query query{.table = "Things", .index = "gsi", .key_condition = "g = :g", .values = {{":g", "x"}}};
  EXPECT_EQ(refusal(db_->query(query)), invalid("The table does not have the specified index: gsi"));
  put("Things", {{"pk", "a"}, {"sk", "1"}, {"g", 7}});  // its key attribute is free
  settle();
  EXPECT_EQ(must(db_->describe_table("Things")).indexes.size(), 1u);
  EXPECT_EQ(refusal(db_->query(query)), invalid("The table does not have the specified index: gsi"));
  // The name can be used again, and begins empty.
  update({.table = "Things", .add_index = index_of("gsi", "other")});
  settle();
  EXPECT_EQ(must(db_->scan({.table = "Things", .index = "gsi"})).count, 0u);
}

TEST_F(UpdateTableTest, IndexChangesNameWhatIsWrongWithThem) {
  EXPECT_EQ(refused({.table = "Things", .add_index = index_of("gsi", "h")}),
            invalid("Attempting to create an index which already exists"));
  EXPECT_EQ(refused({.table = "Things", .remove_index = "ghost"}),
            (Error{Code::kNotFound, "Requested resource not found: Index ghost for table Things"}));
  EXPECT_EQ(refused({.table = "Things", .remove_index = "lsi"}),
            invalid_parameter("Cannot delete an index that is not a GlobalSecondaryIndex: lsi"));
  EXPECT_EQ(refused({.table = "Things", .add_index = index_of("more", "m"), .remove_index = "gsi"}),
            (Error{Code::kLimitExceeded,
                   "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously "
                   "per table"}));
  IndexDeclaration other_type = index_of("more", "g");
  other_type.key.partition[0].type = Type::kNumber;
  EXPECT_EQ(refused({.table = "Things", .add_index = other_type}),
            invalid_parameter("Attributes cannot be redefined. Please check that your attribute has the same "
                              "type as previously defined. Existing schema: Schema:[SchemaElement: "
                              "key{g:S:HASH}] New schema: Schema:[SchemaElement: key{g:N:HASH}]"));
  EXPECT_EQ(refused({.table = "Things", .add_index = index_of("more", "m", "", ProjectionKind::kInclude)}),
            invalid_parameter("ProjectionType is INCLUDE, but NonKeyAttributes is not specified"));
}

// A13, G5: the limit holds for indexes that are added later, too.
TEST_F(UpdateTableTest, TheTwentyFirstGlobalIndexIsRefused) {
  for (int i = 1; i < 20; ++i) {
    const std::string number = std::to_string(i);
    update({.table = "Things", .add_index = index_of("gsi" + number, ("g" + number).c_str())});
    settle();
  }
  EXPECT_EQ(refused({.table = "Things", .add_index = index_of("gsi20", "g20")}),
            (Error{Code::kLimitExceeded,
                   "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of "
                   "20"}));
}

TEST_F(UpdateTableTest, OneIndexAtATimeIsMadeOrRemoved) {
  update({.table = "Things", .add_index = index_of("one", "x")});
  const Error one_only{Code::kLimitExceeded,
                       "Subscriber limit exceeded: Only 1 online index can be created or deleted "
                       "simultaneously per table"};
  EXPECT_EQ(refused({.table = "Things", .add_index = index_of("two", "y")}), one_only);
  EXPECT_EQ(refused({.table = "Things", .remove_index = "gsi"}), one_only);
  settle();
  update({.table = "Things", .add_index = index_of("two", "y")});
}

TEST_F(UpdateTableTest, AnIndexThatIsBeingFilledCanBeGivenUp) {
  for (int i = 0; i < 300; ++i) put("Things", {{"pk", "p"}, {"sk", std::to_string(i)}, {"x", "y"}});
  update({.table = "Things", .add_index = index_of("one", "x")});
  EXPECT_TRUE(must(db_->run_background_work()));
  EXPECT_EQ(update({.table = "Things", .remove_index = "one"}).indexes.back().status, IndexStatus::kDeleting);
  settle();
  EXPECT_EQ(must(db_->describe_table("Things")).indexes.size(), 2u);
  update({.table = "Things", .add_index = index_of("one", "x")});
  settle();
  EXPECT_EQ(must(db_->describe_table("Things")).indexes.back().item_count, 300);
}

TEST_F(UpdateTableTest, ATableWhoseIndexesChangeIsNotDeleted) {
  const Error busy{
      Code::kInUse,
      "Attempt to change a resource which is still in use: Cannot delete table while indexes are "
      "being created, updated, or deleted."};
  update({.table = "Things", .add_index = index_of("one", "x")});
  EXPECT_EQ(refusal(db_->delete_table("Things")), busy);
  settle();
  update({.table = "Things", .remove_index = "one"});
  EXPECT_EQ(refusal(db_->delete_table("Things")), busy);
  settle();
  must(db_->delete_table("Things"));
}

TEST_F(UpdateTableTest, MaximaGoWithOnDemandBilling) {
  EXPECT_EQ(update({.table = "Things", .throughput = Throughput{.read_units_max = 5, .write_units_max = 6}})
                .throughput,
            (Throughput{.read_units_max = 5, .write_units_max = 6}));
  EXPECT_EQ(update({.table = "Things", .throughput = Throughput{.write_units_max = -1}}).throughput,
            (Throughput{.read_units_max = 5}));
  const Throughput five{.read_units = 5, .write_units = 5};
  EXPECT_EQ(update({.table = "Things",
                    .billing = BillingMode::kProvisioned,
                    .throughput = five,
                    .index_throughput = {{"gsi", five}}})
                .throughput,
            with_on_demand_warmth(five));
  EXPECT_EQ(refused({.table = "Things", .throughput = Throughput{.read_units_max = 5}}),
            invalid_parameter("MaxReadRequestUnits for OnDemandThroughput cannot be specified when the "
                              "table BillingMode is PROVISIONED"));
  EXPECT_EQ(
      refused({.table = "Things", .index_throughput = {{"gsi", {.write_units_max = 5}}}}),
      invalid_parameter("MaxWriteRequestUnits for OnDemandThroughput for index : gsi cannot be specified "
                        "when the table BillingMode is PROVISIONED"));
}

TEST_F(UpdateTableTest, AStreamIsOpenedAndClosedOnce) {
  EXPECT_EQ(refused({.table = "Things", .close_stream = true}),
            invalid("Table has no stream to disable: TableName: Things"));
  const TableDescription opened = update({.table = "Things", .open_stream = StreamView::kOldImage});
  EXPECT_EQ(opened.streams.back().view, StreamView::kOldImage);
  EXPECT_EQ(refused({.table = "Things", .open_stream = StreamView::kNewImage}),
            invalid("Table already has an enabled stream: TableName: Things"));
  EXPECT_FALSE(update({.table = "Things", .close_stream = true}).streams.back().open);
  const TableDescription again = update({.table = "Things", .open_stream = StreamView::kKeysOnly});
  ASSERT_EQ(again.streams.size(), 2u);
  EXPECT_NE(again.streams[0].id, again.streams[1].id);
}

TEST_F(UpdateTableTest, ADeletedTableIsGoneAndItsNameIsFreeOnceItIsCleared) {
  put("Things", {{"pk", "a"}, {"sk", "1"}});
  const uint32_t id = must(db_->describe_table("Things")).id;
  EXPECT_EQ(must(db_->delete_table("Things")).status, TableStatus::kDeleting);
  const PutItem write{.table = "Things", .item = {{"pk", "a"}, {"sk", "1"}}};
  EXPECT_EQ(refusal(db_->put_item(write)), no_table());
  EXPECT_EQ(refusal(db_->get_item({.table = "Things", .key = {{"pk", "a"}, {"sk", "1"}}})), no_table());
  EXPECT_EQ(refusal(db_->create_table(table_of("Things", "pk", "sk"))).code, Code::kInUse);
  EXPECT_EQ(refusal(db_->delete_table("Things")),
            (Error{Code::kInUse,
                   "Attempt to change a resource which is still in use: Table is being deleted: Things"}));
  EXPECT_EQ(must(db_->describe_table("Things")).status, TableStatus::kDeleting);
  settle();
  EXPECT_TRUE(must(db_->list_tables()).empty());
  EXPECT_NE(create(table_of("Things", "pk", "sk")).id, id);
  EXPECT_EQ(get("Things", {{"pk", "a"}, {"sk", "1"}}), std::nullopt);
}

TEST_F(UpdateTableTest, TimeToLiveHasOneAttributeAtATime) {
  const auto set = [&](const char* attribute, bool enabled) {
    return db_->update_time_to_live("Things", attribute, enabled);
  };
  EXPECT_EQ(refusal(set("ttl", false)), invalid("TimeToLive is already disabled"));
  EXPECT_EQ(refusal(set("", true)),
            invalid("1 validation error detected: Value '' at 'timeToLiveSpecification.attributeName' failed "
                    "to satisfy constraint: Member must have length greater than or equal to 1"));
  must(set("ttl", true));
  EXPECT_EQ(must(db_->describe_table("Things")).ttl_attribute, "ttl");
  EXPECT_EQ(refusal(set("ttl", true)), invalid("TimeToLive is already enabled"));
  const Error other =
      invalid("TimeToLive is active on a different AttributeName: current AttributeName is ttl");
  EXPECT_EQ(refusal(set("other", true)), other);
  EXPECT_EQ(refusal(set("other", false)), other);
  must(set("ttl", false));
  EXPECT_FALSE(must(db_->describe_table("Things")).ttl_enabled);
  must(set("other", true));
  EXPECT_EQ(refusal(db_->update_time_to_live("Nothing", "ttl", true)).code, Code::kNotFound);
}

TEST_F(UpdateTableTest, ItemsGoWhenTheirTimeHasCome) {
  const int64_t now_s =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
          .count();
  put("Things", {{"pk", "a"}, {"sk", "before"}, {"ttl", now_s - 10}, {"g", "x"}});
  must(db_->update_time_to_live("Things", "ttl", true));
  put("Things", {{"pk", "a"}, {"sk", "past"}, {"ttl", now_s - 10}, {"g", "x"}});
  put("Things", {{"pk", "a"}, {"sk", "future"}, {"ttl", now_s + 1000}, {"g", "x"}});
  put("Things", {{"pk", "a"}, {"sk", "text"}, {"ttl", std::to_string(now_s - 10)}, {"g", "x"}});
  put("Things", {{"pk", "a"}, {"sk", "ancient"}, {"ttl", now_s - int64_t{6} * 365 * 86400}, {"g", "x"}});
  put("Things", {{"pk", "a"}, {"sk", "saved"}, {"ttl", now_s - 10}, {"g", "x"}});
  put("Things", {{"pk", "a"}, {"sk", "saved"}, {"ttl", now_s + 1000}, {"g", "x"}});
  settle();
  const Page left =
      must(db_->query({.table = "Things", .key_condition = "pk = :p", .values = {{":p", "a"}}}));
  EXPECT_EQ(column(left.items, "sk"), (Texts{"ancient", "future", "saved", "text"}));
  EXPECT_EQ(query_index("gsi", "g", "x").count, 4u);
  EXPECT_EQ(must(db_->describe_table("Things")).item_count, 4);
}

TEST_F(UpdateTableTest, TagsAreAddedReplacedAndRemoved) {
  must(db_->tag_table("Things", {{"a", "1"}, {"b", "2"}}));
  must(db_->tag_table("Things", {{"b", "3"}}));
  must(db_->untag_table("Things", {"a", "never"}));
  EXPECT_EQ(must(db_->describe_table("Things")).tags, (std::map<std::string, std::string>{{"b", "3"}}));
  std::map<std::string, std::string> many;
  for (int i = 0; i < 50; ++i) many["k" + std::to_string(i)] = "v";
  EXPECT_EQ(refusal(db_->tag_table("Things", many)),
            invalid("Number of Tags exceed the current limit for the provided ResourceArn"));
  EXPECT_EQ(must(db_->describe_table("Things")).tags.size(), 1u);
}

}  // namespace
}  // namespace sheaf
