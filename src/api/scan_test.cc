// Scan: everything once, in parts, and what is refused.
#include <set>

#include "api/database_fixture.h"

namespace sheaf {
namespace {

constexpr int kItems = 400;

class ScanTest : public DatabaseTest {
 protected:
  ScanTest() {
    CreateTable table = table_of("Things", "pk", "sk");
    table.global_indexes = {index_of("gsi", "g", "", ProjectionKind::kKeysOnly)};
    create(table);
    for (int i = 0; i < kItems; ++i) {
      Item item{{"pk", "p" + std::to_string(i / 4)}, {"sk", std::to_string(i % 4)}, {"v", i}};
      if (i % 2 == 0) item.set("g", Value("g" + std::to_string(i % 10)));
      put("Things", item);
    }
  }
  // All pages of a scan, every item once.
  std::set<std::string> all(Scan request) {
    request.table = "Things";
    std::set<std::string> seen;
    do {
      const Page page = must(db_->scan(request));
      for (const Item& item : items_of(page.items)) EXPECT_TRUE(seen.insert(item.to_json()).second);
      request.start_key = page.last_key;
    } while (request.start_key);
    return seen;
  }
  Error refused(Scan request) {
    request.table = "Things";
    return refusal(db_->scan(request));
  }
};

TEST_F(ScanTest, ReturnsEveryItemOnce) {
  EXPECT_EQ(all({}).size(), static_cast<size_t>(kItems));
  EXPECT_EQ(all({.limit = 7}), all({}));
  EXPECT_EQ(all({.index = "gsi"}).size(), static_cast<size_t>(kItems / 2));
  EXPECT_EQ(all({.index = "gsi", .limit = 3}), all({.index = "gsi"}));
}

TEST_F(ScanTest, SegmentsAreDisjointAndComplete) {
  for (const uint32_t count : {1u, 2u, 3u, 16u, 1'000'000u}) {
    std::set<std::string> seen;
    size_t sum = 0;
    for (uint32_t segment = 0; segment < std::min(count, 16u); ++segment) {
      const std::set<std::string> part = all({.limit = 11, .segment = segment, .segment_count = count});
      sum += part.size();
      seen.insert(part.begin(), part.end());
    }
    EXPECT_EQ(seen.size(), sum);
    if (count <= 16) {
      EXPECT_EQ(sum, static_cast<size_t>(kItems));
    }
  }
  EXPECT_EQ(all({.index = "gsi", .segment = 0, .segment_count = 2}).size() +
                all({.index = "gsi", .segment = 1, .segment_count = 2}).size(),
            static_cast<size_t>(kItems / 2));
}

TEST_F(ScanTest, ACollectionStaysInOneSegmentAndInOrder) {
  const Page page = must(db_->scan({.table = "Things"}));
  const Texts partitions = column(page.items, "pk");
  const Texts sorts = column(page.items, "sk");
  for (size_t i = 0; i < partitions.size(); i += 4) {
    EXPECT_EQ(partitions[i], partitions[i + 3]);
    EXPECT_EQ(sorts[i], "0");
    EXPECT_EQ(sorts[i + 3], "3");
  }
}

TEST_F(ScanTest, FiltersMayNameKeys) {
  const Page page = must(
      db_->scan({.table = "Things", .filter = "pk = :p AND v > :v", .values = {{":p", "p1"}, {":v", 5}}}));
  EXPECT_EQ(page.count, 2u);
  EXPECT_EQ(page.scanned_count, static_cast<uint32_t>(kItems));
}

TEST_F(ScanTest, ProjectsAndCounts) {
  const Page page = must(db_->scan({.table = "Things",
                                    .filter = "v = :v",
                                    .projection = "#v",
                                    .names = {{"#v", "v"}},
                                    .values = {{":v", 9}}}));
  EXPECT_EQ(items_of(page.items), (std::vector<Item>{{{"v", 9}}}));
  const Page counted = must(db_->scan({.table = "Things", .select = Select::kCount}));
  EXPECT_EQ(counted.count, static_cast<uint32_t>(kItems));
  EXPECT_TRUE(counted.items.empty());
}

TEST_F(ScanTest, SelectAndProjectionMustFit) {
  EXPECT_EQ(refused({.select = Select::kAllProjected}),
            invalid("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"));
  EXPECT_EQ(refused({.projection = "v", .select = Select::kCount}),
            invalid("Cannot specify the ProjectionExpression when choosing to get only the Count"));
  EXPECT_EQ(refused({.select = Select::kSpecificAttributes}),
            invalid("Must specify the AttributesToGet or ProjectionExpression when choosing to get "
                    "SPECIFIC_ATTRIBUTES"));
}

TEST_F(ScanTest, SegmentsComeInPairsAndBounds) {
  EXPECT_EQ(refused({.segment = 0}),
            invalid("The TotalSegments parameter is required but was not present in the "
                    "request when Segment parameter is present"));
  EXPECT_EQ(refused({.segment_count = 2}),
            invalid("The Segment parameter is required but was not present in the request when parameter "
                    "TotalSegments is present"));
  EXPECT_EQ(
      refused({.segment = 5, .segment_count = 5}),
      invalid("The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 5 "
              "is not less than TotalSegments: 5"));
  EXPECT_EQ(refused({.segment = 0, .segment_count = 0}),
            invalid("1 validation error detected: Value '0' at 'totalSegments' failed to satisfy constraint: "
                    "Member must have value greater than or equal to 1"));
  EXPECT_EQ(refused({.segment = 0, .segment_count = 1'000'001}),
            invalid("1 validation error detected: Value '1000001' at 'totalSegments' failed to satisfy "
                    "constraint: Member must have value less than or equal to 1000000"));
}

TEST_F(ScanTest, ChecksComeInDynamoDBsOrder) {
  Scan request{.table = "Nothing", .index = "ghost", .values = {{":v", 1}}, .limit = 0, .consistent = true};
  EXPECT_EQ(
      refusal(db_->scan(request)),
      invalid("1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must "
              "have value greater than or equal to 1"));
  request.limit.reset();
  EXPECT_EQ(
      refusal(db_->scan(request)),
      invalid("ExpressionAttributeValues can only be specified when using expressions: FilterExpression is "
              "null"));
  request.projection = "v";
  EXPECT_EQ(refusal(db_->scan(request)),
            invalid("ExpressionAttributeValues can only be specified when using expressions: "
                    "FilterExpression is null"))
      << "a projection has no place for values";
  request.projection.reset();
  request.filter = "v = :w";
  EXPECT_EQ(refusal(db_->scan(request)).message.substr(0, 26), "Invalid FilterExpression: ");
  request.filter = "v = :v";
  EXPECT_EQ(refusal(db_->scan(request)), no_table());
  request.table = "Things";
  EXPECT_EQ(refusal(db_->scan(request)), invalid("The table does not have the specified index: ghost"));
  request.index = "gsi";
  EXPECT_EQ(refusal(db_->scan(request)),
            invalid("Consistent reads are not supported on global secondary indexes"));
}

}  // namespace
}  // namespace sheaf
